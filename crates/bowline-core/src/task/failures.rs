//! Whether a message speaks of something that fails, so that a red check is what it is about.

use super::read;

/// Words that speak of a fault, in lower case and without punctuation.
const FAULTS: [&str; 34] = [
    "fail",
    "fails",
    "failing",
    "failed",
    "failure",
    "failures",
    "red",
    "green",
    "pass",
    "passes",
    "passing",
    "bug",
    "bugs",
    "wrong",
    "wrongly",
    "broken",
    "breaks",
    "incorrect",
    "incorrectly",
    "crash",
    "crashes",
    "crashed",
    "crashing",
    "error",
    "errors",
    "exception",
    "panic",
    "panics",
    "fix",
    "repair",
    "instead",
    "test",
    "tests",
    "traceback",
];

/// Whether a text speaks of a failure, shows one, or asks for a repair.
pub fn speaks_of_failure(text: &str) -> bool {
    let plain = |word: &str| word.trim_matches(|sign: char| !sign.is_alphanumeric()).to_lowercase();
    let has_word = text.split_whitespace().map(plain).any(|word| FAULTS.contains(&word.as_str()));
    has_word || {
        let wording = read(text);
        !wording.frames.is_empty() || wording.error.is_some()
    }
}
