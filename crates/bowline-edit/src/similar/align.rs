//! The needle's lines beside the file's, with a line left out on either side where that fits better.

use std::ops::Range;

use super::guard::is_slipped;
use crate::distance::Pattern;
use crate::page::{Fold, Page, is_blank};

/// How far a line may stand from where it would without gaps.
const BAND: usize = 4;
/// Lines less alike than this are not the same line.
const LINE_SIMILARITY_MIN: f64 = 0.5;
/// What a line of the file costs that the needle leaves out, and one of the needle that the file has not.
const LEFT_OUT_COST: f64 = 0.3;
const INVENTED_COST: f64 = 0.9;
const BLANK_COST: f64 = 0.05;
/// More than slips make, also in a short line.
const SLIPS_COST_MAX: f64 = 0.35;
/// A longer line is compared whole or not at all.
const LINE_BYTES_MAX: usize = 4_000;

#[derive(Debug, PartialEq)]
pub(crate) struct Alignment {
    /// For each line of the needle the one of the file.
    pub(crate) pairs: Vec<Option<usize>>,
    pub(crate) cost: f64,
}

/// Which lines may be taken for one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    /// Those that are alike.
    Alike,
    /// Those that are the same but for slips; and no line of the needle is invented.
    Slipped,
}

/// The costs of all pairs of lines near a place.
pub(super) struct Near<'n> {
    page: &'n Page<'n>,
    needle: &'n [&'n [u8]],
    /// The first line looked at, and how many.
    low: usize,
    columns: usize,
    /// Infinite for two lines that are not alike.
    pairs: Vec<f64>,
    /// Whether more than slips are between two lines that are alike.
    strange: Vec<bool>,
}

impl<'n> Near<'n> {
    /// None if the steps do not suffice.
    pub(super) fn new(
        page: &'n Page<'n>,
        needle: &'n [&'n [u8]],
        patterns: &[Pattern],
        start: usize,
        steps: &mut usize,
    ) -> Option<Near<'n>> {
        // The window is clamped to the file, the band counted from where the needle would stand in it.
        let low = start.saturating_sub(BAND);
        let high = (start + needle.len() + BAND).min(page.len());
        let offset = start - low;
        let columns = high.saturating_sub(low);
        let mut pairs = vec![f64::INFINITY; needle.len() * columns.max(1)];
        let mut strange = vec![false; pairs.len()];
        for (x, (line, pattern)) in needle.iter().zip(patterns).enumerate() {
            let reach = (x + offset).saturating_sub(BAND)..(x + offset + BAND + 1).min(columns);
            for y in reach {
                let there = page.line(low + y);
                let cost = pair_cost(line, pattern, there, steps)?;
                pairs[x * columns + y] = cost;
                strange[x * columns + y] = cost > SLIPS_COST_MAX || (cost > 0.0 && !is_slipped(line, there));
            }
        }
        Some(Near { page, needle, low, columns, pairs, strange })
    }

    /// The cheapest alignment; none where each would invent a line and none may be.
    pub(super) fn best(&self, taken: Taken) -> Option<Alignment> {
        let width = self.columns + 1;
        let mut cost = vec![f64::INFINITY; (self.needle.len() + 1) * width];
        // What stands in the file before the needle costs nothing.
        cost[..width].fill(0.0);
        for (x, line) in self.needle.iter().enumerate() {
            for y in 0..=self.columns {
                let mut least = cost[x * width + y] + invented(line, taken);
                if let Some(before) = y.checked_sub(1) {
                    least = least
                        .min(cost[x * width + before] + self.pair(x, before, taken))
                        .min(cost[(x + 1) * width + before] + self.left_out(before));
                }
                cost[(x + 1) * width + y] = least;
            }
        }
        self.back(&cost, taken)
    }

    fn pair(&self, x: usize, y: usize, taken: Taken) -> f64 {
        match taken {
            Taken::Slipped if self.strange[x * self.columns + y] => f64::INFINITY,
            _ => self.pairs[x * self.columns + y],
        }
    }

    fn left_out(&self, y: usize) -> f64 {
        if is_blank(self.page.line(self.low + y)) { BLANK_COST } else { LEFT_OUT_COST }
    }

    /// The way back through the table, from the cheapest end: what stands after the needle costs nothing either.
    fn back(&self, cost: &[f64], taken: Taken) -> Option<Alignment> {
        let width = self.columns + 1;
        let last = &cost[self.needle.len() * width..];
        let end = (0..=self.columns).min_by(|one, other| last[*one].total_cmp(&last[*other])).unwrap_or(0);
        let total = last[end];
        if !total.is_finite() {
            return None;
        }
        let mut pairs = vec![None; self.needle.len()];
        let (mut x, mut y) = (self.needle.len(), end);
        while x > 0 {
            let here = cost[x * width + y];
            if y > 0 && here == cost[(x - 1) * width + y - 1] + self.pair(x - 1, y - 1, taken) {
                pairs[x - 1] = Some(self.low + y - 1);
                (x, y) = (x - 1, y - 1);
            } else if y > 0 && here == cost[x * width + y - 1] + self.left_out(y - 1) {
                y -= 1;
            } else {
                x -= 1;
            }
        }
        Some(Alignment { pairs, cost: total })
    }
}

impl Alignment {
    /// The lines of the file from the first to the last that has a pair.
    pub(crate) fn lines(&self) -> Range<usize> {
        let first = self.pairs.iter().flatten().min().copied().unwrap_or(0);
        first..self.pairs.iter().flatten().max().map_or(first, |last| last + 1)
    }
}

fn invented(line: &[u8], taken: Taken) -> f64 {
    match (is_blank(line), taken) {
        (true, _) => BLANK_COST,
        (false, Taken::Alike) => INVENTED_COST,
        (false, Taken::Slipped) => f64::INFINITY,
    }
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
