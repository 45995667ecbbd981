//! Which bytes go with imports: some names of a statement, or the whole statement with its lines.

use std::ops::Range;

use tree_sitter::Node;

use super::What;
use super::ranges::whole_lines;
use crate::imports::Import;
use crate::language::Language;
use crate::sites::ProjectFile;

/// The bytes of these imports of a file, which are given as indexes.
pub(crate) fn ranges(file: &ProjectFile<'_>, going: &[usize]) -> Vec<(Range<usize>, What)> {
    let statements = Statements { file, going };
    let mut found = Vec::new();
    let mut done: Vec<Range<usize>> = Vec::new();
    for import in going.iter().filter_map(|at| file.imports.get(*at)) {
        let Some(node) = statement(file, import) else { continue };
        if done.contains(&node.byte_range()) {
            continue;
        }
        done.push(node.byte_range());
        match statements.going_of(&node) {
            Going::Whole => found.push(whole_statement(file, &node)),
            Going::Parts(parts) => found.extend(parts),
            Going::Nothing => {}
        }
    }
    found
}

/// The statement of an import. All imports of a group in parentheses are one statement in Go.
pub(super) fn statement<'t>(file: &'t ProjectFile<'_>, import: &Import) -> Option<Node<'t>> {
    let bytes = &import.statement;
    let mut node = file.reading.tree.root_node().descendant_for_byte_range(bytes.start, bytes.end)?;
    while let Some(above) = node.parent() {
        let is_group = matches!(above.kind(), "import_spec_list" | "import_declaration");
        if above.byte_range() != node.byte_range() && !(file.reading.language == Language::Go && is_group) {
            break;
        }
        node = above;
    }
    Some(node)
}

/// A statement with its attributes, which would else belong to what follows it.
fn whole_statement(file: &ProjectFile<'_>, node: &Node<'_>) -> (Range<usize>, What) {
    let mut start = node.start_byte();
    let mut before = node.prev_named_sibling();
    while let Some(attribute) = before.filter(|before| before.kind() == "attribute_item") {
        start = attribute.start_byte();
        before = attribute.prev_named_sibling();
    }
    whole_lines(file.reading.content, start..node.end_byte())
}

/// What goes of a node.
enum Going {
    Whole,
    Parts(Vec<(Range<usize>, What)>),
    Nothing,
}

struct Statements<'f, 'a> {
    file: &'f ProjectFile<'a>,
    going: &'f [usize],
}

impl Statements<'_, '_> {
    fn going_of(&self, node: &Node<'_>) -> Going {
        let inside =
            |import: &Import| node.start_byte() <= import.bytes.start && import.bytes.end <= node.end_byte();
        let imports = self.file.imports.iter().enumerate().filter(|(_, import)| inside(import));
        let (all, going) = imports
            .fold((0, 0), |(all, going), (at, _)| (all + 1, going + usize::from(self.going.contains(&at))));
        if going == 0 {
            return Going::Nothing;
        }
        let items = items(self.file, node);
        if is_list(self.file.reading.language, node.kind()) {
            return self.going_of_list(node, &items);
        }
        let mut found: Vec<Going> = items.iter().map(|item| self.going_of(item)).collect();
        found.retain(|going| !matches!(going, Going::Nothing));
        let is_whole = found.iter().all(|going| matches!(going, Going::Whole));
        if is_whole && going == all {
            return Going::Whole;
        }
        let parts = found.into_iter().filter_map(|going| match going {
            Going::Parts(parts) => Some(parts),
            _ => None,
        });
        Going::Parts(parts.flatten().collect())
    }

    /// Of a list, each run of items that go, up to the next one or from the end of the one before.
    fn going_of_list(&self, list: &Node<'_>, items: &[Node<'_>]) -> Going {
        // What the rest of an object holds depends on the names before it.
        if items.iter().any(|item| item.kind() == "rest_pattern") {
            return Going::Nothing;
        }
        let going: Vec<Going> = items.iter().map(|item| self.going_of(item)).collect();
        let is_whole = |at: usize| matches!(going.get(at), Some(Going::Whole));
        let left: Vec<usize> = (0..items.len()).filter(|at| !is_whole(*at)).collect();
        if left.is_empty() {
            return Going::Whole;
        }
        // One name that is left needs no list in Rust.
        if let ([at], "use_list") = (left.as_slice(), list.kind())
            && let Some(one) = items.get(*at).filter(|one| one.kind() != "self")
            && matches!(going.get(*at), Some(Going::Nothing))
            && items.len() > 1
        {
            let around = [list.start_byte()..one.start_byte(), one.end_byte()..list.end_byte()];
            return Going::Parts(around.map(|part| (part, What::Part)).to_vec());
        }
        let mut parts = Vec::new();
        for (at, item) in items.iter().enumerate().filter(|(at, _)| is_whole(*at)) {
            let before = left.iter().rev().find(|left| **left < at).and_then(|left| items.get(*left));
            let is_last = left.iter().all(|left| *left < at);
            let part = match (items.get(at + 1), before) {
                (_, Some(before)) if is_last => before.end_byte()..item.end_byte(),
                (Some(next), _) => item.start_byte()..next.start_byte(),
                (None, _) => item.byte_range(),
            };
            parts.push(self.own_lines(item).unwrap_or((part, What::Part)));
        }
        parts.extend(
            going
                .into_iter()
                .filter_map(|going| match going {
                    Going::Parts(parts) => Some(parts),
                    _ => None,
                })
                .flatten(),
        );
        Going::Parts(parts)
    }

    /// The lines of an item that stands alone on them, with its comma.
    fn own_lines(&self, item: &Node<'_>) -> Option<(Range<usize>, What)> {
        let content = self.file.reading.content;
        let comma = item.next_sibling().filter(|next| next.kind() == ",");
        let end = comma.map_or(item.end_byte(), |comma| comma.end_byte());
        let found = whole_lines(content, item.start_byte()..end);
        (found.1 == What::Lines).then_some(found)
    }
}

fn items<'t>(file: &ProjectFile<'_>, node: &Node<'t>) -> Vec<Node<'t>> {
    let module = match file.reading.language {
        Language::Python => node.child_by_field_name("module_name"),
        _ => None,
    };
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| !child.kind().contains("comment") && Some(*child) != module)
        .collect()
}

fn is_list(language: Language, kind: &str) -> bool {
    match language {
        Language::Python => matches!(kind, "import_statement" | "import_from_statement"),
        Language::Rust => kind == "use_list",
        Language::Go => kind == "import_spec_list",
        Language::JavaScript | Language::TypeScript | Language::Tsx => matches!(
            kind,
            "import_clause"
                | "named_imports"
                | "export_clause"
                | "object_pattern"
                | "lexical_declaration"
                | "variable_declaration"
        ),
        _ => false,
    }
}
