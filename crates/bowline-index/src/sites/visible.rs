//! In which files, and where in them, a name of a file can be reached: by itself, because it is imported, or by way of a
//! module.

use std::ops::Range;

use super::{Project, ProjectFile, Surety, Target};
use crate::imports::{Import, Imported, Meaning, directory, meaning};
use crate::language::Language;
use crate::uses::Role;

/// A part of a file in which a name on its own is what another file defines.
#[derive(Debug, Clone)]
pub(crate) struct Visible {
    /// The inline modules of Rust that it holds in.
    pub(crate) modules: Vec<String>,
    pub(crate) bytes: Range<usize>,
    pub(crate) surety: Surety,
}

impl Visible {
    pub(crate) fn covers(&self, modules: &[String], bytes: &Range<usize>) -> bool {
        self.modules == modules && self.bytes.start <= bytes.start && bytes.end <= self.bytes.end
    }
}

/// What one file reaches of the target.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    pub(crate) visible: Vec<Visible>,
    /// The imports of the name, as indexes into those of the file.
    pub(crate) imports: Vec<(usize, Surety)>,
    /// What the module of the target is called here.
    pub(crate) module_names: Vec<String>,
    /// Other names that it is imported under.
    pub(crate) renamed: Vec<String>,
    /// Whether other files can import it from here.
    pub(crate) provides: bool,
}

/// What each file reaches of a name that a file defines outside functions.
pub(crate) fn reach(project: &Project<'_>, target: &Target, name: &str, kept: Kept) -> Vec<Reach> {
    let mut found: Vec<Reach> = project.files.iter().map(|_| Reach::default()).collect();
    if let (Some(own), Some(file)) = (found.get_mut(target.file), project.files.get(target.file)) {
        let bytes = match (&target.token.holds, kept) {
            (Some(holds), Kept::InFunction) => holds.around.clone(),
            _ => 0..file.reading.content.len(),
        };
        let modules = target.token.modules.clone();
        own.visible.push(Visible { modules, bytes, surety: Surety::Certain });
        own.provides = true;
    }
    if kept == Kept::InFunction && target.token.holds.is_some() {
        return found;
    }
    share(project, target, &mut found);
    // Each round follows the imports one file further.
    for _ in 0..project.files.len() {
        if !follow(project, target, name, &mut found) {
            break;
        }
    }
    found
}

/// Whether a definition inside a function is looked at as one, or as what holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    InFunction,
    InFile,
}

/// Languages in which files see each other's names without importing them one by one: a folder of Go or Java, files of C, shell,
/// Ruby and PHP that include each other.
fn share(project: &Project<'_>, target: &Target, found: &mut [Reach]) {
    let Some(own) = project.files.get(target.file) else { return };
    let sees = |file: &ProjectFile<'_>, other: &ProjectFile<'_>| match own.reading.language {
        Language::Go | Language::Java => directory(file.reading.path) == directory(other.reading.path),
        Language::Bash | Language::C | Language::Cpp | Language::Ruby | Language::Php => {
            includes(project, file, other) || includes(project, other, file)
        }
        _ => false,
    };
    for _ in 0..project.files.len() {
        let mut is_new = false;
        for (index, file) in project.related(target) {
            let sharing = project.related(target).any(|(other, by)| {
                other != index && found.get(other).is_some_and(|reach| reach.provides) && sees(file, by)
            });
            let Some(reach) = found.get_mut(index) else { continue };
            if sharing && !reach.provides {
                let bytes = 0..file.reading.content.len();
                reach.visible.push(Visible { modules: Vec::new(), bytes, surety: Surety::Certain });
                reach.provides = true;
                is_new = true;
            }
        }
        if !is_new {
            break;
        }
    }
}

fn includes(project: &Project<'_>, file: &ProjectFile<'_>, other: &ProjectFile<'_>) -> bool {
    file.imports.iter().any(|import| {
        meaning(import, file.reading.path, other.reading.path, &project.packages) == Some(Meaning::Names)
    })
}

