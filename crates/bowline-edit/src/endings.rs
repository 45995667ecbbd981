//! Line endings and the byte order mark: a text with both equalised, and the way back to the bytes of the file.
//!
//! Only CRLF and LF are line endings here. A lone CR is a character like any other.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr_iter, memmem, memrchr};

const BOM: &str = "\u{feff}";

/// The length of the byte order mark at the start, 0 without one.
pub(crate) fn bom_len(content: &[u8]) -> usize {
    if content.starts_with(BOM.as_bytes()) { BOM.len() } else { 0 }
}

/// A text of the model with its line endings as LF and no byte order mark.
pub(crate) fn equalise_text(text: &str) -> Cow<'_, str> {
    let text = text.strip_prefix(BOM).unwrap_or(text);
    if text.contains("\r\n") { Cow::Owned(text.replace("\r\n", "\n")) } else { Cow::Borrowed(text) }
}

/// The body of a file, after its byte order mark, with every CRLF as LF.
pub(crate) struct Equalised<'a> {
    pub(crate) text: Cow<'a, [u8]>,
    /// Where in `text` stand the line feeds that had a carriage return, in order.
    shortened: Vec<usize>,
    bom: usize,
}

impl<'a> Equalised<'a> {
    pub(crate) fn new(content: &'a [u8]) -> Equalised<'a> {
        let bom = bom_len(content);
        let body = content.get(bom..).unwrap_or_default();
        let mut shortened = Vec::new();
        let mut text = Vec::new();
        let mut from = 0;
        for at in memmem::find_iter(body, b"\r\n") {
            text.extend_from_slice(&body[from..at]);
            shortened.push(text.len());
            from = at + 1;
        }
        if shortened.is_empty() {
            return Equalised { text: Cow::Borrowed(body), shortened, bom };
        }
        text.extend_from_slice(&body[from..]);
        Equalised { text: Cow::Owned(text), shortened, bom }
    }

    /// The offset in the file of an offset in `text`. A CRLF is never split: its line feed maps to its carriage return.
    pub(crate) fn original(&self, offset: usize) -> usize {
        self.bom + offset + self.shortened.partition_point(|at| *at < offset)
    }

    pub(crate) fn original_span(&self, span: &Range<usize>) -> Range<usize> {
        self.original(span.start)..self.original(span.end)
    }
}

/// How lines end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Lf,
    CrLf,
}

impl Ending {
    pub(crate) fn bytes(self) -> &'static [u8] {
        match self {
            Ending::Lf => b"\n",
            Ending::CrLf => b"\r\n",
        }
    }

    /// How lines end around a span: within it, else before it, else after it, else LF.
    pub(crate) fn around(content: &[u8], span: &Range<usize>) -> Ending {
        let feed = memchr(b'\n', &content[span.clone()])
            .map(|at| span.start + at)
            .or_else(|| memrchr(b'\n', &content[..span.start]))
            .or_else(|| memchr(b'\n', &content[span.end..]).map(|at| span.end + at));
        match feed {
            Some(at) if at > 0 && content[at - 1] == b'\r' => Ending::CrLf,
            _ => Ending::Lf,
        }
    }

    /// How the lines of a text end: CRLF only if all of them do.
    pub(crate) fn of(text: &str) -> Ending {
        let breaks = text.matches('\n').count();
        if breaks > 0 && breaks == text.matches("\r\n").count() { Ending::CrLf } else { Ending::Lf }
    }

    /// A text whose lines end in LF, with these endings.
    pub(crate) fn applied_to(self, text: &str) -> Vec<u8> {
        match self {
            Ending::Lf => text.as_bytes().to_vec(),
            Ending::CrLf => text.replace('\n', "\r\n").into_bytes(),
        }
    }
}

/// The number, from 1, of the line an offset stands in.
pub(crate) fn line_of(content: &[u8], offset: usize) -> usize {
    memchr_iter(b'\n', &content[..offset.min(content.len())]).count() + 1
}

/// The lines of a text without their endings; a final line break opens no further line.
pub(crate) fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    text.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

#[cfg(test)]
mod tests {
    use super::{Ending, Equalised};

    #[test]
    fn offsets_lead_back_to_whole_line_endings() {
        let content = b"\xef\xbb\xbfa\r\nb\nc\r\n";
        let equalised = Equalised::new(content);
        assert_eq!(&*equalised.text, b"a\nb\nc\n");
        let back = |span| &content[equalised.original_span(&span)];
        assert_eq!(back(0..1), b"a");
        assert_eq!(back(0..2), b"a\r\n");
        assert_eq!(back(1..3), b"\r\nb");
        assert_eq!(back(2..6), b"b\nc\r\n");
    }

    #[test]
    fn a_carriage_return_before_a_crlf_stays() {
        let equalised = Equalised::new(b"a\r\r\nb");
        assert_eq!(&*equalised.text, b"a\r\nb");
        assert_eq!(equalised.original(3), 4);
    }

    #[test]
    fn the_nearest_ending_counts() {
        let content = b"a\r\nb\nc";
        assert_eq!(Ending::around(content, &(0..4)), Ending::CrLf);
        assert_eq!(Ending::around(content, &(3..4)), Ending::CrLf);
        assert_eq!(Ending::around(content, &(5..6)), Ending::Lf);
        assert_eq!(Ending::around(b"abc", &(0..1)), Ending::Lf);
    }
}
