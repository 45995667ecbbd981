//! Warnings of compilers and linters that a definition is not used, and the definitions that they name.
//!
//! Only whole definitions count. An unused import, parameter or local variable is no definition.

use super::Removal;
use super::lines::Line;
use super::names::{ENTRIES_MAX, is_identifier};
use super::paths::is_path;

/// What the warnings of a message say.
#[derive(Debug, Default)]
pub(super) struct Unused {
    pub definitions: Vec<Removal>,
    /// Whether a warning is about something else, such as an import.
    pub has_others: bool,
}

/// Kinds of whole definitions, as the tools call them.
const DEFINITIONS: [&str; 21] = [
    "constant",
    "const",
    "static",
    "function",
    "func",
    "method",
    "struct",
    "enum",
    "trait",
    "class",
    "type",
    "macro",
    "union",
    "interface",
    "alias",
    "constants",
    "functions",
    "methods",
    "structs",
    "classes",
    "statics",
];
/// What the tools say of them.
const ENDS: [&str; 6] =
    ["never used", "never constructed", "is unused", "are unused", "never read", "defined but not used"];

/// What the lines of a message warn of.
pub(super) fn unused(lines: &[Line<'_>]) -> Unused {
    let mut unused = Unused::default();
    // eslint prints the file once, above its warnings.
    let mut above: Option<&str> = None;
    for (at, line) in lines.iter().enumerate() {
        let Some(warning) = warning(line.text) else {
            let text = line.text.trim();
            if text.is_empty() || is_path(text) {
                above = Some(text).filter(|text| is_path(text));
            }
            continue;
        };
        unused.has_others |= warning.names.is_empty();
        let below = || lines.get(at + 1).and_then(|line| place(line.text.trim().strip_prefix("--> ")?));
        let path = warning.path.or_else(below).or(above).map(str::to_owned);
        for name in warning.names {
            let removal = Removal { name: name.to_owned(), path: path.clone() };
            if unused.definitions.len() < ENTRIES_MAX && !unused.definitions.contains(&removal) {
                unused.definitions.push(removal);
            }
        }
    }
    unused
}

/// Whether a line is such a warning and nothing else.
pub(super) fn is_warning(line: &str) -> bool {
    warning(line).is_some()
}

struct Warning<'a> {
    path: Option<&'a str>,
    /// The definitions that it names, none if it is about something else.
    names: Vec<&'a str>,
}

fn warning(line: &str) -> Option<Warning<'_>> {
    let (path, text) = without_place(line.trim());
    let text = ["warning:", "error:", "warning", "error", "-", "note:"]
        .iter()
        .fold(text, |text, start| text.strip_prefix(start).unwrap_or(text).trim_start());
    let text = without_code(text);
    // "(60% confidence)", "[-Wunused-function]", "(U1000)", "  no-unused-vars"
    let (text, note) = match text.find(['(', '[']).or_else(|| text.find("  ")) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let text = text.trim().trim_end_matches('.');
    let quoted: Vec<&str> = quoted(text);
    let first = text.split_whitespace().next()?;
    let is_about = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if text.ends_with("imported but unused")
        || is_about(&[
            "local variable",
            "unused variable",
            "unused import",
            "unused parameter",
            "unused argument",
        ]) && (!quoted.is_empty() || text.contains(':'))
    {
        return Some(Warning { path, names: Vec::new() });
    }
    // vulture and clang: "unused function 'x'"
    if first == "unused" && quoted.len() == 1 && text.split_whitespace().count() == 3 {
        let kind = text.split_whitespace().nth(1).unwrap_or_default();
        let names = if DEFINITIONS.contains(&kind) { quoted } else { Vec::new() };
        return Some(Warning { path, names });
    }
    if !ENDS.iter().any(|end| text.ends_with(end)) {
        return None;
    }
    let kinds = || text.split_whitespace().take_while(|word| !word.starts_with(['`', '\'']));
    let starts_quoted = text.starts_with(['\'', '`']);
    // staticcheck: "func load is unused (U1000)"
    let bare = text.split_whitespace().nth(1).filter(|name| quoted.is_empty() && is_identifier(name));
    let is_static = note.contains("-Wunused-variable") || text.contains("assigned");
    match (starts_quoted, bare) {
        (true, _) if path.is_none() && !text.ends_with("never read") && note.is_empty() => None,
        (true, _) => Some(Warning { path, names: if is_static { Vec::new() } else { quoted } }),
        (false, Some(name)) if DEFINITIONS.contains(&first) && note.starts_with("(U") => {
            Some(Warning { path, names: vec![name] })
        }
        (false, _) if quoted.is_empty() => None,
        (false, _) => {
            let is_definition = kinds().any(|kind| DEFINITIONS.contains(&kind));
            let is_kind = kinds().all(|kind| kind.chars().all(|sign| sign.is_ascii_lowercase()))
                && kinds().count() <= 3;
            is_kind.then(|| Warning { path, names: if is_definition { quoted } else { Vec::new() } })
        }
    }
}

/// The names in quotation marks or backticks.
fn quoted(text: &str) -> Vec<&str> {
    let text = text.trim();
    let parts = text.split(['`', '\'', '\u{2018}', '\u{2019}', '"']).skip(1).step_by(2);
    parts.filter(|name| is_identifier(name)).take(ENTRIES_MAX).collect()
}

/// The file that a line starts with, and what follows its numbers.
fn without_place(line: &str) -> (Option<&str>, &str) {
    // "a.ts(3,7): error", eslint's "  3:7  warning"
    if let Some((path, rest)) = line.split_once('(').filter(|(path, _)| is_path(path))
        && let Some((_, rest)) = rest.split_once("): ")
    {
        return (Some(path), rest.trim_start());
    }
    let (head, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let path = place(head);
    let is_number = head.split(':').all(|part| part.parse::<u32>().is_ok());
    if path.is_some() || is_number && head.contains(':') { (path, rest.trim_start()) } else { (None, line) }
}

/// The file of `a.py:3:7:`.
fn place(text: &str) -> Option<&str> {
    let path = text.trim().split(':').next()?;
    (is_path(path) && text.contains(':')).then_some(path)
}

/// Without the number of a rule: "F841 ", "TS6133: ".
fn without_code(text: &str) -> &str {
    let Some((code, rest)) = text.split_once(' ') else { return text };
    let code = code.trim_end_matches(':');
    let is_code = code.starts_with(|sign: char| sign.is_ascii_uppercase())
        && code.ends_with(|sign: char| sign.is_ascii_digit())
        && code.chars().all(|sign| sign.is_ascii_alphanumeric());
    if is_code { rest.trim_start() } else { text }
}
