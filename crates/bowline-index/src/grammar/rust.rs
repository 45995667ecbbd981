//! Rust.

use tree_sitter::Node;

use super::{Found, Role, Source, Within, last_token};
use crate::kinds::Kind;

pub(crate) fn role(node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    let is_outside = within != Within::Function;
    let named = |kind| Found::new(kind, source.field_name(node, "name"), node);
    let body = node.child_by_field_name("body");
    match node.kind() {
        "source_file" | "declaration_list" | "field_declaration_list" | "enum_variant_list" => {
            Role::Into(within)
        }
        "function_item" | "function_signature_item" => {
            Role::place(named(Kind::Function).map(|found| found.bracketed(body, source)))
        }
        "struct_item" | "union_item" | "trait_item" | "enum_item" => {
            let inner = if node.kind() == "enum_item" { Within::Enumeration } else { Within::Type };
            // The parentheses of a tuple hold no fields with names.
            let body = body.filter(|body| body.kind() != "ordered_field_declaration_list");
            Role::place(named(Kind::Type).map(|found| found.bracketed(body, source).inner(inner)))
        }
        "type_item" | "associated_type" => Role::place(named(Kind::Type)),
        "impl_item" => {
            let of = node.child_by_field_name("type");
            let of = of.map(|of| of.child_by_field_name("type").unwrap_or(of));
            let found = Found::new(Kind::Implementation, of.and_then(|of| source.name(&of)), node);
            Role::place(found.map(|found| found.bracketed(body, source).inner(Within::Type)))
        }
        "mod_item" => {
            Role::place(named(Kind::Module).map(|found| found.bracketed(body, source).inner(Within::Module)))
        }
        "macro_definition" => Role::place(named(Kind::Macro).map(|found| macro_body(found, node))),
        "const_item" | "static_item" if is_outside => Role::place(named(value_kind(within))),
        "field_declaration" if within == Within::Type => Role::place(named(Kind::Field)),
        "enum_variant" if is_outside => Role::place(named(Kind::Variant)),
        "foreign_mod_item" if is_outside => {
            let found = Found::new(Kind::Block, source.first_words(node), node);
            Role::place(found.map(|found| found.bracketed(body, source).inner(Within::Module)))
        }
        "use_declaration" | "extern_crate_declaration" if is_outside => Role::Import,
        _ => Role::Statement,
    }
}

fn value_kind(within: Within) -> Kind {
    if within == Within::Module { Kind::Constant } else { Kind::Field }
}

/// The rules of a macro stand between brackets that are no node of their own.
fn macro_body(mut found: Found, node: &Node<'_>) -> Found {
    let open = node.child(2).filter(|open| matches!(open.kind(), "{" | "(" | "["));
    let close = last_token(node, "}").or_else(|| last_token(node, ")")).or_else(|| last_token(node, "]"));
    if let (Some(open), Some(close)) = (open, close) {
        found.head_end = Some(open.start_byte());
        found.body = Some(open.end_byte()..close.start_byte());
    }
    found
}
