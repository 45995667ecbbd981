//! Signs that a message means as values: "show - instead of the domain". A small model reads past a lone sign, and understands
//! it in backticks.

/// Words in front of such a sign.
const BEFORE: [&str; 22] = [
    "show",
    "shows",
    "print",
    "prints",
    "return",
    "returns",
    "use",
    "uses",
    "be",
    "is",
    "under",
    "with",
    "as",
    "by",
    "a",
    "an",
    "the",
    "sign",
    "character",
    "mark",
    "symbol",
    "prefix",
];
const SIGN_CHARS_MAX: usize = 3;

/// The text with backticks around lone signs that are meant as values.
pub(super) fn marked(text: &str) -> String {
    let mut marked = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let words: Vec<&str> = line.split(' ').collect();
        for (at, word) in words.iter().enumerate() {
            if at > 0 {
                marked.push(' ');
            }
            let bare = word.trim_end_matches(['\n', '\r', '.', ',']);
            let (sign, rest) = if bare.is_empty() { (*word, "") } else { word.split_at(bare.len()) };
            let before = at.checked_sub(1).and_then(|at| words.get(at)).map(|word| word.to_lowercase());
            let is_led = before.as_ref().is_some_and(|word| BEFORE.contains(&word.as_str()));
            let is_compared = before.is_some_and(|word| !word.trim().is_empty())
                && words.get(at + 1).is_some_and(|word| word.eq_ignore_ascii_case("instead"));
            if is_sign(sign) && (is_led || is_compared) {
                marked.push_str(&format!("`{sign}`{rest}"));
            } else {
                marked.push_str(word);
            }
        }
    }
    marked
}

fn is_sign(word: &str) -> bool {
    let count = word.chars().count();
    let is_part = |sign: char| sign.is_ascii_punctuation() && !matches!(sign, '`' | '"' | '\'' | '(' | ')');
    count > 0 && count <= SIGN_CHARS_MAX && word.chars().all(is_part)
}
