//! A text with folds in it: long pastes that stand there as a few words and count as one character.
//!
//! Pure. What always holds: a fold is never cut in two, and every place given out lies between two characters as a person
//! sees them (grapheme clusters), folds being one each.

use std::ops::Range;
use std::sync::Arc;

use bowline_core::typed::Origin;
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation as _};

use super::super::written::Written;

/// Pastes above either are folded.
const LINES_MAX: usize = 10;
const CHARACTERS_MAX: usize = 1000;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Draft {
    /// As it is shown.
    text: String,
    /// In the order of their places.
    folds: Vec<Fold>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Fold {
    /// Of the words that stand for it.
    start: usize,
    end: usize,
    full: Arc<str>,
}

/// What is moved over as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Character,
    Fold,
}

impl Draft {
    pub(super) fn plain(text: &str) -> Draft {
        Draft { text: text.to_owned(), folds: Vec::new() }
    }

    /// A clean text that was pasted: as it is, or folded if it is long.
    pub(super) fn pasted(text: String) -> Draft {
        if text.lines().count() <= LINES_MAX && text.chars().count() <= CHARACTERS_MAX {
            return Draft { text, folds: Vec::new() };
        }
        Draft::folded(text)
    }

    fn folded(text: String) -> Draft {
        if text.is_empty() {
            return Draft::default();
        }
        let lines = text.lines().count();
        let characters = text.chars().count();
        let label = match lines {
            ..=LINES_MAX => format!("[pasted {characters} characters]"),
            _ => format!("[pasted {lines} lines]"),
        };
        let fold = Fold { start: 0, end: label.len(), full: text.into() };
        Draft { text: label, folds: vec![fold] }
    }

