//! `[ … ]`, which is a program to the shell, and what shells reckon with: both may look for commands in the text of a
//! variable, so that text has to be known well enough.

use bowline_core::policy::command::{Assignment, Part, Word};
use tree_sitter::Node;

use super::{Clear, DEPTH_MAX, Reader, unclear};

impl Reader<'_> {
    /// What looks like an operator between the brackets is one of the shell's.
    pub(super) fn test(&mut self, node: Node<'_>, depth: usize) -> Clear<()> {
        let mut part = Part { words: vec![Word::Known("[".to_owned())], ..self.part() };
        let children = self.children_of_line(node)?;
        if children.first().map(Node::kind) != Some("[") {
            return unclear("`[[` is not known to every shell");
        }
        for child in children.into_iter().skip(1) {
            self.tested(child, &mut part, depth)?;
        }
        self.push(part);
        Ok(())
    }

    fn tested(&mut self, node: Node<'_>, part: &mut Part, depth: usize) -> Clear<()> {
        const OPERATORS: &[&str] = &["=", "!=", "!", "test_operator", "-a", "-o", "-", "+"];
        if depth > DEPTH_MAX {
            return unclear("it is nested too deeply");
        }
        if node.kind() == "]" {
            return Ok(());
        }
        if OPERATORS.contains(&node.kind()) {
            part.words.push(Word::Known(self.source(node).to_owned()));
            return Ok(());
        }
        if matches!(node.kind(), "binary_expression" | "unary_expression") {
            for child in self.children_of_line(node)? {
                self.tested(child, part, depth + 1)?;
            }
            return Ok(());
        }
        if !node.is_named() {
            return unclear(format!("`{}` between brackets is the shell's", node.kind()));
        }
        part.words.push(self.word(node, depth)?);
        Ok(())
    }

    /// Some shells look for commands in the text of a variable they reckon with: it has to be a number.
    pub(super) fn check_sums(&self) -> Clear<()> {
        let mut sets = self.parts.iter().flat_map(|part| &part.assignments);
        if self.has_sum && (self.reads() || !sets.all(is_number)) {
            return unclear("the numbers in its arithmetic are only known when it runs");
        }
        Ok(())
    }

    /// A variable without quotes may become several words, and `-v` with a text that holds a command among them runs it: it
    /// has to be a number, too.
    pub(super) fn check_tests(&self) -> Clear<()> {
        let tests = self.parts.iter().filter(|part| matches!(part.program(), Some("[" | "test")));
        for word in tests.flat_map(Part::arguments) {
            let Word::Unknown(source) = word else { continue };
            if !is_quoted(source) && !self.is_number_when_run(source) {
                return unclear(format!("`{source}` may become several words in a test: write \"{source}\""));
            }
        }
        Ok(())
    }

    fn is_number_when_run(&self, source: &str) -> bool {
        let name = source.strip_prefix('$').unwrap_or_default();
        let mut sets =
            self.parts.iter().flat_map(|part| &part.assignments).filter(|set| set.name == name).peekable();
        let is_own = matches!(source, "$?" | "$#" | "$$" | "$!") || source.starts_with("$((");
        is_own || is_count(source) || sets.peek().is_some() && !self.reads() && sets.all(is_number)
    }

    /// Whether one of its parts sets variables to what it reads.
    fn reads(&self) -> bool {
        self.parts.iter().any(|part| matches!(part.program(), Some("read" | "getopts")))
    }
}

fn is_number(set: &Assignment) -> bool {
    match &set.value {
        Word::Known(text) => text.chars().all(|c| c.is_ascii_digit()),
        Word::Unknown(source) => source.starts_with("$((") && source.ends_with("))"),
        Word::Glob(_) => false,
    }
}

/// `$(wc -l < a.txt)`, `$(ls | wc -l)`: all that comes out is one number.
fn is_count(source: &str) -> bool {
    let Some(inner) = source.strip_prefix("$(").and_then(|rest| rest.strip_suffix(')')) else { return false };
    if inner.contains([';', '&', '\\', '#', '\n', '`', '(', '{']) {
        return false;
    }
    match inner.rsplit_once('|') {
        Some((before, last)) => !before.ends_with('|') && counts(last) == Some(""),
        None => counts(inner).and_then(|rest| rest.strip_prefix('<')).is_some_and(|path| {
            path.trim().chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '/' | '_' | '-'))
        }),
    }
}

/// What follows `wc` and the one flag that says what it counts.
fn counts(stage: &str) -> Option<&str> {
    let rest = stage.trim().strip_prefix("wc -")?;
    rest.get(1..).filter(|_| rest.starts_with(['l', 'c', 'w', 'm'])).map(str::trim)
}

/// Whether one pair of quotes holds all of it.
fn is_quoted(source: &str) -> bool {
    let inner = source.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.is_some_and(|inner| !inner.contains('"'))
}
