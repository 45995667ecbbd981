//! The needle's lines beside the file's, with a line left out on either side where that fits better.

use std::ops::Range;

use crate::distance::Pattern;
use crate::page::{Fold, Page, is_blank};

/// How far a line may stand from where it would without gaps.
const BAND: usize = 4;
/// Lines less alike than this are not the same line.
const LINE_SIMILARITY_MIN: f64 = 0.5;
/// What a line costs that stands on one side alone.
const GAP_COST: f64 = 0.6;
const BLANK_GAP_COST: f64 = 0.05;
/// A longer line is compared whole or not at all.
const LINE_BYTES_MAX: usize = 4_000;

pub(crate) struct Alignment {
    /// For each line of the needle the one of the file.
    pub(crate) pairs: Vec<Option<usize>>,
    pub(crate) cost: f64,
}

impl Alignment {
    /// The cheapest one near `start`; none if the steps do not suffice.
    pub(crate) fn new(
        page: &Page<'_>,
        needle: &[&[u8]],
        start: usize,
        steps: &mut usize,
    ) -> Option<Alignment> {
        // The window is clamped to the file, the band counted from where the needle would stand in it.
        let low = start.saturating_sub(BAND);
        let high = (start + needle.len() + BAND).min(page.len());
        let offset = start - low;
        let columns = high.saturating_sub(low);
        let width = columns + 1;
        let far = f64::INFINITY;
        let mut cost = vec![far; (needle.len() + 1) * width];
        // What stands in the file before the needle costs nothing.
        cost[..width].fill(0.0);
        let mut pair_costs = vec![far; needle.len() * columns.max(1)];
        for (x, line) in needle.iter().enumerate() {
            let pattern = Pattern::new(&String::from_utf8_lossy(line.trim_ascii()));
            for y in 0..=columns {
                let here = (x + 1) * width + y;
                cost[here] = cost[x * width + y] + gap(line);
                if y == 0 {
                    continue;
                }
                if (y - 1).abs_diff(x + offset) <= BAND {
                    let pair = pair_cost(line, &pattern, page.line(low + y - 1), steps)?;
                    pair_costs[x * columns + y - 1] = pair;
                    cost[here] = cost[here].min(cost[x * width + y - 1] + pair);
                }
                cost[here] = cost[here].min(cost[here - 1] + gap(page.line(low + y - 1)));
            }
        }
        Some(back(page, needle, low, columns, &cost, &pair_costs))
    }

    /// The lines of the file from the first to the last that has a pair.
    pub(crate) fn lines(&self) -> Range<usize> {
        let first = self.pairs.iter().flatten().min().copied().unwrap_or(0);
        first..self.pairs.iter().flatten().max().map_or(first, |last| last + 1)
    }
}

/// The way back through the table, from the cheapest end: what stands after the needle costs nothing either.
fn back(
    page: &Page<'_>,
    needle: &[&[u8]],
    low: usize,
    columns: usize,
    cost: &[f64],
    pair_costs: &[f64],
) -> Alignment {
    let width = columns + 1;
    let last = &cost[needle.len() * width..];
    let end = (0..=columns).min_by(|one, other| last[*one].total_cmp(&last[*other])).unwrap_or(0);
    let total = last[end];
    let mut pairs = vec![None; needle.len()];
    let (mut x, mut y) = (needle.len(), end);
    while x > 0 {
        let here = cost[x * width + y];
        if y > 0 && here == cost[(x - 1) * width + y - 1] + pair_costs[(x - 1) * columns + y - 1] {
            pairs[x - 1] = Some(low + y - 1);
            (x, y) = (x - 1, y - 1);
        } else if y > 0 && here == cost[x * width + y - 1] + gap(page.line(low + y - 1)) {
            y -= 1;
        } else {
            x -= 1;
        }
    }
    Alignment { pairs, cost: total }
}

fn gap(line: &[u8]) -> f64 {
    if is_blank(line) { BLANK_GAP_COST } else { GAP_COST }
}

/// 0 for the same line, white space aside; infinite for one that is not alike.
fn pair_cost(line: &[u8], pattern: &Pattern, there: &[u8], steps: &mut usize) -> Option<f64> {
    if is_blank(line) || is_blank(there) {
        return Some(if is_blank(line) && is_blank(there) { 0.0 } else { f64::INFINITY });
    }
    if Fold::Anywhere.same(line, there) {
        return Some(0.0);
    }
    let there = there.trim_ascii();
    if there.len() > LINE_BYTES_MAX || pattern.len() > LINE_BYTES_MAX {
        return Some(f64::INFINITY);
    }
    let most = pattern.len().max(there.len());
    if pattern.len().abs_diff(there.len()) * 2 > most {
        return Some(f64::INFINITY);
    }
    *steps = steps.checked_sub(pattern.steps(there.len()))?;
    let symbols = pattern.symbols(&String::from_utf8_lossy(there));
    let distance = pattern.distance(&symbols);
    let similarity = 1.0 - distance as f64 / pattern.len().max(symbols.len()).max(1) as f64;
    Some(if similarity < LINE_SIMILARITY_MIN { f64::INFINITY } else { 1.0 - similarity })
}
