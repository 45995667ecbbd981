//! `for` loops. Where every value is written out, the body is read once for each, with the variable in its place; a
//! variable that anything else may set stays unknown.

use bowline_core::policy::command::{Assignment, Part, Word};
use tree_sitter::Node;

use super::words::Bound;
use super::{Clear, Reader, unclear};

/// Values of one loop; with more the variable stays unknown.
const VALUES_MAX: usize = 24;

impl Reader<'_> {
    pub(super) fn loops(&mut self, node: Node<'_>, depth: usize) -> Clear<()> {
        let (mut name, mut values, mut body) = (String::new(), Vec::new(), None);
        for child in self.children(node)? {
            match child.kind() {
                "for" | "in" | ";" | "\n" => {}
                "variable_name" => {
                    self.source(child).clone_into(&mut name);
                    let set = Assignment { name: name.clone(), value: Word::Unknown(format!("${name}")) };
                    self.push(Part { assignments: vec![set], ..self.part() });
                }
                "do_group" => body = Some(child),
                "comment" => self.comment(child)?,
                _ if child.is_named() => values.push(self.word(child, depth)?),
                other => return unclear(format!("`{other}` is not the same to every shell")),
            }
        }
        // A pattern shows names, whatever the body does with them.
        let patterns: Vec<Word> =
            values.iter().filter(|word| matches!(word, Word::Glob(_))).cloned().collect();
        if !patterns.is_empty() {
            let words = [vec![Word::Known(":".to_owned())], patterns].concat();
            self.push(Part { words, ..self.part() });
        }
        let Some(body) = body else { return unclear("what its loop does is not clear") };
        let values: Option<Vec<Bound>> = values.iter().map(Bound::of).collect();
        let is_certain =
            |values: &Vec<Bound>| (1..=VALUES_MAX).contains(&values.len()) && is_set_once(self.text, &name);
        match values.filter(is_certain) {
            None => self.statements(body, depth + 1),
            Some(values) => {
                for value in values {
                    self.bound.push((name.clone(), value));
                    let read = self.statements(body, depth + 1);
                    self.bound.pop();
                    read?;
                }
                Ok(())
            }
        }
    }
}

/// Whether the loop is the only place in the command that may set its variable: the name stands nowhere else but where it is
/// expanded, or as a piece of a path or a flag.
fn is_set_once(text: &str, name: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let mut count = 0;
    for (at, _) in text.match_indices(name) {
        let (before, after) =
            (text.get(..at).unwrap_or_default(), text.get(at + name.len()..).unwrap_or_default());
        let is_inside = before.ends_with(is_letter) || after.starts_with(is_letter);
        let is_expanded = before.ends_with('$') || before.ends_with("${") && after.starts_with('}');
        let is_piece = before.ends_with(['-', '.', '/']) || after.starts_with(['-', '.', '/']);
        count += usize::from(!is_inside && !is_expanded && !is_piece);
    }
    count == 1 && !name.is_empty()
}
