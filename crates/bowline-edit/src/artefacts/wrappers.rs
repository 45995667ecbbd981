//! What stands around a text as a whole: a code fence, `CDATA`, the marks of a search and replace block, a path above it.

use std::borrow::Cow;

use super::{Claim, Cleaning};

/// One inside another, no more.
const LAYERS_MAX: usize = 3;

/// Without all that stands around it.
pub(super) fn without<'e>(edit: &Cleaning<'e>) -> Option<Cleaning<'e>> {
    let peel = |edit: &Cleaning<'e>| {
        let around = |inside: fn(&str) -> Option<&str>| both_inside(edit, inside);
        around(inside_fence)
            .or_else(|| around(inside_cdata))
            .or_else(|| without_block_marks(edit))
            .or_else(|| without_path(edit))
    };
    std::iter::successors(peel(edit), peel).take(LAYERS_MAX).last()
}

/// A replacement that stands in none of its own stays.
fn both_inside<'e>(edit: &Cleaning<'e>, inside: fn(&str) -> Option<&str>) -> Option<Cleaning<'e>> {
    let old = inside(&edit.old)?.to_owned();
    let new = inside(&edit.new).map_or_else(|| edit.new.clone(), |new| Cow::Owned(new.to_owned()));
    Some(Cleaning { old: Cow::Owned(old), new, claim: edit.claim })
}

fn inside_fence(text: &str) -> Option<&str> {
    let text = text.trim_matches('\n');
    let (open, rest) = text.split_once('\n')?;
    let mark = ["```", "~~~"].into_iter().find(|mark| open.trim_start().starts_with(mark))?;
    // The line that opens a fence holds a language at most.
    if open.trim().trim_start_matches(['`', '~']).contains([' ', '`']) {
        return None;
    }
    if rest.trim() == mark {
        return Some("");
    }
    let (inside, close) = rest.rsplit_once('\n')?;
    (close.trim() == mark).then_some(inside)
}

fn inside_cdata(text: &str) -> Option<&str> {
    let inside = text.trim().strip_prefix("<![CDATA[")?.strip_suffix("]]>")?;
    (!inside.contains("]]>")).then(|| inside.strip_prefix('\n').unwrap_or(inside))
}

/// Without the lines that open and close the halves of a search and replace block. A row of `=` alone may be a heading's.
fn without_block_marks<'e>(edit: &Cleaning<'e>) -> Option<Cleaning<'e>> {
    let opens = |line: &str| is_mark(line, &['<', '-'], "SEARCH");
    let closes = |line: &str| is_mark(line, &['>', '+'], "REPLACE");
    let parts = |line: &str| is_mark(line, &['='], "");
    let marked = |text: &str| {
        let lines: Vec<&str> = text.trim_matches('\n').split('\n').collect();
        lines.iter().any(|line| opens(line) || closes(line))
    };
    if !marked(&edit.old) && !marked(&edit.new) {
        return None;
    }
    let bare = |text: &str, first: &dyn Fn(&str) -> bool, last: &dyn Fn(&str) -> bool| {
        let mut lines: Vec<&str> = text.trim_matches('\n').split('\n').collect();
        lines.drain(..usize::from(lines.first().is_some_and(|line| first(line))));
        let end = lines.len() - usize::from(lines.last().is_some_and(|line| last(line)));
        lines.truncate(end);
        // Both halves in one text: it is not this edit.
        let is_clean = !lines.iter().any(|line| opens(line) || closes(line));
        is_clean.then(|| lines.join("\n"))
    };
    let old = bare(&edit.old, &opens, &parts)?;
    let new = bare(&edit.new, &parts, &closes)?;
    (old.trim_matches('\n') != edit.old.trim_matches('\n'))
        .then(|| Cleaning::new(old, new).claiming(Claim::Lines))
}

fn is_mark(line: &str, signs: &[char], word: &str) -> bool {
    let rest = line.trim_start_matches(signs);
    let count = line.len() - rest.len();
    (5..=9).contains(&count) && rest.trim() == word
}

/// Without a path above both texts. One above the needle alone may be a line that is to go.
fn without_path<'e>(edit: &Cleaning<'e>) -> Option<Cleaning<'e>> {
    let (path, old) = edit.old.split_once('\n')?;
    let (other, new) = edit.new.split_once('\n')?;
    (is_path(path) && path == other)
        .then(|| Cleaning::new(old.to_owned(), new.to_owned()).claiming(Claim::Lines))
}

fn is_path(line: &str) -> bool {
    let line = line.trim_end_matches(':');
    let Some((stem, extension)) = line.rsplit_once('.') else { return false };
    let plain = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.' | '/' | '\\');
    !stem.is_empty()
        && line.chars().all(plain)
        && (1..=5).contains(&extension.len())
        && extension.chars().all(|char| char.is_ascii_alphanumeric())
}
