//! C and C++.

use tree_sitter::Node;

use super::{Found, Role, Source, Within, last_named};
use crate::kinds::Kind;

/// How deep a name may lie in a declarator.
const DECLARATORS_MAX: usize = 16;

pub(crate) fn role(node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    let is_outside = within != Within::Function;
    match node.kind() {
        "translation_unit"
        | "preproc_ifdef"
        | "preproc_if"
        | "preproc_else"
        | "preproc_elif"
        | "preproc_elifdef"
        | "linkage_specification"
        | "declaration_list"
        | "field_declaration_list"
        | "enumerator_list" => Role::Into(within),
        "preproc_include" | "preproc_call" | "using_declaration" if is_outside => Role::Import,
        "preproc_def" if node.child_by_field_name("value").is_some() => {
            Role::place(Found::new(Kind::Constant, source.field_name(node, "name"), node))
        }
        "preproc_function_def" => macro_definition(node, source),
        "template_declaration" => {
            let last = last_named(node);
            last.map_or(Role::Statement, |inner| definition(node, &inner, within, source))
        }
        // The names of one declaration of several.
        "init_declarator" | "pointer_declarator" | "array_declarator" | "identifier" | "field_identifier" => {
            match within {
                Within::Group(kind) => {
                    let name = declared(node).or(Some(*node)).and_then(|name| source.name(&name));
                    Role::place(Found::new(kind, name, node))
                }
                _ => Role::Statement,
            }
        }
        _ => definition(node, node, within, source),
    }
}

fn definition(outer: &Node<'_>, node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    let body = node.child_by_field_name("body");
    let named = |kind| {
        let found = Found::new(kind, source.field_name(node, "name"), outer);
        found.map(|found| found.bracketed(body, source).claim(node))
    };
    let is_outside = within != Within::Function;
    Role::place(match node.kind() {
        "function_definition" => {
            function(outer, node, Kind::Function, source).map(|found| found.bracketed(body, source))
        }
        "struct_specifier" | "union_specifier" | "class_specifier" | "enum_specifier" if body.is_some() => {
            named(Kind::Type).map(|found| found.inner(inner_of(node)))
        }
        "type_definition" => type_definition(outer, node, source),
        "alias_declaration" | "concept_definition" => named(Kind::Type),
        "namespace_definition" => named(Kind::Module).map(|found| found.inner(Within::Module)),
        "enumerator" => named(Kind::Variant),
        "declaration" | "field_declaration" if is_outside => return declaration(outer, node, within, source),
        _ => None,
    })
}

fn inner_of(node: &Node<'_>) -> Within {
    if node.kind() == "enum_specifier" { Within::Enumeration } else { Within::Type }
}

/// `typedef struct { … } shop_t;`: one place, by the name after the brackets.
fn type_definition(outer: &Node<'_>, node: &Node<'_>, source: Source<'_>) -> Option<Found> {
    let found =
        Found::new(Kind::Type, declared(node).and_then(|name| source.name(&name)), outer)?.claim(node);
    let Some(of) = node.child_by_field_name("type") else { return Some(found) };
    match of.child_by_field_name("body") {
        Some(body) => Some(found.bracketed(Some(body), source).inner(inner_of(&of)).claim(&of)),
        None => Some(found),
    }
}

fn macro_definition(node: &Node<'_>, source: Source<'_>) -> Role {
    let found = Found::new(Kind::Macro, source.field_name(node, "name"), node);
    let parameters = node.child_by_field_name("parameters");
    Role::place(found.map(|found| Found {
        head_end: parameters.map(|parameters| parameters.end_byte()),
        body: node.child_by_field_name("value").map(|value| value.byte_range()),
        ..found
    }))
}

/// Variables, fields, and functions that are only declared.
fn declaration(outer: &Node<'_>, node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    let mut cursor = node.walk();
    let declarators: Vec<Node<'_>> = node.children_by_field_name("declarator", &mut cursor).collect();
    let kind = if within == Within::Module { Kind::Constant } else { Kind::Field };
    Role::place(match declarators.as_slice() {
        // `enum class Way { In, Out };` inside a class.
        [] => match node.child_by_field_name("type").filter(|of| of.child_by_field_name("body").is_some()) {
            Some(of) => return definition(outer, &of, within, source),
            None => None,
        },
        [one] if is_function(one) => function(outer, node, Kind::Declaration, source),
        [_] => Found::new(kind, declared(node).and_then(|name| source.name(&name)), outer)
            .map(|found| found.claim(node)),
        _ => {
            let found = Found::new(Kind::Block, source.first_words(outer), outer);
            found.map(|found| found.claim(node).inner(Within::Group(kind)))
        }
    })
}

/// Whether a declarator declares a function, and no pointer to one.
fn is_function(declarator: &Node<'_>) -> bool {
    let mut inner = *declarator;
    for _ in 0..DECLARATORS_MAX {
        if inner.kind() == "function_declarator" {
            let of = inner.child_by_field_name("declarator");
            return of.is_some_and(|of| of.kind() != "parenthesized_declarator");
        }
        match inner.child_by_field_name("declarator").or_else(|| wrapped(&inner)) {
            Some(next) if inner.kind() != "init_declarator" => inner = next,
            _ => return false,
        }
    }
    false
}

/// A function by its name; `Shop::total` is `total` of `Shop`.
fn function(outer: &Node<'_>, node: &Node<'_>, kind: Kind, source: Source<'_>) -> Option<Found> {
    let mut name = declared(node)?;
    let mut owner = Vec::new();
    for _ in 0..DECLARATORS_MAX {
        let inner = name.child_by_field_name("name").filter(|_| name.kind() == "qualified_identifier");
        let Some(inner) = inner else { break };
        let scope = name.child_by_field_name("scope");
        let scope = scope.map(|scope| scope.child_by_field_name("name").unwrap_or(scope));
        owner.extend(scope.and_then(|scope| source.name(&scope)));
        name = inner;
    }
    let found = Found::new(kind, source.name(&name), outer)?;
    Some(found.owner(Some(owner.join("."))).claim(node))
}

/// C wraps a name in what it is: a pointer to a function of this.
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
