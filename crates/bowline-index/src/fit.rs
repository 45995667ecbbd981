//! Fits a text that somebody else wrote into a file: its line breaks, its indentation, tabs or spaces.
//!
//! What always holds: only white space at the beginning of lines and line breaks change, and never inside a string that spans
//! lines.

use std::collections::HashSet;

use crate::language::Language;
use crate::parse::{Next, parse, walk};

/// One step of indentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Tab,
    Spaces(usize),
}

/// The line break of a content: the one that most of its lines have.
pub(crate) fn line_break(content: &[u8]) -> &'static str {
    let all = content.iter().filter(|byte| **byte == b'\n').count();
    let windows = content.windows(2).filter(|pair| pair == b"\r\n").count();
    if windows * 2 > all { "\r\n" } else { "\n" }
}

/// The text with plain line breaks and without blank lines at its ends.
pub(crate) fn plain(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.iter().position(|line| !line.trim().is_empty()).unwrap_or(lines.len());
    let last = lines.iter().rposition(|line| !line.trim().is_empty()).map_or(first, |last| last + 1);
    lines.get(first..last).unwrap_or_default().join("\n")
}

/// The white space that a line begins with.
pub(crate) fn indentation(line: &str) -> &str {
    let end = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..end).unwrap_or_default()
}

/// The step of indentation that a text has; none where nothing is indented.
pub(crate) fn unit(text: &str) -> Option<Unit> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let tabs = lines.iter().filter(|line| line.starts_with('\t')).count();
    let spaces = lines.iter().filter(|line| line.starts_with("  ")).count();
    if tabs > spaces {
        return Some(Unit::Tab);
    }
    let widths: Vec<usize> = lines.iter().map(|line| indentation(line).len()).collect();
    let mut steps = [0_usize; 9];
    for pair in widths.windows(2) {
        if let [before, after] = pair
            && let Some(step) = after.checked_sub(*before).filter(|step| *step >= 2)
            && let Some(count) = steps.get_mut(step)
        {
            *count += 1;
        }
    }
    let (step, count) = steps.iter().enumerate().max_by_key(|(step, count)| (**count, usize::MAX - step))?;
    (*count > 0).then_some(Unit::Spaces(step))
}

/// The step of one definition: how much deeper than its first line the least indented line below it is.
pub(crate) fn unit_of(text: &str) -> Option<Unit> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = indentation(lines.next()?);
    let below = lines.filter_map(|line| indentation(line).strip_prefix(first));
    let least = below.filter(|below| !below.is_empty()).min_by_key(|below| below.len())?;
    match least.starts_with('\t') {
        true => Some(Unit::Tab),
        false => Some(Unit::Spaces(least.len())).filter(|unit| *unit != Unit::Spaces(1)),
    }
}

/// The rows, counted from 0, that begin inside a string: white space there is content.
pub(crate) fn frozen_rows(path: &str, text: &str) -> HashSet<usize> {
    let mut frozen = HashSet::new();
    let Some(language) = Language::of(path) else { return frozen };
    let Some(tree) = parse(language, text.as_bytes()) else { return frozen };
    walk(&tree, |cursor| {
        let node = cursor.node();
        let (first, last) = (node.start_position().row, node.end_position().row);
        if first == last {
            return Next::Past;
        }
        let kind = node.kind();
        let is_text = kind.contains("string") || kind.contains("heredoc") || kind.contains("text_block");
        // A docstring of Python moves with its function.
        let is_docstring =
            kind == "string" && node.parent().is_some_and(|parent| parent.kind() == "expression_statement");
        if is_text && !is_docstring && !matches!(kind, "string_list" | "concatenated_string") {
            frozen.extend(first + 1..=last);
            return Next::Past;
        }
        if is_docstring { Next::Past } else { Next::Within }
    });
    frozen
}

/// Lines of a text, by their rows, moved from one indentation to another.
pub(crate) struct Fitting<'a> {
    pub(crate) frozen: &'a HashSet<usize>,
    /// The indentation of the first line of what is moved, as it is and as it shall be.
    pub(crate) from: &'a str,
    pub(crate) to: &'a str,
    /// The step of the text and that of the file.
    pub(crate) text_unit: Option<Unit>,
    pub(crate) file_unit: Option<Unit>,
}

impl Fitting<'_> {
    pub(crate) fn line(&self, row: usize, line: &str) -> String {
        if self.frozen.contains(&row) {
            return line.to_owned();
        }
        let line = line.trim_end();
        if line.is_empty() {
            return String::new();
        }
        let own = indentation(line);
        let rest = line.get(own.len()..).unwrap_or_default();
        let below = own.strip_prefix(self.from).unwrap_or("");
        format!("{}{}{rest}", self.to, self.converted(below))
    }

    fn converted(&self, below: &str) -> String {
        let (Some(from), Some(to)) = (self.text_unit, self.file_unit) else { return below.to_owned() };
        if from == to {
            return below.to_owned();
        }
        let tabs = below.bytes().take_while(|byte| *byte == b'\t').count();
        let spaces = below.len() - tabs;
        let (steps, rest) = match from {
            Unit::Tab => (tabs, spaces),
            Unit::Spaces(width) => (tabs + spaces / width.max(1), spaces % width.max(1)),
        };
        let step = match to {
            Unit::Tab => "\t".to_owned(),
            Unit::Spaces(width) => " ".repeat(width),
        };
        format!("{}{}", step.repeat(steps), " ".repeat(rest))
    }
}

/// Whether two texts say the same, white space at the ends of lines and blank lines aside.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    let lines = |text: &str| -> Vec<String> {
        let lines = text.lines().map(|line| line.trim().to_owned());
        lines.filter(|line| !line.is_empty()).collect()
    };
    lines(one) == lines(other)
}
