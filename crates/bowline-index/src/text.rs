//! The places of a text without a grammar: Markdown by its headings, settings by their sections and keys, anything else by
//! its blank lines.

mod items;
mod markdown;

use std::ops::Range;

use crate::blocks::{first_words, is_worded, rows_as_place};
use crate::kinds::Kind;
use crate::lines::Lines;
use crate::place::Place;
use crate::survey::PLACES_MAX;

/// How a text is written, by the name of its file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Markdown,
    /// Sections in brackets, keys with values.
    Settings,
    Makefile,
    Dockerfile,
    /// Paragraphs of words.
    Prose,
    /// A language without a grammar here.
    Code,
}

fn form(path: &str) -> Form {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    match (name, extension.as_deref().unwrap_or_default()) {
        ("Makefile" | "makefile" | "GNUmakefile", _) | (_, "mk") => Form::Makefile,
        ("Dockerfile" | "Containerfile", _) | (_, "dockerfile") => Form::Dockerfile,
        (name, _) if name.starts_with("Dockerfile.") => Form::Dockerfile,
        (name, _) if name.starts_with(".env") => Form::Settings,
        (".editorconfig" | ".gitconfig" | ".npmrc" | ".flake8" | ".pylintrc", _) => Form::Settings,
        (_, "md" | "markdown" | "mdx") => Form::Markdown,
        (_, "ini" | "cfg" | "conf" | "properties" | "env" | "service" | "desktop") => Form::Settings,
        (_, "txt" | "rst" | "adoc" | "org" | "tex" | "log" | "csv" | "tsv") => Form::Prose,
        (name, "") if !name.starts_with('.') => Form::Prose,
        _ => Form::Code,
    }
}

pub(crate) fn places(path: &str, lines: &Lines<'_>) -> Vec<Place> {
    let mut found = match form(path) {
        Form::Markdown => markdown::places(lines),
        Form::Settings => items::places(lines, items::setting),
        Form::Makefile => items::places(lines, items::make),
        Form::Dockerfile => items::places(lines, items::docker),
        Form::Prose => paragraphs(lines, 0..lines.count(), Kind::Paragraph),
        Form::Code => code(lines),
    };
    found.truncate(PLACES_MAX);
    found
}

/// The runs of lines between blank lines.
fn paragraphs(lines: &Lines<'_>, rows: Range<usize>, kind: Kind) -> Vec<Place> {
    let mut found = Vec::new();
    let mut start = None;
    for row in rows.start..=rows.end {
        let is_end = row == rows.end || lines.is_blank(row);
        match start {
            None if !is_end => start = Some(row),
            Some(first) if is_end => {
                found.extend(place(lines, first..row, kind));
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// A place of these rows, if there is something to read.
fn place(lines: &Lines<'_>, rows: Range<usize>, kind: Kind) -> Option<Place> {
    let has_words = rows.clone().any(|row| is_worded(lines.text(row)));
    has_words.then(|| rows_as_place(lines, rows.clone(), kind, first_words(lines, rows)))
}

/// Code of an unknown language: a block begins at the margin after a blank line. Where blank lines lie inside, its parts are
/// blocks too.
fn code(lines: &Lines<'_>) -> Vec<Place> {
    let starts: Vec<usize> = (0..lines.count()).filter(|row| begins_block(lines, *row)).collect();
    let ends = starts.iter().skip(1).copied().chain([lines.count()]);
    let mut found = Vec::new();
    for (start, end) in starts.iter().copied().zip(ends) {
        let end = last_filled(lines, start..end) + 1;
        found.extend(place(lines, start..end, Kind::Block));
        let parts = paragraphs(lines, start..end, Kind::Block);
        if parts.len() > 1 {
            found.extend(parts);
        }
    }
    found
}

fn begins_block(lines: &Lines<'_>, row: usize) -> bool {
    if lines.is_blank(row) {
        return false;
    }
    let is_first = (0..row).rev().take_while(|above| lines.is_blank(*above)).count() == row;
    let is_after_blank = row.checked_sub(1).is_some_and(|above| lines.is_blank(above));
    let is_closing = matches!(lines.text(row).first(), Some(b'}' | b')' | b']'))
        || lines.text(row).starts_with(b"end")
        || lines.text(row).starts_with(b"</");
    is_first || is_after_blank && lines.indent(row) == 0 && !is_closing
}

/// The last row that is not blank.
fn last_filled(lines: &Lines<'_>, rows: Range<usize>) -> usize {
    rows.clone().rev().find(|row| !lines.is_blank(*row)).unwrap_or(rows.start)
}
