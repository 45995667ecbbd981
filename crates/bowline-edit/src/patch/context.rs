//! How much of a hunk's neighbourhood is asked for: all of it first, then less, and none only for a text that stood once.

use super::{Hunk, Way};
use crate::endings::bom_len;
use crate::page::{ink, is_blank};

/// A part of the stored neighbours tells too little with less ink than this.
const TELLING_INK_MIN: usize = 12;
/// So many lines of text on one side show where a text went that left nothing.
const SIDE_LINES_MIN: usize = 2;

/// A hunk as lines without their line breaks.
pub(super) struct Texts<'h> {
    pub(super) lead: Vec<&'h [u8]>,
    pub(super) from: Vec<&'h [u8]>,
    pub(super) to: Vec<&'h [u8]>,
    pub(super) trail: Vec<&'h [u8]>,
    is_alone: bool,
}

/// How many of the nearest lines on either side are asked for. That the file began or ended there is no neighbour: it may
/// begin and end elsewhere by now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Context {
    pub(super) lead: usize,
    pub(super) trail: usize,
}

impl<'h> Texts<'h> {
    pub(super) fn new(hunk: &'h Hunk, way: Way) -> Texts<'h> {
        let is_first = hunk.at == 0;
        let (from, is_alone) = hunk.from(way);
        Texts {
            lead: lines(&hunk.lead, hunk.at == hunk.lead.len()),
            from: lines(from, is_first),
            to: lines(hunk.to(way), is_first),
            trail: lines(&hunk.trail, false),
            is_alone,
        }
    }

    /// Whether there is text to be found: white space alone is nowhere.
    pub(super) fn has_text(&self) -> bool {
        self.from.iter().any(|line| !is_blank(line))
    }

    pub(super) fn needle(&self, context: Context) -> Vec<&'h [u8]> {
        self.around(context, &self.from)
    }

    pub(super) fn replacement(&self, context: Context) -> Vec<&'h [u8]> {
        self.around(context, &self.to)
    }

    fn around(&self, context: Context, middle: &[&'h [u8]]) -> Vec<&'h [u8]> {
        let (lead, trail) = (&self.lead[self.lead.len() - context.lead..], &self.trail[..context.trail]);
        [lead, middle, trail].concat()
    }

    /// What is asked for, the strictest first; the contexts of one level are asked together.
    pub(super) fn levels(&self) -> Vec<Vec<Context>> {
        let whole = Context { lead: self.lead.len(), trail: self.trail.len() };
        let mut levels = vec![vec![whole]];
        let bare = Context { lead: 0, trail: 0 };
        if self.is_alone && self.has_text() && self.tells(bare) {
            // It stood once only: with a copy of it by now, some of its neighbours may be the copy's.
            levels.push(vec![bare]);
            return levels;
        }
        for lines in [2, 1] {
            let (lead, trail) = (nearest(self.lead.iter().rev(), lines), nearest(self.trail.iter(), lines));
            let part = Context { lead, trail };
            if levels.last() != Some(&vec![part]) && self.tells(part) {
                levels.push(vec![part]);
            }
        }
        if !self.has_text() {
            let (above, below) = (Context { trail: 0, ..whole }, Context { lead: 0, ..whole });
            let many =
                |lines: &[&[u8]]| lines.iter().filter(|line| !is_blank(line)).count() >= SIDE_LINES_MIN;
            let sides = [(above, &self.lead), (below, &self.trail)];
            levels.push(sides.into_iter().filter(|(_, lines)| many(lines)).map(|(side, _)| side).collect());
        }
        levels
    }

    fn tells(&self, context: Context) -> bool {
        self.needle(context).iter().map(|line| ink(line).count()).sum::<usize>() >= TELLING_INK_MIN
    }
}

/// How many lines hold so many lines of text.
fn nearest<'l>(lines: impl Iterator<Item = &'l &'l [u8]>, count: usize) -> usize {
    let mut told = 0;
    lines
        .take_while(|line| {
            let is_enough = told == count;
            told += usize::from(!is_blank(line));
            !is_enough
        })
        .count()
}

/// Lines as they are compared: without line breaks, and without a byte order mark where the file begins.
fn lines(text: &[u8], is_first: bool) -> Vec<&[u8]> {
    let text = if is_first { &text[bom_len(text)..] } else { text };
    if text.is_empty() {
        return Vec::new();
    }
    text.split_inclusive(|byte| *byte == b'\n')
        .map(|line| match line.strip_suffix(b"\n") {
            Some(line) => line.strip_suffix(b"\r").unwrap_or(line),
            None => line,
        })
        .collect()
}
