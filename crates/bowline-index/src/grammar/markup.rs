//! CSS and HTML.

use tree_sitter::Node;

use super::{Found, NAME_CHARS_MAX, Role, Source, Within, children, last_named};
use crate::kinds::Kind;

pub(crate) fn css(node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    match node.kind() {
        "stylesheet" => Role::Into(within),
        "block" if within == Within::Type => Role::Into(within),
        "import_statement" | "charset_statement" | "namespace_statement" => Role::Import,
        "rule_set" | "media_statement" | "supports_statement" | "keyframes_statement" | "at_rule" => {
            let body = children(node, &["block", "keyframe_block_list"]).first().copied();
            let name =
                body.and_then(|body| source.words(node.start_byte()..body.start_byte(), NAME_CHARS_MAX));
            let found = Found::new(Kind::Rule, name, node);
            Role::place(found.map(|found| found.bracketed(body, source).inner(Within::Type)))
        }
        // A custom property is a value with a name, such as `--main-color`.
        "declaration" => {
            let name = node.named_child(0).and_then(|name| source.name(&name));
            Role::place(Found::new(Kind::Field, name.filter(|name| name.starts_with("--")), node))
        }
        _ => Role::Statement,
    }
}

/// Elements of several lines, and those that can be named by an `id`. The rest is part of the element around it.
pub(crate) fn html(node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    if !matches!(node.kind(), "element" | "script_element" | "style_element") {
        return if node.kind() == "document" { Role::Into(within) } else { Role::Statement };
    }
    let Some(tag) = node.named_child(0).filter(|tag| matches!(tag.kind(), "start_tag" | "self_closing_tag"))
    else {
        return Role::Into(within);
    };
    let named = tag.named_child(0).and_then(|name| source.name(&name)).unwrap_or_default();
    let last = last_named(node);
    // An element without an end takes the white space after it with it.
    let is_long = last.is_some_and(|last| last.end_position().row > node.start_position().row);
    let id = attribute(&tag, "id", source);
    if named.is_empty() || !is_long && id.is_none() && named != "title" {
        return Role::Into(within);
    }
    let class =
        || attribute(&tag, "class", source)?.split(' ').next().map(|class| format!("{named}.{class}"));
    let name = id.map(|id| format!("{named}#{id}")).or_else(class).unwrap_or_else(|| named.clone());
    let close = last.filter(|close| close.kind() == "end_tag");
    let Some(found) = Found::new(Kind::Element, Some(name), node) else { return Role::Into(within) };
    Role::Place(match close {
        Some(close) => found.between(tag.end_byte(), close.start_byte(), source).inner(within),
        None => found.inner(within),
    })
}

fn attribute(tag: &Node<'_>, name: &str, source: Source<'_>) -> Option<String> {
    let all = children(tag, &["attribute"]);
    let one = all
        .iter()
        .find(|one| one.named_child(0).and_then(|key| source.name(&key)).as_deref() == Some(name))?;
    source.unquoted(&one.named_child(1)?)
}
