//! `--` for an em dash or an en dash, and the other way round.
//!
//! `--` is an operator and opens options and comments, so it is taken for a dash only where the file has one.

use super::{Claim, Cleaning};
use crate::canonical::look;

const EM: char = '\u{2014}';
const EN: char = '\u{2013}';

/// With each `--` of the needle as a dash.
pub(super) fn drawn<'e>(edit: &Cleaning<'e>) -> Option<Cleaning<'e>> {
    let places = typed_places(&edit.old);
    if places.is_empty() || edit.old.contains([EM, EN]) {
        return None;
    }
    // One of the replacement is that of the needle if the same word stands before or after it; else nobody knows.
    let beside: Vec<(&str, &str)> = places.iter().map(|at| words_beside(&edit.old, *at)).collect();
    let is_known = |at: &usize| {
        let (before, after) = words_beside(&edit.new, *at);
        beside.iter().any(|(one, other)| {
            (before == *one && !before.is_empty()) || (after == *other && !after.is_empty())
        })
    };
    let repeated = typed_places(&edit.new);
    repeated.iter().all(is_known).then(|| {
        Cleaning::new(replaced(&edit.old, &places), replaced(&edit.new, &repeated)).claiming(Claim::Dashes)
    })
}

/// With each dash of the needle as `--`.
pub(super) fn typed<'e>(edit: &Cleaning<'e>) -> Option<Cleaning<'e>> {
    let typed = |text: &str| text.replace([EM, EN], "--");
    let is_mixed = edit.new.contains([EM, EN]) && edit.new.contains("--");
    (edit.old.contains([EM, EN]) && !is_mixed).then(|| Cleaning::new(typed(&edit.old), typed(&edit.new)))
}

/// Whether the file has a dash wherever the needle has one.
pub(super) fn are_there(old: &str, there: &[u8]) -> bool {
    let Ok(there) = str::from_utf8(there) else { return false };
    let dashes = |text: &str| text.chars().filter(|char| look(*char) == Some('-')).collect::<Vec<char>>();
    let (old, there) = (dashes(old), dashes(there));
    old.len() == there.len()
        && old.iter().zip(&there).all(|(one, other)| *one != EM || matches!(*other, EM | EN))
}

/// Where exactly two hyphens stand together.
fn typed_places(text: &str) -> Vec<usize> {
    let is_alone = |at: &usize| !text[..*at].ends_with('-') && !text[at + 2..].starts_with('-');
    text.match_indices("--").map(|(at, _)| at).filter(is_alone).collect()
}

/// The words of the same line right before and after, a space between aside.
fn words_beside(text: &str, at: usize) -> (&str, &str) {
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    let before = text[..at].trim_end_matches(' ');
    let after = text[at + 2..].trim_start_matches(' ');
    let start = before.char_indices().rev().take_while(|(_, char)| is_word(*char)).last();
    let end = after.find(|char| !is_word(char)).unwrap_or(after.len());
    (start.map_or("", |(start, _)| &before[start..]), &after[..end])
}

fn replaced(text: &str, places: &[usize]) -> String {
    let mut made = String::with_capacity(text.len());
    let mut from = 0;
    for at in places {
        made.push_str(&text[from..*at]);
        made.push(EM);
        from = at + 2;
    }
    made + &text[from..]
}
