//! New texts of places that the program knows by itself: a number that the user's words change, and a line as a compiler suggests it.
//!
//! Tests and documents are left out: what they say follows from the code.

use std::ops::Range;

use bowline_core::place::{Corrected, Place, Replacement, Survey, is_document_path, is_test_path};
use bowline_core::task::{Correction, ValueChange};
use bowline_index::places;

use super::{Source, source, sources};
use crate::workspace::Workspace;

const REPLACEMENTS_MAX: usize = 40;
/// A file without named places is one place up to this length. Bytes.
const FILE_BYTES_MAX: usize = 16 * 1024;
/// What people multiply by when they write down money, time and sizes.
const UNITS: [u64; 6] = [1, 60, 100, 1_000, 3_600, 60_000];

pub(super) fn replacements(
    workspace: &Workspace,
    files: &[String],
    values: &[ValueChange],
) -> Vec<Replacement> {
    if values.is_empty() {
        return Vec::new();
    }
    let is_code = |source: &Source| !is_test_path(&source.path) && !is_document_path(&source.path);
    let all = sources(workspace, files).filter(is_code);
    all.flat_map(|source| of_source(&source, values)).take(REPLACEMENTS_MAX).collect()
}

fn of_source(source: &Source, values: &[ValueChange]) -> Vec<Replacement> {
    let parts = places(&source.path, source.text.as_bytes());
    let mut found = Vec::new();
    for value in values.iter().flat_map(scaled) {
        for at in numbers_at(&source.text, &value.from) {
            let line = line_at(&source.text, at);
            if is_comment(line) {
                continue;
            }
            let Some((place, bytes)) = place_at(source, &parts, at) else { continue };
            let before = source.text.get(bytes.start..at).unwrap_or_default();
            let after = source.text.get(at..bytes.end).unwrap_or_default();
            let after = after.get(spelled(after).len()..).unwrap_or_default();
            let text = format!("{before}{}{after}", value.to);
            found.push(Replacement { place, line: line.trim().to_owned(), text, value: value.clone() });
        }
    }
    found
}

/// The innermost place around a byte, with its own bytes.
fn place_at(source: &Source, parts: &[bowline_index::Place], at: usize) -> Option<(Place, Range<usize>)> {
    let holds = |part: &&bowline_index::Place| part.bytes.contains(&at);
    match parts.iter().filter(holds).min_by_key(|part| part.bytes.len()) {
        Some(part) => {
            let place = Place { path: source.path.clone(), name: Some(part.path()) };
            Some((place, part.bytes.clone()))
        }
        None => {
            (source.text.len() <= FILE_BYTES_MAX).then(|| (Place::file(&source.path), 0..source.text.len()))
        }
    }
}

/// The places with the lines that a compiler suggests.
pub(super) fn corrected(
    workspace: &Workspace,
    survey: &Survey,
    corrections: &[Correction],
) -> Vec<Corrected> {
    corrections.iter().filter_map(|one| corrected_place(workspace, survey, one)).collect()
}

fn corrected_place(workspace: &Workspace, survey: &Survey, correction: &Correction) -> Option<Corrected> {
    let source = source(workspace, survey.file(&correction.path)?)?;
    let line = usize::try_from(correction.line).ok()?.checked_sub(1)?;
    let old = source.text.lines().nth(line)?;
    let start: usize = source.text.split_inclusive('\n').take(line).map(str::len).sum();
    let parts = places(&source.path, source.text.as_bytes());
    // The line as a whole lies in the place.
    let (place, bytes) = place_at(&source, &parts, start + old.len() - old.trim_start().len())?;
    let before = source.text.get(bytes.start..start)?;
    let after = source.text.get(start + old.len()..bytes.end)?;
    // The compiler prints tabs as spaces: the line keeps its own indentation.
    let indentation = old.get(..old.len() - old.trim_start().len())?;
    let is_plain = !old.trim_start().contains('\t');
    let text = format!("{before}{indentation}{}{after}", correction.text.trim_start());
    is_plain.then_some(Corrected { place, text })
}

/// The line that a byte is in.
fn line_at(text: &str, at: usize) -> &str {
    let start = text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default()
}

/// The change as the code may have it: 20 euros in cents, 30 seconds in milliseconds, 2 weeks in days.
fn scaled(value: &ValueChange) -> Vec<ValueChange> {
    let whole = |text: &str| text.replace('_', "").parse::<u64>().ok();
    let (Some(from), Some(to)) = (whole(&value.from), whole(&value.to)) else { return vec![value.clone()] };
    let times = |unit: &u64| {
        let (from, to) = (from.checked_mul(*unit)?, to.checked_mul(*unit)?);
        Some(ValueChange { from: from.to_string(), to: to.to_string(), unit: value.unit })
    };
    let of_time = value.smaller_units();
    let others = of_time.iter().filter(|unit| !UNITS.contains(unit));
    UNITS.iter().chain(others).filter_map(times).collect()
}

/// Where a number stands as a token of its own, also with `_` between its digits.
fn numbers_at(text: &str, number: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let (mut before, mut end) = (' ', 0);
    for (at, sign) in text.char_indices() {
        let is_start = sign.is_ascii_digit() && !before.is_alphanumeric() && !matches!(before, '_' | '.');
        if at >= end && is_start {
            let rest = text.get(at..).unwrap_or_default();
            let word = spelled(rest);
            end = at + word.len();
            let next = rest.get(word.len()..).and_then(|rest| rest.chars().next());
            let is_whole = next.is_none_or(|next| !next.is_alphanumeric());
            if is_whole && word.replace('_', "") == number {
                found.push(at);
            }
        }
        before = sign;
    }
    found
}

/// The digits at the beginning of a text.
fn spelled(text: &str) -> &str {
    let is_part = |sign: char| sign.is_ascii_digit() || sign == '_' || sign == '.';
    let end = text.find(|sign: char| !is_part(sign)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default().trim_end_matches(['.', '_'])
}

/// Whether a line is nothing but a comment.
fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "#", "--", "/*", "* ", "<!--", "\"\"\""].iter().any(|mark| line.starts_with(mark))
}
