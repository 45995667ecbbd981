//! A unified diff of one file, as coloured rows. The signs stay, so it can be read without colour.

use crate::rows::{Colour, Row, Style};

/// A narrower screen has no room for the numbers of lines.
const GUTTER_COLUMNS_MIN: usize = 60;
const GUTTER_DIGITS_MIN: usize = 3;

/// At most so many rows of at most so many columns; what is more is counted in the last one.
pub(crate) fn rows(diff: &str, columns: usize, rows_max: usize) -> Vec<Row> {
    let mut page = Page::new(diff, columns);
    let mut rows = Vec::new();
    let mut left_out = 0;
    for line in diff.split_terminator('\n') {
        let Some(row) = page.row(line.strip_suffix('\r').unwrap_or(line)) else { continue };
        if rows.len() < rows_max {
            rows.push(row.cut(columns));
        } else {
            left_out += 1;
        }
    }
    if left_out > 0 {
        left_out += usize::from(rows.pop().is_some());
        rows.push(Row::dim(&format!("… {left_out} more lines")).cut(columns));
    }
    rows
}

/// Where the reading is.
struct Page {
    /// The columns of a line's number; none without a gutter.
    digits: Option<usize>,
    old: usize,
    new: usize,
    /// Lines of the hunk that are still to come.
    old_left: usize,
    new_left: usize,
    is_first: bool,
}

impl Page {
    fn new(diff: &str, columns: usize) -> Page {
        let ends = diff.split('\n').filter_map(hunk).map(|[old, old_lines, new, new_lines]| {
            old.saturating_add(old_lines).max(new.saturating_add(new_lines))
        });
        let digits = ends.max().unwrap_or(0).to_string().len().max(GUTTER_DIGITS_MIN);
        let digits = (columns >= GUTTER_COLUMNS_MIN).then_some(digits);
        Page { digits, old: 0, new: 0, old_left: 0, new_left: 0, is_first: true }
    }

    /// The row for a line; none for what says nothing here.
    fn row(&mut self, line: &str) -> Option<Row> {
        if self.old_left == 0 && self.new_left == 0 {
            return self.between(line);
        }
        if let Some(text) = line.strip_prefix('-') {
            let row = self.line(self.old, "-", text, Style::coloured(Colour::Red));
            self.step(1, 0);
            Some(row)
        } else if let Some(text) = line.strip_prefix('+') {
            let row = self.line(self.new, "+", text, Style::coloured(Colour::Green));
            self.step(0, 1);
            Some(row)
        } else if line.is_empty() || line.starts_with(' ') {
            let row = self.line(self.new, " ", line.get(1..).unwrap_or_default(), Style::DIM);
            self.step(1, 1);
            Some(row)
        } else {
            Some(self.note(line))
        }
    }

    /// A line that belongs to no hunk.
    fn between(&mut self, line: &str) -> Option<Row> {
        let is_head = ["--- ", "+++ ", "diff ", "index "].iter().any(|start| line.starts_with(start));
        let Some([old, old_lines, new, new_lines]) = hunk(line) else {
            return (!is_head && !line.is_empty()).then(|| self.note(line));
        };
        (self.old, self.old_left, self.new, self.new_left) = (old, old_lines, new, new_lines);
        let is_first = std::mem::take(&mut self.is_first);
        match self.digits {
            Some(_) if is_first => None,
            Some(digits) => Some(Row::dim(&format!("{:>digits$}", "⋯"))),
            None => Some(Row::dim(&format!("@@ line {}", new.max(1)))),
        }
    }

    fn line(&self, number: usize, sign: &str, text: &str, style: Style) -> Row {
        let gutter = self.digits.map_or(String::new(), |digits| format!("{number:>digits$} "));
        Row::dim(&gutter).with(&format!("{sign} {text}"), style)
    }

    fn note(&self, line: &str) -> Row {
        let blanks = self.digits.map_or(0, |digits| digits + 1);
        Row::dim(&format!("{}{}", " ".repeat(blanks), line.trim_start_matches("\\ ")))
    }

    fn step(&mut self, old: usize, new: usize) {
        self.old = self.old.saturating_add(old);
        self.new = self.new.saturating_add(new);
        self.old_left = self.old_left.saturating_sub(old);
        self.new_left = self.new_left.saturating_sub(new);
    }
}

/// Start and length of both sides, from `@@ -1,3 +1,4 @@`.
fn hunk(line: &str) -> Option<[usize; 4]> {
    let (old, rest) = line.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let side = |text: &str| {
        let (start, lines) = text.split_once(',').unwrap_or((text, "1"));
        Some((start.parse().ok()?, lines.parse().ok()?))
    };
    let ((old, old_lines), (new, new_lines)) = (side(old)?, side(new)?);
    Some([old, old_lines, new, new_lines])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;

    #[test]
    fn diffs() {
        cases::check("chat/diff.cases", |name, input| {
            let number = |word: &str, otherwise| cases::number(name, word).unwrap_or(otherwise);
            cases::shown(&rows(input, number("columns", 80), number("rows", 40)))
        });
    }

    #[test]
    fn a_diff_keeps_to_its_bounds() {
        let lines = (0..300).map(|n| format!("-日本語 old {n}\n+new\t{n} {}\n", "x".repeat(n)));
        let diff = format!("--- a/f\n+++ b/f\n@@ -1,300 +1,300 @@\n{}", lines.collect::<String>());
        for columns in [0, 1, 2, 5, 20, 59, 60, 61, 100] {
            for rows_max in [0, 1, 2, 10, 600, 1_000] {
                let rows = rows(&diff, columns, rows_max);
                assert!(rows.len() <= rows_max.max(1), "{columns} {rows_max}: {}", rows.len());
                assert!(rows.iter().all(|row| row.width() <= columns), "{columns} {rows_max}");
            }
        }
    }

    #[test]
    fn what_is_no_diff_is_shown_as_it_is() {
        assert_eq!(rows("", 80, 10), []);
        assert_eq!(rows("é\n@@ -x +1 @@\n", 80, 10).len(), 2);
        assert_eq!(rows("@@ -1 +1 @@\né\n\n", 40, 10).len(), 3);
    }
}
