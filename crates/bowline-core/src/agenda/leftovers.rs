//! What the changes so far have left behind: uses of what got other parameters, and places that name two old variants of an
//! enum and not the new one. Both follow from the project before the run and as it is now, whatever was written to get there.

use std::collections::{HashMap, HashSet};

use super::evidence::{self, defined, only, rewrite};
use super::{Agenda, Order, Reason, Try, choice};
use crate::place::{self, Change, Found, Place, PlaceKind, Survey};
use crate::task::{self, Name};

/// The places that are left, each with why.
pub(super) fn proposals(agenda: &Agenda<'_>) -> Vec<(Order, Reason)> {
    if !agenda.tries.iter().any(Try::has_landed) {
        return Vec::new();
    }
    let mut found: Vec<(&Found, Reason)> = Vec::new();
    for changed in with_new_signature(agenda) {
        let of = changed.place.own_name().unwrap_or_default().to_owned();
        // What got a new text as part of its file has been written with the new parameters in sight.
        let is_old = |found: &&Found| !agenda.is_rewritten(&found.place);
        let callers = callers(agenda, &changed.place, &of).into_iter().filter(is_old);
        found.extend(callers.map(|found| (found, Reason::Caller { of: of.clone() })));
    }
    for grown in grown(agenda) {
        found.extend(unhandled(agenda, &grown));
    }
    found.extend(user_of_added(agenda).map(|found| (found, Reason::Task)));
    let named = agenda.named_files();
    let is_named = |found: &Found| named.contains(found.place.path.as_str());
    // A stable sort keeps the order of the project within both groups.
    found.sort_by_key(|(found, _)| !is_named(found));
    let is_open = |(found, reason): &(&Found, Reason)| {
        let is_beside = choice::is_beside_the_point(agenda, &found.place.path) && !is_named(found);
        let is_left_alone = found.is_test && !(is_caller(reason) && has_fixed_parameters(&found.place.path));
        !is_left_alone && !is_beside && !agenda.is_changed(&found.place)
    };
    let open = found.into_iter().filter(is_open);
    open.map(|(found, reason)| (rewrite(found), reason)).collect()
}

fn is_caller(reason: &Reason) -> bool {
    matches!(reason, Reason::Caller { .. })
}

/// Whether a call with other parameters does not even compile, so that the tests have to follow whatever the message says of them.
fn has_fixed_parameters(path: &str) -> bool {
    ["rs", "go", "java", "c", "cpp", "cc"].iter().any(|end| place::extension(path) == Some(end))
}

/// Functions whose signature is no longer what it was before the run.
fn with_new_signature<'a>(agenda: &Agenda<'a>) -> Vec<&'a Found> {
    let functions = |survey: &'a Survey| {
        survey.places.iter().filter(|found| found.kind == PlaceKind::Function && !found.is_test)
    };
    let before: HashMap<&Place, &str> =
        functions(agenda.before).map(|found| (&found.place, found.head.as_str())).collect();
    // What a rename did to a signature needs nothing more.
    let has_changed = |found: &&Found| {
        before
            .get(&found.place)
            .is_some_and(|head| *head != found.head && renamed(agenda, head) != found.head)
    };
    functions(agenda.now).filter(has_changed).collect()
}

/// A text with the names that this run has given.
fn renamed(agenda: &Agenda<'_>, text: &str) -> String {
    let mut text = text.to_owned();
    for made in agenda.tries.iter().filter(|made| made.has_landed() && made.order.change == Change::Rename) {
        if let (Some(from), Some(to)) = (made.order.place.own_name(), &made.order.to) {
            text = with_word(&text, from, to);
        }
    }
    text
}

/// A text with one word in place of another.
fn with_word(text: &str, from: &str, to: &str) -> String {
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    let mut replaced = String::new();
    for piece in text.split_inclusive(|sign: char| !is_part(sign)) {
        let word = piece.trim_end_matches(|sign: char| !is_part(sign));
        replaced.push_str(if word == from { to } else { word });
        replaced.push_str(piece.get(word.len()..).unwrap_or_default());
    }
    replaced
}

/// The places that call a function. A method is called where its type is spoken of; a name with several definitions says
/// nothing.
fn callers<'a>(agenda: &Agenda<'a>, place: &Place, name: &str) -> Vec<&'a Found> {
    if only(&defined(agenda, name, agenda.now)).is_none() {
        return Vec::new();
    }
    let owner = place.name.as_deref().and_then(|full| full.rsplit_once('.')).map(|(owner, _)| owner);
    let owner = owner.map(|owner| owner.rsplit('.').next().unwrap_or(owner));
    let is_near = |found: &Found| {
        found.place.path == place.path
            || owner.is_none_or(|owner| found.uses.iter().any(|used| used == owner))
    };
    let calls = |found: &&Found| {
        let calls = found.calls.iter().any(|called| called == name);
        calls && found.place != *place && is_near(found) && is_smallest(agenda, found)
    };
    agenda.now.places.iter().filter(calls).collect()
}

/// A type, or an object of constants, that has members which it did not have before the run.
struct Grown<'a> {
    place: Place,
    old: Vec<&'a str>,
    new: Vec<&'a str>,
}

