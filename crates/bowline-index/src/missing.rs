//! Adds imports of a project's own names where a file uses them and has them from nowhere.

use crate::imports::{Import, Imported, ModuleSystem, add_imports, directory, module_system, rust_module};
use crate::language::Language;
use crate::uses::{Reading, Role};

/// The content with imports of these names, each with the path of the file that defines it, in the file's own style. A name is
/// imported only if the file uses it on its own and neither defines, binds nor imports it, and if it is plain how the other file
/// is reached. The same content where nothing is missing.
///
/// ```
/// use bowline_index::missing_imports;
///
/// let content = b"import os\n\n\ndef main():\n    return load(os.getcwd())\n";
/// let with = missing_imports("main.py", content, &[("load", "shop/loader.py"), ("save", "shop/loader.py")]);
/// assert!(String::from_utf8(with).unwrap().starts_with("import os\nfrom shop.loader import load\n"));
/// ```
pub fn missing_imports(path: &str, content: &[u8], names: &[(&str, &str)]) -> Vec<u8> {
    let Some(reading) = Reading::of(path, content) else { return content.to_vec() };
    let known = reading.imports();
    let mut wanted: Vec<Import> = Vec::new();
    for (name, defined_in) in names {
        if *defined_in == path || !is_missing(&reading, &known, name) {
            continue;
        }
        let Some(module) = module(&reading, &known, defined_in) else { continue };
        wanted.push(Import {
            module,
            imported: Imported::Name((*name).to_owned()),
            local: (*name).to_owned(),
            bytes: 0..0,
            statement: 0..0,
            line: 0,
            is_reexported: false,
            inside: Vec::new(),
        });
    }
    if wanted.is_empty() { content.to_vec() } else { add_imports(path, content, &wanted, "").0 }
}

/// Whether a name is used on its own and comes from nowhere.
fn is_missing(reading: &Reading<'_>, known: &[Import], name: &str) -> bool {
    let tokens = reading.tokens(name);
    let is_used = tokens.iter().any(|token| {
        matches!(token.role, Role::Call | Role::Plain | Role::Shorthand) && token.modules.is_empty()
    });
    let is_bound = tokens.iter().any(|token| {
        matches!(token.role, Role::Import | Role::Binding)
            || token.role == Role::Definition && !token.is_member
    });
    let has_everything = known.iter().any(|import| import.imported == Imported::Everything);
    is_used && !is_bound && !has_everything && !known.iter().any(|import| import.local == name)
}

/// What a file calls the module of another one.
fn module(reading: &Reading<'_>, known: &[Import], defined_in: &str) -> Option<String> {
    let own = Language::of(reading.path)?;
    if !crate::imports::is_related(own, Language::of(defined_in)?) {
        return None;
    }
    // As it does already.
    let same = known.iter().find(|import| {
        matches!(import.imported, Imported::Name(_))
            && crate::imports::meaning(import, reading.path, defined_in, &crate::imports::Packages::default())
                == Some(crate::imports::Meaning::Names)
    });
    if let Some(import) = same {
        return Some(import.module.clone());
    }
    match own {
        Language::Python => python(reading.path, known, defined_in),
        Language::JavaScript | Language::TypeScript | Language::Tsx => script(reading, known, defined_in),
        Language::Rust => {
            let ((root, _), (other, module)) = (rust_module(reading.path)?, rust_module(defined_in)?);
            let path: Vec<String> = std::iter::once("crate".to_owned()).chain(module).collect();
            (root == other).then(|| path.join("::"))
        }
        _ => None,
    }
}

fn python(path: &str, known: &[Import], defined_in: &str) -> Option<String> {
    let stem = defined_in.strip_suffix(".py")?;
    let stem = stem.strip_suffix("/__init__").unwrap_or(stem);
    let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
    let own = directory(path);
    let is_relative = known.iter().any(|import| import.module.starts_with('.'));
    if folder == own && is_relative {
        return Some(format!(".{name}"));
    }
    let package = own.rsplit('/').next().unwrap_or_default();
    let is_absolute =
        !package.is_empty() && known.iter().any(|import| import.module.split('.').next() == Some(package));
    if folder == own && !own.is_empty() && !is_absolute {
        // Scripts beside each other.
        return Some(name.to_owned());
    }
    let dotted = stem.replace('/', ".");
    let dotted = dotted.strip_prefix("src.").or_else(|| dotted.strip_prefix("lib.")).unwrap_or(&dotted);
    Some(dotted.to_owned())
}

fn script(reading: &Reading<'_>, known: &[Import], defined_in: &str) -> Option<String> {
    let relative = known.iter().filter(|import| import.module.starts_with('.'));
    let has_ending = |module: &str| {
        module.rsplit('/').next().is_some_and(|last| last.trim_start_matches('.').contains('.'))
    };
    let text = String::from_utf8_lossy(reading.content);
    let system = module_system(reading.path, &text);
    if system == ModuleSystem::Unknown {
        return None;
    }
    let mut relative = relative.map(|import| has_ending(&import.module)).peekable();
    let keeps_ending = match relative.peek() {
        Some(_) => relative.any(|has| has),
        // Node wants the ending where modules are imported, and not where they are required.
        None => reading.language == Language::JavaScript && system == ModuleSystem::Import,
    };
    let from: Vec<&str> = directory(reading.path).split('/').filter(|part| !part.is_empty()).collect();
    let to: Vec<&str> = directory(defined_in).split('/').filter(|part| !part.is_empty()).collect();
    let shared = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = "../".repeat(from.len() - shared);
    let mut parts: Vec<&str> = to.get(shared..)?.to_vec();
    let file = defined_in.rsplit('/').next()?;
    let (stem, ending) = file.rsplit_once('.')?;
    let written = match (keeps_ending, ending) {
        (false, _) => stem.to_owned(),
        (true, "ts" | "tsx") => format!("{stem}.js"),
        (true, _) => file.to_owned(),
    };
    parts.push(&written);
    let start = if up.is_empty() { "./" } else { &up };
    Some(format!("{start}{}", parts.join("/")))
}
