//! `import`, `export … from` and `require` of JavaScript and TypeScript.

use tree_sitter::Node;

use super::{Import, Imported, children};
use crate::uses::Reading;

pub(crate) fn read(reading: &Reading<'_>, node: &Node<'_>, found: &mut Vec<Import>) {
    match node.kind() {
        "import_statement" => statement(reading, node, found),
        "export_statement" => export(reading, node, found),
        "variable_declarator" => require(reading, node, found),
        _ => {}
    }
}

fn statement(reading: &Reading<'_>, node: &Node<'_>, found: &mut Vec<Import>) {
    let clauses = children(node);
    let source = node.child_by_field_name("source");
    // `import shop = require('./shop')` holds its source further inside.
    let required = clauses.iter().find(|clause| clause.kind() == "import_require_clause");
    let source = source.or_else(|| required.and_then(|clause| clause.child_by_field_name("source")));
    let Some(source) = source else { return };
    let module = unquoted(reading.text(&source));
    let before = found.len();
    for clause in &clauses {
        match clause.kind() {
            "import_clause" => clause_names(reading, clause, module, found),
            "import_require_clause" => {
                let Some(name) = clause.named_child(0) else { continue };
                found.push(reading.import(module, Imported::Module, reading.text(&name), &source));
            }
            _ => {}
        }
    }
    if found.len() == before {
        found.push(reading.import(module, Imported::Module, "", &source));
    }
    found.iter_mut().skip(before).for_each(|import| import.statement = node.byte_range());
}

fn clause_names(reading: &Reading<'_>, clause: &Node<'_>, module: &str, found: &mut Vec<Import>) {
    for part in children(clause) {
        match part.kind() {
            "identifier" => {
                let default = Imported::Name("default".to_owned());
                found.push(reading.import(module, default, reading.text(&part), &part));
            }
            "namespace_import" => {
                let Some(name) = part.named_child(0) else { continue };
                found.push(reading.import(module, Imported::Module, reading.text(&name), &name));
            }
            "named_imports" => {
                found.extend(children(&part).iter().filter_map(|part| specifier(reading, part, module)));
            }
            _ => {}
        }
    }
}

fn specifier(reading: &Reading<'_>, part: &Node<'_>, module: &str) -> Option<Import> {
    let name = part.child_by_field_name("name")?;
    let text = reading.text(&name);
    let local = part.child_by_field_name("alias").map_or(text, |alias| reading.text(&alias));
    Some(reading.import(module, Imported::Name(text.to_owned()), local, &name))
}

fn export(reading: &Reading<'_>, node: &Node<'_>, found: &mut Vec<Import>) {
    let Some(source) = node.child_by_field_name("source") else { return };
    let module = unquoted(reading.text(&source));
    let before = found.len();
    let clause = children(node).into_iter().find(|part| part.kind() == "export_clause");
    match clause {
        Some(clause) => {
            found.extend(children(&clause).iter().filter_map(|part| specifier(reading, part, module)));
        }
        None => found.push(reading.import(module, Imported::Everything, "", &source)),
    }
    for import in found.iter_mut().skip(before) {
        (import.statement, import.is_reexported) = (node.byte_range(), true);
    }
}

/// `const shop = require('./shop')`, `const { load } = require('./shop')`, `const load = require('./shop').load`.
fn require(reading: &Reading<'_>, node: &Node<'_>, found: &mut Vec<Import>) {
    let (Some(name), Some(value)) = (node.child_by_field_name("name"), node.child_by_field_name("value"))
    else {
        return;
    };
    let known = (value.kind() == "identifier").then(|| module_of(found, reading.text(&value))).flatten();
    let Some((module, member)) = required(reading, &value).or(known.as_deref().map(|known| (known, None)))
    else {
        return;
    };
    let before = found.len();
    match (name.kind(), member) {
        ("identifier", None) if known.is_none() => {
            found.push(reading.import(module, Imported::Module, reading.text(&name), &name));
        }
        ("identifier", Some(member)) => {
            let imported = Imported::Name(reading.text(&member).to_owned());
            found.push(reading.import(module, imported, reading.text(&name), &member));
        }
        ("object_pattern", None) => {
            for part in children(&name) {
                let (key, local) = match part.kind() {
                    "pair_pattern" => (part.child_by_field_name("key"), part.child_by_field_name("value")),
                    "shorthand_property_identifier_pattern" => (Some(part), Some(part)),
                    _ => (None, None),
                };
                let (Some(key), Some(local)) = (key, local) else { continue };
                let imported = Imported::Name(reading.text(&key).to_owned());
                found.push(reading.import(module, imported, reading.text(&local), &key));
            }
        }
        _ => {}
    }
    let statement = node.parent().map_or(node.byte_range(), |parent| parent.byte_range());
    found.iter_mut().skip(before).for_each(|import| import.statement = statement.clone());
}

/// The module that is called by a name: `const { load } = shop` after `const shop = require('./shop')`.
fn module_of(found: &[Import], name: &str) -> Option<String> {
    let mut modules = found.iter().filter(|import| import.imported == Imported::Module);
    modules.find(|import| import.local == name).map(|import| import.module.clone())
}

/// The module of `require('./shop')`, and the member of `require('./shop').load`.
pub(crate) fn required<'a, 'b>(
    reading: &Reading<'a>,
    value: &Node<'b>,
) -> Option<(&'a str, Option<Node<'b>>)> {
    let (call, member) = match value.kind() {
        "member_expression" => {
            (value.child_by_field_name("object")?, Some(value.child_by_field_name("property")?))
        }
        "await_expression" => (value.named_child(0)?, None),
        _ => (*value, None),
    };
    let function = call.child_by_field_name("function")?;
    if call.kind() != "call_expression" || !matches!(reading.text(&function), "require" | "import") {
        return None;
    }
    let argument = call.child_by_field_name("arguments")?.named_child(0)?;
    (argument.kind() == "string").then(|| (unquoted(reading.text(&argument)), member))
}

pub(crate) fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\'', '`', '<', '>'])
}
