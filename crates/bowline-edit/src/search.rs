//! Where a pattern occurs, overlapping occurrences counted, in time linear in text and pattern whatever they are.
//!
//! Two overlapping places are two places: a caller that saw only the first would take an ambiguous edit for a clear one.

use memchr::memmem;

/// The starts of all occurrences, in order. An empty pattern has none.
pub(crate) fn occurrences(text: &[u8], pattern: &[u8]) -> Vec<usize> {
    if pattern.is_empty() {
        return Vec::new();
    }
    // Most patterns that miss, miss quickly here; the careful search begins at the first hit.
    match memmem::find(text, pattern) {
        Some(first) => occurrences_from(first, text, pattern),
        None => Vec::new(),
    }
}

/// The same for any items that can be compared: the lines of a text by their keys.
pub(crate) fn occurrences_from<T: PartialEq>(first: usize, text: &[T], pattern: &[T]) -> Vec<usize> {
    if pattern.is_empty() {
        return Vec::new();
    }
    let borders = borders(pattern);
    let mut found = Vec::new();
    let mut matched = 0;
    for (at, item) in text.iter().enumerate().skip(first) {
        while matched > 0 && pattern.get(matched) != Some(item) {
            matched = borders[matched - 1];
        }
        if pattern[matched] == *item {
            matched += 1;
        }
        if matched == pattern.len() {
            found.push(at + 1 - matched);
            matched = borders[matched - 1];
        }
    }
    found
}

/// For each prefix of the pattern, the length of its longest proper prefix that is a suffix of it too.
fn borders<T: PartialEq>(pattern: &[T]) -> Vec<usize> {
    let mut borders = vec![0; pattern.len()];
    let mut length = 0;
    for at in 1..pattern.len() {
        while length > 0 && pattern[length] != pattern[at] {
            length = borders[length - 1];
        }
        if pattern[length] == pattern[at] {
            length += 1;
        }
        borders[at] = length;
    }
    borders
}

#[cfg(test)]
mod tests {
    use super::{occurrences, occurrences_from};

    #[test]
    fn overlapping_places_are_all_found() {
        assert_eq!(occurrences(b"aaaa", b"aa"), [0, 1, 2]);
        assert_eq!(occurrences(b"xababay", b"aba"), [1, 3]);
        assert_eq!(occurrences(b"abc", b"abcd"), [0; 0]);
        assert_eq!(occurrences(b"abc", b""), [0; 0]);
        assert_eq!(occurrences(b"aabaaabaab", b"aab"), [0, 4, 7]);
        assert_eq!(occurrences_from(0, &[1, 2, 1, 2, 1], &[1, 2, 1]), [0, 2]);
    }

    #[test]
    fn a_repetitive_text_takes_linear_time() {
        let text = vec![b'a'; 400_000];
        let found = occurrences(&text, &vec![b'a'; 200_000]);
        assert_eq!(found.len(), 200_001);
    }
}
