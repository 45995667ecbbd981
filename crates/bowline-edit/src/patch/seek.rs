//! Where a hunk stands in a file that moved on: exactly one place, or why not.
//!
//! For each context, the strictest first, the rungs one to three are climbed over whole lines: equal, white space forgiven
//! more and more, look-alikes forgiven, blank lines between them forgiven. The first that has any place decides. Last, the
//! text is looked for with other line breaks, as a formatter leaves it.

use std::ops::Range;

use super::context::{Context, Texts};
use super::{Hunk, Stray, Way};
use crate::canonical::Canonical;
use crate::ladder::Sheet;
use crate::page::{Fold, Page, indent, ink, is_blank};
use crate::search::{occurrences, occurrences_from};

/// A larger file is not looked through for text with other line breaks. Bytes.
const WRAPPED_BYTES_MAX: usize = 4 * 1024 * 1024;

/// A hunk that is looked for.
pub(super) struct Seek<'s> {
    pub(super) texts: Texts<'s>,
    pub(super) hunk: &'s Hunk,
    pub(super) index: usize,
    pub(super) way: Way,
    sheet: &'s Sheet<'s>,
}

/// Where it is. Lines are those of the body, from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The lines of the hunk's own text.
    pub(super) lines: Range<usize>,
    pub(super) fit: Fit,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fit {
    /// Equal, line breaks aside.
    Same,
    /// Equal but for white space and look-alikes, with these neighbours: for each line of the needle the one of the file.
    Loose { context: Context, pairs: Vec<Option<usize>> },
    /// Equal, but for blank lines around it or other line breaks.
    Bare,
}

