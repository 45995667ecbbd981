//! Lua.

use tree_sitter::Node;

use super::{Found, Role, Source, Within, last_token};
use crate::kinds::Kind;

pub(crate) fn role(node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    match node.kind() {
        "chunk" => Role::Into(within),
        "expression_list" | "table_constructor" if within == Within::Object => Role::Into(within),
        "function_declaration" => {
            let Some(path) = source.field_name(node, "name") else { return Role::Statement };
            Role::place(named(node, &path, Kind::Function).map(|found| with_body(found, node, source)))
        }
        // `local x = 1`
        "variable_declaration" => match node.named_child(0) {
            Some(inner) if inner.kind() == "assignment_statement" => assignment(node, &inner, within, source),
            Some(names) if within == Within::Module => {
                Role::place(Found::new(Kind::Constant, source.name(&names), node))
            }
            _ => Role::Statement,
        },
        "assignment_statement" => assignment(node, node, within, source),
        "field" if within == Within::Object => {
            let value =
                node.child_by_field_name("value").filter(|value| value.kind() == "function_definition");
            let found = Found::new(Kind::Function, source.field_name(node, "name"), node);
            Role::place(found.zip(value).map(|(found, value)| with_body(found, &value, source)))
        }
        _ => Role::Statement,
    }
}

/// `M.total` and `M:total` are `total` of `M`.
fn named(node: &Node<'_>, path: &str, kind: Kind) -> Option<Found> {
    let is_list = path.contains(',');
    let (owner, name) = path.rsplit_once(['.', ':']).filter(|_| !is_list).unwrap_or(("", path));
    let found = Found::new(kind, Some(name.to_owned()), node)?;
    Some(found.owner(Some(owner.replace(':', "."))))
}

fn with_body(found: Found, function: &Node<'_>, source: Source<'_>) -> Found {
    match (function.child_by_field_name("parameters"), last_token(function, "end")) {
        (Some(head), Some(end)) => found.between(head.end_byte(), end.start_byte(), source),
        _ => found,
    }
}

fn assignment(outer: &Node<'_>, node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    let path = node.named_child(0).and_then(|names| source.name(&names));
    let value = node.named_child(1).and_then(|values| values.named_child(0));
    let (Some(path), Some(value)) = (path, value) else { return Role::Statement };
    let is_module = within == Within::Module;
    let found = named(outer, &path, Kind::Constant).map(|found| found.claim(node));
    Role::place(match value.kind() {
        "function_definition" => {
            found.map(|found| Found { kind: Kind::Function, ..with_body(found, &value, source) })
        }
        "function_call" if is_module && source.field_name(&value, "name").as_deref() == Some("require") => {
            return Role::Import;
        }
        "table_constructor" if is_module => found.map(|found| found.inner(Within::Object)),
        _ => found.filter(|_| is_module),
    })
}
