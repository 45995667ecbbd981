//! Evidence that counts only where there is no stronger one: a constant that has a number of the message, and what is behind
//! the function in which a fault shows, and one that has the letters behind the numbers of the message.

use super::evidence::{defined, only};
use super::{Agenda, Try};
use crate::place::{self, Found, PlaceKind};
use crate::task::{self, Name, Role};

/// How many calls away from where a fault shows it is looked for.
const DEPTH_MAX: usize = 2;
/// Functions that are looked at for one fault.
const BEHIND_MAX: usize = 20;
/// What people multiply by when they write down money, time and sizes.
const UNITS: [u64; 6] = [60, 100, 1_000, 1_024, 3_600, 60_000];
/// Letters behind a number, such as "th", and how many different ones a function has to have.
const LETTERS_MIN: usize = 2;
const LETTERED_MIN: u32 = 2;
const NAME_WEIGHT: u32 = 3;
const USES_MAX: u32 = 4;
/// How much more counts for the place where the fault shows.
const SHOWN_WEIGHT: u32 = 2;

/// The one constant that has a number of the message and whose name the message speaks of: `WARN_AT = 80` for "it warns at 80
/// already, 88 please".
pub(super) fn valued<'a>(agenda: &Agenda<'a>) -> Option<&'a Found> {
    let numbers = in_units(&place::numbers(agenda.message));
    if numbers.is_empty() || agenda.tries.iter().any(Try::has_landed) {
        return None;
    }
    let is_meant = |found: &&Found| {
        let is_constant = matches!(found.kind, PlaceKind::Constant | PlaceKind::Member);
        let name = found.place.own_name().unwrap_or_default();
        // `DAY = 24 * 60` is not the 24 that somebody speaks of.
        let has_number = matches!(found.numbers.as_slice(), [number] if numbers.contains(number));
        is_constant && has_number && !found.is_test && task::score(agenda.words, name) > 0
    };
    let score = |found: &Found| {
        let name = found.place.own_name().unwrap_or_default();
        NAME_WEIGHT * task::score(agenda.words, name) + task::score(agenda.words, &found.place.path)
    };
    best(agenda.now.places.iter().filter(is_meant).map(|found| (score(found), found)).collect())
}

/// Numbers as they are, and as a constant may have them: 20 euros in cents, 30 seconds in milliseconds, 2 hours in minutes.
fn in_units(numbers: &[String]) -> Vec<String> {
    let scaled = |number: &String| {
        let whole: Option<u64> = number.parse().ok();
        UNITS.iter().filter_map(move |unit| Some(whole?.checked_mul(*unit)?.to_string()))
    };
    numbers.iter().cloned().chain(numbers.iter().flat_map(scaled)).collect()
}

/// The one function behind a fault that fits the words of the message best: `standings` for "the order is wrong in the
/// standings, print() lists Blues first".
pub(super) fn behind_symptom<'a>(agenda: &Agenda<'a>) -> Option<&'a Found> {
    if agenda.tries.iter().any(Try::has_landed) {
        return None;
    }
    let symptom = agenda.wording.names.iter().find(|name| name.role == Role::Symptom)?;
    let all = behind(agenda, symptom);
    let shown = all.first()?.place.own_name();
    let words: Vec<String> =
        agenda.words.iter().filter(|word| Some(word.as_str()) != shown).cloned().collect();
    let score = |found: &Found| {
        let name = found.place.own_name();
        let used: u32 = found.uses.iter().map(|used| task::score(&words, used).min(1)).sum();
        let own = if name == shown { SHOWN_WEIGHT } else { 0 };
        NAME_WEIGHT * task::score(&words, name.unwrap_or_default()) + used.min(USES_MAX) + own
    };
    best(all.into_iter().map(|found| (score(found), found)).collect())
}

/// The function where a fault shows, and those of the project that it uses, directly or by way of another.
pub(super) fn behind<'a>(agenda: &Agenda<'a>, symptom: &Name) -> Vec<&'a Found> {
    let Some(shown) = only(&defined(agenda, &symptom.text, agenda.now)) else { return Vec::new() };
    let mut all = vec![shown];
    let mut from = 0;
    for _ in 0..DEPTH_MAX {
        let to = all.len();
        let names: Vec<&String> = all.iter().skip(from).flat_map(|found| &found.calls).collect();
        for name in names {
            let found = only(&defined(agenda, name, agenda.now));
            let is_code = |found: &&Found| found.kind == PlaceKind::Function && !found.is_test;
            if let Some(found) = found.filter(is_code)
                && all.len() < BEHIND_MAX
                && !all.iter().any(|known| known.place == found.place)
            {
                all.push(found);
            }
        }
        from = to;
    }
    all
}

/// The one function that has the letters which the message puts behind numbers, two of them at least: "st" and "th" for "11st has to be
/// 11th".
pub(super) fn lettered<'a>(agenda: &Agenda<'a>) -> Option<&'a Found> {
    if agenda.tries.iter().any(Try::has_landed) {
        return None;
    }
    let letters = |word: &str| {
        let rest = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
        let is_it = rest.len() < word.len()
            && rest.len() >= LETTERS_MIN
            && rest.chars().all(|sign| sign.is_ascii_alphabetic());
        is_it.then(|| rest.to_owned())
    };
    let mut all: Vec<String> = agenda.words.iter().filter_map(|word| letters(word)).collect();
    all.sort();
    all.dedup();
    let is_code = |found: &&Found| found.kind == PlaceKind::Function && !found.is_test;
    let count = |found: &Found| {
        let count = all.iter().filter(|letters| found.uses.iter().any(|used| used == *letters)).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    };
    let scored = agenda.now.places.iter().filter(is_code).map(|found| (count(found), found));
    best(scored.filter(|(count, _)| *count >= LETTERED_MIN).collect())
}

/// The one with the highest score, if no other has the same.
fn best(mut scored: Vec<(u32, &Found)>) -> Option<&Found> {
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    match scored.as_slice() {
        [(_, one)] => Some(one),
        [(first, one), (second, _), ..] if first > second => Some(one),
        _ => None,
    }
}
