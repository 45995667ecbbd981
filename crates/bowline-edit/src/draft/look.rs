//! One edit in one text: where it fits, and the changes that it comes to.

use std::ops::Range;

use crate::apply::{Landing, Replace};
use crate::change::{Change, change, encodable, line_changes};
use crate::endings::{Equalised, line_of};
use crate::ladder::{Fit, Found, Sheet, ended_as, split};
use crate::locate::places;
use crate::merge::{Conflict, Lined, Trust, is_indented_as_file, merge};
use crate::nearest::Nearest;
use crate::page::{Fold, is_blank};
use crate::refusal::{Fault, Would};
use crate::rung::{Mode, Rung};
use crate::spelling::spelled;
use crate::{beside, in_place};

/// How far up the ladder a look goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    Exact,
    Cleaned,
    Similar,
}

pub(super) type Planned = Result<(Landing, Vec<Change>), Fault>;

/// A text, and what is known when the changes of one edit to it are worked out.
pub(super) struct Look<'p> {
    pub(super) base: &'p [u8],
    pub(super) body: &'p Equalised<'p>,
    pub(super) sheet: &'p Sheet<'p>,
    pub(super) index: usize,
    pub(super) mode: Mode,
}

impl Look<'_> {
    /// What an edit comes to; none if the rungs within reach have no place for it.
    pub(super) fn plan(&self, (old, new): (&str, &str), replace: Replace, reach: Reach) -> Option<Planned> {
        let sheet = self.sheet;
        let found = match (reach, replace) {
            (Reach::Exact, _) if self.mode == Mode::Exact => sheet.exact(old, new)?,
            (Reach::Exact, _) => sheet.exact_first(old, new)?,
            (Reach::Cleaned, Replace::One) => sheet.climb(old, new)?,
            (Reach::Cleaned, Replace::All) => sheet.plain(old, new)?,
            (Reach::Similar, Replace::One) => sheet.alike(old, new, self.mode)?,
            (Reach::Similar, Replace::All) => return None,
        };
        Some(self.make(&found, replace))
    }

    fn make(&self, found: &Found<'_>, replace: Replace) -> Planned {
        let spans: Vec<Range<usize>> = found.fits.iter().map(|fit| self.sheet.span(found, fit)).collect();
        if replace == Replace::One && spans.len() > 1 {
            let count = spans.len();
            return Err(Fault::Ambiguous { count, rung: found.rung, places: places(self.body, &spans) });
        }
        if let Some(line) = self.settled_places(found, &spans)? {
            return Ok((Landing::InPlace { line }, Vec::new()));
        }
        let absorbed = self.absorbed(found, &spans);
        let found = absorbed.as_ref().unwrap_or(found);
        if let Some(line) = spans.iter().find_map(|span| self.doubled_blank(found, span)) {
            let conflict = Conflict::Unmentioned { line: line + 1 };
            let nearest = Nearest::at(&self.sheet.page, &found.old, line..line + 1);
            return Err(Fault::Conflict { conflict, nearest });
        }
        if let ([span], Mode::Careful) = (spans.as_slice(), self.mode)
            && beside::is_written_out(&self.sheet.page, span, &found.old, &found.new)
        {
            let line = line_of(&self.body.text, span.start);
            return Err(self.conflict(found, span, Conflict::WrittenOut { line }));
        }
        let mut changes = Vec::new();
        for fit in &found.fits {
            let spelled = self.spelled(found, fit);
            changes.extend(match (fit, &spelled) {
                (Fit::Exact(span), _) => self.exact(found, span)?,
                // In the file's spelling the needle stands there as it is.
                (Fit::Within(span), Some(spelled))
                    if self.body.text[span.clone()] == *spelled.old.as_bytes() =>
                {
                    self.exact(spelled, span)?
                }
                (fit, spelled) => self.merged(spelled.as_ref().unwrap_or(found), fit)?,
            });
        }
        if let (true, Some(span)) = (changes.is_empty(), spans.first()) {
            return Ok((Landing::InPlace { line: line_of(&self.body.text, span.start) }, changes));
        }
        let (rung, similarity) = (found.rung, found.similarity);
        Ok((Landing::Replaced { rung, places: spans.len(), similarity }, changes))
    }

    /// The edit as the file would spell it, where the needle has look-alikes of the file's signs and is equal to it otherwise.
    fn spelled<'f>(&self, found: &Found<'f>, fit: &Fit) -> Option<Found<'f>> {
        if self.mode == Mode::Exact || matches!(fit, Fit::Exact(_)) {
            return None;
        }
        let there = &self.body.text[self.sheet.span(found, fit)];
        let (old, new) = spelled(&self.body.text, there, &found.old, &found.new)?;
        Some(Found { old: old.into(), new: new.into(), ..found.clone() })
    }

    /// The edit without the blank lines at the ends of the replacement that stand beside the place already, where the needle
    /// was mangled on its way and lost them.
    fn absorbed<'f>(&self, found: &Found<'f>, spans: &[Range<usize>]) -> Option<Found<'f>> {
        let ([span], Rung::Artefact) = (spans, found.rung) else { return None };
        let page = &self.sheet.page;
        let (first, last) = (page.line_at(span.start), page.line_at(span.end.saturating_sub(1)));
        let above = (0..first).rev().take_while(|line| is_blank(page.line(*line))).count();
        let below = (last + 1..page.len()).take_while(|line| is_blank(page.line(*line))).count();
        let (old, new) = (split(found.old.as_bytes()), split(found.new.as_bytes()));
        let (old_ends, new_ends) = (blank_ends(&old), blank_ends(&new));
        let front = new_ends.0.saturating_sub(old_ends.0).min(above);
        let back = new_ends.1.saturating_sub(old_ends.1).min(below);
        if front + back == 0 || front + back >= new.len() {
            return None;
        }
        let mut text = String::from_utf8_lossy(&new[front..new.len() - back].join(&b'\n')).into_owned();
        if found.new.ends_with('\n') {
            text.push('\n');
        }
        Some(Found { new: text.into(), ..found.clone() })
    }

    /// The blank line beside a place that the replacement would double, because the needle has lost it.
    fn doubled_blank(&self, found: &Found<'_>, span: &Range<usize>) -> Option<usize> {
        if found.rung == Rung::Exact {
            return None;
        }
        let page = &self.sheet.page;
        let is_blank_line = |line: usize| line < page.len() && is_blank(page.line(line));
        let above = page.line_at(span.start).checked_sub(1).filter(|line| is_blank_line(*line));
        let below = Some(page.line_at(span.end.saturating_sub(1)) + 1).filter(|line| is_blank_line(*line));
        let (old, new) = (split(found.old.as_bytes()), split(found.new.as_bytes()));
        if found.new.trim().is_empty() {
            return None;
        }
        let (old, new) = (blank_ends(&old), blank_ends(&new));
        above.filter(|_| new.0 > old.0).or(below.filter(|_| new.1 > old.1))
    }

    fn exact(&self, found: &Found<'_>, span: &Range<usize>) -> Result<Vec<Change>, Fault> {
        if !encodable(self.base, &found.old, &found.new) {
            return Err(Fault::Encoding);
        }
        let page = &self.sheet.page;
        let before = &page.text[page.start(page.line_at(span.start))..span.start];
        let (old, new) = (found.old.as_bytes(), found.new.as_bytes());
        if self.mode != Mode::Exact && self.doubles_above(found, span) {
            let line = page.line_at(span.start);
            let nearest = Nearest::at(page, &found.old, line..line + split(old).len());
            return Err(Fault::Conflict { conflict: Conflict::Unmentioned { line: line + 1 }, nearest });
        }
        let is_alone = self.mode == Mode::Careful && found.fits.len() == 1;
        let is_indented = is_indented_as_file(before, old, new);
        if let Some(conflict) = Some(())
            .filter(|()| is_alone && !is_indented)
            .and_then(|()| beside::conflict(page, span, &found.old, &found.new))
        {
            return Err(self.conflict(found, span, conflict));
        }
        if self.mode != Mode::Exact && is_indented {
            let old = String::from_utf8_lossy(before).into_owned() + &found.old;
            let span = span.start - before.len()..span.end;
            // A needle that lost its indentation has lost its line break on the same way.
            let is_whole = page.text.get(span.end).is_none_or(|byte| *byte == b'\n');
            let new = if is_whole { ended_as(&old, found.new.clone()) } else { found.new.clone() };
            return Ok(vec![change(self.base, self.body, &span, (&old, &new), self.index)]);
        }
        if self.mode == Mode::Exact {
            return Ok(vec![change(self.base, self.body, span, (&found.old, &found.new), self.index)]);
        }
        if let Some(line) = self.deleted_line(found, span) {
            let old = String::from_utf8_lossy(&page.text[line.clone()]).into_owned();
            return Ok(vec![change(self.base, self.body, &line, (&old, ""), self.index)]);
        }
        let new = reindented(before, &found.old, &found.new);
        let new = new.as_deref().unwrap_or(&found.new);
        Ok(vec![change(self.base, self.body, span, (&found.old, new), self.index)])
    }

    /// The whole of the lines that go, where the needle is all of them but their indentation and the last line break.
    fn deleted_line(&self, found: &Found<'_>, span: &Range<usize>) -> Option<Range<usize>> {
        let page = &self.sheet.page;
        let start = page.start(page.line_at(span.start));
        let is_whole = is_blank(&page.text[start..span.start]) && page.text.get(span.end) == Some(&b'\n');
        (found.new.is_empty() && !found.old.ends_with('\n') && is_whole).then(|| start..span.end + 1)
    }

    fn conflict(&self, found: &Found<'_>, span: &Range<usize>, conflict: Conflict) -> Fault {
        let page = &self.sheet.page;
        let lines = page.line_at(span.start)..page.line_at(span.end.saturating_sub(1)) + 1;
        let lines = match conflict {
            // Counted from 1.
            Conflict::Unmentioned { line } => lines.start.min(line.saturating_sub(1))..lines.end.max(line),
            _ => lines,
        };
        Fault::Conflict { conflict, nearest: Nearest::at(page, &found.old, lines) }
    }

    /// Whether a blank line that opens the needle is only the end of a line with text, which the replacement has again.
    fn doubles_above(&self, found: &Found<'_>, span: &Range<usize>) -> bool {
        let page = &self.sheet.page;
        let above = page.line(page.line_at(span.start)).trim_ascii();
        let first = found.new.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        found.old.starts_with('\n')
            && first.as_bytes() == above
            && !above.is_empty()
            && !found.old.lines().any(|line| line.trim() == first)
    }

    fn merged(&self, found: &Found<'_>, fit: &Fit) -> Result<Vec<Change>, Fault> {
        if !encodable(self.base, &found.old, &found.new) {
            return Err(Fault::Encoding);
        }
        let page = &self.sheet.page;
        let lined = Lined::new(page, found, fit);
        let trust = match (found.rung, self.mode) {
            (Rung::Similar, Mode::Lenient) => Trust::Replacement,
            _ => Trust::Both,
        };
        let out = merge(page, &lined, trust).map_err(|conflict| {
            let nearest = Nearest::at(&self.sheet.page, &found.old, lined.lines.clone());
            Fault::Conflict { conflict, nearest }
        })?;
        let changes = line_changes(self.base, self.body, page, (&lined.lines, out), self.index);
        let stands = |line: &[u8]| lined.lines.clone().any(|other| Fold::Ends.same(page.line(other), line));
        if changes.is_empty() && !lined.replacement.iter().all(|line| stands(line)) {
            // It asks for other white space than there is, and so does its needle: nobody knows what is meant.
            let nearest = Nearest::at(&self.sheet.page, &found.old, lined.lines.clone());
            return Err(Fault::NotFound { nearest: Some(nearest), would: Would::Unasked });
        }
        Ok(changes)
    }

    /// The line where the edit is in place already, if it is so everywhere; a fault where the places are entangled.
    fn settled_places(&self, found: &Found<'_>, spans: &[Range<usize>]) -> Result<Option<usize>, Fault> {
        let text = &self.body.text;
        let is_in_place = |at: usize| match &found.fits[at] {
            Fit::Exact(span) | Fit::Within(span) => {
                in_place::surrounds(text, span.start, &found.old, &found.new)
            }
            Fit::Window(first) => in_place::surrounds_lines(&self.sheet.page, *first, &found.old, &found.new),
            Fit::Aligned(_) => false,
        };
        let in_place: Vec<&Range<usize>> =
            spans.iter().enumerate().filter(|(at, _)| is_in_place(*at)).map(|(_, span)| span).collect();
        if in_place.len() == spans.len() {
            return Ok(spans.first().map(|span| line_of(text, span.start)));
        }
        let overlapping = spans
            .iter()
            .zip(spans.iter().skip(1))
            .filter(|(one, next)| next.start < one.end)
            .map(|(_, next)| next);
        let mut lines: Vec<usize> =
            in_place.into_iter().chain(overlapping).map(|span| line_of(text, span.start)).collect();
        if lines.is_empty() {
            return Ok(None);
        }
        lines.sort_unstable();
        lines.dedup();
        Err(Fault::Entangled { lines })
    }
}

/// The replacement with the indentation of its first line, which it alone has lost: that line is the needle's first one, and
/// all others stand at least as far in.
fn reindented(before: &[u8], old: &str, new: &str) -> Option<String> {
    let first = |text: &str| text.split('\n').next().unwrap_or_default().to_owned();
    let (old_first, new_first) = (first(old), first(new));
    let indent = &old_first[..old_first.len() - old_first.trim_start().len()];
    let rest = new.split('\n').skip(1).filter(|line| !line.trim().is_empty());
    let is_lost = before.is_empty()
        && !indent.is_empty()
        && !new_first.is_empty()
        && old_first.trim_start() == new_first
        && rest.clone().next().is_some()
        && rest.clone().all(|line| line.starts_with(indent));
    is_lost.then(|| format!("{indent}{new}"))
}

/// How many blank lines a text begins and ends with.
fn blank_ends(lines: &[&[u8]]) -> (usize, usize) {
    let blank = |line: &&&[u8]| is_blank(line);
    (lines.iter().take_while(blank).count(), lines.iter().rev().take_while(blank).count())
}
