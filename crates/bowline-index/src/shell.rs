//! What a script for the plain shell must not contain: `[[`, arrays and the like, which only bash and its relatives know; and
//! what stands for it in the words of the plain shell.

mod plain;

use tree_sitter::Node;

use crate::language::Language;
use crate::parse::{Next, parse, walk};

pub use plain::to_plain_shell;

/// The first construct of a script that only bash knows: its line, counted from 1, and the construct. None for a script that
/// does not say that it is one for the plain shell (`#!/bin/sh`).
///
/// ```
/// use bowline_index::bash_only;
///
/// let script = b"#!/bin/sh\nif [[ -n $1 ]]; then echo yes; fi\n";
/// assert_eq!(bash_only("a.sh", script), Some((2, "[[")));
/// assert_eq!(bash_only("a.sh", b"#!/bin/bash\n[[ -n $1 ]]\n"), None);
/// ```
pub fn bash_only(path: &str, content: &[u8]) -> Option<(usize, &'static str)> {
    let is_shell = Language::of(path) == Some(Language::Bash);
    if !is_shell || !is_for_plain_shell(content) {
        return None;
    }
    let mut found = None;
    walk(&parse(Language::Bash, content)?, |cursor| {
        let node = cursor.node();
        if found.is_none() {
            found = construct(&node, content).map(|what| (node.start_position().row + 1, what));
        }
        Next::Within
    });
    found
}

/// Whether the first line of a script names the plain shell.
pub fn is_for_plain_shell(content: &[u8]) -> bool {
    let first = content.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let first = String::from_utf8_lossy(first);
    let first = first.trim_end();
    first.starts_with("#!") && (first.ends_with("/sh") || first.ends_with(" sh"))
}

fn construct(node: &Node<'_>, content: &[u8]) -> Option<&'static str> {
    let starts = |text: &[u8]| content.get(node.byte_range()).is_some_and(|own| own.starts_with(text));
    match node.kind() {
        "test_command" if starts(b"[[") => Some("[["),
        "test_command" | "compound_statement" | "c_style_for_statement" if starts(b"((") => Some("(("),
        "c_style_for_statement" => Some("for (("),
        "array" => Some("an array"),
        "process_substitution" => Some("<("),
        "herestring_redirect" => Some("<<<"),
        "expansion" => expansion(content.get(node.byte_range())?),
        _ => None,
    }
}

/// What a parameter expansion does that only bash can do.
fn expansion(text: &[u8]) -> Option<&'static str> {
    let text = std::str::from_utf8(text).ok()?.strip_prefix("${")?;
    let rest = text.trim_start_matches(|sign: char| sign.is_ascii_alphanumeric() || sign == '_');
    match rest.as_bytes() {
        [b'/', ..] => Some("${NAME/…}"),
        [b'^', ..] => Some("${NAME^}"),
        [b',', ..] => Some("${NAME,}"),
        [b':', b'0'..=b'9' | b' ' | b'$' | b'(', ..] => Some("${NAME:…}"),
        _ => None,
    }
}
