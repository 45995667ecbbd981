//! The hunks that lead from one content to another: whole lines, with their line breaks, byte for byte.
//!
//! Hunks that stand close together are one. The lines around a hunk are unchanged ones, so that they hold before and after.

use std::collections::HashMap;
use std::ops::Range;

use super::Hunk;
use crate::diff::common;
use crate::page::{Fold, Page, ink, is_blank};

/// Unchanged lines between two hunks, at most, that make them one.
const JOINED_LINES_MAX: usize = 3;
/// With more, hunks further apart are joined too.
const HUNKS_MAX: usize = 200;
/// Lines of text on either side that are kept, and lines in all, blank ones among them.
const NEIGHBOURS_MAX: usize = 3;
const NEIGHBOUR_LINES_MAX: usize = 8;
/// Below this many comparisons the best pairing is worked out; above, lines that occur once show the way.
const SMALL_CELLS_MAX: usize = 250_000;

pub(super) fn hunks(before: &[u8], after: &[u8]) -> Vec<Hunk> {
    let (old, new) = (lines(before), lines(after));
    let mut stretches = stretches(&old, &new);
    let mut gap_max = JOINED_LINES_MAX;
    stretches = joined(stretches, gap_max);
    while stretches.len() > HUNKS_MAX {
        gap_max *= 2;
        stretches = joined(stretches, gap_max);
    }
    let (old_page, new_page) = (Page::new(before), Page::new(after));
    let (old_inks, new_inks) = (Inks::new(&old_page), Inks::new(&new_page));
    let mut hunks = Vec::new();
    for (index, (gone, come)) in stretches.iter().enumerate() {
        let above = index.checked_sub(1).map_or(0, |last| stretches[last].0.end);
        let below = stretches.get(index + 1).map_or(old.len(), |next| next.0.start);
        let lead = lead(&old[above..gone.start]);
        let trail = trail(&old[gone.end..below]);
        hunks.push(Hunk {
            at: old_page.start(gone.start),
            line: gone.start + 1,
            lead: lead.concat(),
            old: old[gone.clone()].concat(),
            new: new[come.clone()].concat(),
            trail: trail.concat(),
            old_is_alone: old_inks.is_alone(gone),
            new_is_alone: new_inks.is_alone(come),
        });
    }
    hunks
}

/// Lines with their line breaks.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// Where a text has which line, white space aside.
struct Inks<'p> {
    page: &'p Page<'p>,
    lines: HashMap<Vec<u8>, Vec<usize>>,
}

impl<'p> Inks<'p> {
    fn new(page: &'p Page<'p>) -> Inks<'p> {
        let mut lines: HashMap<Vec<u8>, Vec<usize>> = HashMap::new();
        for (at, line) in page.lines().enumerate().filter(|(_, line)| !is_blank(line)) {
            lines.entry(ink(line).copied().collect()).or_default().push(at);
        }
        Inks { page, lines }
    }

    /// Whether these lines stand nowhere else. Lines without text do.
    fn is_alone(&self, lines: &Range<usize>) -> bool {
        let places = |at: usize| {
            let bare: Vec<u8> = ink(self.page.line(at)).copied().collect();
            self.lines.get(&bare).map(|places| (at, places))
        };
        let Some((at, places)) = lines.clone().filter_map(places).min_by_key(|(_, places)| places.len())
        else {
            return false;
        };
        let same = |one: usize, other: usize| Fold::Anywhere.same(self.page.line(one), self.page.line(other));
        let is_there = |place: usize| {
            let first =
                (place + lines.start).checked_sub(at).filter(|first| first + lines.len() <= self.page.len());
            first.is_some_and(|first| (0..lines.len()).all(|line| same(first + line, lines.start + line)))
        };
        !places.iter().any(|place| *place != at && is_there(*place))
    }
}

fn lead<'s, 'l>(above: &'s [&'l [u8]]) -> &'s [&'l [u8]] {
    let mut told = 0;
    let taken = above.iter().rev().take(NEIGHBOUR_LINES_MAX).take_while(|line| {
        told += usize::from(!is_blank(line));
        told <= NEIGHBOURS_MAX
    });
    &above[above.len() - taken.count()..]
}

fn trail<'s, 'l>(below: &'s [&'l [u8]]) -> &'s [&'l [u8]] {
    let mut told = 0;
    let taken = below.iter().take(NEIGHBOUR_LINES_MAX).take_while(|line| {
        told += usize::from(!is_blank(line));
        told <= NEIGHBOURS_MAX
    });
    &below[..taken.count()]
}

type Stretch = (Range<usize>, Range<usize>);

/// What is not common to both.
fn stretches(old: &[&[u8]], new: &[&[u8]]) -> Vec<Stretch> {
    let mut found = Vec::new();
    let (mut from_old, mut from_new) = (0, 0);
    for (at_old, at_new) in paired(old, new).into_iter().chain([(old.len(), new.len())]) {
        if from_old < at_old || from_new < at_new {
            found.push((from_old..at_old, from_new..at_new));
        }
        (from_old, from_new) = (at_old + 1, at_new + 1);
    }
    found
}

