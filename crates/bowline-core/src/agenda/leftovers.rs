//! What the changes so far have left behind: uses of what got other parameters, and places that name two old variants of an
//! enum and not the new one.

use super::evidence::rewrite;
use super::{Agenda, Order, Reason, choice};
use crate::place::{Change, Found, Place, PlaceKind};

/// The places that are left, each with why.
pub(super) fn proposals(agenda: &Agenda<'_>) -> Vec<(Order, Reason)> {
    let mut found: Vec<(&Found, Reason)> = Vec::new();
    let landed = agenda.tries.iter().filter(|made| made.has_landed() && made.order.change == Change::Rewrite);
    for made in landed {
        let place = &made.order.place;
        let of = place.own_name().unwrap_or_default().to_owned();
        found.extend(
            callers(agenda, place).into_iter().map(|found| (found, Reason::Caller { of: of.clone() })),
        );
        found.extend(unhandled(agenda, place));
    }
    let is_named = |found: &Found| {
        agenda.wording.paths.iter().any(|path| agenda.now.file(path) == Some(&found.place.path))
    };
    // A stable sort keeps the order of the project within both groups.
    found.sort_by_key(|(found, _)| !is_named(found));
    let is_open = |found: &Found| {
        let is_beside = choice::is_beside_the_point(agenda, &found.place.path) && !is_named(found);
        !found.is_test && !is_beside && !agenda.is_changed(&found.place)
    };
    let open = found.into_iter().filter(|(found, _)| is_open(found));
    open.map(|(found, reason)| (rewrite(found), reason)).collect()
}

/// Functions that use a function whose signature is no longer what it was.
fn callers<'a>(agenda: &Agenda<'a>, place: &Place) -> Vec<&'a Found> {
    let (Some(before), Some(now)) = (agenda.before.find(place), agenda.now.find(place)) else {
        return Vec::new();
    };
    let Some(name) = place.own_name().filter(|_| now.kind == PlaceKind::Function && before.head != now.head)
    else {
        return Vec::new();
    };
    let uses = |found: &&Found| {
        // An export list names it, too: outside functions only a call counts.
        let names = if found.kind == PlaceKind::Function { &found.uses } else { &found.calls };
        found.place != *place && is_smallest(agenda, found) && names.iter().any(|used| used == name)
    };
    agenda.now.places.iter().filter(uses).collect()
}

/// Places that name two variants an enum had before, and none of those that are new.
fn unhandled<'a>(agenda: &Agenda<'a>, place: &Place) -> Vec<(&'a Found, Reason)> {
    let Some(name) = place.name.as_deref() else { return Vec::new() };
    let members = |survey: &'a crate::place::Survey| -> Vec<&'a str> {
        let is_member = |found: &&Found| {
            found.kind == PlaceKind::Member
                && found.place.path == place.path
                && found
                    .place
                    .name
                    .as_deref()
                    .and_then(|full| full.rsplit_once('.'))
                    .is_some_and(|(outer, _)| outer == name)
        };
        survey.places.iter().filter(is_member).filter_map(|found| found.place.own_name()).collect()
    };
    let (old, now) = (members(agenda.before), members(agenda.now));
    let new: Vec<&str> = now.into_iter().filter(|member| !old.contains(member)).collect();
    if new.is_empty() {
        return Vec::new();
    }
    let is_unhandled = |found: &&Found| {
        let uses =
            |names: &[&str]| names.iter().filter(|name| found.uses.iter().any(|used| used == *name)).count();
        // A list of all variants may be a member of the type itself.
        let is_unit = is_smallest(agenda, found) || found.kind == PlaceKind::Member;
        found.place != *place && is_unit && uses(&old) >= 2 && uses(&new) == 0
    };
    let reason = Reason::Variants {
        of: place.own_name().unwrap_or_default().to_owned(),
        old: old.iter().map(|name| (*name).to_owned()).collect(),
        new: new.iter().map(|name| (*name).to_owned()).collect(),
    };
    agenda.now.places.iter().filter(is_unhandled).map(|found| (found, reason.clone())).collect()
}

/// Whether no other place with a text of its own lies inside: a class is not offered beside its methods.
fn is_smallest(agenda: &Agenda<'_>, outer: &Found) -> bool {
    let is_inside = |inner: &Found| {
        inner.place.path == outer.place.path
            && inner.place != outer.place
            && inner.kind == PlaceKind::Function
            && outer.first_line <= inner.first_line
            && inner.last_line <= outer.last_line
    };
    !matches!(outer.kind, PlaceKind::File | PlaceKind::Member | PlaceKind::Imports)
        && !agenda.now.places.iter().any(is_inside)
}
