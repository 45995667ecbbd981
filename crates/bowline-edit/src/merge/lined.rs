//! An edit as lines beside the lines of the file that it is about.

use std::borrow::Cow;
use std::ops::Range;

use crate::ladder::{Edges, Fit, Found, core, split};
use crate::page::{Page, indent, is_blank};

/// The lines of needle and replacement, and for each of the needle's the line of the file.
pub(crate) struct Lined<'l> {
    pub(crate) needle: Vec<Cow<'l, [u8]>>,
    pub(crate) replacement: Vec<Cow<'l, [u8]>>,
    pub(crate) pairs: Vec<Option<usize>>,
    /// The lines of the file from the first to the last that has a pair.
    pub(crate) lines: Range<usize>,
    /// How many blank lines of the needle were left out of account, above and below.
    pub(crate) ignored: (usize, usize),
}

impl<'l> Lined<'l> {
    pub(crate) fn new(page: &Page<'_>, found: &'l Found<'_>, fit: &Fit) -> Lined<'l> {
        let (old, new) = (found.old.as_bytes(), found.new.as_bytes());
        match fit {
            Fit::Exact(span) | Fit::Within(span) => within(page, span, old, new),
            Fit::Window(first) => {
                let (needle, replacement) = texts(old, new, found.edges);
                let ignored = ignored(old, found.edges);
                let lines = *first..first + needle.len();
                let pairs = lines.clone().map(Some).collect();
                Lined { needle: borrowed(needle), replacement: borrowed(replacement), pairs, lines, ignored }
            }
            Fit::Aligned(pairs) => {
                let (needle, replacement) = texts(old, new, found.edges);
                let first = pairs.iter().flatten().min().copied().unwrap_or(0);
                let last = pairs.iter().flatten().max().map_or(first, |last| last + 1);
                let (needle, replacement) = (borrowed(needle), borrowed(replacement));
                let ignored = ignored(old, found.edges);
                Lined { needle, replacement, pairs: pairs.clone(), lines: first..last, ignored }
            }
        }
    }
}

fn ignored(old: &[u8], edges: Edges) -> (usize, usize) {
    let lines = split(old);
    match edges {
        Edges::Kept => (0, 0),
        Edges::Ignored => (
            lines.iter().take_while(|line| is_blank(line)).count(),
            lines.iter().rev().take_while(|line| is_blank(line)).count(),
        ),
    }
}

fn borrowed(lines: Vec<&[u8]>) -> Vec<Cow<'_, [u8]>> {
    lines.into_iter().map(Cow::Borrowed).collect()
}

/// An edit within lines becomes one of these lines: what stands before and after it joins both texts.
fn within<'l>(page: &Page<'_>, span: &Range<usize>, old: &[u8], new: &[u8]) -> Lined<'l> {
    let (first, last) = (page.line_at(span.start), page.line_at(span.end));
    let lines = first..last + 1;
    let whole = page.span(&lines);
    let before = &page.text[whole.start..span.start];
    let after = page.text.get(span.end..whole.end).unwrap_or_default();
    let needle = [before, old, after].concat();
    let indented = is_indented_as_file(before, old, new);
    let replacement = if indented { [new, after].concat() } else { [before, new, after].concat() };
    // Past the final line break there is no line.
    let ends = span.end == page.text.len() && page.text.ends_with(b"\n");
    let [needle, replacement] = [needle, replacement].map(|text| {
        let text = text.strip_suffix(b"\n").filter(|_| ends).unwrap_or(&text);
        let lines = text.split(|byte| *byte == b'\n').map(|line| Cow::Owned(line.to_vec()));
        lines.collect::<Vec<Cow<'_, [u8]>>>()
    });
    let pairs = (0..needle.len()).map(|at| Some(first + at).filter(|line| *line < page.len())).collect();
    Lined { needle, replacement, pairs, lines, ignored: (0, 0) }
}

/// Whether the needle's first line lacks a part of its indentation, `before`, and the replacement's first line has it:
/// putting one after the other would indent it twice.
pub(crate) fn is_indented_as_file(before: &[u8], old: &[u8], new: &[u8]) -> bool {
    let (old_indent, new_indent) = (indent(old), indent(new));
    !before.is_empty()
        && is_blank(before)
        && new_indent == [before, old_indent].concat()
        && old.trim_ascii() != new.trim_ascii()
}

/// Both texts as whole lines. A line break at the end of either belongs to its last line: a needle that is not found as it
/// is may have lost its own.
pub(crate) fn texts<'l>(old: &'l [u8], new: &'l [u8], edges: Edges) -> (Vec<&'l [u8]>, Vec<&'l [u8]>) {
    let needle = split(old);
    let replacement: Vec<&[u8]> = if new.is_empty() { Vec::new() } else { split(new) };
    if edges == Edges::Kept {
        return (needle, replacement);
    }
    let front = needle.iter().take_while(|line| is_blank(line)).count();
    let back = needle.iter().rev().take_while(|line| is_blank(line)).count();
    let blank = |count: usize, of: usize| count.min(of);
    let new_front = blank(front, replacement.iter().take_while(|line| is_blank(line)).count());
    let rest = &replacement[new_front..];
    let new_back = blank(back, rest.iter().rev().take_while(|line| is_blank(line)).count());
    (core(&needle).to_vec(), rest[..rest.len() - new_back].to_vec())
}