/// One round over all imports; whether something new was reached.
fn follow(project: &Project<'_>, target: &Target, name: &str, found: &mut [Reach]) -> bool {
    let mut is_new = false;
    for (index, file) in project.related(target) {
        for (at, import) in file.imports.iter().enumerate() {
            let mut providers = project.related(target).filter(|(provider, by)| {
                let is_self = *provider == index && import.inside.is_empty();
                let provides = found.get(*provider).is_some_and(|reach| reach.provides);
                !is_self && provides && means(project, target, file, import, (*provider, by)).is_some()
            });
            let Some(provider) = providers.next() else { continue };
            let Some(how) = means(project, target, file, import, provider) else { continue };
            let surety = surety(project, file, import, name);
            let bytes = file.reading.function_at(&import.statement);
            let bytes = bytes.unwrap_or(0..file.reading.content.len());
            let seen = Visible { modules: import.inside.clone(), bytes, surety };
            let is_exported = is_exported(file, import, name);
            let Some(reach) = found.get_mut(index) else { continue };
            is_new |= reach.take(at, import, how, name, seen, is_exported);
        }
    }
    is_new
}

impl Reach {
    /// Whether the import brought something new.
    fn take(
        &mut self,
        at: usize,
        import: &Import,
        how: Meaning,
        name: &str,
        seen: Visible,
        is_exported: bool,
    ) -> bool {
        match (&import.imported, how) {
            (_, Meaning::Module) => {
                if import.local.is_empty() || self.module_names.contains(&import.local) {
                    return false;
                }
                self.module_names.push(import.local.clone());
                true
            }
            (Imported::Name(imported), _) if imported == name => {
                if self.imports.iter().any(|(known, _)| *known == at) {
                    return false;
                }
                self.imports.push((at, seen.surety));
                if import.local == name {
                    self.visible.push(seen);
                    self.provides |= is_exported;
                } else {
                    self.renamed.push(import.local.clone());
                }
                true
            }
            (Imported::Everything, _) => {
                let is_known = self.visible.iter().any(|known| {
                    known.modules == seen.modules && known.bytes == seen.bytes && known.surety == seen.surety
                });
                if is_known {
                    return false;
                }
                self.visible.push(seen);
                self.provides |= is_exported;
                true
            }
            _ => false,
        }
    }
}

/// How an import concerns a file that provides the target.
fn means(
    project: &Project<'_>,
    target: &Target,
    file: &ProjectFile<'_>,
    import: &Import,
    provider: (usize, &ProjectFile<'_>),
) -> Option<Meaning> {
    let (index, by) = provider;
    let (from, to) = (file.reading.path, by.reading.path);
    if file.reading.language == Language::Rust && index == target.file && !target.token.modules.is_empty() {
        // The target lies in an inline module of its file.
        let target = crate::imports::Target { path: to, inside: &target.token.modules };
        let means =
            |path: &str| crate::imports::rust_means(path, from, &import.inside, &target, &project.packages);
        let with_name = |name: &str| means(&format!("{}::{name}", import.module));
        return match &import.imported {
            Imported::Module => means(&import.module).then_some(Meaning::Module),
            Imported::Name(name) if with_name(name) => Some(Meaning::Module),
            _ => means(&import.module).then_some(Meaning::Names),
        };
    }
    meaning(import, from, to, &project.packages)
}

/// An import that may mean several files that have the name is not sure; nor is one of everything where there are several of
/// those.
fn surety(project: &Project<'_>, file: &ProjectFile<'_>, import: &Import, name: &str) -> Surety {
    let from = file.reading.path;
    let meant = project.files.iter().filter(|other| {
        other.reading.path != from
            && meaning(import, from, other.reading.path, &project.packages) == Some(Meaning::Names)
            && has(other, name)
    });
    let of_everything = file
        .imports
        .iter()
        .filter(|other| other.imported == Imported::Everything && other.inside == import.inside);
    let is_shared = matches!(
        file.reading.language,
        Language::Bash | Language::C | Language::Cpp | Language::Ruby | Language::Php
    );
    let is_vague = import.imported == Imported::Everything && !is_shared && of_everything.count() > 1;
    if meant.count() > 1 || is_vague { Surety::Uncertain } else { Surety::Certain }
}

/// Whether a file defines a name outside functions and types, or imports it.
fn has(file: &ProjectFile<'_>, name: &str) -> bool {
    let tokens = file.reading.tokens(name);
    let is_defined = tokens
        .iter()
        .any(|token| token.role == Role::Definition && !token.is_member && token.holds.is_none());
    is_defined || file.imports.iter().any(|import| import.local == name)
}

/// Whether what a file imports can be imported from it in turn.
fn is_exported(file: &ProjectFile<'_>, import: &Import, name: &str) -> bool {
    let is_script =
        matches!(file.reading.language, Language::JavaScript | Language::TypeScript | Language::Tsx);
    let is_listed = || file.reading.tokens(name).iter().any(|token| token.role == Role::Export);
    import.is_reexported || is_script && is_listed()
}
