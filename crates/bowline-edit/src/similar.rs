//! The similarity rung in its careful mode: a place that is alike, and against which nothing speaks.
//!
//! Likeness alone is no licence: code is full of passages that are nearly the same. So every line of the needle has its
//! line in the file, what differs is plausibly a typo, and no other place comes near.

mod align;
mod guard;
mod vocabulary;
mod votes;

use std::borrow::Cow;
use std::ops::Range;

use crate::canonical::Canonical;
use crate::distance::Pattern;
use crate::ladder::{Edges, Fit, Found, Sheet, core, split};
use crate::page::{Page, is_blank};
use crate::rung::Rung;
pub(crate) use align::Alignment;
use align::{Near, Taken};
pub(crate) use votes::{SHIFT_MAX, starts, words};

/// Fewer lines say too little.
const LINES_MIN: usize = 2;
/// A longer needle is looked for by the stricter rungs alone.
const LINES_MAX: usize = 2_000;
/// The steps of comparing lines after which the search gives up.
const STEPS_MAX: usize = 2_000_000;
/// What the best place may cost, for each line that counts: a similarity of 0.66 at least.
const COST_PER_LINE_MAX: f64 = 0.34;
/// What another place must cost more than the best one: as much again and this where slips explain it too, and less where
/// they do not.
const MARGIN: f64 = 0.1;
const MARGIN_UNEXPLAINED: f64 = 0.05;

/// The one place that is meant, as far as can be told within the budget.
pub(crate) fn careful<'e>(sheet: &Sheet<'_>, old: &'e str, new: &'e str) -> Option<Found<'e>> {
    let ascii = sheet.page.text.is_ascii() && old.is_ascii();
    let (needle, canonical);
    let (text, page) = if ascii {
        (old.as_bytes(), &sheet.page)
    } else {
        needle = Canonical::new(old.as_bytes()).text;
        canonical = Page::new(&sheet.canonical().text);
        (needle.as_slice(), &canonical)
    };
    let lines = split(text);
    let lines = core(&lines);
    let counting = lines.iter().filter(|line| !is_blank(line)).count();
    // Without a line of its own for each line, a canonical text could not be led back.
    if counting < LINES_MIN || page.len() != sheet.page.len() {
        return None;
    }
    if lines.len() > LINES_MAX {
        sheet.is_skipped.set(true);
        return None;
    }
    let starts = if ascii { sheet.starts(lines) } else { starts(page, lines) };
    let Some(nears) = nears(page, lines, &starts) else {
        sheet.is_skipped.set(true);
        return None;
    };
    let best = best(page, lines, &nears)?;
    let similarity = 1.0 - best.cost / counting as f64;
    Some(Found {
        rung: Rung::Similar,
        old: Cow::Borrowed(old),
        new: Cow::Borrowed(new),
        edges: Edges::Ignored,
        fits: vec![Fit::Aligned(best.pairs)],
        similarity,
    })
}

/// What stands near each of the starts; none if there is too much to compare.
fn nears<'n>(page: &'n Page<'n>, lines: &'n [&'n [u8]], starts: &[usize]) -> Option<Vec<Near<'n>>> {
    let patterns: Vec<Pattern> =
        lines.iter().map(|line| Pattern::new(&String::from_utf8_lossy(line.trim_ascii()))).collect();
    let mut steps = STEPS_MAX;
    starts.iter().map(|start| Near::new(page, lines, &patterns, *start, &mut steps)).collect()
}

/// The one place that nothing but slips keeps apart from the needle, if no other comes near.
fn best(page: &Page<'_>, lines: &[&[u8]], nears: &[Near<'_>]) -> Option<Alignment> {
    let mut explained: Vec<Alignment> = Vec::new();
    let mut alike: Vec<Alignment> = Vec::new();
    for near in nears {
        alike.extend(near.best(Taken::Alike));
        explained.extend(near.best(Taken::Slipped).filter(|made| guard::passes(page, lines, made)));
    }
    explained.sort_by(|one, other| one.cost.total_cmp(&other.cost));
    explained.dedup();
    let mut explained = explained.into_iter();
    let best = explained.next()?;
    let beside = |other: &Alignment| !overlap(&best.lines(), &other.lines());
    let rival = explained.find(beside);
    let clear = rival.is_none_or(|rival| rival.cost >= 2.0 * best.cost + MARGIN)
        && alike
            .iter()
            .filter(|other| beside(other))
            .all(|rival| rival.cost >= best.cost + MARGIN_UNEXPLAINED);
    let counting = lines.iter().filter(|line| !is_blank(line)).count();
    (clear && best.cost <= counting as f64 * COST_PER_LINE_MAX).then_some(best)
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}
