//! Bash.

use tree_sitter::Node;

use super::{Found, Role, Source, Within, children};
use crate::kinds::Kind;

pub(crate) fn role(node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    let is_module = within == Within::Module;
    match node.kind() {
        "program" => Role::Into(within),
        "function_definition" => {
            let found = Found::new(Kind::Function, source.field_name(node, "name"), node);
            Role::place(found.map(|found| found.bracketed(node.child_by_field_name("body"), source)))
        }
        "variable_assignment" if is_module => Role::place(assignment(node, node, source)),
        // `export NAME=value`, `readonly NAME=value`
        "declaration_command" if is_module => match children(node, &["variable_assignment"]).as_slice() {
            [one] => Role::place(assignment(node, one, source)),
            _ => Role::Statement,
        },
        "case_statement" if has_options(node, source) => {
            let found = Found::new(Kind::Block, source.first_words(node), node);
            Role::place(found.map(|found| found.inner(Within::Options)))
        }
        "case_item" if within == Within::Options => Role::place(arm(node, source)),
        _ => Role::Statement,
    }
}

fn assignment(outer: &Node<'_>, node: &Node<'_>, source: Source<'_>) -> Option<Found> {
    Found::new(Kind::Constant, source.field_name(node, "name"), outer)
}

/// Whether a `case` tells the options or the commands of a script apart: it looks at an argument, or one of its patterns
/// begins with `-`, or what it looks at is named as `getopts` users name it.
fn has_options(node: &Node<'_>, source: Source<'_>) -> bool {
    let value = source.field_name(node, "value").unwrap_or_default();
    let value = value.trim_matches(['"', '\'']).trim_start_matches(['$', '{']);
    let name = value.split(|sign: char| !sign.is_alphanumeric() && sign != '_').next().unwrap_or_default();
    let is_argument = matches!(name, "1" | "arg" | "key" | "flag" | "cmd" | "command" | "action");
    if is_argument || name.to_ascii_lowercase().starts_with("opt") {
        return true;
    }
    let patterns = children(node, &["case_item"])
        .into_iter()
        .filter_map(|item| item.child_by_field_name("value").and_then(|pattern| source.unquoted(&pattern)));
    patterns.into_iter().any(|pattern| pattern.starts_with('-'))
}

/// One arm, named by its patterns: `-v|--verbose`.
fn arm(node: &Node<'_>, source: Source<'_>) -> Option<Found> {
    let mut cursor = node.walk();
    let close = node.children(&mut cursor).find(|child| child.kind() == ")")?;
    let patterns = source.words(node.start_byte()..close.start_byte(), super::NAME_CHARS_MAX)?;
    let patterns = patterns.trim_start_matches('(').trim().replace(" | ", "|");
    let mut cursor = node.walk();
    let end = node.children(&mut cursor).find(|child| matches!(child.kind(), ";;" | ";&" | ";;&"));
    let end = end.map_or(node.end_byte(), |end| end.start_byte());
    Some(Found::new(Kind::Block, Some(patterns), node)?.between(close.end_byte(), end, source))
}