fn joined(stretches: Vec<Stretch>, gap_max: usize) -> Vec<Stretch> {
    let mut all: Vec<Stretch> = Vec::new();
    for stretch in stretches {
        match all.last_mut() {
            Some(last) if stretch.0.start - last.0.end <= gap_max => {
                last.0.end = stretch.0.end;
                last.1.end = stretch.1.end;
            }
            _ => all.push(stretch),
        }
    }
    all
}

/// Equal lines of both, in order. A large middle is divided at lines that occur once on each side.
fn paired(old: &[&[u8]], new: &[&[u8]]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut open: Vec<Stretch> = vec![(0..old.len(), 0..new.len())];
    while let Some((old_part, new_part)) = open.pop() {
        let (one, other) = (&old[old_part.clone()], &new[new_part.clone()]);
        let front = one.iter().zip(other).take_while(|(a, b)| a == b).count();
        let left = one.len().min(other.len()) - front;
        let back = one.iter().rev().zip(other.iter().rev()).take(left).take_while(|(a, b)| a == b).count();
        let (from, to) = (old_part.start, new_part.start);
        pairs.extend((0..front).map(|at| (from + at, to + at)));
        pairs.extend((0..back).map(|at| (old_part.end - back + at, new_part.end - back + at)));
        let (old_part, new_part) = (from + front..old_part.end - back, to + front..new_part.end - back);
        if old_part.is_empty() || new_part.is_empty() {
            continue;
        }
        let (one, other) = (&old[old_part.clone()], &new[new_part.clone()]);
        if one.len().saturating_mul(other.len()) <= SMALL_CELLS_MAX {
            let inner = common(one, other).into_iter();
            pairs.extend(inner.map(|(a, b)| (old_part.start + a, new_part.start + b)));
            continue;
        }
        let anchors = anchors(one, other);
        if anchors.is_empty() {
            continue;
        }
        let (mut from, mut to) = (old_part.start, new_part.start);
        for (a, b) in &anchors {
            let (a, b) = (old_part.start + a, new_part.start + b);
            pairs.push((a, b));
            open.push((from..a, to..b));
            (from, to) = (a + 1, b + 1);
        }
        open.push((from..old_part.end, to..new_part.end));
    }
    pairs.sort_unstable();
    pairs
}

/// Lines that occur once on each side, as many as stand in the same order on both.
fn anchors(one: &[&[u8]], other: &[&[u8]]) -> Vec<(usize, usize)> {
    let once = |lines: &[&[u8]]| -> HashMap<Vec<u8>, Option<usize>> {
        let mut seen = HashMap::new();
        for (at, line) in lines.iter().enumerate() {
            seen.entry(line.to_vec()).and_modify(|known| *known = None).or_insert(Some(at));
        }
        seen
    };
    let (first, second) = (once(one), once(other));
    let mut pairs: Vec<(usize, usize)> =
        first.iter().filter_map(|(line, at)| Some(((*at)?, (*second.get(line)?)?))).collect();
    pairs.sort_unstable();
    rising(&pairs)
}

/// The longest run of pairs that rise on the right side too.
fn rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < pair.1);
        before.push(length.checked_sub(1).map(|last| ends[last]));
        if length == ends.len() {
            ends.push(index);
        } else {
            ends[length] = index;
        }
    }
    let mut run = Vec::new();
    let mut at = ends.last().copied();
    while let Some(index) = at {
        run.push(pairs[index]);
        at = before[index];
    }
    run.reverse();
    run
}

#[cfg(test)]
mod tests {
    use super::{hunks, paired};

    #[test]
    fn close_hunks_are_one_and_distant_ones_two() {
        let before = b"1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        assert_eq!(hunks(before, b"1\nx\n3\n4\n5\ny\n7\n8\n9\n").len(), 1);
        let two = hunks(before, b"1\nx\n3\n4\n5\n6\ny\n8\n9\n");
        let told = |at: usize| (two[at].line, [&*two[at].lead, &*two[at].new, &*two[at].trail]);
        assert_eq!(two.len(), 2);
        assert_eq!(told(0), (2, [b"1\n".as_slice(), b"x\n", b"3\n4\n5\n"]));
        assert_eq!(told(1), (7, [b"4\n5\n6\n".as_slice(), b"y\n", b"8\n9\n"]));
    }

    #[test]
    fn a_large_middle_is_divided() {
        let old: Vec<String> = (0..3_000).map(|line| format!("line {line}\n")).collect();
        let mut new = old.clone();
        new[3] = "x\n".to_owned();
        new[2_990] = "y\n".to_owned();
        let old: Vec<&[u8]> = old.iter().map(String::as_bytes).collect();
        let new: Vec<&[u8]> = new.iter().map(String::as_bytes).collect();
        assert_eq!(paired(&old, &new).len(), 2_998);
    }

    #[test]
    fn many_hunks_are_joined() {
        let old: String = (0..6_000).map(|line| format!("line {line}\n")).collect();
        let new: String = (0..6_000)
            .map(|line| if line % 10 == 0 { "x\n".into() } else { format!("line {line}\n") })
            .collect();
        assert!(hunks(old.as_bytes(), new.as_bytes()).len() <= super::HUNKS_MAX);
    }
}
