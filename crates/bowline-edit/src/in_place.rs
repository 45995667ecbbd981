//! Whether an edit was made before: models repeat themselves, and the second time must neither double a line nor count
//! as a mistake.
//!
//! Saying so wrongly would tell a model that its work is done. So the new text must stand in the file, and nothing may
//! hint that the old one still does.

use std::collections::HashMap;

use crate::distance::Pattern;
use crate::endings::{line_of, lines};
use crate::ladder::{core, split};
use crate::page::{Fold, Page, indent, is_blank};
use crate::search::occurrences;

/// Less than this says too little to be recognised.
const TELLING_CHARS_MIN: usize = 6;
/// How many lines are looked for in other spellings.
const GONE_LINES_MAX: usize = 8;

/// Whether the text at `start`, which is `old`, is already a part of `new`: `new` holds `old`, adds more than white space
/// to it, and stands right there.
pub(crate) fn surrounds(text: &[u8], start: usize, old: &str, new: &str) -> bool {
    ink(new) > ink(old)
        && occurrences(new.as_bytes(), old.as_bytes())
            .into_iter()
            .any(|offset| offset <= start && text[start - offset..].starts_with(new.as_bytes()))
}

/// The same for whole lines, white space aside: the lines from `first` on are those of `old`.
pub(crate) fn surrounds_lines(page: &Page<'_>, first: usize, old: &str, new: &str) -> bool {
    let (old_lines, new_lines) = (split(old.as_bytes()), split(new.as_bytes()));
    let (old_lines, new_lines) = (core(&old_lines), core(&new_lines));
    let same = |one: &[u8], other: &[u8]| Fold::Anywhere.same(one, other);
    ink(new) > ink(old)
        && (0..=new_lines.len().saturating_sub(old_lines.len())).any(|offset| {
            let there = first.checked_sub(offset).filter(|there| there + new_lines.len() <= page.len());
            new_lines[offset..]
                .iter()
                .zip(old_lines)
                .all(|(one, other)| same(one, other) && indent(one) == indent(other))
                && there.is_some_and(|there| {
                    let beside = |at: usize| (new_lines[at], page.line(there + at));
                    (0..new_lines.len()).all(|at| same(beside(at).0, beside(at).1))
                        && is_even(new_lines.len(), beside)
                })
        })
}

/// Whether lines that are equally far in on one side are so on the other.
fn is_even<'l>(count: usize, beside: impl Fn(usize) -> (&'l [u8], &'l [u8])) -> bool {
    let mut there: HashMap<&[u8], &[u8]> = HashMap::new();
    let mut back: HashMap<&[u8], &[u8]> = HashMap::new();
    (0..count).map(beside).filter(|(one, _)| !is_blank(one)).all(|(one, other)| {
        let (one, other) = (indent(one), indent(other));
        *there.entry(one).or_insert(other) == other && *back.entry(other).or_insert(one) == one
    })
}

/// The line where `new` stands although `old` is nowhere.
pub(crate) fn replaced_before(text: &[u8], old: &str, new: &str) -> Option<usize> {
    let core = new.trim_matches('\n');
    if ink(core) < TELLING_CHARS_MIN || old.contains(core) || lingers(text, old, new) {
        return None;
    }
    let [start] = *occurrences(text, core.as_bytes()).as_slice() else { return None };
    let end = start + core.len();
    let apart = whole_lines(text, start, end) || (shares_half(old, core) && whole_words(text, start, end));
    apart.then(|| line_of(text, start))
}

fn ink(text: &str) -> usize {
    text.chars().filter(|char| !char.is_whitespace()).count()
}

/// Whether a line of `old` that `new` does away with still stands in the file, be it with other white space.
fn lingers(text: &[u8], old: &str, new: &str) -> bool {
    let gone: Vec<&str> = old
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !new.lines().any(|other| other.trim() == *line))
        .collect();
    lines(text).any(|line| gone.iter().any(|gone| gone.as_bytes() == line.trim_ascii()))
}

/// The same for a line that is nearly as it was: it may be misspelt in `old`.
pub(crate) fn lingers_nearly(text: &[u8], old: &str, new: &str) -> bool {
    let written: Vec<&str> = new.lines().map(str::trim).collect();
    let gone = old.lines().map(str::trim).filter(|line| !line.is_empty() && !written.contains(line));
    gone.take(GONE_LINES_MAX).any(|gone| {
        let pattern = Pattern::new(gone);
        lines(text).map(<[u8]>::trim_ascii).any(|line| {
            let near = line.len().abs_diff(gone.len()) * 5 <= gone.len();
            near && str::from_utf8(line).is_ok_and(|line| {
                !written.contains(&line) && pattern.distance(&pattern.symbols(line)) * 5 <= pattern.len()
            })
        })
    })
}

/// Whether only white space stands beside the span on its lines.
fn whole_lines(text: &[u8], start: usize, end: usize) -> bool {
    let before = text[..start].rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let after = text[end..].split(|byte| *byte == b'\n').next().unwrap_or_default();
    before.trim_ascii().is_empty() && after.trim_ascii().is_empty()
}

/// Whether the span cuts no word in two.
fn whole_words(text: &[u8], start: usize, end: usize) -> bool {
    let word = |at: Option<&u8>| {
        at.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80)
    };
    let cut = |at: usize| at > 0 && word(text.get(at - 1)) && word(text.get(at));
    !cut(start) && !cut(end)
}

/// Whether at least half of `new` is what it begins and ends with in common with `old`.
fn shares_half(old: &str, new: &str) -> bool {
    let (old, new) = (old.trim().as_bytes(), new.trim().as_bytes());
    let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let left = old.len().min(new.len()) - front;
    let back = old.iter().rev().zip(new.iter().rev()).take(left).take_while(|(a, b)| a == b).count();
    (front + back) * 2 >= new.len()
}

#[cfg(test)]
mod tests {
    use super::{replaced_before, surrounds};

    #[test]
    fn only_a_telling_text_counts() {
        assert_eq!(
            replaced_before(b"fn a() {}\nlet total = 2;\n", "let total = 1;", "let total = 2;"),
            Some(2)
        );
        assert_eq!(replaced_before(b"x = f(limit_b)\n", "f(limit_a)", "f(limit_b)"), Some(1));
        // Too short, a part of what was looked for, or a part of another word.
        assert_eq!(replaced_before(b"a = 2\n", "b", "2"), None);
        assert_eq!(replaced_before(b"count_all\n", "count_all()", "count_all"), None);
        assert_eq!(replaced_before(b"limit_backlog\n", "limit_a", "limit_b"), None);
        // The old line is still there, with other white space.
        assert_eq!(
            replaced_before(b"\treturn None\nreturn Err(e)\n", "  return None", "return Err(e)"),
            None
        );
        // Twice there: which one is it?
        assert_eq!(replaced_before(b"return Err(e)\nreturn Err(e)\n", "return None", "return Err(e)"), None);
    }

    #[test]
    fn an_insertion_made_before_is_seen() {
        let text = b"use a;\nuse b;\n";
        assert!(surrounds(text, 0, "use a;", "use a;\nuse b;"));
        assert!(surrounds(text, 7, "use b;", "use a;\nuse b;"));
        assert!(!surrounds(text, 0, "use a;", "use a;\nuse c;"));
        assert!(!surrounds(text, 0, "use a;", "use a;\n"));
    }
}