impl<'s> Seek<'s> {
    pub(super) fn new(sheet: &'s Sheet<'s>, hunk: &'s Hunk, index: usize, way: Way) -> Seek<'s> {
        Seek { texts: Texts::new(hunk, way), hunk, index, way, sheet }
    }

    pub(super) fn find(&self) -> Result<Place, Stray> {
        let levels = self.texts.levels();
        let rungs = [Seek::windows, Seek::canonical, Seek::blankless, Seek::wrapped];
        // Other line breaks come last: they say least.
        let order = levels.iter().flat_map(|level| rungs[..3].iter().map(move |rung| (level, rung)));
        for (level, rung) in order.chain(levels.iter().map(|level| (level, &rungs[3]))) {
            let mut places: Vec<Place> = level.iter().flat_map(|context| rung(self, *context)).collect();
            places.sort_by_key(|place| (place.lines.start, place.lines.end));
            places.dedup_by(|one, other| one.lines == other.lines);
            match places.as_slice() {
                [] => {}
                [place] => return self.checked(place.clone()),
                several => {
                    let lines = several.iter().map(|place| place.lines.start + 1).collect();
                    return Err(Stray::Ambiguous { hunk: self.index, lines });
                }
            }
        }
        if self.texts.from.is_empty() && self.texts.lead.is_empty() && self.texts.trail.is_empty() {
            return self.whole();
        }
        Err(Stray::NotFound { hunk: self.index, line: self.hunk.line })
    }

    /// A file that was empty is found as long as it is.
    fn whole(&self) -> Result<Place, Stray> {
        match self.sheet.page.text {
            [] => Ok(Place { lines: 0..0, fit: Fit::Same }),
            _ => Err(Stray::NotFound { hunk: self.index, line: self.hunk.line }),
        }
    }

    /// A place where nothing is to be found may have been filled by somebody else with what is to be put there.
    fn checked(&self, place: Place) -> Result<Place, Stray> {
        let to: Vec<&[u8]> = self.texts.to.iter().copied().filter(|line| !is_blank(line)).collect();
        if self.texts.has_text() || to.is_empty() {
            return Ok(place);
        }
        let page = &self.sheet.page;
        let text = |lines: Range<usize>| lines.filter(|line| !is_blank(page.line(*line)));
        let same = |line: usize, other: &[u8]| Fold::Anywhere.same(page.line(line), other);
        let below = text(place.lines.end..page.len()).zip(&to).filter(|(line, to)| same(*line, to)).count();
        let above = text(0..place.lines.start).rev().zip(to.iter().rev());
        let above = above.filter(|(line, to)| same(*line, to)).count();
        if above == to.len() || below == to.len() {
            return Err(Stray::InPlace { hunk: self.index, line: place.lines.start + 1 });
        }
        Ok(place)
    }

    /// As many whole lines, the strictest fold first.
    fn windows(&self, context: Context) -> Vec<Place> {
        let (page, needle) = (&self.sheet.page, self.texts.needle(context));
        for fold in Fold::ALL {
            let found = page.windows(&needle, fold);
            let is_same =
                |first: &usize| needle.iter().enumerate().all(|(at, line)| page.line(first + at) == *line);
            let same: Vec<usize> = found.iter().copied().filter(is_same).collect();
            if !same.is_empty() {
                return same.into_iter().map(|first| self.at(context, first, Fit::Same)).collect();
            }
            if !found.is_empty() {
                return found.into_iter().map(|first| self.loose(context, first)).collect();
            }
        }
        Vec::new()
    }

    /// The same with look-alikes made one.
    fn canonical(&self, context: Context) -> Vec<Place> {
        let needle = self.texts.needle(context);
        if self.sheet.page.text.is_ascii() && needle.iter().all(|line| line.is_ascii()) {
            return Vec::new();
        }
        let page = Page::new(&self.sheet.canonical().text);
        let needle: Vec<Vec<u8>> = needle.iter().map(|line| Canonical::new(line).text).collect();
        let needle: Vec<&[u8]> = needle.iter().map(Vec::as_slice).collect();
        for fold in Fold::ALL {
            let found = page.windows(&needle, fold);
            if !found.is_empty() {
                return found.into_iter().map(|first| self.loose(context, first)).collect();
            }
        }
        Vec::new()
    }

    fn loose(&self, context: Context, first: usize) -> Place {
        let length = context.lead + self.texts.from.len() + context.trail;
        let place = self.at(context, first, Fit::Same);
        let own = place.lines.clone().map(|line| self.sheet.page.line(line));
        // Where only the neighbours differ, the text itself says how it stands there.
        if self.texts.has_text() && self.texts.from.iter().copied().eq(own) {
            return place;
        }
        let pairs = (first..first + length).map(Some).collect();
        Place { fit: Fit::Loose { context, pairs }, ..place }
    }

    fn at(&self, context: Context, first: usize, fit: Fit) -> Place {
        let start = first + context.lead;
        Place { lines: start..start + self.texts.from.len(), fit }
    }

    /// Lines with text only, since formatters put blank ones in and take them out.
    fn blankless(&self, context: Context) -> Vec<Place> {
        let (page, needle) = (&self.sheet.page, self.texts.needle(context));
        let own = context.lead..context.lead + self.texts.from.len();
        let told: Vec<usize> = (0..needle.len()).filter(|at| !is_blank(needle[*at])).collect();
        let own_told: Vec<usize> = (0..told.len()).filter(|at| own.contains(&told[*at])).collect();
        let (Some(first), Some(last)) = (own_told.first(), own_told.last()) else { return Vec::new() };
        let there: Vec<usize> = (0..page.len()).filter(|line| !is_blank(page.line(*line))).collect();
        let bare = |line: &[u8]| -> Vec<u8> { ink(line).copied().collect() };
        let text: Vec<Vec<u8>> = there.iter().map(|line| bare(page.line(*line))).collect();
        let wanted: Vec<Vec<u8>> = told.iter().map(|at| bare(needle[*at])).collect();
        let starts = occurrences_from(0, &text, &wanted);
        let place = |start: usize| {
            let mut pairs = vec![None; needle.len()];
            for (at, index) in told.iter().enumerate() {
                pairs[*index] = Some(there[start + at]);
            }
            let lines = there[start + first]..there[start + last] + 1;
            if let Some(whole) = self.with_edges(&lines) {
                return Place { lines: whole, fit: Fit::Same };
            }
            let core = &needle[told[*first]..told[*last] + 1];
            let is_same = core.iter().copied().eq(lines.clone().map(|line| page.line(line)));
            Place { lines, fit: if is_same { Fit::Bare } else { Fit::Loose { context, pairs } } }
        };
        starts.into_iter().map(place).collect()
    }

    /// The lines of the whole text, blank ones at its ends included, where it stands there as it was.
    fn with_edges(&self, lines: &Range<usize>) -> Option<Range<usize>> {
        let (page, from) = (&self.sheet.page, &self.texts.from);
        let front = from.iter().take_while(|line| is_blank(line)).count();
        let start = lines.start.checked_sub(front)?;
        let whole = start..start + from.len();
        let is_there = whole.end <= page.len();
        (is_there && from.iter().copied().eq(whole.clone().map(|line| page.line(line)))).then_some(whole)
    }

    /// The same text in other lines, as far in as it was, and whole lines on both ends.
    fn wrapped(&self, context: Context) -> Vec<Place> {
        let page = &self.sheet.page;
        if page.text.len() > WRAPPED_BYTES_MAX || !self.texts.has_text() {
            return Vec::new();
        }
        let bare =
            |lines: &[&[u8]]| -> Vec<u8> { lines.iter().flat_map(|line| ink(line)).copied().collect() };
        let needle = self.texts.needle(context);
        let (lead, from) = (bare(&needle[..context.lead]), bare(&self.texts.from));
        let wanted = bare(&needle);
        let offsets: Vec<usize> =
            (0..page.text.len()).filter(|at| !page.text[*at].is_ascii_whitespace()).collect();
        let text: Vec<u8> = offsets.iter().map(|at| page.text[*at]).collect();
        let first = self.texts.from.iter().find(|line| !is_blank(line)).copied().unwrap_or_default();
        let place = |hit: usize| {
            let start = *offsets.get(hit + lead.len())?;
            let end = *offsets.get(hit + lead.len() + from.len() - 1)?;
            let lines = page.line_at(start)..page.line_at(end) + 1;
            let whole = page.start(lines.start)..page.start(lines.end);
            let is_whole =
                is_blank(&page.text[whole.start..start]) && is_blank(&page.text[end + 1..whole.end]);
            let is_as_far_in = indent(page.line(lines.start)) == indent(first);
            (is_whole && is_as_far_in).then_some(Place { lines, fit: Fit::Bare })
        };
        occurrences(&text, &wanted).into_iter().filter_map(place).collect()
    }
}
