//! Texts that the user's words ask for: new names, options and texts that are to be shown. Those that occur nowhere in the project at first
//! have to be in the change; if one is missing when everything else is done, the model is told so once.

use super::{Agenda, Order, Reason, Showing, Writing};
use crate::limits::WANTED_MAX;
use crate::place::{Change, PlaceKind};
use crate::task::{Form, Wording};

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
    let all = options.chain(names).chain(wording.literals.iter().cloned());
    let mut wanted: Vec<String> = Vec::new();
    for text in all.filter(|text| !text.trim().is_empty() && !gone(text)) {
        if wanted.len() < WANTED_MAX && !wanted.contains(&text) {
            wanted.push(text);
        }
    }
    wanted
}

/// A second text for the place that was changed last, where a wanted text is still missing. Each place gets one such request.
pub(super) fn still_missing(agenda: &Agenda<'_>) -> Option<Writing> {
    let is_new = |text: &&String| agenda.before.missing.contains(text);
    let texts: Vec<String> = agenda.now.missing.iter().filter(is_new).cloned().collect();
    if texts.is_empty() {
        return None;
    }
    let landed = |order: &Order| {
        agenda.tries.iter().filter(|made| made.order.place == order.place && made.has_landed()).count()
    };
    let can_grow = |order: &Order| {
        let found = agenda.now.find(&order.place);
        let is_unit = |kind| matches!(kind, PlaceKind::Function | PlaceKind::Text | PlaceKind::File);
        found.is_some_and(|found| is_unit(found.kind) && !found.is_test)
    };
    let last =
        agenda.tries.iter().rev().find(|made| {
            made.has_landed() && made.order.change == Change::Rewrite && can_grow(&made.order)
        })?;
    let is_told = agenda.tries.iter().filter(|made| made.order.place == last.order.place).count() > 1;
    let order = last.order.clone();
    let is_due = landed(&order) == 1 && !is_told;
    is_due.then_some(Writing::new(order, Showing::Text, Reason::Missing { texts }))
}
