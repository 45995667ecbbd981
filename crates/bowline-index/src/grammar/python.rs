//! Python.

use tree_sitter::Node;

use super::{Found, Role, Source, Within};
use crate::kinds::Kind;

pub(crate) fn role(node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    match node.kind() {
        "module" => Role::Into(within),
        "block" if within != Within::Function => Role::Into(within),
        "decorated_definition" => match node.child_by_field_name("definition") {
            Some(inner) => definition(node, &inner, source),
            None => Role::Statement,
        },
        "function_definition" | "class_definition" => definition(node, node, source),
        "expression_statement" if within != Within::Function => assignment(node, within, source),
        "type_alias_statement" => Role::place(Found::new(Kind::Type, source.field_name(node, "left"), node)),
        "import_statement" | "import_from_statement" | "future_import_statement"
            if within == Within::Module =>
        {
            Role::Import
        }
        // `if __name__ == "__main__":`
        "if_statement" if within == Within::Module && is_main(node, source) => {
            Role::place(Found::new(Kind::Block, source.first_words(node), node))
        }
        _ => Role::Statement,
    }
}

fn definition(outer: &Node<'_>, node: &Node<'_>, source: Source<'_>) -> Role {
    let is_class = node.kind() == "class_definition";
    let kind = if is_class { Kind::Type } else { Kind::Function };
    let inner = match is_class {
        true if is_enumeration(node, source) => Within::Enumeration,
        true => Within::Type,
        false => Within::Function,
    };
    let found = Found::new(kind, source.field_name(node, "name"), outer);
    Role::place(found.map(|found| suite(found, node, source).inner(inner).claim(node)))
}

/// The lines under a head, after the docstring.
fn suite(mut found: Found, node: &Node<'_>, source: Source<'_>) -> Found {
    let Some(body) = node.child_by_field_name("body") else { return found };
    // A comment may stand between the head and the first statement.
    let mut cursor = node.walk();
    let colon = node.children(&mut cursor).filter(|child| child.kind() == ":").last();
    let head_end = colon.map_or(body.start_byte(), |colon| colon.end_byte());
    let docstring = body.named_child(0).filter(|first| {
        first.kind() == "expression_statement"
            && first.named_child(0).is_some_and(|text| text.kind() == "string")
    });
    let start = docstring.map_or(head_end, |docstring| docstring.end_byte());
    found = found.between(start, node.end_byte(), source);
    found.head_end = Some(head_end);
    found
}

fn is_enumeration(node: &Node<'_>, source: Source<'_>) -> bool {
    let bases = source.field_name(node, "superclasses").unwrap_or_default();
    bases
        .split(|sign: char| !sign.is_alphanumeric())
        .any(|base| base.ends_with("Enum") || base.ends_with("Flag"))
}

fn is_main(node: &Node<'_>, source: Source<'_>) -> bool {
    source.field_name(node, "condition").is_some_and(|condition| condition.contains("__name__"))
}

/// `MAX = 3`, `tax: int`
fn assignment(node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    let Some(assignment) = node.named_child(0).filter(|child| child.kind() == "assignment") else {
        return Role::Statement;
    };
    let names = assignment.child_by_field_name("left");
    let names = names.filter(|left| matches!(left.kind(), "identifier" | "pattern_list" | "tuple_pattern"));
    let kind = match within {
        Within::Module => Kind::Constant,
        Within::Enumeration => Kind::Variant,
        _ => Kind::Field,
    };
    Role::place(Found::new(kind, names.and_then(|names| source.name(&names)), node))
}