fn grown<'a>(agenda: &Agenda<'a>) -> Vec<Grown<'a>> {
    let before: HashSet<&Place> = members(agenda.before).map(|(_, found)| &found.place).collect();
    let mut grown: Vec<Grown<'a>> = Vec::new();
    // The members of a type stand together.
    for (of, found) in members(agenda.now) {
        if grown.last().is_none_or(|last| last.place != of) {
            grown.push(Grown { place: of, old: Vec::new(), new: Vec::new() });
        }
        let (Some(grown), Some(name)) = (grown.last_mut(), found.place.own_name()) else { continue };
        let is_old = before.contains(&found.place) || agenda.is_new_name(name);
        if is_old { grown.old.push(name) } else { grown.new.push(name) }
    }
    grown.retain(|grown| grown.old.len() >= 2 && !grown.new.is_empty());
    grown
}

/// The variants of all types, each with the place of its type. Fields, which a language writes in small letters, are not
/// handled one by one.
fn members(survey: &Survey) -> impl Iterator<Item = (Place, &Found)> {
    let is_variant = |found: &&Found| {
        let name = found.place.own_name().unwrap_or_default();
        found.kind == PlaceKind::Member && !found.is_test && name.starts_with(char::is_uppercase)
    };
    survey.places.iter().filter(is_variant).filter_map(|found| {
        let (of, _) = found.place.name.as_deref()?.rsplit_once('.')?;
        Some((Place { path: found.place.path.clone(), name: Some(of.to_owned()) }, found))
    })
}

/// Places that name two variants a type had before, and none of those that are new. One is enough where the place handles all others
/// alike and the message speaks of it by its name: "spin 1200" for `fn spin` with `_ => 800`.
fn unhandled<'a>(agenda: &Agenda<'a>, grown: &Grown<'_>) -> Vec<(&'a Found, Reason)> {
    let is_unhandled = |found: &&Found| {
        let uses =
            |names: &[&str]| names.iter().filter(|name| found.uses.iter().any(|used| used == *name)).count();
        // A list of all variants may be a member of the type itself.
        let is_unit = || found.kind == PlaceKind::Member || is_smallest(agenda, found);
        let is_enough = |count: usize| count >= 2 || count == 1 && is_said_with_rest(agenda, grown, found);
        found.place != grown.place && is_enough(uses(&grown.old)) && uses(&grown.new) == 0 && is_unit()
    };
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let reason = Reason::Variants {
        of: grown.place.own_name().unwrap_or_default().to_owned(),
        old: owned(&grown.old),
        new: owned(&grown.new),
    };
    agenda.now.places.iter().filter(is_unhandled).map(|found| (found, reason.clone())).collect()
}

/// What stands for all other variants: `_ =>`, `default:`, `else`.
const REST: [&str; 3] = ["_", "default", "else"];

/// Whether a function of a type has a branch for all other variants, and its name consists of words of the message.
fn is_said_with_rest(agenda: &Agenda<'_>, grown: &Grown<'_>, found: &Found) -> bool {
    let name = found.place.own_name().unwrap_or_default();
    let of = grown.place.own_name().unwrap_or_default();
    let is_of_type = found.place.path == grown.place.path || found.uses.iter().any(|used| used == of);
    found.kind == PlaceKind::Function
        && is_of_type
        && found.uses.iter().any(|used| REST.contains(&used.as_str()))
        && task::consists_of(name, agenda.words)
}

/// Verbs of what is to be done with a new function: "add median(values) and show it in the report".
const USING: [&str; 14] = [
    "apply", "call", "calls", "display", "include", "print", "prints", "put", "run", "show", "shows", "use",
    "uses", "used",
];
/// Words of a wish about what is named beside them: "the summary should have a line …".
const WISHING: [&str; 5] = ["should", "must", "shall", "needs", "ought"];
/// A shorter word is the name of a function by accident.
const WORD_CHARS_MIN: usize = 4;

/// The one function that the message speaks of in plain words, where it asks for a new function to be used and nothing uses it
/// yet.
fn user_of_added<'a>(agenda: &Agenda<'a>) -> Option<&'a Found> {
    let names: Vec<&str> = evidence::new_definitions(agenda).into_iter().map(Name::last).collect();
    let is_defined =
        |name: &&&str| agenda.now.places.iter().any(|found| found.place.own_name() == Some(**name));
    let name = *names.iter().find(is_defined)?;
    let is_used = agenda.now.places.iter().any(|found| {
        found.kind == PlaceKind::Function && !found.is_test && found.calls.iter().any(|called| called == name)
    });
    if is_used || !choice::untouched_files(agenda).is_empty() {
        return None;
    }
    let words = |text: &str| -> Vec<String> {
        place::identifiers(text).iter().map(|word| word.to_lowercase()).collect()
    };
    let said = |words: &[String]| {
        let is_said = |found: &&Found| {
            let own = found.place.own_name().unwrap_or_default();
            found.kind == PlaceKind::Function
                && !found.is_test
                && own.len() >= WORD_CHARS_MIN
                && !names.contains(&own)
                && words.contains(&own.to_lowercase())
        };
        only(&agenda.now.places.iter().filter(is_said).collect::<Vec<_>>())
    };
    let has = |words: &[String], of: &[&str]| words.iter().any(|word| of.contains(&word.as_str()));
    let all = words(agenda.message);
    // A sentence of its own says what is to have the new function: "The summary should have a line …".
    let mut sentences =
        agenda.message.split_inclusive(['\n', ';']).flat_map(|line| line.split(". ")).map(words);
    let wished = sentences.find_map(|words| said(&words).filter(|_| has(&words, &WISHING)));
    if has(&all, &USING) { said(&all).or(wished) } else { wished }
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
