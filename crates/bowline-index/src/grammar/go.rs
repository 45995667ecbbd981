//! Go.

use tree_sitter::Node;

use super::{Found, Role, Source, Within, children};
use crate::kinds::Kind;

const SPECS: [&str; 4] = ["const_spec", "var_spec", "type_spec", "type_alias"];

pub(crate) fn role(node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    let is_outside = within != Within::Function;
    let body = node.child_by_field_name("body");
    let named = |kind| Found::new(kind, source.field_name(node, "name"), node);
    match node.kind() {
        "source_file" | "struct_type" | "interface_type" | "field_declaration_list" | "var_spec_list" => {
            Role::Into(within)
        }
        "package_clause" | "import_declaration" if is_outside => Role::Import,
        "function_declaration" => {
            Role::place(named(Kind::Function).map(|found| found.bracketed(body, source)))
        }
        "method_declaration" => {
            let owner =
                node.child_by_field_name("receiver").and_then(|receiver| receiver_type(&receiver, source));
            Role::place(named(Kind::Function).map(|found| found.bracketed(body, source).owner(owner)))
        }
        "const_declaration" | "var_declaration" | "type_declaration" => declaration(node, within, source),
        "const_spec" | "var_spec" | "type_spec" | "type_alias" => {
            Role::place(spec(node, node, within, source))
        }
        "field_declaration" if within == Within::Type => {
            let embedded = || source.field_name(node, "type");
            Role::place(Found::new(Kind::Field, names(node, source).or_else(embedded), node))
        }
        "method_elem" if within == Within::Type => Role::place(named(Kind::Function)),
        _ => Role::Statement,
    }
}

/// `const A = 1`, or a group of them in parentheses.
fn declaration(node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    let mut specs = children(node, &SPECS);
    let list = children(node, &["var_spec_list"]).first().copied();
    if let Some(list) = list {
        specs = children(&list, &SPECS);
    }
    let is_group = list.is_some() || node.child(1).is_some_and(|child| child.kind() == "(");
    match specs.as_slice() {
        [one] if !is_group => Role::place(spec(node, one, within, source).map(|found| found.claim(one))),
        _ if within == Within::Module => {
            let found = Found::new(Kind::Block, source.first_words(node), node);
            Role::place(found.map(|found| found.inner(Within::Group(Kind::Constant))))
        }
        _ => Role::Statement,
    }
}

fn spec(outer: &Node<'_>, node: &Node<'_>, within: Within, source: Source<'_>) -> Option<Found> {
    if !matches!(node.kind(), "type_spec" | "type_alias") {
        let is_outside = matches!(within, Within::Module | Within::Group(_));
        return Found::new(Kind::Constant, names(node, source).filter(|_| is_outside), outer);
    }
    let of = node.child_by_field_name("type");
    let body = of.and_then(|of| match of.kind() {
        "struct_type" => children(&of, &["field_declaration_list"]).first().copied(),
        _ => None,
    });
    let found = Found::new(Kind::Type, source.field_name(node, "name"), outer)?.inner(Within::Type);
    Some(match of.filter(|of| of.kind() == "interface_type") {
        Some(of) => interface(found, &of),
        None => found.bracketed(body, source),
    })
}

/// The brackets of an interface are tokens of it.
fn interface(mut found: Found, node: &Node<'_>) -> Found {
    let open = node.child(1).filter(|open| open.kind() == "{");
    if let (Some(open), Some(close)) = (open, super::last_token(node, "}")) {
        found.head_end = Some(open.start_byte());
        found.body = Some(open.end_byte()..close.start_byte());
    }
    found
}

/// One name or several: `a, b int`.
fn names(node: &Node<'_>, source: Source<'_>) -> Option<String> {
    let mut cursor = node.walk();
    let names: Vec<Node<'_>> = node.children_by_field_name("name", &mut cursor).collect();
    let (first, last) = (names.first()?, names.last()?);
    source.words(first.start_byte()..last.end_byte(), super::NAME_CHARS_MAX)
}

/// `Shop` of `(s *Shop[T])`.
fn receiver_type(receiver: &Node<'_>, source: Source<'_>) -> Option<String> {
    let text = source.name(receiver)?;
    let of = text.trim_matches(['(', ')']).split('[').next()?;
    let name = of.rsplit([' ', '*']).find(|word| !word.is_empty())?;
    Some(name.to_owned())
}
