//! The new text out of the old one and a list of edits: all of them or none.
//!
//! Edits are located in the text as the model saw it, so that one does not land in what another inserted; one that is
//! nowhere there is looked for in what the earlier ones leave. Lines that an edit merely repeats keep the file's bytes.

use std::ops::{Range, RangeInclusive};

use crate::endings::{Ending, Equalised, bom_len, equalise_text, line_of};
use crate::in_place;
use crate::locate::{Rung, candidates, places};
use crate::nearest::Nearest;
use crate::refusal::{Fault, Refusal};

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
    },
    /// The text was missing or empty and is now what the edit said.
    Created,
    /// What the edit asks for stands there already, from this line on; it changed nothing.
    InPlace {
        line: usize,
    },
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
    let mut draft =
        Draft { base: content.unwrap_or_default().to_vec(), changes: Vec::new(), written: Vec::new() };
    let verdicts: Vec<Result<Landing, Fault>> =
        edits.iter().enumerate().map(|(index, edit)| draft.take(index, edit)).collect();
    if verdicts.iter().any(Result::is_err) {
        return Err(Refusal { verdicts });
    }
    draft.settle();
    Ok(Applied {
        content: draft.base,
        landings: verdicts.into_iter().flatten().collect(),
        changed: draft.written,
    })
}

/// One span of the base and what takes its place.
#[derive(Debug, Clone)]
struct Change {
    span: Range<usize>,
    bytes: Vec<u8>,
    /// The index of its edit.
    edit: usize,
}

/// A text and the changes decided on so far.
#[derive(Clone)]
struct Draft {
    base: Vec<u8>,
    /// Spans of `base` that do not overlap, in order.
    changes: Vec<Change>,
    /// Spans of `base` that settled changes wrote.
    written: Vec<Range<usize>>,
}

impl Draft {
    fn take(&mut self, index: usize, edit: &Edit<'_>) -> Result<Landing, Fault> {
        let (old, new) = (equalise_text(edit.old), equalise_text(edit.new));
        if old == new {
            return Err(Fault::Same);
        }
        if old.trim().is_empty() {
            return self.create(index, &new);
        }
        let body = Equalised::new(&self.base);
        let mut spans = candidates(&body, &old);
        if spans.is_empty() && !self.changes.is_empty() {
            let mut settled = self.clone();
            settled.settle();
            let body = Equalised::new(&settled.base);
            spans = candidates(&body, &old);
            if !spans.is_empty() {
                *self = settled;
            }
        }
        let body = Equalised::new(&self.base);
        if spans.is_empty() {
            return match in_place::replaced_before(&body.text, &old, &new) {
                Some(line) => Ok(Landing::InPlace { line }),
                None => Err(Fault::NotFound { nearest: Nearest::find(&body.text, &old) }),
            };
        }
        if edit.replace == Replace::One && spans.len() > 1 {
            return Err(Fault::Ambiguous { count: spans.len(), places: places(&body, &spans) });
        }
        if let Some(line) = settled_places(&body, &spans, &old, &new)? {
            return Ok(Landing::InPlace { line });
        }
        if !encodable(&self.base, &old, &new) {
            return Err(Fault::Encoding);
        }
        let changes: Vec<Change> =
            spans.iter().map(|span| change(&self.base, &body, span, (&old, &new), index)).collect();
        self.add(changes)?;
        Ok(Landing::Replaced { rung: Rung::Exact, places: spans.len() })
    }

    fn create(&mut self, index: usize, new: &str) -> Result<Landing, Fault> {
        let span = bom_len(&self.base)..self.base.len();
        if !self.changes.is_empty() || !self.base[span.clone()].trim_ascii().is_empty() {
            return Err(Fault::Blank);
        }
        let bytes = Ending::around(&self.base, &span).applied_to(new);
        self.changes.push(Change { span, bytes, edit: index });
        Ok(Landing::Created)
    }

    fn add(&mut self, changes: Vec<Change>) -> Result<(), Fault> {
        for change in &changes {
            let after = self.changes.partition_point(|other| other.span.start < change.span.start);
            let beside = self.changes.iter().skip(after.saturating_sub(1)).take(2);
            if let Some(other) = beside.into_iter().find(|other| clash(&other.span, &change.span)) {
                return Err(Fault::Overlaps { edit: other.edit + 1 });
            }
        }
        self.changes.extend(changes);
        self.changes.sort_by_key(|change| change.span.start);
        Ok(())
    }

