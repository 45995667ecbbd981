//! The new text out of the old one and a list of edits: all of them or none.
//!
//! Edits are located in the text as the model saw it, so that one does not land in what another inserted; one that is
//! nowhere there is looked for in what the earlier ones leave. Lines that an edit merely repeats keep the file's bytes.

use std::ops::{Range, RangeInclusive};

use crate::draft::Draft;
use crate::endings::line_of;
use crate::refusal::{Fault, Refusal};
use crate::rung::{Mode, Rung};

/// Replace this text by that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edit<'a> {
    pub old: &'a str,
    pub new: &'a str,
    pub replace: Replace,
}

/// How many places an edit is meant for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replace {
    One,
    All,
}

impl<'a> Edit<'a> {
    /// An edit of the one place where `old` stands.
    pub fn one(old: &'a str, new: &'a str) -> Edit<'a> {
        Edit { old, new, replace: Replace::One }
    }

    /// An edit of every place where `old` stands.
    pub fn all(old: &'a str, new: &'a str) -> Edit<'a> {
        Edit { old, new, replace: Replace::All }
    }
}

/// The text after all edits.
#[derive(Debug, Clone, PartialEq)]
pub struct Applied {
    pub content: Vec<u8>,
    /// One for each edit, in order.
    pub landings: Vec<Landing>,
    /// The spans of `content` that the edits wrote, in order; empty ones are where text went.
    pub changed: Vec<Range<usize>>,
}

impl Applied {
    /// The lines, from 1, that the edits wrote; where text went, the line that stands there now.
    pub fn changed_lines(&self) -> Vec<RangeInclusive<usize>> {
        self.changed
            .iter()
            .map(|span| {
                let last = span.end.saturating_sub(1).max(span.start);
                line_of(&self.content, span.start)..=line_of(&self.content, last)
            })
            .collect()
    }
}

/// How an edit landed.
#[derive(Debug, Clone, PartialEq)]
pub enum Landing {
    Replaced {
        rung: Rung,
        places: usize,
        /// 1 but for a place that is merely alike.
        similarity: f64,
    },
    /// The text was missing or empty and is now what the edit said.
    Created,
    /// What the edit asks for stands there already, from this line on; it changed nothing.
    InPlace { line: usize },
}

/// Applies edits to a file's content, `None` for a file that does not exist: all or nothing.
///
/// A blank `old` creates a missing or empty file, and is refused elsewhere. An edit that was made before is a success
/// that changes nothing.
///
/// ```
/// use bowline_edit::{Edit, Landing, apply};
///
/// let made = apply(None, &[Edit::one("", "hello\n")]).unwrap();
/// assert_eq!(made.content, b"hello\n");
///
/// let edits = [Edit::one("b", "B"), Edit::all("x", "y")];
/// let applied = apply(Some(b"a b x x"), &edits).unwrap();
/// assert_eq!(applied.content, b"a B y y");
///
/// let again = apply(Some(b"use a;\nuse b;\n"), &[Edit::one("use a;", "use a;\nuse b;")]).unwrap();
/// assert_eq!(again.landings, [Landing::InPlace { line: 1 }]);
/// ```
pub fn apply(content: Option<&[u8]>, edits: &[Edit<'_>]) -> Result<Applied, Refusal> {
    apply_with(content, edits, Mode::Exact)
}

/// The same with as much forgiven as `mode` says: what differs from the file in white space, in characters that look
/// alike, by what models add on the way, or by a typo lands where it was meant, and takes over only what it changed.
///
/// ```
/// use bowline_edit::{Edit, Landing, Mode, Rung, apply_with};
///
/// let file = b"def total(items):\n    count = 0\n    for item in items:\n        count += item\n    return count\n";
/// // The needle is indented by two, the replacement too.
/// let edit = Edit::one("  for item in items:\n    count += item", "  for item in items:\n    count += item.price");
/// let applied = apply_with(Some(file), &[edit], Mode::Careful).unwrap();
/// assert_eq!(applied.landings, [Landing::Replaced { rung: Rung::Space, places: 1, similarity: 1.0 }]);
/// assert_eq!(
///     applied.content,
///     b"def total(items):\n    count = 0\n    for item in items:\n        count += item.price\n    return count\n"
/// );
/// ```
pub fn apply_with(content: Option<&[u8]>, edits: &[Edit<'_>], mode: Mode) -> Result<Applied, Refusal> {
    let mut draft = Draft::new(content.unwrap_or_default(), mode);
    let verdicts: Vec<Result<Landing, Fault>> =
        edits.iter().enumerate().map(|(index, edit)| draft.take(index, edit)).collect();
    if verdicts.iter().any(Result::is_err) {
        return Err(Refusal { verdicts });
    }
    let (content, changed) = draft.finish();
    Ok(Applied { content, landings: verdicts.into_iter().flatten().collect(), changed })
}
