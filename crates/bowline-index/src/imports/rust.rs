//! `use` and `mod name;` of Rust, and which module a path of Rust means.

use tree_sitter::Node;

use super::{Import, Imported, Meaning, children, directory};
use crate::uses::Reading;

/// How deep lists in a `use` may nest.
const NESTING_MAX: usize = 32;

pub(crate) fn read(reading: &Reading<'_>, node: &Node<'_>, found: &mut Vec<Import>) {
    let before = found.len();
    match node.kind() {
        "use_declaration" => {
            let Some(argument) = node.child_by_field_name("argument") else { return };
            tree(reading, &argument, "", NESTING_MAX, found);
            let is_public = children(node).iter().any(|part| part.kind() == "visibility_modifier");
            for import in found.iter_mut().skip(before) {
                (import.statement, import.is_reexported) = (node.byte_range(), is_public);
            }
        }
        "mod_item" if node.child_by_field_name("body").is_none() => {
            let Some(name) = node.child_by_field_name("name") else { return };
            let text = reading.text(&name);
            let import = reading.import(&format!("self::{text}"), Imported::Module, text, &name);
            found.push(Import { statement: node.byte_range(), ..import });
        }
        _ => {}
    }
    if found.len() > before {
        let inside = inline_modules(reading, node);
        found.iter_mut().skip(before).for_each(|import| import.inside.clone_from(&inside));
    }
}

/// The inline modules around a node, outermost first.
fn inline_modules(reading: &Reading<'_>, node: &Node<'_>) -> Vec<String> {
    let mut inside = Vec::new();
    let mut above = node.parent();
    while let Some(around) = above {
        if around.kind() == "mod_item" {
            inside.extend(reading.field(&around, "name"));
        }
        above = around.parent();
    }
    inside.reverse();
    inside
}

/// One part of a `use`, below the path that leads to it.
fn tree(reading: &Reading<'_>, node: &Node<'_>, above: &str, nesting: usize, found: &mut Vec<Import>) {
    let Some(nesting) = nesting.checked_sub(1) else { return };
    match node.kind() {
        "scoped_use_list" => {
            let path = node.child_by_field_name("path").map_or("", |path| reading.text(&path));
            let above = joined(above, path);
            if let Some(list) = node.child_by_field_name("list") {
                children(&list).iter().for_each(|part| tree(reading, part, &above, nesting, found));
            }
        }
        "use_list" => {
            children(node).iter().for_each(|part| tree(reading, part, above, nesting, found));
        }
        "use_wildcard" => {
            let path = node.named_child(0).map_or("", |path| reading.text(&path));
            found.push(reading.import(&joined(above, path), Imported::Everything, "", node));
        }
        "use_as_clause" => {
            let (Some(path), Some(alias)) =
                (node.child_by_field_name("path"), node.child_by_field_name("alias"))
            else {
                return;
            };
            leaf(reading, &path, above, Some(reading.text(&alias)), found);
        }
        _ => leaf(reading, node, above, None, found),
    }
}

/// The last name of a path, under the name it has here.
fn leaf(reading: &Reading<'_>, node: &Node<'_>, above: &str, alias: Option<&str>, found: &mut Vec<Import>) {
    let name = node.child_by_field_name("name").unwrap_or(*node);
    let path = node.child_by_field_name("path").map_or("", |path| reading.text(&path));
    let module = joined(above, path);
    let text = reading.text(&name);
    if text == "self" {
        let last = module.rsplit("::").next().unwrap_or_default().to_owned();
        found.push(reading.import(&module, Imported::Module, alias.unwrap_or(&last), &name));
    } else {
        let imported = Imported::Name(text.to_owned());
        found.push(reading.import(&module, imported, alias.unwrap_or(text), &name));
    }
}

fn joined(above: &str, path: &str) -> String {
    let path: String = path.split_whitespace().collect();
    match (above.is_empty(), path.is_empty()) {
        (true, _) => path,
        (_, true) => above.to_owned(),
        _ => format!("{above}::{path}"),
    }
}

/// The names of the packages of a project, by their folders: what a `Cargo.toml` says.
#[derive(Debug, Default)]
pub(crate) struct Packages {
    pub(crate) names: Vec<(String, String)>,
}

