//! Whether a replacement is indented as the file is or as its needle.
//!
//! Lines that needle, file and replacement share tell; where there is none, the outermost line and the width of a level.

use super::step::Step;

/// The indentation of a line that all three share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Anchor<'l> {
    pub(super) needle: &'l [u8],
    pub(super) file: &'l [u8],
    pub(super) new: &'l [u8],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// The replacement is indented as the file is.
    AsWritten,
    /// It is indented as the needle is.
    AsNeedle,
    /// Single lines of the needle drifted.
    PerLine,
    Unknown,
}

/// Whether every line that all three share stands in the replacement as it does in the file, and otherwise in the needle.
pub(super) fn is_as_file(anchors: &[Anchor<'_>]) -> bool {
    anchors.iter().any(|anchor| anchor.needle != anchor.file)
        && anchors.iter().all(|anchor| anchor.new == anchor.file)
}

/// Whether a line that says little stands further in or out than the rule of the others has it: it may be another one.
pub(super) fn is_vague(drift: &[(&[u8], &[u8], bool)]) -> bool {
    let tab = tab_width(drift);
    let width =
        |indent: &[u8]| -> usize { indent.iter().map(|byte| if *byte == b'\t' { tab } else { 1 }).sum() };
    let drift: Vec<(usize, usize, bool)> =
        drift.iter().map(|(needle, file, telling)| (width(needle), width(file), *telling)).collect();
    let fits = |rule: &dyn Fn(usize, usize) -> bool| -> usize {
        drift.iter().filter(|(needle, file, _)| rule(*needle, *file)).count()
    };
    let rules = drift.iter().flat_map(|(needle, file, _)| {
        let (needle, file) = (*needle, *file);
        let moved: Box<dyn Fn(usize, usize) -> bool> = Box::new(move |a, b| a + file == b + needle);
        let scaled: Box<dyn Fn(usize, usize) -> bool> =
            Box::new(move |a, b| a * file == b * needle && (a == 0) == (b == 0));
        [Some(moved), Some(scaled).filter(|_| needle > 0 && file > 0)].into_iter().flatten()
    });
    let Some(best) = rules.max_by_key(|rule| fits(&**rule)) else { return false };
    // The first line may have lost its indentation on its own.
    let lost = usize::from(drift.first().is_some_and(|(needle, file, _)| *needle == 0 && *file > 0));
    drift.iter().skip(lost).filter(|(_, _, telling)| !telling).any(|(needle, file, _)| {
        let rest = drift.iter().skip(lost);
        let mut known = rest.filter(|(other, _, telling)| *telling && other == needle).peekable();
        match known.peek() {
            Some(_) => known.any(|(_, other, _)| other != file),
            None => !best(*needle, *file),
        }
    })
}

/// How many spaces a tab is, by a line that has tabs on one side and spaces on the other.
fn tab_width(drift: &[(&[u8], &[u8], bool)]) -> usize {
    let is_all = |indent: &[u8], kind: u8| !indent.is_empty() && indent.iter().all(|byte| *byte == kind);
    let widths = drift.iter().filter_map(|(needle, file, _)| {
        let (tabs, spaces) = match (is_all(needle, b'\t'), is_all(file, b'\t')) {
            (true, false) if is_all(file, b' ') => (needle.len(), file.len()),
            (false, true) if is_all(needle, b' ') => (file.len(), needle.len()),
            _ => return None,
        };
        spaces.is_multiple_of(tabs).then_some(spaces / tabs)
    });
    widths.min().unwrap_or(1)
}

pub(super) fn is_consistent(drift: &[(&[u8], &[u8])]) -> bool {
    drift.iter().all(|one| drift.iter().all(|other| one.0 != other.0 || one.1 == other.1))
}

#[derive(Clone, Copy)]
pub(super) struct Sides {
    pub(super) needle: Step,
    pub(super) file: Step,
    pub(super) new: Step,
}

/// What is known of a replacement's lines.
#[derive(Clone, Copy)]
pub(super) struct Written<'w> {
    /// The indentation of each that is not blank.
    pub(super) indents: &'w [&'w [u8]],
    /// Whether the first line is the outermost, and each that is deeper than the one before follows one that opens a block.
    pub(super) is_nested: bool,
    /// Whether the first line lost its indentation alone, in the needle.
    pub(super) first_apart: bool,
}

