//! The one place that is meant, or why there is none.
//!
//! A ladder of rungs, strict ones first. Each collects **all** its candidates: one is the answer, two or more are
//! ambiguous, and only a rung without any hands on to the next. A [`Mode`] says how far up it goes.

use std::ops::Range;

use crate::endings::{Equalised, equalise_text, line_of, lines};
use crate::ladder::Sheet;
use crate::nearest::Nearest;
use crate::rung::{Mode, Rung};

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
    locate_with(content, needle, Mode::Exact)
}

/// The same with as much forgiven as `mode` says.
///
/// ```
/// use bowline_edit::{Located, Mode, Rung, locate_with};
///
/// let file = "if ready:\n\tsay(\u{201c}now\u{201d})\n".as_bytes();
/// let located = locate_with(file, "if ready:\n    say(\"now\")", Mode::Careful);
/// assert_eq!(located, Located::Fuzzy { span: 0..25, rung: Rung::Unicode, similarity: 1.0 });
/// ```
pub fn locate_with(content: &[u8], needle: &str, mode: Mode) -> Located {
    let body = Equalised::new(content);
    let needle = equalise_text(needle);
    let sheet = Sheet::new(&body.text);
    let found = match mode {
        Mode::Exact => sheet.exact(&needle, ""),
        _ => sheet.climb(&needle, "").or_else(|| sheet.alike(&needle, "", mode)),
    };
    let Some(found) = found else {
        return Located::NotFound { nearest: Nearest::find(&sheet, &needle) };
    };
    let spans: Vec<Range<usize>> = found.fits.iter().map(|fit| sheet.span(&found, fit)).collect();
    match spans.as_slice() {
        [span] if found.rung == Rung::Exact => Located::Exact(body.original_span(span)),
        [span] => {
            let (rung, similarity) = (found.rung, found.similarity);
            Located::Fuzzy { span: body.original_span(span), rung, similarity }
        }
        several => Located::Ambiguous { count: several.len(), places: places(&body, several) },
    }
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
