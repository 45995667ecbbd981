//! What a file defines: functions, types and what holds them, in the order of the text.

use std::ops::RangeInclusive;

use tree_sitter::Node;

use crate::kinds::{Kind, kind_of};
use crate::language::Language;
use crate::parse::{Next, parse, walk};

/// More are not listed.
const DEFINITIONS_MAX: usize = 20_000;
const NAME_CHARS_MAX: usize = 120;
/// How deep a name may lie in a declarator of C.
const DECLARATORS_MAX: usize = 16;

/// Something a file defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    pub name: String,
    pub kind: Kind,
    /// From the line it begins on to the one it ends on, counted from 1.
    pub lines: RangeInclusive<usize>,
}

/// What a file defines, outer before inner. Empty for a language that is not known or defines nothing.
///
/// ```
/// use bowline_index::{Kind, definitions};
///
/// let found = definitions("a.go", b"package a\n\nfunc Run() int {\n\treturn 1\n}\n");
/// assert_eq!((found[0].name.as_str(), found[0].kind, found[0].lines.clone()), ("Run", Kind::Function, 3..=5));
/// ```
pub fn definitions(path: &str, content: &[u8]) -> Vec<Definition> {
    let mut found = Vec::new();
    let Some(language) = Language::of(path) else { return found };
    let Some(tree) = parse(language, content) else { return found };
    walk(&tree, |cursor| {
        if found.len() >= DEFINITIONS_MAX {
            return Next::Past;
        }
        let node = cursor.node();
        if let Some(kind) = kind_of(language, &node)
            && let Some(name) = name_of(&node, content)
        {
            found.push(Definition { name, kind, lines: lines_of(&node) });
        }
        Next::Within
    });
    found
}

/// A node that takes the line break after it with it does not reach into the next line.
fn lines_of(node: &Node<'_>) -> RangeInclusive<usize> {
    let (first, end) = (node.start_position().row, node.end_position());
    let last = if end.column == 0 { end.row.saturating_sub(1).max(first) } else { end.row };
    first + 1..=last + 1
}

/// The definitions around a line, outermost first, as one name: `Shop.total`.
pub fn scope(definitions: &[Definition], line: usize) -> Option<String> {
    let around = definitions.iter().filter(|definition| definition.lines.contains(&line));
    let names: Vec<&str> = around.map(|definition| definition.name.as_str()).collect();
    (!names.is_empty()).then(|| names.join("."))
}

fn name_of(node: &Node<'_>, content: &[u8]) -> Option<String> {
    let field = |name| node.child_by_field_name(name);
    let named = match node.kind() {
        // The type it is for is the name of it.
        "impl_item" => field("type").map(|of| of.child_by_field_name("type").unwrap_or(of)),
        "assignment_statement" => node.named_child(0),
        _ => field("name").or_else(|| field("property")).or_else(|| declared(node)),
    }?;
    let text = String::from_utf8_lossy(content.get(named.byte_range())?);
    let name: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!name.is_empty()).then(|| name.chars().take(NAME_CHARS_MAX).collect())
}

/// C wraps a name in what it is: a pointer to a function of this …
fn declared<'a>(node: &Node<'a>) -> Option<Node<'a>> {
    let mut inner = node.child_by_field_name("declarator")?;
    for _ in 0..DECLARATORS_MAX {
        match inner.child_by_field_name("declarator").or_else(|| wrapped(&inner)) {
            Some(next) => inner = next,
            None => return Some(inner),
        }
    }
    None
}

/// Declarators whose inner one has no field of its own: `(*f)`, `&f()`.
fn wrapped<'a>(node: &Node<'a>) -> Option<Node<'a>> {
    let is_wrapping =
        matches!(node.kind(), "parenthesized_declarator" | "reference_declarator" | "attributed_declarator");
    if is_wrapping { node.named_child(0) } else { None }
}
