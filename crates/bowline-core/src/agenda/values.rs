//! A number that the message changes in so many words is replaced by the program, if there is one line that is meant.

use super::{Agenda, Order, Try};
use crate::place::{Change, Replacement};
use crate::task::{self, ValueChange};

/// How much more a word counts that says what the message is about.
const CONTENT_WEIGHT: u32 = 8;
/// Shorter words are no names. Bytes.
const SHORT_WORD_MAX: usize = 2;

/// The text of the one place whose line has the old value and fits the words of the message best. None once anything was changed.
pub(super) fn replacement(agenda: &Agenda<'_>) -> Option<(Order, String)> {
    if agenda.tries.iter().any(Try::has_landed) {
        return None;
    }
    let [value] = agenda.wording.values.as_slice() else { return None };
    let named = agenda.named_files();
    let is_named = |one: &&Replacement| named.is_empty() || named.contains(one.place.path.as_str());
    let is_kept = |text: &str| agenda.wording.excluded.iter().any(|kept| kept == text);
    let is_free = |one: &&Replacement| {
        !is_kept(&one.place.path)
            && !one.place.own_name().is_some_and(is_kept)
            && (one.value != *value || says_unit(value, &one.line))
    };
    let all = || agenda.now.replacements.iter().filter(is_named).filter(is_free);
    // As it is written, or else in another unit.
    let has_same = all().any(|one| one.value == *value);
    // A word that every message has counts where it is the name of a setting: `KEEP=7` for "keep 14 instead of 7".
    let spoken = spoken(agenda.message);
    let score = |one: &Replacement| {
        CONTENT_WEIGHT * task::score(agenda.words, &one.line) + task::score(&spoken, &one.line)
    };
    let mut found: Vec<(u32, &Replacement)> = all()
        .filter(|one| !has_same || one.value == *value)
        .map(|one| (score(one), one))
        .filter(|(score, _)| *score > 0)
        .collect();
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let one = match found.as_slice() {
        [(_, one)] => one,
        [(first, one), (second, _), ..] if first > second => one,
        _ => return None,
    };
    let order = order(one);
    (!agenda.is_tried(&order)).then(|| (order, one.text.clone()))
}

/// All words of a message, in lower case.
fn spoken(message: &str) -> Vec<String> {
    let words = message.split(|sign: char| !sign.is_alphabetic()).filter(|word| word.len() > SHORT_WORD_MAX);
    words.map(str::to_lowercase).collect()
}

/// Whether a line with the number as it is written may mean it: a 1 is everywhere, so that the line has to speak of its unit.
fn says_unit(value: &ValueChange, line: &str) -> bool {
    let Some(unit) = value.unit.filter(|_| value.from == "1") else { return true };
    line.to_lowercase().contains(unit)
}

/// Whether the number was replaced. Then the places that the words name are not asked about: what was asked for is done.
pub(super) fn is_replaced(agenda: &Agenda<'_>) -> bool {
    let is_it = |made: &Try| {
        made.has_landed() && agenda.before.replacements.iter().any(|one| order(one) == made.order)
    };
    !agenda.wording.values.is_empty() && agenda.tries.first().is_some_and(is_it)
}

fn order(one: &Replacement) -> Order {
    Order { place: one.place.clone(), change: Change::Rewrite, to: None }
}
