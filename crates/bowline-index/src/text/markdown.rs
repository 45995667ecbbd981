//! Markdown: a section from its heading to the next one of its level, and in it paragraphs and fenced code.

use std::ops::Range;

use super::{last_filled, place};
use crate::blocks::rows_as_place;
use crate::extent::head;
use crate::kinds::Kind;
use crate::lines::Lines;
use crate::place::Place;

const NAME_CHARS_MAX: usize = 120;
const LEVELS_MAX: usize = 6;

struct Heading {
    /// One row, or two if it is underlined.
    rows: Range<usize>,
    level: usize,
    name: String,
}

pub(super) fn places(lines: &Lines<'_>) -> Vec<Place> {
    let pieces = pieces(lines);
    let mut found: Vec<Place> = Vec::new();
    // The headings around the current row.
    let mut around: Vec<(usize, String)> = Vec::new();
    let ends = section_ends(&pieces, lines.count());
    for (piece, end) in pieces.into_iter().zip(ends) {
        match piece {
            Piece::Heading(heading) => {
                around.retain(|(level, _)| *level < heading.level);
                let container = container(&around);
                around.push((heading.level, heading.name.clone()));
                found.push(section(lines, heading, end, container));
            }
            Piece::Rows(rows, kind) => {
                // Fenced code is named by what is in it.
                let inside = place(lines, rows.start + 1..rows.end, kind).filter(|_| kind == Kind::Block);
                let paragraph = place(lines, rows, kind);
                found.extend(paragraph.map(|paragraph| Place {
                    name: inside.map_or(paragraph.name, |inside| inside.name),
                    container: container(&around),
                    ..paragraph
                }));
            }
        }
    }
    found
}

fn container(around: &[(usize, String)]) -> Option<String> {
    let names: Vec<&str> = around.iter().map(|(_, name)| name.as_str()).collect();
    (!names.is_empty()).then(|| names.join("."))
}

fn section(lines: &Lines<'_>, heading: Heading, end: usize, container: Option<String>) -> Place {
    let rows = heading.rows.start..last_filled(lines, heading.rows.start..end) + 1;
    let place = rows_as_place(lines, rows.clone(), Kind::Section, heading.name);
    Place {
        container,
        body: Some(lines.start(heading.rows.end).min(place.bytes.end)..place.bytes.end),
        head: head(lines, lines.bytes(heading.rows)),
        ..place
    }
}

enum Piece {
    Heading(Heading),
    Rows(Range<usize>, Kind),
}

/// For each heading the row its section ends before.
fn section_ends(pieces: &[Piece], count: usize) -> Vec<usize> {
    let mut ends = vec![count; pieces.len()];
    // The row of the next heading of each level or above.
    let mut next = [count; LEVELS_MAX + 1];
    for (piece, end) in pieces.iter().zip(&mut ends).rev() {
        if let Piece::Heading(heading) = piece {
            *end = next.get(heading.level).copied().unwrap_or(count);
            for deeper in next.iter_mut().skip(heading.level) {
                *deeper = heading.rows.start;
            }
        }
    }
    ends
}

fn pieces(lines: &Lines<'_>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut row = 0;
    while row < lines.count() {
        let next = if lines.is_blank(row) {
            row + 1
        } else if let Some(end) = front_matter(lines, row).or_else(|| fence(lines, row)) {
            pieces.push(Piece::Rows(row..end, Kind::Block));
            end
        } else if let Some(heading) = heading(lines, row) {
            let end = heading.rows.end;
            pieces.push(Piece::Heading(heading));
            end
        } else {
            let is_end = |at: &usize| {
                lines.is_blank(*at) || fence(lines, *at).is_some() || heading(lines, *at).is_some()
            };
            let end = (row + 1..lines.count()).find(is_end).unwrap_or(lines.count());
            pieces.push(Piece::Rows(row..end, Kind::Paragraph));
            end
        };
        row = next;
    }
    pieces
}

/// Settings between two lines of `---` at the top.
fn front_matter(lines: &Lines<'_>, row: usize) -> Option<usize> {
    let is_mark = |row: &usize| lines.text(*row) == b"---";
    if row > 0 || !is_mark(&row) {
        return None;
    }
    (1..lines.count()).find(is_mark).map(|end| end + 1)
}

/// The row after fenced code that begins here. One that is not closed goes to the end of the text.
fn fence(lines: &Lines<'_>, row: usize) -> Option<usize> {
    let text = lines.text(row).trim_ascii_start();
    let sign = text.first().filter(|sign| matches!(sign, b'`' | b'~'))?;
    let length = text.iter().take_while(|byte| *byte == sign).count();
    if length < 3 {
        return None;
    }
    let closes = |row: &usize| {
        let text = lines.text(*row).trim_ascii();
        text.len() >= length && text.iter().all(|byte| byte == sign)
    };
    Some((row + 1..lines.count()).find(closes).map_or(lines.count(), |end| end + 1))
}

fn heading(lines: &Lines<'_>, row: usize) -> Option<Heading> {
    let text = lines.text(row);
    let level = text.iter().take_while(|byte| **byte == b'#').count();
    if (1..=LEVELS_MAX).contains(&level) && matches!(text.get(level), Some(b' ' | b'\t') | None) {
        let name = String::from_utf8_lossy(text.get(level..)?);
        return named(name.trim().trim_end_matches('#').trim(), row..row + 1, level);
    }
    underlined(lines, row)
}

/// A line of its own that is underlined with `===` or `---`.
fn underlined(lines: &Lines<'_>, row: usize) -> Option<Heading> {
    let is_alone = row.checked_sub(1).is_none_or(|above| lines.is_blank(above));
    let under = if row + 1 < lines.count() { lines.text(row + 1).trim_ascii_end() } else { b"" };
    let level = match under.first()? {
        b'=' => 1,
        b'-' => 2,
        _ => return None,
    };
    let is_line = under.len() > 1 && under.iter().all(|byte| Some(byte) == under.first());
    let name = String::from_utf8_lossy(lines.text(row));
    if !is_alone || !is_line || lines.is_blank(row) {
        return None;
    }
    named(name.trim(), row..row + 2, level)
}

fn named(name: &str, rows: Range<usize>, level: usize) -> Option<Heading> {
    let name: String = name.chars().take(NAME_CHARS_MAX).collect();
    (!name.is_empty()).then_some(Heading { rows, level, name })
}
