//! The similarity rung in its lenient mode: the window of as many lines that is most like the needle wins.
//!
//! A plain rule for a person who looks at the outcome: it may well be wrong. Two windows that are equally good are
//! ambiguous.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::distance::{Pattern, Symbol};
use crate::ladder::{Edges, Fit, Found, Sheet, core, split};
use crate::page::is_blank;
use crate::rung::Rung;

/// The least similarity, in percent.
const PERCENT_MIN: usize = 66;

/// How much may be spent: steps of comparing, counted and not timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Budget(usize);

impl Budget {
    /// For an edit in lenient mode.
    pub(crate) const EDIT: Budget = Budget(20_000_000);
    /// For saying what lenient mode would do.
    pub(crate) const HINT: Budget = Budget(400_000);
}

/// What the lenient search came to.
pub(crate) enum Lenient<'e> {
    Found(Found<'e>),
    None,
    /// There was more to compare than the budget allows.
    Skipped,
}

pub(crate) fn lenient<'e>(sheet: &Sheet<'_>, old: &'e str, new: &'e str, budget: Budget) -> Lenient<'e> {
    let lines = split(old.as_bytes());
    let lines = core(&lines);
    let text: Vec<String> = lines.iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect();
    let pattern = Pattern::new(&text.join("\n"));
    let count = lines.len();
    let last = sheet.page.len().checked_sub(count);
    let (Some(last), true) = (last, count > 0) else { return Lenient::None };
    let mut windows: Vec<usize> =
        (0..=last).filter(|first| may_fit(sheet, *first, count, &pattern)).collect();
    let steps = |windows: &[usize]| -> usize {
        windows.iter().map(|first| pattern.steps(sheet.page.span(&(*first..first + count)).len())).sum()
    };
    if steps(&windows) > budget.0 {
        let voted = sheet.starts(lines);
        windows.retain(|first| voted.contains(first));
        if steps(&windows) > budget.0 {
            return Lenient::Skipped;
        }
    }
    let (best, fits) = best(sheet, &windows, count, &pattern);
    if fits.is_empty() {
        return Lenient::None;
    }
    Lenient::Found(Found {
        rung: Rung::Similar,
        old: Cow::Borrowed(old),
        new: Cow::Borrowed(new),
        edges: Edges::Ignored,
        fits: fits.into_iter().map(Fit::Window).collect(),
        similarity: best,
    })
}

/// Whether the length of a window alone rules it out.
fn may_fit(sheet: &Sheet<'_>, first: usize, count: usize, pattern: &Pattern) -> bool {
    let bytes = sheet.page.span(&(first..first + count)).len();
    // A character has four bytes at most, and two lengths that differ by more than a third are too far apart.
    bytes * 100 >= pattern.len() * PERCENT_MIN
        && bytes * PERCENT_MIN <= pattern.len() * 4 * 100
        && !is_blank(&sheet.page.text[sheet.page.span(&(first..first + count))])
}

/// The similarity of the best windows, and which they are.
fn best(sheet: &Sheet<'_>, windows: &[usize], count: usize, pattern: &Pattern) -> (f64, Vec<usize>) {
    // Windows that read the same are compared once.
    let mut known: HashMap<&[u8], (usize, usize)> = HashMap::new();
    // Distance and length, so that similarities are compared without rounding.
    let mut best: Option<(usize, usize)> = None;
    let mut fits = Vec::new();
    for first in windows {
        let text = &sheet.page.text[sheet.page.span(&(*first..first + count))];
        let (distance, length) = *known.entry(text).or_insert_with(|| {
            let symbols: Vec<Symbol> = pattern.symbols(&String::from_utf8_lossy(text));
            (pattern.distance(&symbols), pattern.len().max(symbols.len()).max(1))
        });
        if (length - distance) * 100 < length * PERCENT_MIN {
            continue;
        }
        let (best_distance, best_length) = best.unwrap_or((1, 1));
        match (distance * best_length).cmp(&(best_distance * length)) {
            std::cmp::Ordering::Less => {
                best = Some((distance, length));
                fits = vec![*first];
            }
            std::cmp::Ordering::Equal => fits.push(*first),
            std::cmp::Ordering::Greater => {}
        }
    }
    let (distance, length) = best.unwrap_or((1, 1));
    (1.0 - distance as f64 / length as f64, fits)
}
