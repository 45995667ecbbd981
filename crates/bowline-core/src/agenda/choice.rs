//! The places that the model chooses from, best first, where the words alone do not decide.

use std::collections::{HashMap, HashSet};

use super::{Agenda, Tests, Try, evidence};
use crate::limits::{OFFERED_BYTES_MAX, OFFERED_MAX, SMALL_FILE_LINES_MAX, TRIES_PER_PLACE_MAX};
use crate::place::{self, Change, Found, Offered, Place, PlaceKind};
use crate::task::{self, Name, Role};

/// A file that the user named counts for more than any number of words.
const NAMED_FILE: u32 = 20;
const NAMED: u32 = 10;
/// A file with so many functions and types is not offered as a whole.
const DEFINITIONS_MIN: usize = 2;
/// How such lines begin.
const FRAMES: [&str; 8] = [
    "#!",
    "'use strict'",
    "\"use strict\"",
    "module.exports",
    "exports.",
    "export {",
    "export default ",
    "package ",
];
const REMOVING: [&str; 7] = ["remove", "delete", "drop", "dead", "unused", "obsolete", "rid"];
const RENAMING: [&str; 4] = ["rename", "renamed", "call", "called"];
const MANIFESTS: [&str; 6] =
    ["Cargo.toml", "package.json", "package-lock.json", "pyproject.toml", "go.mod", "pom.xml"];

/// What a message says that means the project's documents.
const DOCUMENTING: [&str; 14] = [
    "readme",
    "doc",
    "docs",
    "document",
    "documents",
    "documented",
    "documentation",
    "changelog",
    "manual",
    "guide",
    "markdown",
    "typo",
    "spelling",
    "wording",
];

/// Files that the user named and that were not changed yet, in the order of the message.
pub(super) fn untouched_files(agenda: &Agenda<'_>) -> Vec<String> {
    // A traceback names files that are only passed through, and so does the command that led to it.
    if !agenda.wording.frames.is_empty() {
        return Vec::new();
    }
    let files = agenda.wording.paths.iter().filter_map(|path| agenda.now.file(path));
    let is_changed =
        |file: &str| agenda.tries.iter().any(|made| made.order.place.path == file && made.has_landed());
    let is_given_up = |file: &str| {
        agenda.tries.iter().filter(|made| made.order.place.path == file).count() >= TRIES_PER_PLACE_MAX
    };
    let mut untouched: Vec<String> = Vec::new();
    for file in files.filter(|file| !is_changed(file) && !is_given_up(file) && !is_test(agenda, file)) {
        if !untouched.iter().any(|known| known == file) {
            untouched.push(file.to_owned());
        }
    }
    untouched
}

fn is_test(agenda: &Agenda<'_>, file: &str) -> bool {
    agenda.now.places.iter().any(|found| found.place.path == file && found.is_test)
}

/// What can be chosen: the places of the first of these files, or of the whole project if there are none.
pub(super) fn offered(agenda: &Agenda<'_>, files: &[String]) -> Vec<Offered> {
    let is_open = |found: &&Found| {
        let failed = agenda.tries.iter().filter(|made| made.order.place == found.place && !made.has_landed());
        failed.count() < TRIES_PER_PLACE_MAX && (agenda.tests == Tests::Wanted || !found.is_test)
    };
    // What the message says is to stay.
    let is_kept = |text: &str| agenda.wording.excluded.iter().any(|kept| kept == text);
    let is_free =
        |found: &&Found| !is_kept(&found.place.path) && !found.place.own_name().is_some_and(is_kept);
    let in_file = |found: &&Found| files.first().is_none_or(|file| found.place.path == *file);
    let named = agenda.named_files();
    let is_for_people = is_about_code(agenda);
    let is_code = |found: &&Found| {
        let path = found.place.path.as_str();
        let is_beside = is_manifest(path) || is_for_people && place::is_document_path(path);
        !is_beside || named.contains(path)
    };
    let types: HashSet<&Place> = places_of(agenda, PlaceKind::Type).collect();
    let divided = divided(agenda);
    let is_part = |found: &&Found| match found.kind {
        PlaceKind::File => !divided.contains(found.place.path.as_str()),
        // The fields of a type are changed with it; the entries of an object stand for themselves.
        PlaceKind::Member => !container(found).is_some_and(|of| types.contains(&of)),
        PlaceKind::Imports => false,
        PlaceKind::Text => !is_frame(found),
        // Of a large type its methods are changed.
        PlaceKind::Type => evidence::is_small(agenda, found),
        _ => true,
    };
    let is_small = |found: &&Found| found.kind != PlaceKind::File || found.last_line <= SMALL_FILE_LINES_MAX;
    let open = || {
        let all = agenda.now.places.iter().filter(is_open).filter(is_free);
        all.filter(in_file).filter(is_code).filter(is_small)
    };
    let mut ranked: Vec<&Found> = open().filter(is_part).collect();
    if ranked.is_empty() {
        ranked = open().filter(|found| found.kind == PlaceKind::File).collect();
    }
    ranked.sort_by_cached_key(|found| {
        let of_file = if named.contains(found.place.path.as_str()) { NAMED_FILE } else { 0 };
        std::cmp::Reverse(of_file + score(agenda, found))
    });
    let mut bytes = 0;
    let fits = |found: &&Found| {
        bytes += found.place.label().len() + 1;
        bytes <= OFFERED_BYTES_MAX
    };
    let best = ranked.into_iter().take(OFFERED_MAX).take_while(fits);
    best.map(|found| Offered { place: found.place.clone(), changes: changes(agenda, found) }).collect()
}

