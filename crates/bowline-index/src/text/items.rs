//! Texts of one item a line, perhaps continued on the next: settings, makefiles, the steps of an image.

use std::ops::Range;

use super::{last_filled, place};
use crate::blocks::rows_as_place;
use crate::extent::head;
use crate::kinds::Kind;
use crate::lines::Lines;
use crate::place::Place;

const NAME_CHARS_MAX: usize = 80;

/// What a line begins.
pub(super) enum Line {
    Comment,
    /// A heading: what follows is inside, to the next one.
    Section(String),
    Item(Kind, String),
    /// It belongs to the item above it.
    More,
    Other,
}

struct Open {
    rows: Range<usize>,
    place: Place,
}

/// The places, by a function that reads one line.
pub(super) fn places(lines: &Lines<'_>, read: impl Fn(&str) -> Line) -> Vec<Place> {
    let mut found: Vec<Place> = Vec::new();
    let mut section: Option<usize> = None;
    let mut row = 0;
    while row < lines.count() {
        if lines.is_blank(row) {
            row += 1;
            continue;
        }
        let first = row;
        while row < lines.count() && matches!(line(lines, row, &read), Line::Comment) {
            row += 1;
        }
        let item =
            if row < lines.count() && !lines.is_blank(row) { line(lines, row, &read) } else { Line::Comment };
        let container = section.and_then(|section| found.get(section)).map(|section| section.name.clone());
        match item {
            Line::Section(name) => {
                close(lines, &mut found, section, first);
                section = Some(found.len());
                found.push(open(lines, first, row, Kind::Section, name).place);
                row += 1;
            }
            Line::Item(kind, name) => {
                let mut item = open(lines, first, row, kind, name);
                row = extend(lines, row, &read);
                item.rows.end = row;
                item.place.lines = item.rows.start + 1..=row;
                item.place.own_lines = *item.place.own_lines.start()..=row;
                item.place.bytes = lines.bytes(item.rows);
                found.push(Place { container, ..item.place });
            }
            _ => {
                row = (row.max(first + 1)..lines.count())
                    .find(|at| ends_block(lines, *at, &read))
                    .unwrap_or(lines.count());
                let block = place(lines, first..row, Kind::Block);
                found.extend(block.map(|block| Place { container, ..block }));
            }
        }
    }
    close(lines, &mut found, section, lines.count());
    found
}

fn line(lines: &Lines<'_>, row: usize, read: &impl Fn(&str) -> Line) -> Line {
    let is_continued = row.checked_sub(1).is_some_and(|above| lines.text(above).ends_with(b"\\"));
    if is_continued { Line::More } else { read(&String::from_utf8_lossy(lines.text(row))) }
}

fn ends_block(lines: &Lines<'_>, row: usize, read: &impl Fn(&str) -> Line) -> bool {
    lines.is_blank(row) || matches!(line(lines, row, read), Line::Section(_) | Line::Item(..) | Line::Comment)
}

/// The row after an item. Blank lines are part of it if more of it follows.
fn extend(lines: &Lines<'_>, row: usize, read: &impl Fn(&str) -> Line) -> usize {
    let mut end = row + 1;
    let mut next = end;
    while next < lines.count() {
        if !lines.is_blank(next) {
            match line(lines, next, read) {
                Line::More => end = next + 1,
                _ => return end,
            }
        }
        next += 1;
    }
    end
}

/// A place from its comments to the row it is named on.
fn open(lines: &Lines<'_>, first: usize, row: usize, kind: Kind, name: String) -> Open {
    let rows = first..row + 1;
    let place = rows_as_place(lines, rows.clone(), kind, name);
    let head = head(lines, lines.bytes(row..row + 1));
    Open { rows, place: Place { own_lines: row + 1..=row + 1, head, ..place } }
}

/// Ends a section at a row.
fn close(lines: &Lines<'_>, found: &mut [Place], section: Option<usize>, end: usize) {
    let Some(place) = section.and_then(|section| found.get_mut(section)) else { return };
    let start = place.own_lines.start() - 1;
    let end = last_filled(lines, start..end) + 1;
    place.lines = *place.lines.start()..=end;
    place.own_lines = start + 1..=end;
    place.bytes = place.bytes.start..lines.start(end);
    place.body = Some(lines.start(start + 1).min(place.bytes.end)..place.bytes.end);
}

/// A name as long as names may be.
fn cut(name: &str) -> String {
    name.trim().chars().take(NAME_CHARS_MAX).collect()
}

fn is_comment(text: &str, marks: &[char]) -> bool {
    text.trim_start().starts_with(marks)
}

/// `[section]`, `key = value`
pub(super) fn setting(text: &str) -> Line {
    let bare = text.trim();
    if is_comment(text, &['#', ';']) {
        return Line::Comment;
    }
    let name = bare.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(name, _)| cut(name));
    if let Some(name) = name.filter(|name| !name.is_empty()) {
        return Line::Section(name);
    }
    if text.starts_with([' ', '\t']) {
        return Line::More;
    }
    match bare.split_once(['=', ':']) {
        Some((key, _)) if !key.trim().is_empty() => {
            let key = key.trim();
            Line::Item(Kind::Entry, cut(key.strip_prefix("export ").unwrap_or(key)))
        }
        _ => Line::Other,
    }
}

/// `target: needs`, `NAME = value`
pub(super) fn make(text: &str) -> Line {
    if text.starts_with('\t') {
        return Line::More;
    }
    if is_comment(text, &['#']) {
        return Line::Comment;
    }
    let (Some(colon), equals) = (text.find(':').or(text.find('=')), text.find('=')) else {
        return Line::Other;
    };
    let is_value = equals.is_some_and(|equals| equals <= colon + 2);
    let (name, kind) = match is_value {
        true => (text.split([':', '=', '?', '+']).next(), Kind::Constant),
        false => (text.split(':').next(), Kind::Rule),
    };
    let name = name.unwrap_or_default().trim();
    let name = name.strip_prefix("export ").unwrap_or(name);
    if name.is_empty() { Line::Other } else { Line::Item(kind, cut(name)) }
}

/// `RUN …`, with its continued lines.
pub(super) fn docker(text: &str) -> Line {
    if is_comment(text, &['#']) {
        return Line::Comment;
    }
    let word = text.split_whitespace().next().unwrap_or_default();
    let is_step = word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase());
    if !is_step {
        return Line::Other;
    }
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Line::Item(Kind::Block, cut(words.trim_end_matches('\\')))
}