pub(super) fn rule(
    drift: &[(&[u8], &[u8])],
    anchors: &[Anchor<'_>],
    written: Written<'_>,
    sides: Sides,
) -> Rule {
    if drift.iter().all(|(needle, file)| needle == file) {
        return Rule::AsWritten;
    }
    let indents =
        if written.first_apart { written.indents.get(1..).unwrap_or_default() } else { written.indents };
    let new = indents.iter().map(|indent| indent.len()).min();
    let needle = drift.iter().map(|pair| pair.0.len()).min();
    let file = drift.iter().map(|pair| pair.1.len()).min();
    // Further out than anything there, and as far as the needle: it moved with it, if its own nesting makes sense so.
    let is_outer = new == needle && new < file;
    let telling: Vec<&Anchor<'_>> = anchors.iter().filter(|anchor| anchor.needle != anchor.file).collect();
    // One line that lost its indentation: did the others, or are they as they should be?
    if let ([(needle, file)], [_, _, ..]) = (drift, written.indents)
        && needle.is_empty()
        && !file.is_empty()
    {
        return if is_as_file(anchors) { Rule::AsWritten } else { Rule::Unknown };
    }
    // So is an indentation that the needle has, and the file has not.
    let is_strange = |indent: &&&[u8]| {
        drift.iter().any(|(needle, _)| needle == *indent) && !drift.iter().any(|(_, file)| file == *indent)
    };
    let is_deeper = anchors.iter().all(|anchor| anchor.new.len() >= anchor.needle.len());
    let is_moved = is_deeper && (is_outer || indents.iter().any(|indent| is_strange(&indent)));
    if is_moved && written.is_nested && !written.first_apart && !telling.is_empty() {
        return Rule::AsNeedle;
    }
    if is_as_file(anchors) {
        return Rule::AsWritten;
    }
    // Another kind or width of levels, in needle and replacement alike.
    if telling.is_empty() && sides.new == sides.needle && sides.new != sides.file && sides.new != Step::None {
        return Rule::AsNeedle;
    }
    let as_file = telling.iter().filter(|anchor| anchor.new == anchor.file).count();
    let as_needle = telling.iter().filter(|anchor| anchor.new == anchor.needle).count();
    // The outermost line tells, and where it tells nothing the width of a level.
    let (mut like_file, mut like_needle) = (new == file, new == needle);
    if like_file == like_needle && sides.needle != sides.file {
        (like_file, like_needle) =
            (like_file && sides.new == sides.file, like_needle && sides.new == sides.needle);
    }
    match (as_file, as_needle) {
        (0, 0)
            if telling.is_empty()
                && !anchors.is_empty()
                && anchors.iter().all(|anchor| anchor.new == anchor.file) =>
        {
            Rule::PerLine
        }
        // Some as the file, some as the needle: no one rule.
        (1.., 1..) => Rule::Unknown,
        (0, 0) => match (like_file, like_needle) {
            (true, false) => Rule::AsWritten,
            (false, true) => Rule::AsNeedle,
            _ => Rule::Unknown,
        },
        (1.., 0) if like_file || !like_needle && as_file == telling.len() => Rule::AsWritten,
        (0, 1..) if like_needle || !like_file && as_needle == telling.len() => Rule::AsNeedle,
        _ => Rule::Unknown,
    }
}

/// Whether a line opens a block.
pub(super) fn opens(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    matches!(line.last(), Some(b':' | b'{' | b'(' | b'[' | b',' | b'=' | b'>' | b'\\'))
        || [b"then".as_slice(), b"do", b"else", b"begin", b"try"].iter().any(|word| line.ends_with(word))
}

/// Whether the needle has no nesting at all.
pub(super) fn is_flat(drift: &[(&[u8], &[u8])]) -> bool {
    drift.iter().all(|(needle, _)| *needle == drift[0].0)
}
