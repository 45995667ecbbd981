//! JavaScript and TypeScript.

use tree_sitter::Node;

use super::{Found, Role, Source, Within, children, last_named};
use crate::kinds::Kind;

pub(crate) fn role(node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    let is_module = within == Within::Module;
    match node.kind() {
        "program" | "class_body" | "interface_body" | "object_type" | "enum_body" => Role::Into(within),
        "statement_block" if is_module => Role::Into(within),
        "object" if matches!(within, Within::Object | Within::Record) => Role::Into(within),
        // `Object.freeze({ … })`
        "call_expression" | "arguments" if within == Within::Record => Role::Into(within),
        "import_statement" | "import_alias" if is_module => Role::Import,
        "hash_bang_line" => Role::Comment,
        "export_statement" if node.child_by_field_name("source").is_some() => Role::Import,
        "export_statement" | "ambient_declaration" => exported(node, within, source),
        "expression_statement" => statement(node, within, source),
        "variable_declarator" => match within {
            Within::Group(kind) => Role::place(declarator(node, node, kind, source)),
            // A local function is a place, a local value is not.
            _ => Role::place(
                declarator(node, node, Kind::Constant, source).filter(|found| found.kind.is_definition()),
            ),
        },
        _ => definition(node, node, within, source),
    }
}

/// A definition, as `node` with what stands around it as `outer`: `export`, `declare`.
fn definition(outer: &Node<'_>, node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    let body = node.child_by_field_name("body");
    let named = |kind| {
        let name = node.child_by_field_name("name").or_else(|| node.child_by_field_name("property"));
        let found = Found::new(kind, name.and_then(|name| source.unquoted(&name)), outer);
        found.map(|found| found.bracketed(body, source).claim(node))
    };
    let is_member = matches!(within, Within::Type | Within::Enumeration);
    Role::place(match node.kind() {
        "function_declaration"
        | "generator_function_declaration"
        | "function_signature"
        | "method_definition" => named(Kind::Function),
        "method_signature" | "abstract_method_signature" if is_member => named(Kind::Function),
        "class_declaration" | "abstract_class_declaration" | "interface_declaration" => {
            named(Kind::Type).map(|found| found.inner(Within::Type))
        }
        "enum_declaration" => named(Kind::Type).map(|found| found.inner(Within::Enumeration)),
        "type_alias_declaration" => {
            let fields = node.child_by_field_name("value").filter(|value| value.kind() == "object_type");
            named(Kind::Type).map(|found| found.bracketed(fields, source).inner(Within::Type))
        }
        "internal_module" | "module" => named(Kind::Module).map(|found| found.inner(Within::Module)),
        "lexical_declaration" | "variable_declaration" => return variables(outer, node, within, source),
        "public_field_definition" | "field_definition" | "property_signature" if is_member => {
            let value = node.child_by_field_name("value");
            named(Kind::Field).map(|found| with_value(found, value, source))
        }
        "enum_assignment" => named(Kind::Variant),
        "property_identifier" | "string" if within == Within::Enumeration => {
            Found::new(Kind::Variant, source.unquoted(node), node)
        }
        "pair" if matches!(within, Within::Object | Within::Record) => pair(node, within, source),
        _ => None,
    })
}

/// An entry of an object: a function, or a plain value of an object that a constant is.
fn pair(node: &Node<'_>, within: Within, source: Source<'_>) -> Option<Found> {
    let name = node.child_by_field_name("key").and_then(|key| source.unquoted(&key));
    let value = node.child_by_field_name("value");
    let found = with_value(Found::new(Kind::Constant, name, node)?, value, source);
    if found.kind.is_definition() {
        return Some(found);
    }
    let is_plain = value.is_some_and(|value| is_plain_value(&value, source, VALUE_DEPTH_MAX));
    let is_capital = found.name.starts_with(|first: char| first.is_uppercase());
    let kind = if is_capital { Kind::Variant } else { Kind::Field };
    // The entries of a long table are data, not places.
    let is_table = node.parent().is_some_and(|object| object.named_child_count() > ENTRIES_MAX);
    (within == Within::Record && is_plain && !is_table).then_some(Found { kind, ..found })
}

/// Entries of an object that are places of their own.
const ENTRIES_MAX: usize = 100;
/// How deep a computed value is looked into.
const VALUE_DEPTH_MAX: usize = 5;

/// A text or a number, or what is computed from numbers and constants alone: `30 * 60 * 1000`, `30 * MINUTE`.
fn is_plain_value(value: &Node<'_>, source: Source<'_>, depth: usize) -> bool {
    match value.kind() {
        "identifier" => depth < VALUE_DEPTH_MAX && !source.bytes(value).iter().any(u8::is_ascii_lowercase),
        "string" | "template_string" | "number" | "true" | "false" | "regex" => true,
        "binary_expression" | "unary_expression" | "parenthesized_expression" if depth > 0 => {
            let mut cursor = value.walk();
            value.named_children(&mut cursor).all(|part| is_plain_value(&part, source, depth - 1))
        }
        _ => false,
    }
}

