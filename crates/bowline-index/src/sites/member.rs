//! Sites of what is defined in a type: methods, fields, variants.

use super::free::{contains, is_of_module};
use super::visible::{Kept, Reach, reach};
use super::{How, Project, ProjectFile, Site, Surety, Target, has_word};
use crate::imports::Imported;
use crate::kinds::Kind;
use crate::language::Language;
use crate::uses::{Owner, Role, Token};

pub(crate) fn sites(project: &Project<'_>, target: &Target) -> Vec<Site> {
    let Some(owner) = target.token.owners.first() else { return Vec::new() };
    let reached = reach(project, target, &owner.name, Kept::InFile);
    let mut sites = Vec::new();
    for (index, file) in project.related(target) {
        for token in file.reading.tokens(&target.name) {
            sites.extend(site(project, target, owner, (index, file), &reached, &token));
        }
    }
    sites
}

fn site(
    project: &Project<'_>,
    target: &Target,
    owner: &Owner,
    (index, file): (usize, &ProjectFile<'_>),
    reached: &[Reach],
    token: &Token,
) -> Option<Site> {
    let new = |how, surety| Some(Site::new(index, token, how, surety));
    let is_target = index == target.file && token.bytes == target.token.bytes;
    let is_own = index == target.file && token.owners.first().is_some_and(|around| around.name == owner.name);
    match token.role {
        Role::Definition if is_target && is_bound(file.reading.language, owner) => {
            new(How::Inherited, Surety::Certain)
        }
        Role::Definition if is_target => new(How::Definition, Surety::Certain),
        Role::Definition if !token.is_member => None,
        Role::Definition if is_own => new(How::Another, Surety::Certain),
        Role::Definition => {
            let around = token.owners.first()?;
            let is_kin = has_word(&around.head, &owner.name)
                || !around.name.is_empty() && has_word(&owner.head, &around.name);
            if is_kin { new(How::Inherited, Surety::Certain) } else { None }
        }
        Role::Member | Role::Shorthand => {
            let is_shorthand = token.role == Role::Shorthand;
            let how = if is_shorthand { How::ShorthandKey } else { How::Use };
            match of(project, target, owner, (index, file), reached, token) {
                Of::Target => new(how, Surety::Certain),
                // `{ load }` of JavaScript makes some other object.
                Of::Unknown if is_shorthand && token.object.is_none() => None,
                Of::Unknown => new(how, Surety::Uncertain),
                Of::Other => None,
            }
        }
        Role::KeywordArgument if target.kind == Kind::Field => new(How::Use, Surety::Uncertain),
        // `use Day::*` brings variants in by their names alone.
        Role::Call | Role::Plain if target.kind == Kind::Variant => new(How::Use, Surety::Uncertain),
        Role::Call | Role::Plain if is_own && has_bare_members(file.reading.language) => {
            let is_hidden =
                file.reading.tokens(&target.name).iter().any(|other| {
                    other.holds.as_ref().is_some_and(|holds| contains(&holds.around, &token.bytes))
                });
            new(How::Use, if is_hidden { Surety::Uncertain } else { Surety::Certain })
        }
        _ => None,
    }
}

/// Methods that a trait demands are not named by the type.
fn is_bound(language: Language, owner: &Owner) -> bool {
    language == Language::Rust && owner.head.starts_with("impl") && has_word(&owner.head, "for")
}

/// Languages in which a method calls another one without naming the object.
fn has_bare_members(language: Language) -> bool {
    matches!(language, Language::Java | Language::Ruby | Language::Cpp)
}

enum Of {
    Target,
    Other,
    Unknown,
}

/// Whose member it is.
fn of(
    project: &Project<'_>,
    target: &Target,
    owner: &Owner,
    (index, file): (usize, &ProjectFile<'_>),
    reached: &[Reach],
    token: &Token,
) -> Of {
    let Some(object) = token.object.as_deref() else { return Of::Unknown };
    if matches!(object, "self" | "this" | "cls" | "Self" | "$this" | "super" | "super()" | "static") {
        let Some(around) = token.owners.first() else { return Of::Unknown };
        let is_plain = !object.starts_with("super") && !token.has_own_this;
        return match around.name == owner.name && index == target.file {
            true if is_plain && around.name == owner.name => Of::Target,
            true => Of::Unknown,
            false if has_word(&around.head, &owner.name) => Of::Unknown,
            false => Of::Other,
        };
    }
    if names_type(project, target, owner, (index, file), reached, token, object) {
        return Of::Target;
    }
    // A member of a module, or of a type with another name.
    let is_module = reached
        .get(index)
        .is_some_and(|reach| reach.module_names.iter().any(|name| name == object))
        || file.imports.iter().any(|import| import.imported == Imported::Module && import.local == object);
    let last = object.rsplit(['.', ':']).next().unwrap_or_default();
    let is_type = last != owner.name
        && last.starts_with(char::is_uppercase)
        && last.chars().all(char::is_alphanumeric)
        && last.contains(char::is_lowercase);
    if is_module || is_type || object.starts_with("require(") { Of::Other } else { Of::Unknown }
}

/// Whether the object is the type itself: `Day::Friday`, `shop.Day.FRIDAY`.
fn names_type(
    project: &Project<'_>,
    target: &Target,
    owner: &Owner,
    (index, file): (usize, &ProjectFile<'_>),
    reached: &[Reach],
    token: &Token,
    object: &str,
) -> bool {
    let Some(reach) = reached.get(index) else { return false };
    if file.reading.language == Language::Rust && !token.is_path && token.role == Role::Member {
        // `Row { load: 1 }` names its type; `row.load` does not.
        let is_literal = object == owner.name;
        if !is_literal {
            return false;
        }
    }
    let object = object.split('<').next().unwrap_or_default().trim_end_matches("::");
    let seen = reach
        .visible
        .iter()
        .any(|seen| seen.surety == Surety::Certain && seen.covers(&token.modules, &token.bytes));
    // A parameter or variable may have the name of the type.
    let is_hidden = || {
        file.reading
            .tokens(object)
            .iter()
            .any(|other| other.holds.as_ref().is_some_and(|holds| contains(&holds.around, &token.bytes)))
    };
    if object == owner.name && seen || reach.renamed.iter().any(|name| name == object) {
        return !is_hidden();
    }
    let separator = if file.reading.language == Language::Rust { "::" } else { "." };
    let Some((module, last)) = object.rsplit_once(separator) else { return false };
    if last != owner.name {
        return false;
    }
    let member = Token { object: Some(module.to_owned()), ..token.clone() };
    is_of_module(project, target, (index, file), reached, &member)
}
