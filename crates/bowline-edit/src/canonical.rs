//! A text with the look-alikes of Unicode made one, and the way back to its own offsets.
//!
//! Curly quotes become straight ones, dashes `-`, exotic spaces a space, zero-width characters and variation selectors go, and what is left is
//! composed (NFC). Line breaks stay, so the canonical text has the lines of its original. Bytes that are not UTF-8 stay
//! what they are.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// What of a text was put in another form, in order.
struct Patch {
    canonical: Range<usize>,
    original: Range<usize>,
}

pub(crate) struct Canonical {
    pub(crate) text: Vec<u8>,
    patches: Vec<Patch>,
}

impl Canonical {
    pub(crate) fn new(content: &[u8]) -> Canonical {
        let mut canonical = Canonical { text: Vec::with_capacity(content.len()), patches: Vec::new() };
        let mut at = 0;
        for chunk in content.utf8_chunks() {
            canonical.take(chunk.valid(), at);
            at += chunk.valid().len();
            canonical.text.extend_from_slice(chunk.invalid());
            at += chunk.invalid().len();
        }
        canonical
    }

    fn take(&mut self, text: &str, at: usize) {
        let mut chars = text.char_indices().peekable();
        while let Some((start, char)) = chars.next() {
            let mut end = start + char.len_utf8();
            while let Some((next, _)) = chars.next_if(|(_, next)| !next.is_ascii() && joins(*next)) {
                end = next + text[next..].chars().next().map_or(0, char::len_utf8);
            }
            let cluster = &text[start..end];
            if cluster.len() == 1 {
                self.text.extend_from_slice(cluster.as_bytes());
                continue;
            }
            let from = self.text.len();
            self.text.extend_from_slice(form(cluster).as_bytes());
            if self.text[from..] != *cluster.as_bytes() {
                let canonical = from..self.text.len();
                self.patches.push(Patch { canonical, original: at + start..at + end });
            }
        }
    }

    /// The span of the original that a span of the canonical text stands for; none where it would cut a character.
    pub(crate) fn original_span(&self, span: &Range<usize>) -> Option<Range<usize>> {
        let start = self.patches.partition_point(|patch| patch.canonical.end <= span.start);
        let end = self.patches.partition_point(|patch| patch.canonical.start < span.end);
        let cut = |next: Option<&Patch>, at: usize| {
            next.is_some_and(|patch| patch.canonical.start < at && at < patch.canonical.end)
        };
        if cut(self.patches.get(start), span.start)
            || cut(end.checked_sub(1).and_then(|last| self.patches.get(last)), span.end)
        {
            return None;
        }
        let moved =
            |count: usize, at: usize| match count.checked_sub(1).and_then(|last| self.patches.get(last)) {
                Some(patch) => patch.original.end + (at - patch.canonical.end),
                None => at,
            };
        let (start, end) = (moved(start, span.start), moved(end, span.end));
        (start <= end).then_some(start..end)
    }
}

/// A character with the marks that join it, as it is compared.
pub(crate) fn form(cluster: &str) -> String {
    let form: String = cluster.chars().filter_map(look).collect::<String>().nfc().collect();
    form.replace('\u{2026}', "...")
}

/// Whether a character joins the one before it, so that both are composed together.
pub(crate) fn joins(char: char) -> bool {
    is_combining_mark(char) || matches!(char, '\u{1160}'..='\u{11ff}')
}

/// A character as it is compared; none for one that has no width.
pub(crate) fn look(char: char) -> Option<char> {
    match char {
        '\u{2018}'..='\u{201b}' | '\u{2032}' => Some('\''),
        '\u{201c}'..='\u{201f}' | '\u{2033}' => Some('"'),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => Some('-'),
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => Some(' '),
        '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' => None,
        other => Some(other),
    }
}

#[cfg(test)]
mod tests {
    use super::Canonical;

    #[track_caller]
    fn check(content: &str, canonical: &str, part: &str, original: Option<&str>) {
        let made = Canonical::new(content.as_bytes());
        assert_eq!(String::from_utf8_lossy(&made.text), canonical);
        let start = canonical.find(part).unwrap();
        let span = made.original_span(&(start..start + part.len()));
        assert_eq!(span.map(|span| &content[span]), original);
    }

    #[test]
    fn a_part_leads_back_to_its_own_bytes() {
        check("a \u{201c}b\u{201d} c", "a \"b\" c", "\"b\"", Some("\u{201c}b\u{201d}"));
        check("a\u{a0}\u{2013} b", "a - b", "a -", Some("a\u{a0}\u{2013}"));
        check("x\u{200b}yz", "xyz", "yz", Some("yz"));
        check("x\u{200b}yz", "xyz", "x", Some("x"));
        check("x\u{200b}yz", "xyz", "xy", Some("x\u{200b}y"));
        check("cafe\u{301}!", "caf\u{e9}!", "\u{e9}", Some("e\u{301}"));
        check("a\u{2026}b", "a...b", "a.", None);
        check("a\u{2026}b", "a...b", "a...", Some("a\u{2026}"));
        check("\u{2714}\u{fe0f} done", "\u{2714} done", "\u{2714}", Some("\u{2714}\u{fe0f}"));
        check("plain", "plain", "lai", Some("lai"));
    }

    #[test]
    fn bytes_that_are_no_text_stay() {
        assert_eq!(Canonical::new(b"\xff\xe2\x80\x9cx").text, b"\xff\"x");
    }
}
