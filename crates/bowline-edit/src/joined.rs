//! A needle that lost its line breaks on the way: several lines of the file, white space aside, in one.

use std::borrow::Cow;

use crate::diff::common;
use crate::gist::loose_gist;
use crate::ladder::{Edges, Fit, Found, Sheet, ended_as};
use crate::merge::placed;
use crate::page::{Page, ink, is_blank};
use crate::rung::Rung;
use crate::search::occurrences;
use crate::tokens::{Token, tokens};

/// Less says too little about where it stands.
const INK_MIN: usize = 8;

/// The places of whole lines that the needle is without their line breaks. The needle found is the file's own text, with
/// its line breaks, and those that the replacement lost with it are put back.
pub(crate) fn find<'e>(sheet: &Sheet<'_>, old: &'e str, new: &'e str) -> Option<Found<'e>> {
    let needle: Vec<u8> = ink(old.as_bytes()).copied().collect();
    if old.trim().contains('\n') || needle.len() < INK_MIN {
        return None;
    }
    let page = &sheet.page;
    let text: Vec<u8> = ink(page.text).copied().collect();
    let starts = occurrences(&text, &needle);
    if starts.is_empty() {
        return None;
    }
    let edges = Borders::new(page);
    let windows: Vec<(usize, usize)> = starts
        .into_iter()
        .filter_map(|start| edges.window(start, start + needle.len()))
        .filter(|(first, last)| last > first)
        .filter(|(first, last)| {
            loose_gist(&page.text[page.span(&(*first..last + 1))]).eq(loose_gist(old.as_bytes()))
        })
        .collect();
    let (first, last) = *windows.first()?;
    let there = String::from_utf8(page.text[page.span(&(first..last + 1))].to_vec()).ok()?;
    let new =
        if new.trim().contains('\n') { placed(page, &there, new)? } else { broken_again(&there, old, new)? };
    let new = ended_as(&there, Cow::Owned(new));
    let fits = windows.into_iter().map(|(first, _)| Fit::Window(first)).collect();
    Some(Found {
        rung: Rung::Artefact,
        old: Cow::Owned(there),
        new,
        edges: Edges::Kept,
        fits,
        similarity: 1.0,
    })
}

/// Which line begins or ends after so many bytes that are no white space.
struct Borders {
    /// For each line that is not blank: its number, and how much stands before it and up to its end.
    lines: Vec<(usize, usize, usize)>,
}

impl Borders {
    fn new(page: &Page<'_>) -> Borders {
        let mut before = 0;
        let mut lines = Vec::new();
        for (number, line) in page.lines().enumerate().filter(|(_, line)| !is_blank(line)) {
            let after = before + ink(line).count();
            lines.push((number, before, after));
            before = after;
        }
        Borders { lines }
    }

    /// The first and the last line between two counts, where both are borders.
    fn window(&self, start: usize, end: usize) -> Option<(usize, usize)> {
        let first = self.lines.binary_search_by_key(&start, |line| line.1).ok()?;
        let last = self.lines.binary_search_by_key(&end, |line| line.2).ok()?;
        Some((self.lines[first].0, self.lines[last].0))
    }
}

/// The replacement with the line breaks of the file between what it took over; none where it is not clear on which side of
/// a line break something new belongs.
fn broken_again(there: &str, old: &str, new: &str) -> Option<String> {
    let file: Vec<(&str, Token<'_>)> = inked(there);
    let needle = inked(old);
    if file.len() != needle.len() || file.iter().zip(&needle).any(|(one, other)| one.1 != other.1) {
        return None;
    }
    let written = inked(new);
    let words =
        |tokens: &[(&str, Token<'_>)]| tokens.iter().map(|token| token.1.to_string()).collect::<Vec<_>>();
    let pairs = common(&words(&needle), &words(&written));
    // Something new before the first token or after the last stands on a border, too.
    let opens = pairs.first().is_some_and(|pair| pair.0 == 0 && pair.1 > 0);
    let ends = pairs.last().is_some_and(|pair| pair.0 + 1 == file.len() && pair.1 + 1 < written.len());
    if opens || ends || slides(&file, &written, &pairs) {
        return None;
    }
    let mut made = String::new();
    for (at, (space, token)) in written.iter().enumerate() {
        let here = pairs.iter().find(|pair| pair.1 == at).map(|pair| pair.0);
        let before = at.checked_sub(1).map(|at| pairs.iter().find(|pair| pair.1 == at).map(|pair| pair.0));
        let breaks = |index: usize| index > 0 && file[index].0.contains('\n');
        match (before, here) {
            (None | Some(Some(_)), Some(here)) if breaks(here) => {
                if before.flatten().is_some_and(|before| before + 1 != here) {
                    return None;
                }
                made.push_str(file[here].0);
            }
            // Something new on a border of two lines.
            (Some(None), Some(here)) if breaks(here) => return None,
            (Some(Some(before)), None) if before + 1 < file.len() && breaks(before + 1) => return None,
            _ => made.push_str(space),
        }
        made.push_str(token);
    }
    let indent = there.len() - there.trim_start().len();
    Some(format!("{}{}", &there[..indent], made.trim_start()))
}

/// Whether something new may as well begin or end at a line break: its tokens are also those beside it.
fn slides(file: &[(&str, Token<'_>)], written: &[(&str, Token<'_>)], pairs: &[(usize, usize)]) -> bool {
    let of = |at: usize| pairs.iter().find(|pair| pair.1 == at).map(|pair| pair.0);
    let breaks = |index: usize| index == 0 || file.get(index).is_none_or(|(space, _)| space.contains('\n'));
    let mut from = 0;
    while from < written.len() {
        let to = (from..written.len()).find(|at| of(*at).is_some()).unwrap_or(written.len());
        let (mut start, mut end) = (from, to);
        while from < to && start > 0 && written[start - 1].1 == written[end - 1].1 {
            (start, end) = (start - 1, end - 1);
            if of(start).is_some_and(breaks) {
                return true;
            }
        }
        let (mut start, mut end) = (from, to);
        while from < to && end < written.len() && written[start].1 == written[end].1 {
            (start, end) = (start + 1, end + 1);
            if of(end - 1).is_some_and(|index| breaks(index + 1)) {
                return true;
            }
        }
        from = to + 1;
    }
    false
}

/// The tokens that are no white space, each with the white space before it.
fn inked(text: &str) -> Vec<(&str, Token<'_>)> {
    let mut inked = Vec::new();
    let mut space = "";
    for token in tokens(text) {
        if token.trim().is_empty() {
            space = token;
        } else {
            inked.push((space, token));
            space = "";
        }
    }
    inked
}
