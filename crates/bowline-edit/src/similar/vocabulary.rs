//! The words that names and prose in code are mostly made of: what is one of them is no typo of another.
//!
//! `words.txt` holds, in order, those of three to nine letters that many unrelated packages use.

const WORDS: &str = include_str!("words.txt");
/// The words of the list have no more letters, and longer ones are seldom one letter apart.
pub(super) const LETTERS_MAX: usize = 9;

/// Whether a word is a common one, in any case.
pub(super) fn is_common(word: &str) -> bool {
    let word = word.to_lowercase();
    if word.len() > LETTERS_MAX {
        return false;
    }
    let (mut low, mut high) = (0, WORDS.len());
    while low < high {
        // The line around the middle.
        let middle = low + (high - low) / 2;
        let start = WORDS[..middle].rfind('\n').map_or(0, |at| at + 1);
        let end = WORDS[middle..].find('\n').map_or(WORDS.len(), |at| middle + at);
        match WORDS[start..end].cmp(&word) {
            std::cmp::Ordering::Equal => return true,
            std::cmp::Ordering::Less => low = end + 1,
            std::cmp::Ordering::Greater => high = start,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{WORDS, is_common};

    #[test]
    fn the_list_is_in_order_and_every_word_is_found() {
        let words: Vec<&str> = WORDS.lines().collect();
        assert!(words.is_sorted());
        assert!(words.iter().all(|word| is_common(word)));
        assert!(is_common("Request"));
        for strange in ["reqest", "", "zzzz", "aaa", "a", "requests_of_all"] {
            assert!(!is_common(strange), "{strange}");
        }
    }
}
