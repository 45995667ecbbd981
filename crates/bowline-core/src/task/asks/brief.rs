//! Wishes without a verb: "88 please", "same for orders, please".

use super::super::tokens::{Kind, Token};
use super::super::vocabulary::{ANSWER_NOUNS, INQUIRY_VERBS, NEGATIONS, QUESTION_WORDS};

/// Words of such a wish, with "please".
const WORDS_MAX: usize = 8;

pub(super) fn is_brief_wish(clause: &[Token<'_>]) -> bool {
    let words: Vec<&Token<'_>> = clause.iter().filter(|token| token.kind != Kind::Mark).collect();
    let is_please = |token: &Token<'_>| token.is_one_of(&["please", "pls", "plz"]);
    let is_end = words.last().is_some_and(|token| is_please(token));
    if words.len() < 2 || words.len() > WORDS_MAX || !is_end {
        return false;
    }
    let is_value = |token: &Token<'_>| {
        token.text.starts_with(|sign: char| sign.is_ascii_digit())
            || matches!(token.kind, Kind::Quoted | Kind::Backticks)
    };
    let leads = words.first().is_some_and(|token| {
        is_value(token)
            || token.is_one_of(&[
                "same", "rather", "better", "only", "max", "at", "one", "two", "another", "more", "less",
                "fewer",
            ])
    });
    let is_other = |token: &&Token<'_>| {
        token.is_in(&ANSWER_NOUNS)
            || token.is_in(&INQUIRY_VERBS)
            || token.is_in(&NEGATIONS)
            || token.is_in(&QUESTION_WORDS)
            || token.is_one_of(&[
                "help",
                "explanation",
                "question",
                "questions",
                "details",
                "detail",
                "info",
                "information",
                "time",
                "try",
                "minute",
                "second",
                "moment",
            ])
    };
    leads && !words.iter().any(is_other)
}
