//! What stands beside an exact place: it must not be there twice afterwards, nor be left behind.
//!
//! A needle that stands in the file byte for byte may still have lost something on its way: its indentation, the end of its
//! line, the line above. Then it is the replacement that shows it.

use std::ops::Range;

use crate::artefacts::broken;
use crate::ladder::split;
use crate::merge::Conflict;
use crate::page::{Page, indent, is_blank, is_telling};

/// What speaks against putting `new` in the place of `old` as it is.
pub(crate) fn conflict(page: &Page<'_>, span: &Range<usize>, old: &str, new: &str) -> Option<Conflict> {
    let first = page.line_at(span.start);
    let before = &page.text[page.start(first)..span.start];
    let ends_line = page.text[..span.end].ends_with(b"\n");
    let after = page.text[span.end..].split(|byte| *byte == b'\n').next().filter(|_| !ends_line);
    let after = after.unwrap_or_default();
    let line = first + 1;
    if is_left_behind(before, old, new) {
        return Some(Conflict::Indent { line });
    }
    let (Ok(head), Ok(rest)) = (str::from_utf8(before), str::from_utf8(after)) else { return None };
    let last = page.line_at(span.end.saturating_sub(1));
    let (head, rest) = (head.trim(), rest.trim());
    let is_again = |part: &str, line: usize| !part.is_empty() && has_line(page.line(line), old, new);
    if begins_again(head, old, new)
        || ends_again(rest, old, new)
        || is_again(head, first)
        || is_again(rest, last)
        || is_closed_again(rest, old, new)
    {
        return Some(Conflict::Doubled { line });
    }
    let lines = first..page.line_at(span.end.saturating_sub(1)) + 1;
    let doubled = doubled_line(page, &lines, (is_blank(before), is_blank(after)), old, new);
    doubled.map(|line| Conflict::Unmentioned { line: line + 1 })
}

/// Whether the needle begins after its line's indentation, and the replacement is written as if there was none, or another.
fn is_left_behind(before: &[u8], old: &str, new: &str) -> bool {
    let is_bare = |text: &str| text.starts_with(|char: char| !char.is_whitespace());
    if before.is_empty() || !is_blank(before) || !is_bare(old) || new.trim().is_empty() {
        return false;
    }
    if new.starts_with([' ', '\t']) && old.trim() != new.trim() {
        return true;
    }
    let inked = |text: &'_ str| -> Vec<Vec<u8>> {
        let lines = text.split('\n').skip(1).filter(|line| !line.trim().is_empty());
        lines.map(|line| line.as_bytes().to_vec()).collect()
    };
    let (old_lines, new_lines) = (inked(old), inked(new));
    // The line that takes the first one's place stood further out.
    let first = new.split('\n').next().unwrap_or_default().trim_end().as_bytes();
    let is_old_first = old.as_bytes().starts_with(first);
    let is_first = |line: &&Vec<u8>| line.trim_ascii() == first && indent(line).len() < before.len();
    if !is_old_first && old_lines.iter().any(|line| is_first(&line)) {
        return true;
    }
    let floor = old_lines.iter().map(|line| indent(line).len()).chain([before.len()]).min().unwrap_or(0);
    // A directive stands at the margin, and so may the lines of a string, and what comes after the end of a block.
    let is_directive = |line: &[u8]| matches!(line, [b'#', next, ..] if next.is_ascii_alphabetic());
    let is_out = |line: &Vec<u8>| indent(line).len() < floor && !is_directive(line);
    let is_open =
        |line: &str| ["\"\"\"", "'''", "`"].iter().any(|quotes| line.matches(quotes).count() % 2 == 1);
    let is_string = new.contains("<<") || new.contains("\\\n") || new.split('\n').any(is_open);
    let stays = new_lines.iter().any(|line| is_telling(line) && old_lines.contains(line));
    new_lines.iter().any(is_out) && !stays && !is_string && !closes_more(old, new)
}

/// Whether a text closes a bracket that it does not open, and the other does not.
fn closes_more(old: &str, new: &str) -> bool {
    let least = |text: &str| {
        let mut depth = 0_isize;
        text.chars().fold(0, |least, char| {
            depth += match char {
                '(' | '[' | '{' => 1,
                ')' | ']' | '}' => -1,
                _ => 0,
            };
            least.min(depth)
        })
    };
    least(new) < least(old)
}

/// Whether the replacement begins with what stands before the needle in its line.
fn begins_again(head: &str, old: &str, new: &str) -> bool {
    let (old, new) = (old.trim_start(), new.trim_start());
    !head.is_empty()
        && new.strip_prefix(head).is_some_and(|more| !(ends_in_word(head) && begins_with_word(more)))
        && !old.starts_with(head)
        && !is_balanced(head, old, new)
}

