//! Java.

use tree_sitter::Node;

use super::{Found, Role, Source, Within, children};
use crate::kinds::Kind;

pub(crate) fn role(node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    let body = node.child_by_field_name("body");
    let named = |kind| {
        let found = Found::new(kind, source.field_name(node, "name"), node);
        found.map(|found| found.bracketed(body, source))
    };
    match node.kind() {
        "program"
        | "class_body"
        | "interface_body"
        | "enum_body"
        | "enum_body_declarations"
        | "annotation_type_body" => Role::Into(within),
        "package_declaration" | "import_declaration" => Role::Import,
        "class_declaration"
        | "interface_declaration"
        | "record_declaration"
        | "annotation_type_declaration"
        | "enum_declaration" => Role::place(named(Kind::Type).map(|found| found.inner(Within::Type))),
        "method_declaration"
        | "constructor_declaration"
        | "compact_constructor_declaration"
        | "annotation_type_element_declaration" => Role::place(named(Kind::Function)),
        "enum_constant" => Role::place(named(Kind::Variant).map(|found| found.inner(Within::Type))),
        "field_declaration" | "constant_declaration" => fields(node, source),
        "variable_declarator" if within == Within::Group(Kind::Field) => Role::place(named(Kind::Field)),
        _ => Role::Statement,
    }
}

fn fields(node: &Node<'_>, source: Source<'_>) -> Role {
    Role::place(match children(node, &["variable_declarator"]).as_slice() {
        [one] => Found::new(Kind::Field, source.field_name(one, "name"), node),
        _ => {
            let found = Found::new(Kind::Block, source.first_words(node), node);
            found.map(|found| found.inner(Within::Group(Kind::Field)))
        }
    })
}
