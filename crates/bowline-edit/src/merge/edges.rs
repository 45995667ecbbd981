//! What stands beside the lines of a merge, and must be there neither twice nor in the way.

use std::borrow::Cow;
use std::ops::Range;

use crate::merge::Lined;
use crate::page::{Page, ink, is_blank, is_telling};

/// The line beside the span that what is new at that end of the replacement would double: the needle left it out.
pub(super) fn doubled(page: &Page<'_>, lined: &Lined<'_>, pairs: &[(usize, usize)]) -> Option<usize> {
    let same = |line: usize, new: &[Cow<'_, [u8]>], nearest: Option<&Cow<'_, [u8]>>| {
        let there = page.line(line);
        if is_telling(there) {
            new.iter().any(|new| ink(new).eq(ink(there)))
        } else {
            nearest.is_some_and(|new| ink(new).eq(ink(there)))
        }
    };
    let written = &lined.replacement;
    let first = pairs.first().map_or(written.len(), |pair| pair.1);
    let last = pairs.last().map_or(0, |pair| pair.1 + 1);
    let above = lined.lines.start.checked_sub(1).filter(|_| first > 0);
    let below = Some(lined.lines.end).filter(|line| *line < page.len() && last < written.len());
    above
        .filter(|line| same(*line, &written[..first], written.first()))
        .or_else(|| below.filter(|line| same(*line, &written[last..], written.last())))
}

/// The line beside the span where the needle has a blank one that the file has not, if the change reaches up to it: what is
/// new there has no place of its own.
pub(super) fn lost_edge(
    page: &Page<'_>,
    lined: &Lined<'_>,
    pairs: &[(usize, usize)],
    base_len: usize,
) -> Option<usize> {
    let is_text = |line: &usize| *line < page.len() && !is_blank(page.line(*line));
    let Range { start, end } = lined.lines;
    let above = (start.saturating_sub(lined.ignored.0)..start).rev().find(is_text);
    let below = (end..end + lined.ignored.1).find(is_text);
    // As many lines as before, one for one, stay where they are.
    let end = (base_len, lined.replacement.len());
    let (base, new) = pairs.first().copied().unwrap_or(end);
    let at_front = base != new;
    let (base, new) = pairs.last().map_or((0, 0), |pair| (pair.0 + 1, pair.1 + 1));
    let at_back = end.0 - base != end.1 - new;
    above.filter(|_| at_front).or(below.filter(|_| at_back))
}
