//! Lines with their numbers, as `view_file` shows them: `12| text`.
//!
//! The gutter is all that is added, so that what stands after it can be copied. Only LF and CRLF end lines.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

pub(super) const LINE_CHARS_MAX: usize = 2_000;

/// A line for the model, and whether some of it could not be shown as it is.
pub(super) struct Shown<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) lossy: bool,
}

/// A line without its ending. `length_bytes` is how long it really is, where `line` is only its beginning.
pub(super) fn shown(line: &[u8], length_bytes: u64) -> Shown<'_> {
    let whole = length_bytes == line.len() as u64;
    let line = if whole { line.strip_suffix(b"\r").unwrap_or(line) } else { line };
    let text = String::from_utf8_lossy(line);
    // A character cut in two at the end of a beginning is no sign of another encoding.
    let checked = if whole { line } else { line.get(..line.len().saturating_sub(4)).unwrap_or_default() };
    let lossy = std::str::from_utf8(checked).is_err_and(|error| whole || error.error_len().is_some());
    let Some((at, _)) = text.char_indices().nth(LINE_CHARS_MAX) else { return Shown { text, lossy } };
    let cut = text.get(..at).unwrap_or_default();
    Shown { text: Cow::Owned(format!("{cut}… [line cut: {length_bytes} bytes]")), lossy }
}

/// Appends `12| text` and a line break.
pub(super) fn push(out: &mut String, number: usize, line: &str) {
    let _ = writeln!(out, "{number}| {line}");
}

/// Lines of a content, groups of them divided by `…`, with the ranges merged where they meet. At most `lines_max` are
/// shown; gives the number of those left out.
pub(super) fn excerpt(
    out: &mut String,
    content: &[u8],
    ranges: &[RangeInclusive<usize>],
    lines_max: usize,
) -> usize {
    let body = content.strip_prefix("\u{feff}".as_bytes()).unwrap_or(content);
    let body = body.strip_suffix(b"\n").unwrap_or(body);
    let mut ranges = ranges.iter().peekable();
    let (mut written, mut left_out, mut last) = (0, 0, 0);
    for (index, line) in body.split(|byte| *byte == b'\n').enumerate() {
        let number = index + 1;
        while ranges.next_if(|range| *range.end() < number).is_some() {}
        let Some(range) = ranges.peek() else { break };
        if number < *range.start() {
            continue;
        }
        if written == lines_max {
            left_out += 1;
            continue;
        }
        if last > 0 && last + 1 < number {
            out.push_str("…\n");
        }
        push(out, number, &shown(line, line.len() as u64).text);
        (written, last) = (written + 1, number);
    }
    left_out
}
