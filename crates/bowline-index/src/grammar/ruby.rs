//! Ruby.

use tree_sitter::Node;

use super::{Found, Role, Source, Within, last_token};
use crate::kinds::Kind;

pub(crate) fn role(node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    let is_outside = within != Within::Function;
    match node.kind() {
        "program" => Role::Into(within),
        "body_statement" | "singleton_class" if is_outside => Role::Into(within),
        "method" | "singleton_method" => Role::place(definition(node, node, Kind::Function, source)),
        "class" => {
            Role::place(definition(node, node, Kind::Type, source).map(|found| found.inner(Within::Type)))
        }
        "module" => {
            Role::place(definition(node, node, Kind::Module, source).map(|found| found.inner(Within::Module)))
        }
        "assignment" if is_outside => {
            let left = node.child_by_field_name("left").filter(|left| {
                let is_local =
                    matches!(left.kind(), "identifier" | "global_variable" | "left_assignment_list");
                matches!(left.kind(), "constant" | "class_variable") || is_local && within == Within::Module
            });
            let kind = if within == Within::Module { Kind::Constant } else { Kind::Field };
            Role::place(Found::new(kind, left.and_then(|left| source.name(&left)), node))
        }
        "call" => call(node, within, source),
        "if" if within == Within::Module && is_main(node, source) => {
            Role::place(Found::new(Kind::Block, source.first_words(node), node))
        }
        _ => Role::Statement,
    }
}

fn definition(outer: &Node<'_>, node: &Node<'_>, kind: Kind, source: Source<'_>) -> Option<Found> {
    let found = Found::new(kind, source.field_name(node, "name"), outer)?.claim(node);
    let head =
        ["parameters", "superclass", "name"].iter().find_map(|field| node.child_by_field_name(field))?;
    Some(match (last_token(node, "end"), node.child_by_field_name("body")) {
        (Some(end), _) => {
            // `def total; 0; end`
            let is_one_line = source.content.get(head.end_byte()) == Some(&b';');
            let found = found.between(head.end_byte() + usize::from(is_one_line), end.start_byte(), source);
            Found { head_end: Some(head.end_byte()), ..found }
        }
        // `def total = items.sum`
        (None, body) => found.bracketed(body, source),
    })
}

/// Calls that define something: `private def total`, `attr_reader :name`; tests; and calls that bring in names.
fn call(node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    let method = source.field_name(node, "method").unwrap_or_default();
    let arguments = node.child_by_field_name("arguments");
    let first = arguments.and_then(|arguments| arguments.named_child(0));
    match method.as_str() {
        "require" | "require_relative" | "load" if within == Within::Module => Role::Import,
        "attr_accessor" | "attr_reader" | "attr_writer" if within == Within::Type => {
            let names = arguments.and_then(|arguments| source.name(&arguments));
            let names = names.map(|names| names.trim_matches(['(', ')']).replace(':', ""));
            Role::place(Found::new(Kind::Field, names, node))
        }
        "describe" | "context" | "it" | "specify" | "test" | "task" => {
            let block = node.child_by_field_name("block");
            let name = first.and_then(|first| source.unquoted(&first)).filter(|_| block.is_some());
            Role::place(Found::new(Kind::Block, name, node))
        }
        _ => match first.filter(|first| matches!(first.kind(), "method" | "singleton_method")) {
            Some(inner) => Role::place(definition(node, &inner, Kind::Function, source)),
            None => Role::Statement,
        },
    }
}

/// `if __FILE__ == $0`
fn is_main(node: &Node<'_>, source: Source<'_>) -> bool {
    source.field_name(node, "condition").is_some_and(|condition| condition.contains("__FILE__"))
}
