//! JSON, TOML and YAML: keys of the first levels, elements of lists, tables.

use tree_sitter::Node;

use super::{Found, Role, Source, Within, last_named};
use crate::kinds::Kind;

/// Keys that lie deeper are part of the place around them.
const LEVELS_MAX: u8 = 3;

pub(crate) fn role(node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    let (level, is_element) = match within {
        Within::Data(level) => (level, false),
        Within::Elements(level) => (level, true),
        _ => return Role::Statement,
    };
    match node.kind() {
        "object" if is_element => Role::place(element(node, level, source)),
        "block_sequence_item" => Role::place(element(node, level, source)),
        "document" | "object" | "inline_table" | "stream" | "block_node" | "flow_node" | "block_mapping"
        | "flow_mapping" => Role::Into(within),
        "array" | "block_sequence" => Role::Into(Within::Elements(level)),
        "pair" | "block_mapping_pair" | "flow_pair" => Role::place(entry(node, level, source)),
        "table" | "table_array_element" => {
            let key = node.named_child(0);
            let found = Found::new(Kind::Section, key.and_then(|key| source.name(&key)), node);
            let header = key.and_then(|key| key.next_sibling());
            Role::place(found.map(|found| {
                let head_end = header.map_or(node.start_byte(), |header| header.end_byte());
                found.between(head_end, node.end_byte(), source).inner(Within::Data(1))
            }))
        }
        _ => Role::Statement,
    }
}

fn entry(node: &Node<'_>, level: u8, source: Source<'_>) -> Option<Found> {
    let key = node.child_by_field_name("key").or_else(|| node.named_child(0))?;
    let found = Found::new(Kind::Entry, source.unquoted(&key).filter(|_| level < LEVELS_MAX), node)?;
    let last = last_named(node);
    let value = node.child_by_field_name("value").or(last).filter(|value| value.id() != key.id());
    let is_long = node.end_position().row > node.start_position().row;
    let value = value.filter(|value| is_long && matches!(value.kind(), "object" | "array" | "block_node"));
    Some(
        match value {
            Some(value) if value.kind() == "block_node" => {
                let mut cursor = node.walk();
                let colon = node.children(&mut cursor).find(|child| child.kind() == ":");
                let head_end = colon.map_or(key.end_byte(), |colon| colon.end_byte());
                found.between(head_end, node.end_byte(), source)
            }
            value => found.bracketed(value, source),
        }
        .inner(Within::Data(level + 1)),
    )
}

/// An element of a list is named by its first words.
fn element(node: &Node<'_>, level: u8, source: Source<'_>) -> Option<Found> {
    let text = source.bytes(node);
    let marks =
        text.iter().take_while(|byte| matches!(byte, b'{' | b'-') || byte.is_ascii_whitespace()).count();
    let rest = text.get(marks..)?.split(|byte| *byte == b'\n').next()?;
    let start = node.start_byte() + marks;
    let name = source.words(start..start + rest.len(), super::FIRST_WORDS_CHARS_MAX)?;
    let name = name.trim_end_matches([',', '}', ' ']).to_owned();
    let found = Found::new(Kind::Block, Some(name).filter(|_| level <= LEVELS_MAX), node)?;
    Some(found.inner(Within::Data(level + 1)))
}
