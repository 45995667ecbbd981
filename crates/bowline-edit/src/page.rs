//! A text as lines, and the places where other lines stand in it when white space is forgiven.
//!
//! A line is compared by a key, a hash of what counts of it; a hit is compared again by its bytes, so that two keys that
//! happen to be equal never make a place.

use std::ops::Range;

use memchr::{memchr_iter, memmem};

use crate::gist::gist;
use crate::search::occurrences_from;

/// How much of a line's white space is forgiven; the stricter is the lesser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fold {
    /// At its end.
    Trailing,
    /// At both ends.
    Ends,
    /// Anywhere, but for where it keeps two things apart.
    Anywhere,
}

impl Fold {
    pub(crate) const ALL: [Fold; 3] = [Fold::Trailing, Fold::Ends, Fold::Anywhere];

    fn of(self, line: &[u8]) -> &[u8] {
        match self {
            Fold::Trailing => line.trim_ascii_end(),
            Fold::Ends | Fold::Anywhere => line.trim_ascii(),
        }
    }

    /// Whether two lines are the same but for white space that is forgiven.
    pub(crate) fn same(self, one: &[u8], other: &[u8]) -> bool {
        match self {
            Fold::Anywhere => gist(one).eq(gist(other)),
            _ => self.of(one) == self.of(other),
        }
    }

    fn key(self, line: &[u8]) -> u64 {
        let step =
            |key: u64, byte: u8| (key.rotate_left(5) ^ u64::from(byte)).wrapping_mul(0x517c_c1b7_2722_0a95);
        match self {
            // A coarser key: equal gists have equal ink.
            Fold::Anywhere => ink(line).copied().fold(0, step),
            _ => self.of(line).iter().copied().fold(0, step),
        }
    }
}

/// The bytes of a line that are no white space.
pub(crate) fn ink(line: &[u8]) -> impl Iterator<Item = &u8> {
    line.iter().filter(|byte| !byte.is_ascii_whitespace())
}

pub(crate) fn is_blank(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

/// With less ink a line says too little to be recognised, and so does one of signs alone.
const TELLING_INK_MIN: usize = 3;

pub(crate) fn is_telling(line: &[u8]) -> bool {
    ink(line).count() >= TELLING_INK_MIN
        && line.iter().any(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80)
}

/// The white space a line begins with.
pub(crate) fn indent(line: &[u8]) -> &[u8] {
    &line[..line.len() - line.trim_ascii_start().len()]
}

/// A text and its lines. A final line break opens no further line.
pub(crate) struct Page<'a> {
    pub(crate) text: &'a [u8],
    starts: Vec<usize>,
}

impl<'a> Page<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Page<'a> {
        let mut starts: Vec<usize> = Vec::new();
        if !text.is_empty() {
            starts.push(0);
        }
        starts.extend(memchr_iter(b'\n', text).map(|at| at + 1).filter(|start| *start < text.len()));
        Page { text, starts }
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Where a line begins; the end of the text for one past the last.
    pub(crate) fn start(&self, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(self.text.len())
    }

    /// A line without its line break.
    pub(crate) fn line(&self, line: usize) -> &'a [u8] {
        let whole = &self.text[self.start(line)..self.start(line + 1)];
        whole.strip_suffix(b"\n").unwrap_or(whole)
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = &'a [u8]> + '_ {
        (0..self.len()).map(|line| self.line(line))
    }

    /// The bytes of whole lines, the line break of the last one left out.
    pub(crate) fn span(&self, lines: &Range<usize>) -> Range<usize> {
        let (start, end) = (self.start(lines.start), self.start(lines.end));
        if end > start && self.text[end - 1] == b'\n' { start..end - 1 } else { start..end }
    }

    /// The line an offset stands in, from 0.
    pub(crate) fn line_at(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The first lines of all windows that are the same as `needle` but for the white space that `fold` forgives.
    pub(crate) fn windows(&self, needle: &[&[u8]], fold: Fold) -> Vec<usize> {
        if needle.iter().all(|line| is_blank(line)) || needle.len() > self.len() {
            return Vec::new();
        }
        // Mostly a needle that misses, misses quickly: its longest line is nowhere.
        let longest =
            needle.iter().map(|line| line.trim_ascii()).max_by_key(|line| line.len()).unwrap_or_default();
        if fold != Fold::Anywhere && memmem::find(self.text, longest).is_none() {
            return Vec::new();
        }
        let wanted: Vec<u64> = needle.iter().map(|line| fold.key(line)).collect();
        let keys: Vec<u64> = self.lines().map(|line| fold.key(line)).collect();
        let mut found = occurrences_from(0, &keys, &wanted);
        found.retain(|first| {
            needle.iter().enumerate().all(|(index, line)| fold.same(self.line(first + index), line))
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::{Fold, Page};

    #[test]
    fn lines_and_their_spans() {
        let page = Page::new(b"a\n\nbc\nd");
        assert_eq!(page.lines().collect::<Vec<_>>(), [b"a".as_slice(), b"", b"bc", b"d"]);
        assert_eq!((page.span(&(0..1)), page.span(&(1..3)), page.span(&(2..4))), (0..1, 2..5, 3..7));
        assert_eq!((page.line_at(0), page.line_at(2), page.line_at(4)), (0, 1, 2));
        assert_eq!(Page::new(b"").len(), 0);
        assert_eq!(Page::new(b"\n").len(), 1);
    }

    #[test]
    fn each_fold_forgives_more() {
        let page = Page::new(b"  a = 1 \n b\n");
        let found = |needle: &[&[u8]]| Fold::ALL.map(|fold| page.windows(needle, fold).len());
        assert_eq!(found(&[b"  a = 1", b" b "]), [1, 1, 1]);
        assert_eq!(found(&[b"a = 1", b"b"]), [0, 1, 1]);
        assert_eq!(found(&[b"a=1", b"b"]), [0, 0, 1]);
        assert_eq!(found(&[b"a=2", b"b"]), [0, 0, 0]);
    }
}
