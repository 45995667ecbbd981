//! A text and the edits decided on so far.

mod look;

use std::ops::Range;

use crate::apply::{Edit, Landing, Replace};
use crate::artefacts::tabbed_as;
use crate::change::Change;
use crate::endings::{Ending, Equalised, bom_len, equalise_text, line_of};
use crate::in_place;
use crate::ladder::Sheet;
use crate::nearest::Nearest;
use crate::omission::omission;
use crate::refusal::{Fault, Would};
use crate::rung::Mode;
use look::{Look, Planned, Reach};

#[derive(Clone)]
pub(crate) struct Draft {
    base: Vec<u8>,
    /// Spans of `base` that do not overlap, in order.
    changes: Vec<Change>,
    /// Spans of `base` that settled changes wrote.
    written: Vec<Range<usize>>,
    mode: Mode,
}

impl Draft {
    pub(crate) fn new(content: &[u8], mode: Mode) -> Draft {
        Draft { base: content.to_vec(), changes: Vec::new(), written: Vec::new(), mode }
    }

    /// The text after all changes, and the spans of it that they wrote.
    pub(crate) fn finish(mut self) -> (Vec<u8>, Vec<Range<usize>>) {
        self.settle();
        (self.base, self.written)
    }

    pub(crate) fn take(&mut self, index: usize, edit: &Edit<'_>) -> Result<Landing, Fault> {
        let (old, new) = (equalise_text(edit.old), equalise_text(edit.new));
        let new = if self.mode == Mode::Exact { new } else { tabbed_as(&old, new) };
        if old == new {
            return Err(Fault::Same);
        }
        if let Some(mark) = omission(&old, &new).filter(|_| self.mode != Mode::Exact) {
            return Err(Fault::Omission { mark });
        }
        if old.trim().is_empty() {
            return self.create(index, edit.new);
        }
        let body = Equalised::new(&self.base);
        let sheet = Sheet::new(&body.text);
        let look = Look { base: &self.base, body: &body, sheet: &sheet, index, mode: self.mode };
        let reaches: &[Reach] = match self.mode {
            Mode::Exact => &[Reach::Exact],
            _ => &[Reach::Exact, Reach::Cleaned, Reach::Similar],
        };
        let texts = (&*old, &*new);
        let mut settled = None;
        for reach in reaches {
            if let Some(planned) = look.plan(texts, edit.replace, *reach) {
                return self.carry_out(planned?);
            }
            // In what the earlier edits leave.
            if !self.changes.is_empty() {
                let settled = settled.get_or_insert_with(|| self.settled());
                if let Some(planned) = settled.plan(index, texts, edit.replace, *reach) {
                    *self = settled.clone();
                    return self.carry_out(planned?);
                }
            }
        }
        let lingers = || self.mode != Mode::Exact && in_place::lingers_nearly(&body.text, &old, &new);
        if let Some(line) = in_place::replaced_before(&body.text, &old, &new).filter(|_| !lingers()) {
            return Ok(Landing::InPlace { line });
        }
        let would = match self.mode {
            Mode::Exact => Would::Unasked,
            _ => match Would::of(&sheet, &old) {
                Would::Nothing if sheet.is_skipped.get() => Would::Skipped,
                would => would,
            },
        };
        Err(Fault::NotFound { nearest: Nearest::find(&sheet, &old), would })
    }

    fn settled(&self) -> Draft {
        let mut settled = self.clone();
        settled.settle();
        settled
    }

    fn plan(&self, index: usize, texts: (&str, &str), replace: Replace, reach: Reach) -> Option<Planned> {
        let body = Equalised::new(&self.base);
        let sheet = Sheet::new(&body.text);
        let look = Look { base: &self.base, body: &body, sheet: &sheet, index, mode: self.mode };
        look.plan(texts, replace, reach)
    }

    fn create(&mut self, index: usize, new: &str) -> Result<Landing, Fault> {
        let span = bom_len(&self.base)..self.base.len();
        if !self.changes.is_empty() || !self.base[span.clone()].trim_ascii().is_empty() {
            return Err(Fault::Blank);
        }
        let ending =
            if self.base.contains(&b'\n') { Ending::around(&self.base, &span) } else { Ending::of(new) };
        let bytes = ending.applied_to(&equalise_text(new));
        self.changes.push(Change { span, bytes, edit: index });
        Ok(Landing::Created)
    }

    fn carry_out(&mut self, (landing, changes): (Landing, Vec<Change>)) -> Result<Landing, Fault> {
        for change in &changes {
            let after = self.changes.partition_point(|other| other.span.start < change.span.start);
            let beside = self.changes.iter().skip(after.saturating_sub(1)).take(2);
            if let Some(other) = beside.into_iter().find(|other| clash(&other.span, &change.span)) {
                // The same edit twice in one call.
                if changes.len() == 1 && other.span == change.span && other.bytes == change.bytes {
                    return Ok(Landing::InPlace { line: line_of(&self.base, change.span.start) });
                }
                return Err(Fault::Overlaps { edit: other.edit + 1 });
            }
        }
        self.changes.extend(changes);
        self.changes.sort_by_key(|change| change.span.start);
        Ok(landing)
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
