//! The lines of a source file that no definition takes: imports, statements, comments on their own. They become blocks, so
//! that there is a place for every line with something on it.

use std::ops::Range;

use crate::extent::head;
use crate::grammar::Source;
use crate::kinds::Kind;
use crate::lines::Lines;
use crate::place::Place;
use crate::survey::{PLACES_MAX, Survey};

/// The name of a block of imports.
const IMPORTS: &str = "imports";
/// So many characters of the first line are the name of any other block.
const NAME_CHARS_MAX: usize = 60;

/// What stands on a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Row {
    Blank,
    /// Part of a place.
    Taken,
    Comment,
    Import,
    Code,
}

struct Run {
    rows: Range<usize>,
    row: Row,
}

/// The blocks between the places, in order.
pub(crate) fn blocks(survey: &Survey, places: &[Place], lines: &Lines<'_>) -> Vec<Place> {
    let (rows, glued) = rows(survey, places, lines);
    let runs = runs(&rows, &glued);
    let with_words = runs.into_iter().filter_map(|run| without_brackets(lines, &run));
    let room = PLACES_MAX.saturating_sub(places.len());
    with_words.take(room).map(|run| block(lines, run)).collect()
}

/// A block of these rows.
fn block(lines: &Lines<'_>, run: Run) -> Place {
    let name = match run.row {
        Row::Import => IMPORTS.to_owned(),
        _ => first_words(lines, run.rows.clone()),
    };
    rows_as_place(lines, run.rows, Kind::Block, name)
}

/// A place that is these whole rows and has no body.
pub(crate) fn rows_as_place(lines: &Lines<'_>, rows: Range<usize>, kind: Kind, name: String) -> Place {
    let numbers = rows.start + 1..=rows.end;
    let worded = first_worded(lines, rows.clone());
    Place {
        name,
        container: None,
        kind,
        lines: numbers.clone(),
        own_lines: numbers,
        bytes: lines.bytes(rows.clone()),
        body: None,
        head: head(lines, lines.bytes(worded..worded + 1)),
    }
}

/// The first line with a letter or a digit, cut.
pub(crate) fn first_words(lines: &Lines<'_>, rows: Range<usize>) -> String {
    let row = first_worded(lines, rows);
    let source = Source { content: lines.content() };
    source.words(lines.bytes(row..row + 1), NAME_CHARS_MAX).unwrap_or_default()
}

fn first_worded(lines: &Lines<'_>, rows: Range<usize>) -> usize {
    rows.clone().find(|row| is_worded(lines.text(*row))).unwrap_or(rows.start)
}

/// Whether there is anything to read: a line of brackets alone is no place.
pub(crate) fn is_worded(text: &[u8]) -> bool {
    text.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

/// The run without rows of brackets around it, which belong to something that lies around places. None if there is nothing
/// to read in it.
fn without_brackets(lines: &Lines<'_>, run: &Run) -> Option<Run> {
    let is_bracket = |byte: &u8| b"()[]{}<>,; \t".contains(byte);
    let is_content = |row: &usize| !lines.text(*row).iter().all(is_bracket);
    let first = run.rows.clone().find(is_content)?;
    let last = run.rows.clone().rfind(is_content)?;
    let has_words = run.rows.clone().any(|row| is_worded(lines.text(row)));
    has_words.then_some(Run { rows: first..last + 1, row: run.row })
}

/// What stands on each row, and whether a row belongs to the import of the row above.
fn rows(survey: &Survey, places: &[Place], lines: &Lines<'_>) -> (Vec<Row>, Vec<bool>) {
    let mut rows: Vec<Row> =
        (0..lines.count()).map(|row| if lines.is_blank(row) { Row::Blank } else { Row::Code }).collect();
    let mut glued = vec![false; rows.len()];
    let of = |range: &Range<usize>| lines.row(range.start)..lines.row(range.end.max(range.start + 1) - 1) + 1;
    let mut mark = |range: Range<usize>, as_row: Row| {
        for row in rows.get_mut(range).unwrap_or_default() {
            *row = as_row;
        }
    };
    for (start, end) in &survey.comments {
        if lines.start(lines.row(*start)) + lines.indent(lines.row(*start)) == *start {
            mark(of(&(*start..*end)), Row::Comment);
        }
    }
    for import in &survey.imports {
        mark(of(import), Row::Import);
    }
    let mut end = 0;
    for place in places {
        // Places inside another one have nothing to add.
        if *place.lines.end() > end {
            mark(place.lines.start() - 1..*place.lines.end(), Row::Taken);
            end = *place.lines.end();
        }
    }
    for import in &survey.imports {
        let rows = of(import);
        for is_glued in glued.get_mut(rows.start + 1..rows.end).unwrap_or_default() {
            *is_glued = true;
        }
    }
    // A comment is part of what stands directly under it.
    for index in (1..rows.len()).rev() {
        if let Some([above @ Row::Comment, below @ (Row::Import | Row::Code)]) =
            rows.get_mut(index - 1..=index)
        {
            *above = *below;
        }
    }
    (rows, glued)
}

fn runs(rows: &[Row], glued: &[bool]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    // Whether the last run ends on the row above.
    let mut is_open = false;
    // Whether a place has come since the last run.
    let mut is_parted = true;
    for (index, row) in rows.iter().enumerate() {
        let is_glued = glued.get(index).copied().unwrap_or_default();
        match (row, runs.last_mut()) {
            (Row::Taken, _) => (is_open, is_parted) = (false, true),
            (Row::Blank, _) if !is_glued => is_open = false,
            (_, Some(last)) if is_open && is_glued => last.rows.end = index + 1,
            (Row::Blank, _) => {}
            (row, last) => {
                // Imports with blank lines between them are one block.
                let is_import = !is_parted && *row == Row::Import;
                match last {
                    Some(last) if is_open && (last.row == *row || *row == Row::Comment) => {
                        last.rows.end = index + 1;
                    }
                    Some(last) if is_import && last.row == Row::Import => last.rows.end = index + 1,
                    _ => runs.push(Run { rows: index..index + 1, row: *row }),
                }
                (is_open, is_parted) = (true, false);
            }
        }
    }
    runs
}
