//! The one place that is meant, or why there is none.
//!
//! A ladder of rungs, strict ones first. Each collects **all** its candidates: one is the answer, two or more are
//! ambiguous, and only a rung without any hands on to the next. Today there is one rung, the exact one; a caller that
//! handles [`Located::Fuzzy`] is ready for those that forgive more.

use std::ops::Range;

use crate::endings::{Equalised, equalise_text, line_of, lines};
use crate::nearest::Nearest;
use crate::search::occurrences;

/// How many places of an ambiguous edit are described; all are counted.
const PLACES_DESCRIBED_MAX: usize = 10;
/// How far above a place its heading is looked for.
const HEADING_LINES_MAX: usize = 1_000;
const HEADING_CHARS_MAX: usize = 60;

/// What [`locate`] found. Spans are byte ranges of the content.
#[derive(Debug, Clone, PartialEq)]
pub enum Located {
    /// The one place whose text is the needle, line endings aside.
    Exact(Range<usize>),
    /// The one place that is meant though its text differs.
    Fuzzy { span: Range<usize>, rung: Rung, similarity: f64 },
    /// More than one place; `places` describes the first of them.
    Ambiguous { count: usize, places: Vec<Place> },
    /// No place; the passage most like the needle, where there is one.
    NotFound { nearest: Option<Nearest> },
}

/// The step of the ladder that found a place; the stricter is the lesser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Rung {
    /// Equal, line endings and a byte order mark aside.
    Exact,
}

impl Rung {
    /// One word for it.
    pub fn word(self) -> &'static str {
        match self {
            Rung::Exact => "exact",
        }
    }
}

/// One of several places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub span: Range<usize>,
    /// Counted from 1.
    pub line: usize,
    /// The nearest line above that is indented less: mostly the definition this place is in.
    pub under: Option<String>,
}

/// Finds the place in `content` that `needle` means.
///
/// Occurrences that overlap are counted apart, line endings are equalised on both sides and a byte order mark is
/// skipped. A blank needle is nowhere.
///
/// ```
/// use bowline_edit::{Located, locate};
///
/// assert_eq!(locate(b"one\r\ntwo\r\n", "one\ntwo"), Located::Exact(0..8));
/// assert!(matches!(locate(b"aaa", "aa"), Located::Ambiguous { count: 2, .. }));
/// assert!(matches!(locate(b"one", "two"), Located::NotFound { nearest: None }));
/// ```
pub fn locate(content: &[u8], needle: &str) -> Located {
    let body = Equalised::new(content);
    let needle = equalise_text(needle);
    match candidates(&body, &needle).as_slice() {
        [] => Located::NotFound { nearest: Nearest::find(&body.text, &needle) },
        [span] => Located::Exact(body.original_span(span)),
        several => Located::Ambiguous { count: several.len(), places: places(&body, several) },
    }
}

/// All places of the first rung that has any, as spans of the equalised body.
pub(crate) fn candidates(body: &Equalised<'_>, needle: &str) -> Vec<Range<usize>> {
    if needle.trim().is_empty() {
        return Vec::new();
    }
    occurrences(&body.text, needle.as_bytes()).into_iter().map(|start| start..start + needle.len()).collect()
}

/// The first of several candidates, described.
pub(crate) fn places(body: &Equalised<'_>, spans: &[Range<usize>]) -> Vec<Place> {
    let described = spans.iter().take(PLACES_DESCRIBED_MAX);
    described
        .map(|span| Place {
            span: body.original_span(span),
            line: line_of(&body.text, span.start),
            under: heading(&body.text, span.start),
        })
        .collect()
}

fn heading(text: &[u8], offset: usize) -> Option<String> {
    let start = text[..offset].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let indent = indent_of(lines(&text[start..]).next()?)?;
    let above = text[..start].strip_suffix(b"\n")?;
    let line = above
        .rsplit(|byte| *byte == b'\n')
        .take(HEADING_LINES_MAX)
        .find(|line| indent_of(line).is_some_and(|other| other < indent))?;
    Some(String::from_utf8_lossy(line).trim().chars().take(HEADING_CHARS_MAX).collect())
}

/// The width of a line's indentation; none for a blank line.
fn indent_of(line: &[u8]) -> Option<usize> {
    line.iter().position(|byte| !byte.is_ascii_whitespace())
}