/// What a declaration is by its value: a function with a name by way of a constant, a class, an object.
fn with_value(found: Found, value: Option<Node<'_>>, source: Source<'_>) -> Found {
    let Some(value) = value else { return found };
    let body = value.child_by_field_name("body");
    let of = |kind, found: Found| Found { kind, ..found.bracketed(body, source) };
    match value.kind() {
        "arrow_function" | "function_expression" | "generator_function" => of(Kind::Function, found),
        "class" => of(Kind::Type, found).inner(Within::Type).claim(&value),
        "object" => found.inner(Within::Record),
        "call_expression" if source.field_name(&value, "function").as_deref() == Some("Object.freeze") => {
            found.inner(Within::Record)
        }
        _ => found,
    }
}

fn exported(node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    let field = |name| node.child_by_field_name(name);
    if let Some(value) = field("value") {
        let name = source.field_name(&value, "name").unwrap_or_else(|| "default".to_owned());
        let found = Found::new(Kind::Constant, Some(name), node);
        return Role::place(found.map(|found| with_value(found, Some(value), source)));
    }
    // What `declare` declares has no field of its own.
    let last = last_named(node);
    let inner = field("declaration").or(last.filter(|_| node.kind() == "ambient_declaration"));
    match inner {
        Some(inner) if inner.kind() == "ambient_declaration" => exported(&inner, within, source),
        Some(inner) => definition(node, &inner, within, source),
        None => Role::Statement,
    }
}

/// `const a = 1`, alone or several.
fn variables(outer: &Node<'_>, node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    let declarators = children(node, &["variable_declarator"]);
    let is_module = within == Within::Module;
    let is_import =
        |one: &Node<'_>| one.child_by_field_name("value").is_some_and(|value| is_require(&value, source));
    if is_module && !declarators.is_empty() && declarators.iter().all(is_import) {
        return Role::Import;
    }
    match declarators.as_slice() {
        [one] => {
            let found = declarator(outer, one, Kind::Constant, source).map(|found| found.claim(node));
            Role::place(found.filter(|found| is_module || found.kind.is_definition()))
        }
        [_, ..] if is_module => {
            let found = Found::new(Kind::Block, source.first_words(outer), outer);
            Role::place(found.map(|found| found.claim(node).inner(Within::Group(Kind::Constant))))
        }
        _ => Role::Statement,
    }
}

fn declarator(outer: &Node<'_>, node: &Node<'_>, kind: Kind, source: Source<'_>) -> Option<Found> {
    let found = Found::new(kind, source.field_name(node, "name"), outer)?.claim(node);
    Some(with_value(found, node.child_by_field_name("value"), source))
}

/// `require("x")`, also with what is taken of it: `require("x").y`.
fn is_require(value: &Node<'_>, source: Source<'_>) -> bool {
    let call = value.child_by_field_name("object").unwrap_or(*value);
    source.field_name(&call, "function").is_some_and(|function| function == "require")
}

/// A statement that defines something: a namespace, or an assignment to a property.
fn statement(node: &Node<'_>, within: Within, source: Source<'_>) -> Role {
    let Some(inner) = node.named_child(0) else { return Role::Statement };
    match inner.kind() {
        "internal_module" => definition(node, &inner, within, source),
        "assignment_expression" if within == Within::Module => assignment(node, &inner, source),
        "call_expression" => Role::place(test(node, &inner, source)),
        _ => Role::Statement,
    }
}

/// A test, or a group of them, by its title: `it("adds up", () => { … })`.
fn test(outer: &Node<'_>, node: &Node<'_>, source: Source<'_>) -> Option<Found> {
    let called = source.field_name(node, "function")?;
    let word = called.split('.').next().unwrap_or_default();
    if !matches!(word, "describe" | "context" | "suite" | "it" | "test") {
        return None;
    }
    let arguments = node.child_by_field_name("arguments")?;
    let title =
        arguments.named_child(0).filter(|title| matches!(title.kind(), "string" | "template_string"))?;
    let body = last_named(&arguments)?.child_by_field_name("body")?;
    Some(Found::new(Kind::Block, source.unquoted(&title), outer)?.bracketed(Some(body), source))
}

/// `exports.load = …`, `Shop.prototype.total = function …`, `module.exports = …`
fn assignment(outer: &Node<'_>, node: &Node<'_>, source: Source<'_>) -> Role {
    let field = |name| node.child_by_field_name(name);
    let (Some(left), Some(right)) = (field("left"), field("right")) else { return Role::Statement };
    let Some(path) = source.name(&left) else { return Role::Statement };
    if path == "module.exports" {
        let found = Found::new(Kind::Block, Some(path), outer);
        return Role::place(found.map(|found| found.claim(node).inner(Within::Record)));
    }
    let (owner, name) = path.rsplit_once('.').unwrap_or(("", &path));
    let owner = owner.trim_end_matches(".prototype");
    let is_export = matches!(owner, "exports" | "module.exports");
    let found = Found::new(Kind::Constant, Some(name.to_owned()), outer);
    let found = found.map(|found| with_value(found, Some(right), source).claim(node));
    let found = found.filter(|found| is_export || found.kind.is_definition());
    let owner = Some(owner.to_owned()).filter(|_| !is_export);
    Role::place(found.map(|found| found.owner(owner)))
}
