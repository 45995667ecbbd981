//! PHP.

use tree_sitter::Node;

use super::{Found, Role, Source, Within, children};
use crate::kinds::Kind;

pub(crate) fn role(node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    let is_outside = within != Within::Function;
    let body = node.child_by_field_name("body");
    let named = |kind| {
        let found = Found::new(kind, source.field_name(node, "name"), node);
        found.map(|found| found.bracketed(body, source))
    };
    match node.kind() {
        "program" | "declaration_list" | "enum_declaration_list" => Role::Into(within),
        "compound_statement" if within == Within::Module => Role::Into(within),
        "php_tag" | "declare_statement" | "namespace_use_declaration" if is_outside => Role::Import,
        "namespace_definition" if body.is_none() => Role::Import,
        "namespace_definition" => Role::place(named(Kind::Module).map(|found| found.inner(Within::Module))),
        "function_definition" | "method_declaration" => Role::place(named(Kind::Function)),
        "class_declaration" | "interface_declaration" | "trait_declaration" | "enum_declaration" => {
            Role::place(named(Kind::Type).map(|found| found.inner(Within::Type)))
        }
        "enum_case" => Role::place(named(Kind::Variant)),
        "const_declaration" if is_outside => elements(node, "const_element", within, source),
        "property_declaration" => elements(node, "property_element", within, source),
        "const_element" | "property_element" => match within {
            Within::Group(kind) => Role::place(element(node, node, kind, source)),
            _ => Role::Statement,
        },
        "expression_statement" if within == Within::Module => statement(node, source),
        _ => Role::Statement,
    }
}

/// `const MAX = 3;`, `private int $count = 0, $other;`
fn elements(node: &Node<'_>, kind: &str, within: Within, source: Source<'_>) -> Role {
    let of = if within == Within::Module { Kind::Constant } else { Kind::Field };
    Role::place(match children(node, &[kind]).as_slice() {
        [one] => element(node, one, of, source),
        _ => {
            let found = Found::new(Kind::Block, source.first_words(node), node);
            found.map(|found| found.inner(Within::Group(of)))
        }
    })
}

fn element(outer: &Node<'_>, node: &Node<'_>, kind: Kind, source: Source<'_>) -> Option<Found> {
    let name = node.child_by_field_name("name").or_else(|| node.named_child(0))?;
    Found::new(kind, source.name(&name), outer)
}

/// `$config = …;`, `define('MAX', 3);`, `require 'x.php';`
fn statement(node: &Node<'_>, source: Source<'_>) -> Role {
    let Some(inner) = node.named_child(0) else { return Role::Statement };
    let field = |name| inner.child_by_field_name(name);
    match inner.kind() {
        "require_expression"
        | "require_once_expression"
        | "include_expression"
        | "include_once_expression" => Role::Import,
        "assignment_expression" => {
            let left = field("left").filter(|left| left.kind() == "variable_name");
            let found = Found::new(Kind::Constant, left.and_then(|left| source.name(&left)), node);
            let right = field("right");
            let function =
                right.filter(|right| matches!(right.kind(), "anonymous_function" | "arrow_function"));
            Role::place(found.map(|found| match function {
                Some(function) => {
                    let found = found.bracketed(function.child_by_field_name("body"), source);
                    Found { kind: Kind::Function, ..found }
                }
                None => found,
            }))
        }
        "function_call_expression" if source.field_name(&inner, "function").as_deref() == Some("define") => {
            let first = field("arguments").and_then(|arguments| arguments.named_child(0));
            Role::place(Found::new(Kind::Constant, first.and_then(|first| source.unquoted(&first)), node))
        }
        _ => Role::Statement,
    }
}
