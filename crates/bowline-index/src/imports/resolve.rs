//! Which file a module means, by the ordinary rules of each language. Paths alone decide, no file is looked at; what settings
//! of a project could change (search paths, aliases) is unknown, and unknown means no.

use super::rust::{Packages, resolve as resolve_rust};
use super::{Import, Imported};
use crate::language::Language;

/// How an import concerns a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// The file itself is imported as a module.
    Module,
    /// A name, or all names, are imported from it.
    Names,
}

/// Whether an import of one file plainly means another one: as a whole, or for a name of it. Paths are relative to the project
/// and written with `/`.
///
/// ```
/// use bowline_index::{imports, resolves};
///
/// let found = imports("web/main.js", b"import { load } from '../lib/shop';\n");
/// assert!(resolves(&found[0], "web/main.js", "lib/shop.ts"));
/// assert!(resolves(&found[0], "web/main.js", "lib/shop/index.js"));
/// assert!(!resolves(&found[0], "web/main.js", "web/shop.js"));
/// ```
pub fn resolves(import: &Import, from_path: &str, to_path: &str) -> bool {
    meaning(import, from_path, to_path, &Packages::default()).is_some()
}

pub(crate) fn meaning(import: &Import, from: &str, to: &str, packages: &Packages) -> Option<Meaning> {
    let language = Language::of(from)?;
    if !is_related(language, Language::of(to)?) {
        return None;
    }
    let whole = match import.imported {
        Imported::Module => Meaning::Module,
        _ => Meaning::Names,
    };
    let is = match language {
        Language::Python => return python(import, from, to),
        Language::Rust => return resolve_rust(import, from, to, packages),
        Language::JavaScript | Language::TypeScript | Language::Tsx => script(&import.module, from, to),
        Language::Go => folder_ends_with(to, &import.module, '/'),
        Language::Java => return java(import, to),
        Language::Bash => shell(&import.module, from, to),
        Language::C | Language::Cpp => {
            let module = import.module.as_str();
            at(from, module).as_deref() == Some(to)
                || ["include", "src"].iter().any(|folder| to == format!("{folder}/{module}"))
        }
        Language::Ruby => import.module.starts_with('.') && with_ending(from, &import.module, ".rb", to),
        Language::Php => at(from, &import.module).as_deref() == Some(to),
        Language::Lua => with_ending("", &import.module.replace('.', "/"), ".lua", to),
        _ => false,
    };
    is.then_some(whole)
}

/// Whether files of one language can import those of the other.
pub(crate) fn is_related(one: Language, other: Language) -> bool {
    let family = |language| match language {
        Language::TypeScript | Language::Tsx => Language::JavaScript,
        Language::Cpp => Language::C,
        _ => language,
    };
    family(one) == family(other)
}

pub(crate) fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

