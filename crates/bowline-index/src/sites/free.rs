//! Sites of what is defined outside types: functions, types, constants.

use std::ops::Range;

use super::visible::{Kept, Reach, Visible, reach};
use super::{How, Project, ProjectFile, Site, Surety, Target, is_assigned_again, unresolved};
use crate::imports::{Import, Imported, meaning, rust_means};
use crate::language::Language;
use crate::uses::{Holds, Role, Token};

pub(crate) fn sites(project: &Project<'_>, target: &Target) -> Vec<Site> {
    let reached = reach(project, target, &target.name, Kept::InFunction);
    let mut sites = Vec::new();
    for (index, file) in project.related(target) {
        let Some(reach) = reached.get(index) else { continue };
        let mut tokens = file.reading.tokens(&target.name);
        // Imports are sites by themselves, below; what they bind is known from them.
        tokens.retain(|token| !file.imports.iter().any(|import| import.bytes == token.bytes));
        let hidden = hidden(target, index, file, reach, &tokens);
        for token in tokens.iter().filter(|token| token.space == target.token.space) {
            sites.extend(site(project, target, (index, file), &reached, &hidden, token));
        }
        if target.token.holds.is_none() {
            sites.extend(unresolved::sites(project, target, &target.name, (index, file), reach));
        }
        for (at, surety) in &reach.imports {
            let Some(import) = file.imports.get(*at) else { continue };
            let (bytes, line) = (import.bytes.clone(), import.line);
            sites.push(Site { file: index, bytes, line, how: How::Import, surety: *surety });
        }
    }
    sites
}

