//! An edit in the file's own spelling, where needle and file differ only in white space and in signs that look alike.
//!
//! A sign that needle and replacement have in common is one the model only misspelled: it becomes the file's. A sign that
//! differs between them is one the model changed: it stays as the model wrote it. What is compared are whole runs of a
//! sign, so that `-` and `--` are two signs and no half of one is kept.

mod units;

use std::collections::HashSet;

use crate::canonical::look;
use crate::diff::common;
use units::{Kind, Run, Unit, aligned, kind_at, runs};

/// Texts with more characters than this are left to the merge.
const BYTES_MAX: usize = 200_000;

/// Needle and replacement as the file would spell them. None where the two differ in more than look-alikes and white
/// space, where they do not differ in look-alikes at all, or where it is not clear which sign is which.
pub(crate) fn spelled(file: &[u8], there: &[u8], old: &str, new: &str) -> Option<(String, String)> {
    if old.len().max(there.len()).max(new.len()) > BYTES_MAX {
        return None;
    }
    let there = str::from_utf8(there).ok()?;
    let units = aligned(old, there)?;
    if units.iter().all(|unit| unit.old == unit.there) {
        return None;
    }
    let front = Front::new(&units, new);
    let back = Back::new(&units, new, &front);
    let (start, end) = (front.units, units.len() - back.units);
    let middle = &new[front.bytes..new.len() - back.bytes];
    let kept = |units: &[Unit<'_>]| units.iter().map(|unit| unit.there).collect::<String>();
    let foreign = foreign(file, &units, new);
    let middle = written(&units, start..end, middle, &foreign)?;
    let new = [kept(&units[..start]), middle, kept(&units[end..])].concat();
    Some((kept(&units), new))
}

/// How far needle and replacement are the same from their beginning, without the half of a run.
struct Front {
    units: usize,
    bytes: usize,
}

impl Front {
    fn new(units: &[Unit<'_>], new: &str) -> Front {
        let mut front = Front { units: 0, bytes: 0 };
        for unit in units {
            let Some(rest) = new[front.bytes..].strip_prefix(unit.old) else { break };
            if rest.chars().next().is_some_and(units::joins) {
                break;
            }
            front = Front { units: front.units + 1, bytes: new.len() - rest.len() };
        }
        while let Some(last) = front.units.checked_sub(1).map(|at| &units[at]) {
            let next = units.get(front.units).map(|unit| unit.kind);
            let is_cut = |kind: Option<Kind>| kind == Some(last.kind) && last.kind.is_run();
            if !is_cut(next) && !is_cut(kind_at(&new[front.bytes..])) {
                break;
            }
            front = Front { units: front.units - 1, bytes: front.bytes - last.old.len() };
        }
        front
    }
}

/// The same from their end, up to where the front ends.
struct Back {
    units: usize,
    bytes: usize,
}

impl Back {
    fn new(units: &[Unit<'_>], new: &str, front: &Front) -> Back {
        let mut back = Back { units: 0, bytes: 0 };
        let kept = |back: &Back| &new[front.bytes..new.len() - back.bytes];
        for unit in units[front.units..].iter().rev() {
            let Some(rest) = kept(&back).strip_suffix(unit.old) else { break };
            back = Back { units: back.units + 1, bytes: new.len() - front.bytes - rest.len() };
        }
        while let Some(first) = units.get(units.len() - back.units).filter(|_| back.units > 0) {
            let before = units[front.units..units.len() - back.units].last().map(|unit| unit.kind);
            let written =
                kept(&back).char_indices().next_back().and_then(|(at, _)| kind_at(&kept(&back)[at..]));
            let is_cut = |kind: Option<Kind>| kind == Some(first.kind) && first.kind.is_run();
            // A mark that joins the letter before it may not lose that letter.
            let is_joined = first.old.chars().next().is_some_and(units::joins);
            if !is_cut(before) && !is_cut(written) && !is_joined {
                break;
            }
            back = Back { units: back.units - 1, bytes: back.bytes - first.old.len() };
        }
        back
    }
}

/// What the replacement has between the ends, with what it shares with the needle as the file has it.
fn written(
    units: &[Unit<'_>],
    span: std::ops::Range<usize>,
    new: &str,
    foreign: &HashSet<char>,
) -> Option<String> {
    let old = runs(&units[span.clone()]);
    let new_units = units::plain(new);
    let new = runs(&new_units);
    let texts = |runs: &[Run]| runs.iter().map(|run| run.old.clone()).collect::<Vec<String>>();
    let (old_texts, new_texts) = (texts(&old), texts(&new));
    let pairs = common(&old_texts, &new_texts);
    let mut partners: Vec<Option<usize>> = vec![None; new.len()];
    for (one, other) in &pairs {
        // A sign in the midst of what changed is another one, even if it looks the same.
        let beside = |ahead: bool| {
            let step = |at: usize| if ahead { Some(at + 1) } else { at.checked_sub(1) };
            step(*one).zip(step(*other)).is_some_and(|pair| pairs.contains(&pair))
        };
        if !new[*other].kind.is_run() || beside(true) || beside(false) {
            partners[*other] = Some(*one);
        }
    }
    for kind in Kind::RUNS {
        let places =
            |runs: &[Run]| (0..runs.len()).filter(|at| runs[*at].kind == kind).collect::<Vec<usize>>();
        let (olds, news) = (places(&old), places(&new));
        let is_same = olds.len() == news.len()
            && olds.iter().zip(&news).all(|(one, other)| old[*one].old == new[*other].old);
        if is_same {
            for (one, other) in olds.iter().zip(&news) {
                partners[*other] = Some(*one);
            }
        } else if kind.is_quote() && !is_clear(units, span.start, kind, (&old, &olds), (&new, &news)) {
            return None;
        }
    }
    let plain = |char: char| if foreign.contains(&char) { look(char) } else { Some(char) };
    let text = new.iter().zip(partners).map(|(run, partner)| match partner {
        Some(at) => old[at].there.clone(),
        None => run.old.chars().filter_map(plain).collect(),
    });
    Some(text.collect())
}

/// Whether quotes that change in number still open and close in pairs: none of a pair is the file's and the other the
/// model's.
fn is_clear(
    units: &[Unit<'_>],
    start: usize,
    kind: Kind,
    (old, olds): (&[Run], &[usize]),
    (new, news): (&[Run], &[usize]),
) -> bool {
    let is_other = |unit: &Unit<'_>| unit.kind == kind && unit.old != unit.there;
    // An apostrophe in a word is no quote.
    let is_loose = |runs: &[Run], at: usize| {
        let is_word =
            |at: Option<usize>| at.and_then(|at| runs.get(at)).is_some_and(|run| run.kind == Kind::Word);
        kind != Kind::Apostrophe || !is_word(at.checked_sub(1)) || !is_word(Some(at + 1))
    };
    let loose = |runs: &[Run], places: &[usize]| places.iter().filter(|at| is_loose(runs, **at)).count();
    if !units.iter().any(is_other) || loose(new, news) == 0 {
        return true;
    }
    let before = runs(&units[..start]);
    let places: Vec<usize> = (0..before.len()).filter(|at| before[*at].kind == kind).collect();
    let opened: usize =
        places.iter().filter(|at| is_loose(&before, **at)).map(|at| before[*at].old.chars().count()).sum();
    loose(old, olds) == 0 && opened.is_multiple_of(2)
}

/// The characters of a replacement that the file has nowhere, if the model has such where the file has plain ones.
fn foreign(file: &[u8], units: &[Unit<'_>], new: &str) -> HashSet<char> {
    let is_strange = |char: &char| {
        !char.is_ascii() && memchr::memmem::find(file, char.encode_utf8(&mut [0; 4]).as_bytes()).is_none()
    };
    let drifted = units.iter().filter(|unit| unit.old != unit.there && unit.there.is_ascii());
    if drifted.flat_map(|unit| unit.old.chars()).any(|char| is_strange(&char)) {
        new.chars().filter(is_strange).collect()
    } else {
        HashSet::new()
    }
}

#[cfg(test)]
mod tests {
    use super::spelled;

    #[track_caller]
    fn check(there: &str, old: &str, new: &str, expected: Option<&str>) {
        let made = spelled(there.as_bytes(), there.as_bytes(), old, new);
        assert_eq!(made.as_ref().map(|made| made.1.as_str()), expected);
        if let Some((old, _)) = made {
            assert_eq!(old, there);
        }
    }

    #[test]
    fn what_is_shared_is_the_files_and_what_changed_the_models() {
        check("10\u{2013}20", "10-20", "30-40", Some("30\u{2013}40"));
        check("a \u{2014} b", "a - b", "a -- b", Some("a -- b"));
        check("a \u{2014} b", "a - b", "a - c", Some("a \u{2014} c"));
        check("a \u{2014}", "a -", "b --", Some("b --"));
        check("\u{201c}a\u{201d}", "\"a\"", "'a'", Some("'a'"));
        check("\u{201c}a\u{201d}", "\"a\"", "\"b\"", Some("\u{201c}b\u{201d}"));
        check("\u{201c}a\u{201d}", "\"a\"", "\"a\" + \"b\"", Some("\u{201c}a\u{201d} + \"b\""));
        check("\u{201c}ab\u{201d}", "\"ab\"", "\"a\" + \"b\"", None);
        check("a\u{a0}b", "a b", "a  b", Some("a  b"));
        check("cafe\u{301}", "caf\u{e9}", "caf\u{e9}s", Some("cafe\u{301}s"));
        check("cafe\u{301}", "caf\u{e9}", "cafe", Some("cafe"));
        check("x\u{200b}y", "xy", "xz", Some("x\u{200b}z"));
        check("a\u{2026}b", "a...b", "a..b", Some("a..b"));
        check("a\u{2026}b", "a...b", "c...d", Some("c\u{2026}d"));
        check("plain", "plain", "other", None);
    }
}
