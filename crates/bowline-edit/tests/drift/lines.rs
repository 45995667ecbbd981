//! Lines that the needle leaves out, and lines in another order.

use super::sample::{Sides, trimmed};
use super::{Class, Draw, Drifted, Operator, Sample, of};

pub(crate) const OPERATORS: [Operator; 6] = [
    of("line left out, both", Class::LeftOut, |sample, draw| {
        left_out(sample, draw, Sides::Both, Where::Away)
    }),
    of("line left out, needle", Class::LeftOut, |sample, draw| {
        left_out(sample, draw, Sides::Needle, Where::Away)
    }),
    of("line beside left out, both", Class::LeftOut, |sample, draw| {
        left_out(sample, draw, Sides::Both, Where::Beside)
    }),
    of("line beside left out, needle", Class::LeftOut, |sample, draw| {
        left_out(sample, draw, Sides::Needle, Where::Beside)
    }),
    of("lines swapped, both", Class::Guesses, |sample, draw| swapped(sample, draw, Sides::Both)),
    of("lines swapped, needle", Class::Guesses, |sample, draw| swapped(sample, draw, Sides::Needle)),
];

/// Where the line stands that is left out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    /// Among lines that stay as they are.
    Away,
    /// Right beside a line that changes: what is left out may be in the way.
    Beside,
}

/// A line between others that the edit does not change.
fn left_out(sample: &Sample, draw: &mut Draw, sides: Sides, place: Where) -> Option<Drifted> {
    let lines: Vec<&str> = sample.old.lines().collect();
    let last = lines.len().checked_sub(1)?;
    let is_away = |at: usize| {
        let three = lines.get(at - 1..=at + 1).unwrap_or_default().join("\n");
        format!("\n{}", sample.new).contains(&format!("\n{three}\n"))
    };
    let inner: Vec<usize> = sample
        .context()
        .into_iter()
        .filter(|at| (1..last).contains(at) && !lines[*at].trim().is_empty())
        .filter(|at| is_away(*at) == (place == Where::Away))
        .collect();
    let gone = lines[*draw.of(&inner)?];
    let without = |text: &str| {
        text.lines().filter(|line| *line != gone).map(|line| format!("{line}\n")).collect::<String>()
    };
    let new = if sides == Sides::Both { without(&sample.new) } else { sample.new.clone() };
    drifted(sample, without(&sample.old), new)
}

/// A needle of a line or two that says something, and does not stand elsewhere as it is.
fn drifted(sample: &Sample, old: String, new: String) -> Option<Drifted> {
    let is_told = trimmed(&old).len() > 1 && !sample.before.contains(&old);
    (is_told && old != new).then(|| Drifted::new(sample, old, new))
}

/// Two lines beside each other in the wrong order.
fn swapped(sample: &Sample, draw: &mut Draw, sides: Sides) -> Option<Drifted> {
    let lines: Vec<&str> = sample.old.lines().collect();
    let context = sample.context();
    let pair = |at: usize| format!("{}\n{}\n", lines[at], lines[at + 1]);
    let is_fit = |at: usize| match sides {
        Sides::Needle => true,
        Sides::Both => {
            context.contains(&at) && context.contains(&(at + 1)) && sample.new.matches(&pair(at)).count() == 1
        }
    };
    let places: Vec<usize> = (0..lines.len().checked_sub(1)?)
        .filter(|at| lines[*at] != lines[at + 1] && is_fit(*at))
        .filter(|at| !lines[*at].trim().is_empty() && !lines[at + 1].trim().is_empty())
        .filter(|at| sample.old.matches(&pair(*at)).count() == 1)
        .collect();
    let at = *draw.of(&places)?;
    let turned = |text: &str| text.replacen(&pair(at), &format!("{}\n{}\n", lines[at + 1], lines[at]), 1);
    let new = if sides == Sides::Both { turned(&sample.new) } else { sample.new.clone() };
    drifted(sample, turned(&sample.old), new)
}
