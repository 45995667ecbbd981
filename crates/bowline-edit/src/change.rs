//! A span of the file and the bytes that take its place.
//!
//! Inserted lines end as their neighbours do, and the state of the final line break stays as it was.

use std::ops::Range;

use crate::endings::{Ending, Equalised, bom_len};
use crate::merge::Out;
use crate::page::Page;

/// One span of the base and what takes its place.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    pub(crate) span: Range<usize>,
    pub(crate) bytes: Vec<u8>,
    /// The index of its edit.
    pub(crate) edit: usize,
}

/// Whether `new` can be written in the file's encoding: ASCII can in nearly all, and a file that is not UTF-8 takes what
/// it has shown to hold.
pub(crate) fn encodable(content: &[u8], old: &str, new: &str) -> bool {
    if content.starts_with(b"\xff\xfe") || content.starts_with(b"\xfe\xff") {
        return false;
    }
    let foreign = new.chars().any(|char| !char.is_ascii() && !old.contains(char));
    !foreign || std::str::from_utf8(content).is_ok()
}

/// The change at one place, without the whole lines that `old` and `new` begin and end with in common.
pub(crate) fn change(
    base: &[u8],
    body: &Equalised<'_>,
    span: &Range<usize>,
    (old, new): (&str, &str),
    edit: usize,
) -> Change {
    let (front, back) = common_lines(old, new);
    let span = body.original(span.start + front)..body.original(span.end - back);
    let (old, new) = (&old[front..old.len() - back], &new[front..new.len() - back]);
    let ending = Ending::around(base, &span);
    let mut bytes = ending.applied_to(new);
    if span.end == base.len() {
        keep_final_break(base, &span, &mut bytes, ending, (old, new));
    }
    Change { span, bytes, edit }
}

/// A change that reaches the end of the file leaves a final line break, or its absence, as it was, unless that is all it
/// is about.
fn keep_final_break(
    base: &[u8],
    span: &Range<usize>,
    bytes: &mut Vec<u8>,
    ending: Ending,
    (old, new): (&str, &str),
) {
    if base.ends_with(b"\n") {
        let about_it = old.strip_suffix('\n') == Some(new);
        let last = bytes.last().or_else(|| base[bom_len(base).min(span.start)..span.start].last());
        if !about_it && last.is_some_and(|byte| *byte != b'\n') {
            bytes.extend_from_slice(ending.bytes());
        }
    } else if bytes.ends_with(ending.bytes()) && new.strip_suffix('\n') != Some(old) {
        bytes.truncate(bytes.len() - ending.bytes().len());
    }
}

/// How many bytes of whole lines two texts begin and end with in common.
fn common_lines(old: &str, new: &str) -> (usize, usize) {
    let (a, b) = (old.as_bytes(), new.as_bytes());
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let front = a[..same].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let (a, b) = (&a[front..], &b[front..]);
    let same = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let opens_line = |text: &[u8]| text.len() == same || text[text.len() - same - 1] == b'\n';
    if opens_line(a) && opens_line(b) {
        return (front, same);
    }
    let tail = &a[a.len() - same..];
    (front, tail.iter().position(|byte| *byte == b'\n').map_or(0, |at| same - at - 1))
}

/// The changes that make whole lines of the body into others. Lines that stay are no part of them.
pub(crate) fn line_changes(
    base: &[u8],
    body: &Equalised<'_>,
    page: &Page<'_>,
    (lines, out): (&Range<usize>, Vec<Out>),
    edit: usize,
) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut from = lines.start;
    let mut new: Vec<Vec<u8>> = Vec::new();
    for out in out.into_iter().map(Some).chain([None]) {
        let to = match out {
            Some(Out::New(line)) => {
                new.push(line);
                continue;
            }
            Some(Out::Keep(line)) => line,
            None => lines.end,
        };
        changes.extend(hunk(base, body, page, from..to.max(from), &new));
        new.clear();
        from = to.max(from) + 1;
    }
    changes.into_iter().map(|(span, bytes)| Change { span, bytes, edit }).collect()
}

fn hunk(
    base: &[u8],
    body: &Equalised<'_>,
    page: &Page<'_>,
    lines: Range<usize>,
    new: &[Vec<u8>],
) -> Option<(Range<usize>, Vec<u8>)> {
    let old: Vec<&[u8]> = lines.clone().map(|line| page.line(line)).collect();
    let front = old.iter().zip(new).take_while(|(old, new)| *old == new).count();
    let left = old.len().min(new.len()) - front;
    let back = old.iter().rev().zip(new.iter().rev()).take(left).take_while(|(old, new)| *old == new).count();
    let lines = lines.start + front..lines.end - back;
    let new = &new[front..new.len() - back];
    if lines.is_empty() && new.is_empty() {
        return None;
    }
    let mut span = body.original(page.start(lines.start))..body.original(page.start(lines.end));
    let ending = Ending::around(base, &span).bytes();
    let mut bytes: Vec<u8> = new.iter().flat_map(|line| [line, ending].concat()).collect();
    if span.end == base.len() && !base.is_empty() && !base.ends_with(b"\n") {
        if lines.is_empty() {
            bytes.splice(0..0, ending.iter().copied());
        } else if new.is_empty() && lines.start > 0 {
            span.start = body.original(page.start(lines.start) - 1);
        }
        if bytes.ends_with(ending) {
            bytes.truncate(bytes.len() - ending.len());
        }
    }
    Some((span, bytes))
}
