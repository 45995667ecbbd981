//! Replacements of bytes, collected and then applied at once. What always holds: bytes that no replacement covers stay as they
//! are and in their order.

use std::ops::Range;

#[derive(Debug, Default)]
pub(crate) struct Edits {
    replaced: Vec<(Range<usize>, Vec<u8>)>,
}

impl Edits {
    pub(crate) fn replace(&mut self, bytes: Range<usize>, text: Vec<u8>) {
        self.replaced.push((bytes, text));
    }

    pub(crate) fn remove(&mut self, bytes: Range<usize>) {
        self.replace(bytes, Vec::new());
    }

    /// The content with all replacements; one that overlaps an earlier one is joined with it.
    pub(crate) fn apply(mut self, content: &[u8]) -> Vec<u8> {
        self.replaced.sort_by_key(|(bytes, _)| (bytes.start, bytes.end));
        let mut out = Vec::with_capacity(content.len());
        let mut from = 0;
        for (bytes, text) in &self.replaced {
            out.extend_from_slice(content.get(from..bytes.start.max(from)).unwrap_or_default());
            out.extend_from_slice(text);
            from = from.max(bytes.end);
        }
        out.extend_from_slice(content.get(from..).unwrap_or_default());
        out
    }
}