    /// A message that comes back: what was not typed is folded again, however long it is.
    pub(super) fn written(message: &Written) -> Draft {
        let mut draft = Draft::default();
        for (part, origin) in message.parts() {
            draft.append(&match origin {
                Origin::Typed => Draft::plain(&clean(part)),
                Origin::Elsewhere => Draft::folded(clean(part)),
            });
        }
        draft
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// With everything that was pasted.
    pub(super) fn full(&self) -> Written {
        let mut full = Written::default();
        let mut at = 0;
        for fold in &self.folds {
            full.push(&self.text[at..fold.start], Origin::Typed);
            full.push(&fold.full, Origin::Elsewhere);
            at = fold.end;
        }
        full.push(&self.text[at..], Origin::Typed);
        full
    }

    /// In bytes, with everything that was pasted.
    pub(super) fn full_len(&self) -> usize {
        let folds = self.folds.iter();
        folds.fold(self.text.len(), |sum, fold| sum - (fold.end - fold.start) + fold.full.len())
    }

    /// The range, and all of every fold it touches.
    pub(super) fn whole(&self, range: Range<usize>) -> Range<usize> {
        let end = self.place(range.end);
        let start = self.place(range.start.min(end));
        // A place inside a fold went to its end: what is before it belongs to the range too.
        let touched = self.folds.iter().find(|fold| fold.start < range.start && range.start < fold.end);
        touched.map_or(start, |fold| fold.start)..end
    }

    /// Takes the range out and puts the other text there; gives what was taken. The range cuts no fold.
    pub(super) fn replace(&mut self, range: Range<usize>, with: &Draft) -> Draft {
        let taken = self.slice(range.clone());
        self.text.replace_range(range.clone(), &with.text);
        self.folds.retain(|fold| fold.end <= range.start || fold.start >= range.end);
        for fold in self.folds.iter_mut().filter(|fold| fold.start >= range.end) {
            fold.start = fold.start - range.len() + with.len();
            fold.end = fold.end - range.len() + with.len();
        }
        let next = self.folds.partition_point(|fold| fold.end <= range.start);
        let new = with.folds.iter().map(|fold| fold.moved(range.start));
        self.folds.splice(next..next, new);
        taken
    }

    pub(super) fn slice(&self, range: Range<usize>) -> Draft {
        let is_inside = |fold: &&Fold| range.start <= fold.start && fold.end <= range.end;
        let moved = |fold: &Fold| Fold {
            start: fold.start - range.start,
            end: fold.end - range.start,
            full: fold.full.clone(),
        };
        let folds = self.folds.iter().filter(is_inside).map(moved).collect();
        Draft { text: self.text[range.clone()].to_owned(), folds }
    }

    pub(super) fn append(&mut self, other: &Draft) {
        let end = self.len();
        self.replace(end..end, other);
    }

    /// The place behind what stands at `at`; None at the end.
    pub(super) fn next(&self, at: usize) -> Option<usize> {
        if let Some(fold) = self.folds.iter().find(|fold| fold.start <= at && at < fold.end) {
            return Some(fold.end);
        }
        let between = self.between(at);
        let mut cursor = GraphemeCursor::new(at - between.start, between.len(), true);
        let next = cursor.next_boundary(&self.text[between.clone()], 0).ok()??;
        Some(between.start + next)
    }

    /// The place before what ends at `at`; None at the start.
    pub(super) fn previous(&self, at: usize) -> Option<usize> {
        if let Some(fold) = self.folds.iter().find(|fold| fold.start < at && at <= fold.end) {
            return Some(fold.start);
        }
        let between = self.between(at);
        let mut cursor = GraphemeCursor::new(at - between.start, between.len(), true);
        let previous = cursor.prev_boundary(&self.text[between.clone()], 0).ok()??;
        Some(between.start + previous)
    }

    /// The nearest place at or behind this one.
    pub(super) fn place(&self, at: usize) -> usize {
        let at = self.text.ceil_char_boundary(at.min(self.len()));
        if let Some(fold) = self.folds.iter().find(|fold| fold.start < at && at < fold.end) {
            return fold.end;
        }
        let between = self.between(at);
        let mut cursor = GraphemeCursor::new(at - between.start, between.len(), true);
        match cursor.is_boundary(&self.text[between.clone()], 0) {
            Ok(false) => self.next(at).unwrap_or(self.len()),
            _ => at,
        }
    }

    /// What stands from one place to another, piece by piece.
    pub(super) fn units(&self, range: Range<usize>) -> impl Iterator<Item = (Range<usize>, Unit)> {
        let first = self.folds.partition_point(|fold| fold.end <= range.start);
        let last = self.folds.partition_point(|fold| fold.end <= range.end);
        let folds = &self.folds[first..last.max(first)];
        let starts = std::iter::once(range.start).chain(folds.iter().map(|fold| fold.end));
        starts.zip(folds.iter().map(Some).chain([None])).flat_map(move |(start, fold)| {
            let end = fold.map_or(range.end, |fold| fold.start);
            let characters = self.text[start..end].grapheme_indices(true);
            let places = characters.map(move |(at, c)| (start + at..start + at + c.len(), Unit::Character));
            places.chain(fold.map(|fold| (fold.start..fold.end, Unit::Fold)))
        })
    }

    pub(super) fn is_fold(&self, at: usize) -> bool {
        self.folds.iter().any(|fold| fold.start == at)
    }

    /// The stretch without folds in which `at` lies, or which begins there.
    fn between(&self, at: usize) -> Range<usize> {
        let start = self.folds.iter().rev().map(|fold| fold.end).find(|end| *end <= at).unwrap_or(0);
        let end = self.folds.iter().map(|fold| fold.start).find(|start| *start >= at).unwrap_or(self.len());
        start..end
    }
}

impl Fold {
    fn moved(&self, by: usize) -> Fold {
        Fold { start: self.start + by, end: self.end + by, full: Arc::clone(&self.full) }
    }
}

/// Without anything a terminal obeys: only line breaks and tabs are kept.
pub(crate) fn clean(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.chars().filter(|c| matches!(c, '\n' | '\t') || !c.is_control()).collect()
}
