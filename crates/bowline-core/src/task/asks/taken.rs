//! Verbs of an inquiry that ask for a change by what stands behind them, and those that ask for nothing of their own.

use super::super::tokens::{Kind, Token};
use super::super::vocabulary::INQUIRY_VERBS;

/// Verbs that say what something is to count as: "take it as 1".
const TAKEN: [&str; 4] = ["take", "count", "consider", "read"];
/// What something can count as, in words.
const VALUES: [&str; 18] = [
    "zero", "one", "two", "three", "none", "null", "nil", "nothing", "empty", "missing", "unknown", "absent",
    "true", "false", "valid", "invalid", "default", "yes",
];
/// Words between the verb and its "as".
const OBJECT_WORDS_MAX: usize = 5;
/// Words between "as" and the value.
const ARTICLES: [&str; 4] = ["a", "an", "the", "if"];
/// Verbs that only point at what stands beside them.
const LOOKING: [&str; 5] = ["look", "check", "see", "take", "read"];
const ASKING: [&str; 10] = ["why", "what", "how", "which", "who", "where", "whether", "if", "when", "out"];

/// Whether a verb says what something is to count as: "take it as 1", "count those as zero".
pub(super) fn is_taken_as(verb: &Token<'_>, rest: &[Token<'_>]) -> bool {
    if !verb.is_one_of(&TAKEN) {
        return false;
    }
    let Some(at) = rest.iter().take(OBJECT_WORDS_MAX + 1).position(|token| token.is("as")) else {
        return false;
    };
    let mut behind = rest.iter().skip(at + 1).skip_while(|token| token.is_one_of(&ARTICLES));
    let is_value = behind.next().is_some_and(|token| {
        matches!(token.kind, Kind::Quoted | Kind::Backticks)
            || token.is_one_of(&VALUES)
            || token.text.trim_start_matches('-').starts_with(|sign: char| sign.is_ascii_digit())
    });
    let is_object = rest.get(..at).is_some_and(|object| {
        !object.is_empty() && !object.iter().any(|token| matches!(token.text, "," | ";" | ":"))
    });
    is_object && is_value
}

/// Whether a sentence asks for nothing but a look: "can you check this?"
pub(super) fn only_looks(sentence: &[Token<'_>]) -> bool {
    let is_other = |token: &Token<'_>| {
        token.is_one_of(&ASKING) || token.is_in(&INQUIRY_VERBS) && !token.is_one_of(&LOOKING)
    };
    !sentence.iter().any(is_other)
}