    /// Makes the changes: the base becomes the text they lead to.
    fn settle(&mut self) {
        let changes = std::mem::take(&mut self.changes);
        let mut content = Vec::with_capacity(self.base.len());
        let mut written: Vec<Range<usize>> =
            self.written.iter().map(|span| moved(span.start, &changes)..moved(span.end, &changes)).collect();
        let mut from = 0;
        for change in &changes {
            content.extend_from_slice(&self.base[from..change.span.start]);
            written.push(content.len()..content.len() + change.bytes.len());
            content.extend_from_slice(&change.bytes);
            from = change.span.end;
        }
        content.extend_from_slice(&self.base[from..]);
        written.sort_by_key(|span| (span.start, span.end));
        self.base = content;
        self.written = written;
    }
}

/// Whether two changes touch the same bytes, or begin at the same place, where their order would be a guess.
fn clash(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start == other.start || (one.start < other.end && other.start < one.end)
}

/// Where an offset of the base stands after changes, which are in order.
fn moved(offset: usize, changes: &[Change]) -> usize {
    let before = changes.iter().take_while(|change| change.span.end <= offset);
    let (gone, come) =
        before.fold((0, 0), |(gone, come), change| (gone + change.span.len(), come + change.bytes.len()));
    (offset + come).saturating_sub(gone)
}

/// The line where the edit is in place already, if it is so everywhere; a fault where the places are entangled.
fn settled_places(
    body: &Equalised<'_>,
    spans: &[Range<usize>],
    old: &str,
    new: &str,
) -> Result<Option<usize>, Fault> {
    let in_place: Vec<&Range<usize>> =
        spans.iter().filter(|span| in_place::surrounds(&body.text, span.start, old, new)).collect();
    if in_place.len() == spans.len() {
        return Ok(spans.first().map(|span| line_of(&body.text, span.start)));
    }
    let overlapping = spans
        .iter()
        .zip(spans.iter().skip(1))
        .filter(|(one, next)| next.start < one.end)
        .map(|(_, next)| next);
    let mut lines: Vec<usize> =
        in_place.into_iter().chain(overlapping).map(|span| line_of(&body.text, span.start)).collect();
    if lines.is_empty() {
        return Ok(None);
    }
    lines.sort_unstable();
    lines.dedup();
    Err(Fault::Entangled { lines })
}

/// Whether `new` can be written in the file's encoding: ASCII can in nearly all, and a file that is not UTF-8 takes what
/// it has shown to hold.
fn encodable(content: &[u8], old: &str, new: &str) -> bool {
    if content.starts_with(b"\xff\xfe") || content.starts_with(b"\xfe\xff") {
        return false;
    }
    let foreign = new.chars().any(|char| !char.is_ascii() && !old.contains(char));
    !foreign || std::str::from_utf8(content).is_ok()
}

/// The change at one place, without the whole lines that `old` and `new` begin and end with in common.
fn change(
    base: &[u8],
    body: &Equalised<'_>,
    span: &Range<usize>,
    (old, new): (&str, &str),
    edit: usize,
) -> Change {
    let (front, back) = common_lines(old, new);
    let span = body.original(span.start + front)..body.original(span.end - back);
    let (old, new) = (&old[front..old.len() - back], &new[front..new.len() - back]);
    let ending = Ending::around(base, &span);
    let mut bytes = ending.applied_to(new);
    if span.end == base.len() {
        keep_final_break(base, &span, &mut bytes, ending, (old, new));
    }
    Change { span, bytes, edit }
}

/// A change that reaches the end of the file leaves a final line break, or its absence, as it was, unless that is all it
/// is about.
fn keep_final_break(
    base: &[u8],
    span: &Range<usize>,
    bytes: &mut Vec<u8>,
    ending: Ending,
    (old, new): (&str, &str),
) {
    if base.ends_with(b"\n") {
        let about_it = old.strip_suffix('\n') == Some(new);
        let last = bytes.last().or_else(|| base[bom_len(base).min(span.start)..span.start].last());
        if !about_it && last.is_some_and(|byte| *byte != b'\n') {
            bytes.extend_from_slice(ending.bytes());
        }
    } else if bytes.ends_with(ending.bytes()) && new.strip_suffix('\n') != Some(old) {
        bytes.truncate(bytes.len() - ending.bytes().len());
    }
}

/// How many bytes of whole lines two texts begin and end with in common.
fn common_lines(old: &str, new: &str) -> (usize, usize) {
    let (a, b) = (old.as_bytes(), new.as_bytes());
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let front = a[..same].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let (a, b) = (&a[front..], &b[front..]);
    let same = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let opens_line = |text: &[u8]| text.len() == same || text[text.len() - same - 1] == b'\n';
    if opens_line(a) && opens_line(b) {
        return (front, same);
    }
    let tail = &a[a.len() - same..];
    (front, tail.iter().position(|byte| *byte == b'\n').map_or(0, |at| same - at - 1))
}