/// Whether the replacement ends with what stands after the needle in its line.
fn ends_again(rest: &str, old: &str, new: &str) -> bool {
    let (old, new) = (old.trim_end(), new.trim_end());
    !rest.is_empty()
        && new.strip_suffix(rest).is_some_and(|less| !(ends_in_word(less) && begins_with_word(rest)))
        && !old.ends_with(rest)
        && !is_balanced(rest, old, new)
}

/// Whether the replacement has a whole line of which the needle is a part.
fn has_line(line: &[u8], old: &str, new: &str) -> bool {
    let has = |text: &str| text.split('\n').any(|own| own.trim().as_bytes() == line.trim_ascii());
    is_telling(line) && has(new) && !has(old)
}

/// Whether the replacement closes a bracket or a quote that the needle leaves open, and that is closed after it in the line.
fn is_closed_again(rest: &str, old: &str, new: &str) -> bool {
    let left = |text: &str, open: char, close: char| match open == close {
        true => text.matches(open).count() as isize % 2,
        false => text.matches(open).count() as isize - text.matches(close).count() as isize,
    };
    let pairs = [('(', ')'), ('[', ']'), ('{', '}'), ('"', '"')];
    let pair = pairs.into_iter().find(|(_, close)| rest.starts_with(*close));
    pair.is_some_and(|(open, close)| left(old, open, close) == 1 && left(new, open, close) == 0)
        && !new.trim().is_empty()
}

fn begins_with_word(text: &str) -> bool {
    text.starts_with(|char: char| char.is_alphanumeric() || char == '_')
}

fn ends_in_word(text: &str) -> bool {
    text.ends_with(|char: char| char.is_alphanumeric() || char == '_')
}

/// Whether a part is brackets and quotes alone, and needle and replacement leave as many of them open.
fn is_balanced(part: &str, old: &str, new: &str) -> bool {
    let open = |text: &str| {
        let count = |char: char| text.matches(char).count() as isize;
        let brackets = [('(', ')'), ('[', ']'), ('{', '}')].map(|(one, other)| count(one) - count(other));
        (brackets, ['"', '\'', '`'].map(|quote| count(quote) % 2))
    };
    part.chars().all(|char| "()[]{}\"'`".contains(char)) && open(old) == open(new)
}

/// The line above or below, which stands in the file once, and which the replacement has at that end and the needle has not.
fn doubled_line(
    page: &Page<'_>,
    lines: &Range<usize>,
    whole: (bool, bool),
    old: &str,
    new: &str,
) -> Option<usize> {
    let (old, new) = (split(old.as_bytes()), split(new.as_bytes()));
    let inked = |line: &&&[u8]| !is_blank(line);
    if new.iter().filter(inked).count() <= old.iter().filter(inked).count() {
        // As many lines as before: one may well be made like its neighbour.
        return None;
    }
    let is_old = |line: &[u8]| old.iter().any(|old| old.trim_ascii() == line.trim_ascii());
    let is_same = |line: usize, new: Option<&&[u8]>| {
        let there = page.line(line).trim_ascii();
        is_telling(there)
            && new.is_some_and(|new| new.trim_ascii() == there)
            && !is_old(there)
            && page.lines().filter(|line| line.trim_ascii() == there).count() == 1
    };
    let above = lines.start.checked_sub(1).filter(|_| whole.0);
    let below = Some(lines.end).filter(|line| whole.1 && *line < page.len());
    let is_kept = |line: &&[u8]| !is_blank(line) && is_old(line);
    let first = new.iter().position(is_kept).unwrap_or(new.len());
    let last = new.iter().rposition(is_kept).map_or(0, |last| last + 1);
    above
        .filter(|line| is_same(*line, new[..first].iter().find(inked)))
        .or_else(|| below.filter(|line| is_same(*line, new[last..].iter().rfind(inked))))
}

/// Whether a replacement of one line has line breaks written out: what follows one is indented as the needle's line is, or is
/// the needle again.
pub(crate) fn is_written_out(page: &Page<'_>, span: &Range<usize>, old: &str, new: &str) -> bool {
    if !new.contains("\\n") || old.contains("\\n") || [old, new].iter().any(|text| text.trim().contains('\n'))
    {
        return false;
    }
    let line = page.line(page.line_at(span.start));
    let there = indent(line);
    let is_whole = line.trim_ascii() == old.trim().as_bytes();
    let bare = |part: &'_ str| part.trim_start_matches("\\t").trim().to_owned();
    if is_whole && new.split("\\n").skip(1).any(|part| bare(part) == old.trim()) {
        return true;
    }
    let Some(made) = broken(new) else { return false };
    let lines: Vec<&str> = made.trim_matches('\n').split('\n').collect();
    let is_indented = |line: &&str| {
        let own = indent(line.as_bytes());
        !own.is_empty() && own.starts_with(there) && !line.trim().is_empty()
    };
    let is_tabbed = |line: &&str| line.starts_with("\\t") && there.starts_with(b"\t");
    lines.iter().skip(1).any(|line| is_indented(line) || is_tabbed(line))
}
