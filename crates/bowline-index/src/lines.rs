//! A content as lines: where each begins, which are blank. Rows are counted from 0 here, as tree-sitter counts them; the
//! lines of a [`Place`](crate::Place) are counted from 1.

use std::ops::Range;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

pub(crate) struct Lines<'a> {
    content: &'a [u8],
    /// Where each row begins. The first begins after a byte order mark.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(content: &'a [u8]) -> Lines<'a> {
        let mark = if content.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let breaks = content.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let starts = std::iter::once(mark).chain(breaks.map(|(at, _)| at + 1));
        // What follows the last line break is a line only if there is something.
        let starts = starts.filter(|start| *start < content.len()).collect();
        Lines { content, starts }
    }

    pub(crate) fn content(&self) -> &'a [u8] {
        self.content
    }

    /// How many rows there are.
    pub(crate) fn count(&self) -> usize {
        self.starts.len()
    }

    /// The row that an offset lies on; the last one for an offset past the end.
    pub(crate) fn row(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    pub(crate) fn start(&self, row: usize) -> usize {
        self.starts.get(row).copied().unwrap_or(self.content.len())
    }

    /// Where a row ends, after its line break.
    pub(crate) fn end(&self, row: usize) -> usize {
        self.start(row + 1)
    }

    /// The text of a row without its line break.
    pub(crate) fn text(&self, row: usize) -> &'a [u8] {
        let text = self.slice(self.start(row)..self.end(row));
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        text.strip_suffix(b"\r").unwrap_or(text)
    }

    pub(crate) fn slice(&self, range: Range<usize>) -> &'a [u8] {
        self.content.get(range).unwrap_or_default()
    }

    pub(crate) fn is_blank(&self, row: usize) -> bool {
        self.text(row).trim_ascii().is_empty()
    }

    /// The bytes of these rows, line breaks included.
    pub(crate) fn bytes(&self, rows: Range<usize>) -> Range<usize> {
        self.start(rows.start)..self.start(rows.end)
    }

    /// How many blanks a row begins with.
    pub(crate) fn indent(&self, row: usize) -> usize {
        self.text(row).iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    }

    /// The range without the white space at its ends.
    pub(crate) fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let text = self.slice(range.clone()).trim_ascii_end();
        let blanks = text.len() - text.trim_ascii_start().len();
        range.start + blanks..range.start + text.len()
    }

    /// The text of a range for a reader: without white space around it, with `\n` as the line break.
    pub(crate) fn shown(&self, range: Range<usize>) -> String {
        String::from_utf8_lossy(self.slice(range).trim_ascii()).replace("\r\n", "\n")
    }
}