fn site(
    project: &Project<'_>,
    target: &Target,
    (index, file): (usize, &ProjectFile<'_>),
    reached: &[Reach],
    hidden: &Hidden,
    token: &Token,
) -> Option<Site> {
    let reach = reached.get(index)?;
    let seen = reach.visible.iter().filter(|seen| seen.covers(&token.modules, &token.bytes));
    // A sure way to see it makes it sure.
    let seen = seen.min_by_key(|seen| seen.surety == Surety::Uncertain);
    let new = |how, surety| Some(Site::new(index, token, how, surety));
    let is_target = index == target.file && token.bytes == target.token.bytes;
    match token.role {
        Role::Definition if is_target => new(How::Definition, Surety::Certain),
        Role::Definition if token.is_member || token.holds.is_some() => None,
        Role::Definition => {
            seen?;
            let again = is_assigned_again(file.reading.language, target.kind, target.token.space);
            new(if again { How::Use } else { How::Another }, Surety::Certain)
        }
        Role::Binding | Role::KeywordArgument => None,
        // Imports are sites by themselves; another import of the name hides what there is.
        Role::Import => None,
        Role::Member if is_of_module(project, target, (index, file), reached, token) => {
            new(How::Use, Surety::Certain)
        }
        Role::Member if unresolved::is_namesake(project, target, file, token) => {
            new(How::Use, Surety::Uncertain)
        }
        Role::Member => None,
        Role::Export => {
            if file.imports.iter().any(|import| contains(&import.statement, &token.bytes)) {
                return None;
            }
            let is_other = token.object.as_deref().is_some_and(|object| object != target.name);
            new(How::Export, if is_other { Surety::Uncertain } else { seen?.surety })
        }
        Role::Call | Role::Plain | Role::Shorthand => {
            let surety = certainty(seen?, hidden, token)?;
            let is_shorthand = token.role == Role::Shorthand;
            new(if is_shorthand { How::ShorthandValue } else { How::Use }, surety)
        }
    }
}

/// None where a parameter of the same name is meant.
fn certainty(seen: &Visible, hidden: &Hidden, token: &Token) -> Option<Surety> {
    if token.is_global {
        return Some(seen.surety);
    }
    let around = hidden.holds.iter().filter(|holds| contains(&holds.around, &token.bytes));
    let mut surety = seen.surety;
    let owner = token.owners.first().filter(|_| token.is_in_type);
    if owner.is_some_and(|owner| hidden.owners.contains(&owner.name)) {
        surety = Surety::Uncertain;
    }
    for holds in around {
        match &holds.surely {
            Some(body) if contains(body, &token.bytes) => return None,
            _ => surety = Surety::Uncertain,
        }
    }
    Some(surety)
}

/// What hides the target in a file.
struct Hidden {
    holds: Vec<Holds>,
    /// The types with a member of the same name, which is meant in their bodies outside their methods.
    owners: Vec<String>,
}

/// Where parameters, local variables, inner definitions and other imports of the same name hide the target.
fn hidden(target: &Target, index: usize, file: &ProjectFile<'_>, reach: &Reach, tokens: &[Token]) -> Hidden {
    let is_target = |token: &Token| index == target.file && token.bytes == target.token.bytes;
    let whole = || 0..file.reading.content.len();
    let mut hidden: Vec<Holds> = Vec::new();
    let members = tokens.iter().filter(|token| token.is_member);
    let owners = members.filter_map(|token| token.owners.first()).map(|owner| owner.name.clone()).collect();
    for token in tokens.iter().filter(|token| token.space == target.token.space && !is_target(token)) {
        match token.role {
            Role::Binding | Role::Definition if !token.is_member => match &token.holds {
                Some(holds) => hidden.push(holds.clone()),
                // A loop variable outside functions.
                None if token.role == Role::Binding => hidden.push(Holds { around: whole(), surely: None }),
                None => {}
            },
            _ => {}
        }
    }
    for (at, import) in file.imports.iter().enumerate() {
        let is_ours = reach.imports.iter().any(|(ours, _)| *ours == at);
        let is_module = import.imported == Imported::Module && reach.module_names.contains(&import.local);
        if import.local == target.name && !is_ours && !is_module {
            let around = file.reading.function_at(&import.statement).unwrap_or_else(whole);
            hidden.push(Holds { around, surely: None });
        }
    }
    Hidden { holds: hidden, owners }
}

pub(crate) fn contains(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Whether a member belongs to the module of the target, or to one that hands it on: `shop.load`, `crate::shop::load`,
/// `require('./shop').load`.
pub(crate) fn is_of_module(
    project: &Project<'_>,
    target: &Target,
    (index, file): (usize, &ProjectFile<'_>),
    reached: &[Reach],
    token: &Token,
) -> bool {
    let Some(object) = &token.object else { return false };
    let provides = |other: usize| reached.get(other).is_some_and(|reach| reach.provides);
    let mut providers = project.related(target).filter(|(other, _)| provides(*other));
    match file.reading.language {
        Language::Rust => {
            token.is_path
                && providers.any(|(other, by)| {
                    let inside: &[String] = if other == target.file { &target.token.modules } else { &[] };
                    let to = crate::imports::Target { path: by.reading.path, inside };
                    rust_module_paths(file, object, &token.modules).iter().any(|path| {
                        rust_means(path, file.reading.path, &token.modules, &to, &project.packages)
                    })
                })
        }
        _ if reached.get(index).is_some_and(|reach| reach.module_names.contains(object)) => true,
        Language::JavaScript | Language::TypeScript | Language::Tsx => {
            let argument = object.strip_prefix("require(").and_then(|rest| rest.strip_suffix(')'));
            let Some(module) = argument else { return false };
            let import = whole_module(module.trim_matches(['"', '\'', '`']));
            providers.any(|(_, by)| {
                meaning(&import, file.reading.path, by.reading.path, &project.packages).is_some()
            })
        }
        _ => false,
    }
}

fn whole_module(module: &str) -> Import {
    Import {
        module: module.to_owned(),
        imported: Imported::Module,
        local: String::new(),
        bytes: 0..0,
        statement: 0..0,
        line: 0,
        is_reexported: false,
        inside: Vec::new(),
    }
}

/// A path as it is written, and with its first part replaced by what that was imported as.
pub(crate) fn rust_module_paths(file: &ProjectFile<'_>, path: &str, modules: &[String]) -> Vec<String> {
    let path = path.split('<').next().unwrap_or_default().trim_end_matches("::");
    let (first, rest) = path.split_once("::").unwrap_or((path, ""));
    let rest = if rest.is_empty() { String::new() } else { format!("::{rest}") };
    let mut paths = Vec::new();
    for import in file.imports.iter().filter(|import| import.inside == modules && import.local == first) {
        paths.push(match &import.imported {
            Imported::Name(name) if import.module.is_empty() => format!("{name}{rest}"),
            Imported::Name(name) => format!("{}::{name}{rest}", import.module),
            _ => format!("{}{rest}", import.module),
        });
    }
    // A name that is imported from elsewhere is not a module beside this one.
    if paths.is_empty() {
        paths.push(path.to_owned());
    }
    paths
}