fn places_of<'a>(agenda: &Agenda<'a>, kind: PlaceKind) -> impl Iterator<Item = &'a Place> {
    agenda.now.places.iter().filter(move |found| found.kind == kind).map(|found| &found.place)
}

/// Files with several definitions, which can be changed one by one. A small model hands a whole file back as it is.
fn divided<'a>(agenda: &Agenda<'a>) -> HashSet<&'a str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for kind in [PlaceKind::Function, PlaceKind::Type] {
        for place in places_of(agenda, kind) {
            *counts.entry(place.path.as_str()).or_default() += 1;
        }
    }
    counts.into_iter().filter(|(_, count)| *count >= DEFINITIONS_MIN).map(|(path, _)| path).collect()
}

/// Lines that only frame a program: which interpreter runs it, what it exports. Nothing is put right there.
fn is_frame(found: &Found) -> bool {
    let first = found.place.name.as_deref().unwrap_or_default();
    FRAMES.iter().any(|start| first.starts_with(start))
}

/// The place that a member belongs to.
fn container(found: &Found) -> Option<Place> {
    let (of, _) = found.place.name.as_deref()?.rsplit_once('.')?;
    Some(Place { path: found.place.path.clone(), name: Some(of.to_owned()) })
}

/// Whether a file says what a package is called and needs: "cargo test fails" does not mean Cargo.toml.
fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    MANIFESTS.contains(&name) || name.ends_with(".lock")
}

/// Whether a file is a document in a project of code, and the message does not speak of documents.
pub(super) fn is_beside_the_point(agenda: &Agenda<'_>, path: &str) -> bool {
    place::is_document_path(path) && is_about_code(agenda)
}

/// Whether the project has code, and the message does not speak of documents.
fn is_about_code(agenda: &Agenda<'_>) -> bool {
    let is_code = |found: &Found| found.kind.is_definition() || place::is_script_path(&found.place.path);
    agenda.before.places.iter().any(is_code) && !speaks(agenda.message, &DOCUMENTING)
}

fn speaks(message: &str, words: &[&str]) -> bool {
    let message = message.to_lowercase();
    message.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word))
}

/// How well a place fits the words of the message, whatever its file.
fn score(agenda: &Agenda<'_>, found: &Found) -> u32 {
    let name = found.place.own_name().unwrap_or_default();
    let words = agenda.words;
    let is_it = |known: &Name| known.text == name && known.role == Role::Subject;
    let is_named = agenda.wording.names.iter().any(is_it);
    let used: u32 = found.uses.iter().map(|used| task::score(words, used).min(1)).sum();
    4 * task::score(words, name)
        + task::score(words, &found.place.path)
        + used.min(4)
        + if is_named { NAMED } else { 0 }
}

/// What can be done to a place. Removing and renaming are offered only where the message speaks of it: a small model takes them
/// for a change of any kind.
fn changes(agenda: &Agenda<'_>, found: &Found) -> Vec<Change> {
    // Where the message spells out what is to be renamed or removed, nothing else is.
    let own = found.place.own_name().unwrap_or_default();
    let is_meant = |name: &str, path: Option<&String>| {
        let file = path.and_then(|path| agenda.before.file(path));
        name == own && file.is_none_or(|file| file == found.place.path)
    };
    let removals = &agenda.wording.removals;
    let renames = &agenda.wording.renames;
    let is_possible = |change: &Change| match change {
        Change::AddAfter => can_add(agenda),
        Change::Remove => {
            let is_spelled = removals.iter().any(|one| is_meant(&one.name, one.path.as_ref()));
            speaks(agenda.message, &REMOVING) && (removals.is_empty() || is_spelled)
        }
        Change::Rename => {
            let is_spelled = renames.iter().any(|one| is_meant(&one.from, one.path.as_ref()));
            speaks(agenda.message, &RENAMING) && (renames.is_empty() || is_spelled)
        }
        _ => true,
    };
    all_changes(found).into_iter().filter(is_possible).collect()
}

/// Whether anything new is still to be added, as far as the message says what. A small model adds a second copy where it should
/// use the first.
fn can_add(agenda: &Agenda<'_>) -> bool {
    let is_addition = |made: &&Try| made.has_landed() && made.order.change == Change::AddAfter;
    let added = agenda.tries.iter().filter(is_addition).count();
    added == 0 || added < evidence::new_definitions(agenda).len()
}

fn all_changes(found: &Found) -> Vec<Change> {
    match found.kind {
        PlaceKind::File => vec![Change::Rewrite],
        PlaceKind::Text | PlaceKind::Imports => vec![Change::Rewrite, Change::AddAfter],
        _ => vec![Change::Rewrite, Change::AddAfter, Change::Remove, Change::Rename],
    }
}
