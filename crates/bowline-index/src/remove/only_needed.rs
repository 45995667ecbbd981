//! Definitions of a file that nothing but the removed code uses: helpers, constants, private types, and what only those use.
//!
//! What always holds: a helper is used by what goes away, is private to its file as far as the language can say it, and has no
//! site outside of what goes away. What something outside of the code may call by its name stays: what has a decorator, `main`.

use std::ops::Range;

use super::{Going, What};
use crate::kinds::Kind;
use crate::language::Language;
use crate::place::Place;
use crate::places::places;
use crate::sites::{How, ProjectFile, Site};
use crate::uses::Role;

/// Whether definitions that only the removed code needs go with it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Helpers {
    #[default]
    Kept,
    Removed,
}

/// Attributes and decorators that register nothing.
const HARMLESS: [&str; 20] = [
    "derive",
    "inline",
    "must_use",
    "allow",
    "expect",
    "cfg",
    "rustfmt",
    "doc",
    "cold",
    "repr",
    "dataclass",
    "cache",
    "lru_cache",
    "functools",
    "staticmethod",
    "classmethod",
    "property",
    "contextmanager",
    "SuppressWarnings",
    "Deprecated",
];

/// A definition that may go, with all that goes with it.
struct Candidate<'p> {
    place: &'p Place,
    ranges: Vec<(usize, Range<usize>, What)>,
    sites: Vec<Site>,
}

impl Going<'_, '_> {
    /// Adds the definitions of a file that are there only for what goes away.
    pub(super) fn add_helpers(&mut self, path: &str) {
        let Some(index) = self.project.files.iter().position(|file| file.reading.path == path) else {
            return;
        };
        let Some(file) = self.project.files.get(index) else { return };
        let all = places(path, file.reading.content);
        let mut candidates = self.candidates((index, file), &all);
        // All of them at once, so that those which use each other can go; what has a site elsewhere stays, and what that uses.
        loop {
            let mut gone = self.in_file(index).into_iter().map(|(range, _)| range).collect::<Vec<_>>();
            gone.extend(candidates.iter().flat_map(|one| &one.ranges).map(|(_, range, _)| range.clone()));
            let is_inside = |site: &Site| {
                site.file == index
                    && gone.iter().any(|range| range.start <= site.bytes.start && site.bytes.end <= range.end)
            };
            let count = candidates.len();
            candidates.retain(|one| one.sites.iter().all(is_inside));
            if candidates.len() == count {
                break;
            }
        }
        for one in candidates {
            self.helpers.push((path.to_owned(), one.place.path()));
            self.ranges.extend(one.ranges);
            self.sites.extend(one.sites);
        }
    }

    /// The private definitions that the code which goes away uses, directly or through each other.
    fn candidates<'p>(
        &self,
        (index, file): (usize, &ProjectFile<'_>),
        all: &'p [Place],
    ) -> Vec<Candidate<'p>> {
        let mut gone: Vec<Range<usize>> = self.in_file(index).into_iter().map(|(range, _)| range).collect();
        let mut found: Vec<Candidate<'p>> = Vec::new();
        let is_in = |gone: &[Range<usize>], bytes: &Range<usize>| {
            gone.iter().any(|range| range.start <= bytes.start && bytes.end <= range.end)
        };
        loop {
            let next = all.iter().find(|place| {
                !is_in(&gone, &place.bytes)
                    && is_private(file, all, place)
                    && !found.iter().any(|known| known.place == *place)
                    && file.reading.tokens(&place.name).iter().any(|token| {
                        let is_use =
                            matches!(token.role, Role::Call | Role::Plain | Role::Shorthand | Role::Member);
                        is_use && is_in(&gone, &token.bytes)
                    })
            });
            let Some(place) = next else { return found };
            let mut own = Going::new(self.project);
            let is_refused = own.add(file.reading.path, place).is_err();
            let is_shared = own.sites.iter().any(|site| !matches!(site.how, How::Definition | How::Use));
            let mut ranges = if is_refused || is_shared { Vec::new() } else { own.ranges };
            if place.kind == Kind::Type && !ranges.is_empty() {
                ranges.extend(implementations(all, place).map(|bytes| (index, bytes, What::Lines)));
            }
            gone.extend(ranges.iter().map(|(_, range, _)| range.clone()));
            // What can't go has no range and sites that are never inside, so that it is looked at once.
            found.push(Candidate { place, ranges, sites: own.sites });
        }
    }
}

/// What belongs to a type of Rust and stands elsewhere in its file.
fn implementations<'p>(all: &'p [Place], of: &'p Place) -> impl Iterator<Item = Range<usize>> + 'p {
    let is_it = |place: &&Place| {
        place.kind == Kind::Implementation && place.name == of.name && place.container == of.container
    };
    all.iter().filter(is_it).map(|place| place.bytes.clone())
}

/// Whether nothing outside of its file can use a definition, as far as its own words say it.
fn is_private(file: &ProjectFile<'_>, all: &[Place], place: &Place) -> bool {
    let is_kind = matches!(place.kind, Kind::Function | Kind::Type | Kind::Macro | Kind::Constant);
    let text = String::from_utf8_lossy(file.reading.content);
    let line = |number: usize| text.lines().nth(number.saturating_sub(1)).unwrap_or_default().trim();
    let own = line(*place.own_lines.start());
    let is_registered = (*place.lines.start()..*place.own_lines.start()).map(line).any(|line| {
        let name = line.strip_prefix("#[").or_else(|| line.strip_prefix('@'));
        name.is_some_and(|name| !HARMLESS.iter().any(|known| name.starts_with(known)))
    });
    let is_member = place.container.is_some();
    let language = file.reading.language;
    let says = match language {
        Language::Rust => !own.starts_with("pub ") && (!is_member || is_of_plain_implementation(all, place)),
        Language::JavaScript => !own.starts_with("export ") && (!is_member || place.name.starts_with('#')),
        Language::TypeScript | Language::Tsx => {
            !own.starts_with("export ") && (!is_member || own.starts_with("private "))
        }
        Language::Go => !place.name.starts_with(char::is_uppercase),
        Language::Java => own.contains("private "),
        Language::C | Language::Cpp => {
            let is_header = [".h", ".hpp", ".hh"].iter().any(|end| file.reading.path.ends_with(end));
            !is_header && (own.contains("static ") || matches!(place.kind, Kind::Macro | Kind::Type))
        }
        Language::Python => !is_member || place.name.starts_with('_') && !place.name.starts_with("__"),
        _ => !is_member,
    };
    is_kind && says && !is_registered && place.name != "main"
}

/// Whether a function of Rust stands in an implementation that is not one of a trait.
fn is_of_plain_implementation(all: &[Place], place: &Place) -> bool {
    let around = all.iter().rfind(|other| {
        *other != place && other.bytes.start <= place.bytes.start && place.bytes.end <= other.bytes.end
    });
    around.is_some_and(|around| around.kind == Kind::Implementation && !around.head.contains(" for "))
}
