//! Whether a message speaks of something that fails, so that a red check is what it is about.

use super::read;

/// Words that speak of a fault, in lower case and without punctuation.
const FAULTS: [&str; 23] = [
    "fail",
    "fails",
    "failing",
    "failed",
    "failure",
    "failures",
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
    "exception",
    "panics",
    "fix",
    "repair",
    "traceback",
];
/// Words about a check, and what is said of one.
const CHECKS: [&str; 6] = ["test", "tests", "check", "suite", "build", "ci"];
const RESULTS: [&str; 7] = ["red", "green", "pass", "passes", "passing", "error", "errors"];

/// Whether a text speaks of a failure, shows one, or asks for a repair.
pub fn speaks_of_failure(text: &str) -> bool {
    let plain = |word: &str| word.trim_matches(|sign: char| !sign.is_alphanumeric()).to_lowercase();
    let has = |all: &[&str]| text.split_whitespace().map(plain).any(|word| all.contains(&word.as_str()));
    let has_word = has(&FAULTS) || has(&CHECKS) && has(&RESULTS);
    has_word || {
        let wording = read(text);
        !wording.frames.is_empty() || wording.error.is_some()
    }
}
