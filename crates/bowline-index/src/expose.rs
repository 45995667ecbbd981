//! Makes a definition visible to other files, as the rest of its file does it.

use crate::edits::Edits;
use crate::imports::{ModuleSystem, module_system};
use crate::language::Language;
use crate::parse::{Next, parse, walk};
use crate::place::Place;
use crate::places::places;

/// The content with a function, type or constant of its top level made visible: a `pub` in Rust, an `export` or an entry in
/// `module.exports` in JavaScript and TypeScript. None where it is visible already, where other files see everything, or where
/// it is not plain how it is done.
///
/// ```
/// use bowline_index::expose;
///
/// let content = b"function load() {}\nfunction save() {}\nmodule.exports = { load };\n";
/// let with = expose("shop.js", content, "save").unwrap();
/// assert!(String::from_utf8(with).unwrap().ends_with("module.exports = { load, save };\n"));
/// assert_eq!(expose("shop.js", content, "load"), None);
/// ```
pub fn expose(path: &str, content: &[u8], name: &str) -> Option<Vec<u8>> {
    let all = places(path, content);
    let is_it =
        |place: &&Place| place.name == name && place.container.is_none() && place.kind.is_definition();
    let place = all.iter().find(is_it)?;
    let text = std::str::from_utf8(content).ok()?;
    match Language::of(path)? {
        Language::Rust => with_word(text, place, "pub ", &["pub ", "pub("]),
        Language::JavaScript | Language::TypeScript | Language::Tsx => match module_system(path, text) {
            ModuleSystem::Import if is_listed(text, name) => None,
            ModuleSystem::Import => with_word(text, place, "export ", &["export "]),
            ModuleSystem::Require => required(path, text, name),
            ModuleSystem::Unknown => None,
        },
        _ => None,
    }
}

/// Whether a list of exports has the name: `export { load }`.
fn is_listed(text: &str, name: &str) -> bool {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == '$';
    let lists = text.split("export {").skip(1).filter_map(|rest| rest.split('}').next());
    lists.flat_map(|list| list.split(|sign: char| !is_part(sign))).any(|word| word == name)
}

/// The definition with a word in front of its signature.
fn with_word(text: &str, place: &Place, word: &str, known: &[&str]) -> Option<Vec<u8>> {
    let first = place.head.lines().next()?.trim_start();
    let own = text.get(place.bytes.clone())?;
    if known
        .iter()
        .any(|known| own.lines().any(|line| line.trim_start().starts_with(known) && line.contains(first)))
    {
        return None;
    }
    let at = place.bytes.start + own.find(first)?;
    let mut edits = Edits::default();
    edits.replace(at..at, word.into());
    Some(edits.apply(text.as_bytes()))
}

/// The content with the name in the object that `module.exports` is.
fn required(path: &str, text: &str, name: &str) -> Option<Vec<u8>> {
    let tree = parse(Language::of(path)?, text.as_bytes())?;
    let mut list = None;
    walk(&tree, |cursor| {
        let node = cursor.node();
        let left = node.child_by_field_name("left").and_then(|left| text.get(left.byte_range()));
        let right = node.child_by_field_name("right").filter(|right| right.kind() == "object");
        if node.kind() == "assignment_expression" && left == Some("module.exports") && right.is_some() {
            list = right.map(|right| right.byte_range());
        }
        Next::Within
    });
    let list = list?;
    let inside = text.get(list.start + 1..list.end.checked_sub(1)?)?;
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == '$';
    if inside.contains(['{', '(']) || inside.split(|sign: char| !is_part(sign)).any(|word| word == name) {
        return None;
    }
    let kept = inside.trim_end();
    let at = list.start + 1 + kept.len();
    let last = kept.lines().last().unwrap_or_default();
    let indent = last.get(..last.len() - last.trim_start().len()).unwrap_or_default();
    let comma = if kept.trim().is_empty() || kept.ends_with(',') { "" } else { "," };
    let entry = match (inside.contains('\n'), kept.ends_with(',')) {
        (true, true) => format!("{comma}\n{indent}{name},"),
        (true, false) => format!("{comma}\n{indent}{name}"),
        (false, _) => format!("{comma} {name}"),
    };
    // `{}` gets a space before its brace, too.
    let entry = if inside.is_empty() { format!("{entry} ") } else { entry };
    let mut edits = Edits::default();
    edits.replace(at..at, entry.into_bytes());
    Some(edits.apply(text.as_bytes()))
}
