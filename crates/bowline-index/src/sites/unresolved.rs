//! Imports of the target's name that lead nowhere known: a module with a path of its own, an alias, a search path that is set
//! elsewhere. They may mean the target, so they are offered.

use super::free::rust_module_paths;
use super::visible::Reach;
use super::{How, Project, ProjectFile, Site, Surety, Target};
use crate::imports::{Import, Imported, meaning, rust_means, rust_module, rust_path};
use crate::language::Language;
use crate::uses::Token;

/// The unresolved imports of a name in one file, besides those that are known to mean the target.
pub(crate) fn sites(
    project: &Project<'_>,
    target: &Target,
    name: &str,
    (index, file): (usize, &ProjectFile<'_>),
    reach: &Reach,
) -> Vec<Site> {
    let mut sites = Vec::new();
    for (at, import) in file.imports.iter().enumerate() {
        let is_named = matches!(&import.imported, Imported::Name(imported) if imported == name);
        let is_known = reach.imports.iter().any(|(known, _)| *known == at);
        if is_named && !is_known && may_mean(project, target, file, import) {
            let (bytes, line) = (import.bytes.clone(), import.line);
            sites.push(Site { file: index, bytes, line, how: How::Use, surety: Surety::Uncertain });
        }
    }
    sites
}

fn may_mean(project: &Project<'_>, target: &Target, file: &ProjectFile<'_>, import: &Import) -> bool {
    let from = file.reading.path;
    let is_inside = match file.reading.language {
        Language::Rust => matches!(import.module.split("::").next(), Some("crate" | "self" | "super")),
        _ => import.module.starts_with('.'),
    };
    // A module by the name of the target's file, from somewhere.
    let path = project.path(target.file);
    let file_name = path.rsplit('/').next().unwrap_or_default();
    let stem = file_name.split('.').next().unwrap_or_default();
    let last = import.module.rsplit(['/', '.', ':']).next().unwrap_or_default();
    let is_namesake = !stem.is_empty() && last == stem && !matches!(stem, "index" | "lib" | "main" | "mod");
    (is_inside || is_namesake) && !is_resolved(project, file, import, from)
}

/// Whether the import leads to some file that is known, or to an inline module of the same file.
fn is_resolved(project: &Project<'_>, file: &ProjectFile<'_>, import: &Import, from: &str) -> bool {
    let is_inline =
        file.reading.language == Language::Rust && is_inline(file, &import.module, &import.inside);
    is_inline
        || project
            .files
            .iter()
            .any(|other| meaning(import, from, other.reading.path, &project.packages).is_some())
}

/// Whether a path of Rust leads to an inline module of the file it stands in.
fn is_inline(file: &ProjectFile<'_>, path: &str, inside: &[String]) -> bool {
    let from = file.reading.path;
    let (Some((root, module)), Some((own_root, own))) = (rust_path(path, from, inside), rust_module(from))
    else {
        return false;
    };
    let Some(below) = module.strip_prefix(own.as_slice()).filter(|_| root == own_root) else { return false };
    let text = String::from_utf8_lossy(file.reading.content);
    match below.first() {
        Some(first) => text.contains(&format!("mod {first} {{")),
        None => !inside.is_empty(),
    }
}

/// Whether a path that leads nowhere known ends with the name of the target's module: `typos::OPERATORS`.
pub(crate) fn is_namesake(
    project: &Project<'_>,
    target: &Target,
    file: &ProjectFile<'_>,
    token: &Token,
) -> bool {
    let Some(object) = token.object.as_deref().filter(|_| token.is_path) else { return false };
    let Some((_, module)) = rust_module(project.path(target.file)) else { return false };
    let (Some(name), Some(last)) = (module.last(), object.rsplit("::").next()) else { return false };
    if name != last || is_inline(file, object, &token.modules) {
        return false;
    }
    let paths = rust_module_paths(file, object, &token.modules);
    !project.files.iter().any(|other| {
        let to = crate::imports::Target { path: other.reading.path, inside: &[] };
        paths.iter().any(|path| rust_means(path, file.reading.path, &token.modules, &to, &project.packages))
    })
}
