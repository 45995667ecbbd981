//! Texts that the user's words ask for: new names, options and texts that are to be shown. Those that occur nowhere in the project at first
//! have to be in the change; if one is missing when everything else is done, the model is told so once.

use super::{Agenda, Order, Reason, Showing, Try, Writing, repeated};
use crate::limits::WANTED_MAX;
use crate::place::{Change, PlaceKind};
use crate::task::{Form, Wording};

/// How many times the temperature is raised after a copy.
const COPIED_WARMTH: usize = 2;

/// The texts of a message that its change may have to contain.
pub fn wanted(wording: &Wording) -> Vec<String> {
    // A word in capitals may be an abbreviation.
    let is_name = |form: Form| form != Form::Capitals;
    let gone = |text: &str| {
        let is_old = |from: &str| from == text || from.rsplit('.').next() == Some(text);
        let is_renamed = wording.renames.iter().any(|rename| is_old(&rename.from));
        is_renamed || wording.removals.iter().any(|removal| removal.name == text)
    };
    let names = wording.names.iter().filter(|name| is_name(name.form));
    let names = names.map(|name| name.last().to_owned());
    let options = wording.options.iter().cloned();
    let literals = wording.literals.iter().map(|text| constant_part(text));
    let all = options.chain(names).chain(literals);
    let mut wanted: Vec<String> = Vec::new();
    for text in all.filter(|text| !text.trim().is_empty() && !gone(text)) {
        if wanted.len() < WANTED_MAX && !wanted.contains(&text) {
            wanted.push(text);
        }
    }
    wanted
}

/// A text that is to be shown, without the numbers in it: in "longest streak: 4" the 4 is an example.
fn constant_part(text: &str) -> String {
    let is_number = |word: &&str| {
        word.chars().any(|sign| sign.is_ascii_digit()) && !word.chars().any(char::is_alphabetic)
    };
    if text.split_whitespace().any(|word| is_number(&word)) {
        text.split_whitespace().filter(|word| !is_number(word)).collect::<Vec<_>>().join(" ")
    } else {
        text.to_owned()
    }
}

/// A second text for the place that was changed last, where a wanted text is still missing. A place gets one such request, and after
/// a copy another one with a higher temperature: what it has by now is not written again without sight of it.
pub(super) fn still_missing(agenda: &Agenda<'_>) -> Option<Writing> {
    let is_new = |text: &&String| agenda.before.missing.contains(text);
    let texts: Vec<String> = agenda.now.missing.iter().filter(is_new).cloned().collect();
    if texts.is_empty() {
        return None;
    }
    let can_grow = |order: &Order| {
        let found = agenda.now.find(&order.place);
        let is_unit = |kind| matches!(kind, PlaceKind::Function | PlaceKind::Text | PlaceKind::File);
        found.is_some_and(|found| is_unit(found.kind) && !found.is_test)
            && !repeated::is_repeat(agenda, order)
    };
    let last =
        agenda.tries.iter().rev().find(|made| {
            made.has_landed() && made.order.change == Change::Rewrite && can_grow(&made.order)
        })?;
    let of_place = || agenda.tries.iter().filter(|made| made.order.place == last.order.place);
    let told: Vec<&Try> = of_place().skip_while(|made| !made.has_landed()).skip(1).collect();
    let warmth = match told.as_slice() {
        [] => 0,
        [copy] if copy.is_copy() => COPIED_WARMTH,
        _ => return None,
    };
    Some(Writing { warmth, ..Writing::new(last.order.clone(), Showing::Text, Reason::Missing { texts }) })
}