impl Packages {
    /// Takes the name out of a manifest.
    pub(crate) fn add(&mut self, path: &str, content: &[u8]) {
        let text = String::from_utf8_lossy(content);
        let folder = directory(path);
        let mut section = "";
        for line in text.lines().map(str::trim) {
            if line.starts_with('[') {
                section = line;
            }
            let value =
                line.strip_prefix("name").map(str::trim_start).and_then(|rest| rest.strip_prefix('='));
            if let (Some(value), "[package]" | "[lib]") = (value, section) {
                let name = value.trim().trim_matches(['"', '\'']).replace('-', "_");
                self.names.push((folder.to_owned(), name));
            }
        }
    }

    fn has(&self, folder: &str, name: &str) -> bool {
        let is_folder = folder.rsplit('/').next().is_some_and(|last| last.replace('-', "_") == name);
        is_folder || self.names.iter().any(|(of, named)| of == folder && named == name)
    }
}

/// The folder of the package and the path of the module of a file: `src/shop/cart.rs` is `shop::cart` of the package in the
/// root.
pub(crate) fn rust_module(path: &str) -> Option<(String, Vec<String>)> {
    let parts: Vec<&str> = path.strip_suffix(".rs")?.split('/').collect();
    let (file, folders) = parts.split_last()?;
    let (root, below) = match folders.iter().rposition(|part| *part == "src") {
        Some(at) => (folders.get(..at)?.join("/"), folders.get(at + 1..)?),
        None => (directory(path).to_owned(), &[][..]),
    };
    let is_separate = matches!(folders.last(), Some(&("tests" | "examples" | "benches" | "bin")));
    let mut module: Vec<String> = below.iter().map(|part| (*part).to_owned()).collect();
    match *file {
        "mod" if folders.contains(&"src") => {}
        "mod" => {
            let (last, above) = folders.split_last()?;
            return Some((above.join("/"), vec![(*last).to_owned()]));
        }
        "main" | "lib" | "build" => {}
        // Programs of their own.
        _ if is_separate => return Some((directory(path).to_owned(), Vec::new())),
        name => module.push(name.to_owned()),
    }
    Some((root, module))
}

/// The module that a path means where it stands: `super::shop` in the inline module `tests` of `src/main.rs` is `shop`.
pub(crate) fn rust_path(path: &str, from: &str, inside: &[String]) -> Option<(String, Vec<String>)> {
    let (root, mut module) = rust_module(from)?;
    module.extend(inside.iter().cloned());
    for (index, part) in path.split("::").enumerate() {
        match part {
            "" => return None,
            "crate" if index == 0 => module.clear(),
            "self" if index == 0 => {}
            "super" => {
                module.pop()?;
            }
            _ => module.push(part.to_owned()),
        }
    }
    Some((root, module))
}

/// Whether a path means the module of a file, or, from another program of the same package, its library's.
pub(crate) fn rust_means(
    path: &str,
    from: &str,
    inside: &[String],
    to: &Target<'_>,
    packages: &Packages,
) -> bool {
    let Some((root, mut module)) = rust_module(to.path) else { return false };
    module.extend(to.inside.iter().cloned());
    if rust_path(path, from, inside) == Some((root.clone(), module.clone())) {
        return true;
    }
    // A module beside a program of its own: `mod common;` in `tests/shop.rs`.
    let beside = format!("{}/{}.rs", directory(from), path.strip_prefix("self::").unwrap_or(path));
    if to.inside.is_empty() && to.path == beside && rust_module(from).is_some_and(|(_, own)| own.is_empty()) {
        return true;
    }
    let Some((package, rest)) = path.split_once("::").map_or(Some((path, "")), Some) else { return false };
    let rest: Vec<&str> = rest.split("::").filter(|part| !part.is_empty()).collect();
    // What has the name of the package is its library.
    let is_program = to.path.ends_with("/main.rs") || to.path.contains("/bin/");
    packages.has(&root, package) && module == rest && to.path.contains("src/") && !is_program
}

/// A module of Rust: a file, or an inline module in it.
pub(crate) struct Target<'a> {
    pub(crate) path: &'a str,
    pub(crate) inside: &'a [String],
}

pub(crate) fn resolve(import: &Import, from: &str, to: &str, packages: &Packages) -> Option<Meaning> {
    let target = Target { path: to, inside: &[] };
    let means = |path: &str| rust_means(path, from, &import.inside, &target, packages);
    match &import.imported {
        Imported::Module => means(&import.module).then_some(Meaning::Module),
        Imported::Everything => means(&import.module).then_some(Meaning::Names),
        Imported::Name(name) if means(&joined(&import.module, name)) => Some(Meaning::Module),
        Imported::Name(_) => means(&import.module).then_some(Meaning::Names),
    }
}
