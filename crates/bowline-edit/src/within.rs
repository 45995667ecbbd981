//! A needle of one line that stands within a line of the file, with other white space between its parts.

use std::ops::Range;

use memchr::memmem;

use crate::gist::gist;
use crate::page::Page;
use crate::search::occurrences;
use crate::tokens::{is_word, tokens};

/// Fewer parts say too little about where they stand.
const PARTS_MIN: usize = 3;

/// The spans of all places, which cut no word in two.
pub(crate) fn within(page: &Page<'_>, needle: &str) -> Vec<Range<usize>> {
    let parts = || tokens(needle).into_iter().filter(|token| !token.trim().is_empty());
    let Some(word) = parts().filter(|part| is_word(part)).max_by_key(|word| word.len()) else {
        return Vec::new();
    };
    if needle.contains('\n') || needle.trim() != needle || parts().count() < PARTS_MIN {
        return Vec::new();
    }
    let wanted: Vec<u8> = gist(needle.as_bytes()).collect();
    let mut found = Vec::new();
    let mut next = 0;
    for at in memmem::find_iter(page.text, word) {
        let line = page.line_at(at);
        if line >= next {
            next = line + 1;
            let start = page.start(line);
            found.extend(in_line(page.line(line), &wanted).map(|span| start + span.start..start + span.end));
        }
    }
    found
}

fn in_line<'l>(line: &'l [u8], wanted: &[u8]) -> impl Iterator<Item = Range<usize>> + 'l {
    let (mut bytes, mut ends) = (Vec::new(), Vec::new());
    let mut read = gist(line);
    while let Some(byte) = read.next() {
        bytes.push(byte);
        ends.push(read.at());
    }
    let count = wanted.len();
    let spans = occurrences(&bytes, wanted).into_iter().map(move |at| ends[at] - 1..ends[at + count - 1]);
    let is_word = |at: Option<&u8>| {
        at.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80)
    };
    let cuts = move |at: usize| at > 0 && is_word(line.get(at - 1)) && is_word(line.get(at));
    spans.filter(move |span| !cuts(span.start) && !cuts(span.end))
}

#[cfg(test)]
mod tests {
    use super::within;
    use crate::page::Page;

    #[track_caller]
    fn check(text: &str, needle: &str, found: &[&str]) {
        let spans = within(&Page::new(text.as_bytes()), needle);
        assert_eq!(spans.into_iter().map(|span| &text[span]).collect::<Vec<_>>(), found);
    }

    #[test]
    fn other_white_space_within_a_line() {
        check("r = compute(a,  b) + tail\n", "compute(a, b)", &["compute(a,  b)"]);
        check("x\nbefore foo = 1 after\n", "foo  =  1", &["foo = 1"]);
        check("f(a, b) + f( a,b )", "f(a,b)", &["f(a, b)", "f( a,b )"]);
    }

    #[test]
    fn no_word_is_cut() {
        check("precompute(a,  b)", "compute(a, b)", &[]);
        check("foo   bar", "foo bar", &[]);
    }
}
