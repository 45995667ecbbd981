//! Edits that are not meant for the file as it is: nothing in it may change.

use super::sample::each;
use super::words::{names, put};
use super::{Class, Draw, Drifted, Operator, Sample, of};

const NOT: Class = Class::Refused;

pub(crate) const OPERATORS: [Operator; 9] = [
    of("absent", NOT, absent),
    of("absent, changed lines gone", NOT, changed_gone),
    of("absent, renamed", NOT, renamed),
    of("absent, near-duplicate there", NOT, near_duplicate),
    of("absent, other number there", NOT, other_number),
    of("wrong file", NOT, wrong_file),
    of("already applied", NOT, |sample, _| is_elsewhere(sample, &sample.after())),
    of("already applied, dedented", NOT, |sample, _| {
        let dedented = |text: &str| each(text, |line| line.strip_prefix("  ").unwrap_or(line).to_owned());
        let drifted = is_elsewhere(sample, &sample.after())?;
        let (old, new) = (dedented(&sample.old), dedented(&sample.new));
        (old != sample.old).then_some(Drifted { old, new, ..drifted })
    }),
    of("twice", NOT, twice),
];

/// A file that does not hold what is to be edited, though it may hold the like of it.
fn is_elsewhere(sample: &Sample, before: &str) -> Option<Drifted> {
    (!sample.is_in(before) && before != sample.before).then(|| Drifted::refused(sample, before.to_owned()))
}

fn absent(sample: &Sample, _: &mut Draw) -> Option<Drifted> {
    is_elsewhere(sample, &sample.before.replacen(&sample.old, "", 1))
}

/// The lines around it are there, those that the edit replaces are not.
fn changed_gone(sample: &Sample, _: &mut Draw) -> Option<Drifted> {
    let is_kept = |line: &&str| sample.new.lines().any(|other| other.trim() == line.trim());
    let rest: String = sample.old.lines().filter(is_kept).map(|line| format!("{line}\n")).collect();
    is_elsewhere(sample, &sample.before.replacen(&sample.old, &rest, 1))
}

/// A line of `old` that has a name in it, and which.
fn drawn_name<'a>(sample: &'a Sample, draw: &mut Draw) -> Option<(&'a str, (usize, &'a str))> {
    let fit: Vec<&str> = sample.old.lines().filter(|line| !names(line).is_empty()).collect();
    let line = *draw.of(&fit)?;
    let names = names(line);
    Some((line, *draw.of(&names)?))
}

/// The file has the like of it, for another thing.
fn renamed(sample: &Sample, draw: &mut Draw) -> Option<Drifted> {
    let (_, (_, name)) = drawn_name(sample, draw)?;
    let other = draw.of(&["other", "left", "item2", "Result", "next", "x"])?;
    is_elsewhere(sample, &sample.before.replace(name, other))
}

/// Where the text was stands its twin, which has a name of the file in one place that the text has not.
fn near_duplicate(sample: &Sample, draw: &mut Draw) -> Option<Drifted> {
    let (line, name) = drawn_name(sample, draw)?;
    let all: Vec<(usize, &str)> = sample.before.lines().flat_map(names).collect();
    let (_, other) = *draw.of(&all)?;
    if sample.old.contains(other) || sample.new.contains(other) || name.1 == other {
        return None;
    }
    let twin = sample.old.replacen(line, &put(line, name, other), 1);
    is_elsewhere(sample, &sample.before.replacen(&sample.old, &twin, 1))
}

/// The same with another number.
fn other_number(sample: &Sample, draw: &mut Draw) -> Option<Drifted> {
    let digits: Vec<usize> =
        sample.old.char_indices().filter(|(_, char)| char.is_ascii_digit()).map(|(at, _)| at).collect();
    let at = *draw.of(&digits)?;
    let digit = sample.old.as_bytes().get(at)?;
    let other = char::from(b'0' + (digit - b'0' + 3) % 10);
    let twin = format!("{}{other}{}", &sample.old[..at], &sample.old[at + 1..]);
    if twin == sample.new {
        return None;
    }
    is_elsewhere(sample, &sample.before.replacen(&sample.old, &twin, 1))
}

fn wrong_file(sample: &Sample, _: &mut Draw) -> Option<Drifted> {
    is_elsewhere(sample, sample.other.as_deref()?)
}

/// The text is there a second time, indented otherwise, and the needle as neither.
fn twice(sample: &Sample, _: &mut Draw) -> Option<Drifted> {
    let again = each(&sample.old, |line| format!("  {line}"));
    let before = format!("{}\n{again}", sample.before);
    let deep = |text: &str| each(text, |line| format!("\t\t{line}"));
    Some(Drifted { before, old: deep(&sample.old), new: deep(&sample.new), after: None })
}