/// A path relative to the folder of a file; none where it leads out of the project.
fn at(from: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = directory(from).split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn with_ending(from: &str, module: &str, ending: &str, to: &str) -> bool {
    let Some(path) = at(from, module) else { return false };
    to == path || to.strip_suffix(ending) == Some(&path)
}

const SCRIPT_ENDINGS: [&str; 8] = [".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"];

fn script(module: &str, from: &str, to: &str) -> bool {
    if !module.starts_with("./") && !module.starts_with("../") && module != "." && module != ".." {
        return false;
    }
    let Some(path) = at(from, module) else { return false };
    let stem = |path: &str| {
        let ending = SCRIPT_ENDINGS.iter().find(|ending| path.ends_with(**ending));
        ending.and_then(|ending| path.strip_suffix(*ending)).map(str::to_owned)
    };
    let Some(target) = stem(to) else { return false };
    // TypeScript imports `./shop.js` and means `shop.ts`.
    let is_file = to == path || target == path || stem(&path) == Some(target.clone()) && to.contains(".ts");
    let index = if path.is_empty() { "index".to_owned() } else { format!("{path}/index") };
    is_file || target == index
}

/// The parts of a Python module of this path: `src/pkg/shop.py` is `src`, `pkg`, `shop`.
fn python_parts(path: &str) -> Vec<&str> {
    let path = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let mut parts: Vec<&str> = path.split('/').collect();
    if parts.last() == Some(&"__init__") {
        parts.pop();
    }
    parts
}

fn python(import: &Import, from: &str, to: &str) -> Option<Meaning> {
    let name = match &import.imported {
        Imported::Name(name) => Some(name.as_str()),
        Imported::Module => None,
        Imported::Everything => return python_means(&import.module, from, to).then_some(Meaning::Names),
    };
    match name {
        None => python_means(&import.module, from, to).then_some(Meaning::Module),
        Some(name) => {
            let dot = if import.module.ends_with('.') { "" } else { "." };
            if python_means(&format!("{}{dot}{name}", import.module), from, to) {
                return Some(Meaning::Module);
            }
            python_means(&import.module, from, to).then_some(Meaning::Names)
        }
    }
}

fn python_means(module: &str, from: &str, to: &str) -> bool {
    let target = python_parts(to);
    let dots = module.bytes().take_while(|byte| *byte == b'.').count();
    let names: Vec<&str> = module.split('.').filter(|part| !part.is_empty()).collect();
    let folder: Vec<&str> = directory(from).split('/').filter(|part| !part.is_empty()).collect();
    if dots > 0 {
        let Some(kept) = folder.len().checked_sub(dots - 1) else { return false };
        let mut parts = folder.get(..kept).unwrap_or_default().to_vec();
        parts.extend(names);
        return parts == target;
    }
    // From a folder of the search path: one around the importing file, or one that projects keep their code in.
    let Some(root) = target.len().checked_sub(names.len()) else { return false };
    if names.is_empty() || target.get(root..) != Some(&names) {
        return false;
    }
    let root = target.get(..root).unwrap_or_default();
    folder.starts_with(root) || matches!(root, [.., "src" | "lib"])
}

fn java(import: &Import, to: &str) -> Option<Meaning> {
    let stem = to.strip_suffix(".java")?;
    let ends_with = |path: &str| {
        let path = path.replace('.', "/");
        stem == path || stem.strip_suffix(&path).is_some_and(|before| before.ends_with('/'))
    };
    match &import.imported {
        Imported::Name(name) if ends_with(&format!("{}.{name}", import.module)) => Some(Meaning::Names),
        // `import static a.b.Shop.load` and `import a.b.Shop.Cart`.
        Imported::Name(_) | Imported::Module => ends_with(&import.module).then_some(Meaning::Names),
        Imported::Everything => {
            folder_ends_with(to, &import.module.replace('.', "/"), '/').then_some(Meaning::Names)
        }
    }
}

/// Whether a file lies in the folder that a longer path ends with, or the other way round: `example.com/shop/store` and
/// `store/load.go`.
fn folder_ends_with(to: &str, module: &str, separator: char) -> bool {
    let folder = directory(to);
    let ends_with = |long: &str, short: &str| {
        long == short || long.strip_suffix(short).is_some_and(|before| before.ends_with(separator))
    };
    !folder.is_empty() && !module.is_empty() && (ends_with(module, folder) || ends_with(folder, module))
}

/// `lib.sh`, `./lib.sh`, `"$(dirname "$0")/lib.sh"`, `"$DIR/lib.sh"`: what an expansion stands for is taken for the folder of
/// the file, or the root of the project.
fn shell(module: &str, from: &str, to: &str) -> bool {
    let is_expanded = module.starts_with('$');
    let path = match is_expanded {
        false => module,
        true => {
            let end = module.rfind([')', '}', '"']).map_or(0, |end| end + 1);
            let rest = module.get(end..).unwrap_or_default();
            match rest.find('/') {
                Some(slash) => rest.get(slash + 1..).unwrap_or_default(),
                None => return false,
            }
        }
    };
    if path.is_empty() || path.contains(['$', '`', '*', '~']) || path.starts_with('/') {
        return false;
    }
    at(from, path).as_deref() == Some(to) || at("", path).as_deref() == Some(to)
}
