//! Numbers that a message changes in so many words: "raise the limit from 30 to 100".
//!
//! Both values have to be there, and a verb that changes something: "numbers from 1 to 10" is a range. A number may be a word where
//! a unit of time or digits stand beside it: "two weeks rather than one".

use super::ValueChange;
use super::asks::sentences;
use super::tokens::{Kind, Token};

/// Value changes of one message.
const CHANGES_MAX: usize = 4;
/// Words between a number and the "to" behind it: "from 30 seconds to".
const UNIT_WORDS_MAX: usize = 2;
/// Words between a number and the "instead" behind it: "8 hours without activity instead of".
const INSTEAD_WORDS_MAX: usize = 5;
/// Units of time, each with its length in seconds.
const UNITS: [(&str, u64); 5] =
    [("second", 1), ("minute", 60), ("hour", 3_600), ("day", 86_400), ("week", 604_800)];
/// Milliseconds of a second.
const MILLISECONDS: u64 = 1_000;
/// Numbers as words.
const NUMBER_WORDS: [(&str, &str); 22] = [
    ("one", "1"),
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("eleven", "11"),
    ("twelve", "12"),
    ("fifteen", "15"),
    ("twenty", "20"),
    ("thirty", "30"),
    ("forty", "40"),
    ("fifty", "50"),
    ("sixty", "60"),
    ("seventy", "70"),
    ("eighty", "80"),
    ("ninety", "90"),
    ("hundred", "100"),
];
const VERBS: [&str; 30] = [
    "adjust",
    "bring",
    "bump",
    "bumped",
    "change",
    "cut",
    "decrease",
    "drop",
    "extend",
    "go",
    "increase",
    "increased",
    "keep",
    "let",
    "limit",
    "lower",
    "lowered",
    "make",
    "move",
    "put",
    "raise",
    "raised",
    "reduce",
    "reduced",
    "set",
    "shorten",
    "switch",
    "turn",
    "up",
    "update",
];
/// Words of a sentence about a range or a conversion.
const RANGES: [&str; 15] = [
    "between", "range", "ranges", "valid", "validate", "accept", "accepts", "allow", "allows", "convert",
    "numbers", "reject", "refuse", "refused", "outside",
];
/// What has a range: "an int from 1 to 99".
const RANGED: [&str; 12] = [
    "number",
    "int",
    "ints",
    "integer",
    "integers",
    "float",
    "digit",
    "digits",
    "value",
    "values",
    "anything",
    "everything",
];

/// Words of a sentence that says what goes wrong.
const SYMPTOMS: [&str; 18] = [
    "says", "shows", "returns", "return", "prints", "gives", "get", "gets", "got", "reads", "counts",
    "yields", "jumps", "grows", "when", "because", "fails", "why",
];

/// The numbers that the message changes, in its order.
pub(super) fn value_changes(tokens: &[Token<'_>]) -> Vec<ValueChange> {
    let mut changes: Vec<ValueChange> = Vec::new();
    for sentence in sentences(tokens) {
        let has = |words: &[&str]| sentence.iter().any(|token| token.is_one_of(words));
        // "raise a ValueError" changes no number.
        let is_thrown = |at: usize| sentence.get(at + 1).is_some_and(|next| next.is_one_of(&["a", "an"]));
        let is_verb = |(at, token): (usize, &Token<'_>)| {
            token.is_one_of(&VERBS) && !(token.is("raise") && is_thrown(at))
        };
        if !sentence.iter().enumerate().any(is_verb) || has(&RANGES) || has(&SYMPTOMS) {
            continue;
        }
        for at in 0..sentence.len() {
            let change = from_to(sentence, at).or_else(|| instead(sentence, at));
            changes.extend(change.filter(|change| change.from != change.to));
        }
    }
    changes.dedup();
    changes.truncate(CHANGES_MAX);
    changes
}

/// "from 30 to 100", "from 30 days to 100".
fn from_to(sentence: &[Token<'_>], at: usize) -> Option<ValueChange> {
    sentence.get(at).filter(|token| token.is("from"))?;
    let before = at.checked_sub(1).and_then(|at| sentence.get(at));
    if before.is_some_and(|token| token.is_one_of(&RANGED)) {
        return None;
    }
    let rest = sentence.get(at + 2..)?;
    let to = rest.iter().take(UNIT_WORDS_MAX + 1).position(|token| token.is_one_of(&["to", "->", "→"]))?;
    change(sentence, at + 1, at + 2 + to + 1)
}

/// "100 instead of 30".
fn instead(sentence: &[Token<'_>], at: usize) -> Option<ValueChange> {
    number(sentence.get(at)?)?;
    let rest = sentence.get(at + 1..)?;
    let near = rest.iter().take(INSTEAD_WORDS_MAX + 1).take_while(|token| number(token).is_none());
    let of = near.into_iter().position(|token| token.is_one_of(&["instead", "rather"]))?;
    rest.get(of + 1).filter(|token| token.is_one_of(&["of", "than"]))?;
    change(sentence, at + 1 + of + 2, at)
}

/// The change from the number at one place to the one at another. A time in another unit is put into the old one; a unit that only
/// one of them has holds for both.
fn change(sentence: &[Token<'_>], from: usize, to: usize) -> Option<ValueChange> {
    let token = |at: usize| sentence.get(at);
    let unit = |at: usize| {
        let word = sentence.get(at + 1).filter(|token| token.kind == Kind::Word)?.lower.as_str();
        let word = word.strip_suffix('s').unwrap_or(word);
        UNITS.iter().find(|(name, _)| *name == word)
    };
    let (old, new) = (number(token(from)?)?, number(token(to)?)?);
    let (of_old, of_new) = (unit(from), unit(to));
    // "one instead of two calls" says how something is done.
    let is_word = |at: usize| token(at).is_some_and(|token| digits(token).is_none());
    if is_word(from) && is_word(to) && of_old.is_none() && of_new.is_none() {
        return None;
    }
    let new = match (of_old, of_new) {
        (Some((_, of_old)), Some((_, of_new))) if of_old != of_new => {
            let seconds = new.parse::<u64>().ok()?.checked_mul(*of_new)?;
            (seconds % of_old == 0).then(|| (seconds / of_old).to_string())?
        }
        _ => new,
    };
    Some(ValueChange { from: old, to: new, unit: of_old.or(of_new).map(|(name, _)| *name) })
}

/// How many of each smaller unit make one of this.
pub(super) fn smaller_units(name: &str) -> Vec<u64> {
    let Some((_, seconds)) = UNITS.iter().find(|(known, _)| *known == name) else { return Vec::new() };
    let smaller = UNITS.iter().filter(|(_, other)| other < seconds).map(|(_, other)| seconds / other);
    smaller.chain([seconds * MILLISECONDS]).collect()
}

/// A number in digits or as a word.
fn number(token: &Token<'_>) -> Option<String> {
    let word =
        || NUMBER_WORDS.iter().find(|(word, _)| token.is(word)).map(|(_, digits)| (*digits).to_owned());
    digits(token).or_else(word)
}

/// A number, without its unit: `30`, `2.5`, `30s`.
fn digits(token: &Token<'_>) -> Option<String> {
    let text = token.text.trim_end_matches(|sign: char| sign.is_ascii_alphabetic() || sign == '%');
    let is_number = text.starts_with(|sign: char| sign.is_ascii_digit())
        && text.chars().all(|sign| sign.is_ascii_digit() || matches!(sign, '.' | '_'));
    (token.kind == Kind::Word && is_number && !text.ends_with('.')).then(|| text.to_owned())
}
