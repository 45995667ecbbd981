//! `import` and `from … import` of Python.

use tree_sitter::Node;

use super::{Import, Imported, children};
use crate::uses::Reading;

pub(crate) fn read(reading: &Reading<'_>, node: &Node<'_>, found: &mut Vec<Import>) {
    match node.kind() {
        "import_statement" => {
            for part in children(node) {
                let (name, alias) = name_and_alias(&part);
                let module = compact(reading.text(&name));
                let local = alias.map_or(module.clone(), |alias| reading.text(&alias).to_owned());
                let import = reading.import(&module, Imported::Module, &local, &name);
                found.push(Import { statement: node.byte_range(), ..import });
            }
        }
        "import_from_statement" => {
            let Some(from) = node.child_by_field_name("module_name") else { return };
            let module = compact(reading.text(&from));
            for part in children(node) {
                if part == from {
                    continue;
                }
                let import = if part.kind() == "wildcard_import" {
                    reading.import(&module, Imported::Everything, "", &part)
                } else {
                    let (name, alias) = name_and_alias(&part);
                    let text = reading.text(&name);
                    let local = alias.map_or(text, |alias| reading.text(&alias));
                    reading.import(&module, Imported::Name(text.to_owned()), local, &name)
                };
                found.push(Import { statement: node.byte_range(), is_reexported: true, ..import });
            }
        }
        _ => {}
    }
}

fn name_and_alias<'a>(part: &Node<'a>) -> (Node<'a>, Option<Node<'a>>) {
    match part.kind() {
        "aliased_import" => {
            (part.child_by_field_name("name").unwrap_or(*part), part.child_by_field_name("alias"))
        }
        _ => (*part, None),
    }
}

fn compact(text: &str) -> String {
    text.split_whitespace().collect()
}
