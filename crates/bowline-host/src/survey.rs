//! A survey of the project for a task: which places it has, and what is in one of them.
//!
//! It reads files and describes them; which place is to be changed is decided in the core. Secrets, hidden and ignored files
//! are never looked at. Bounded by files, bytes and places; of a large project only the files are parsed that mention a word
//! of the task. What waits for review is seen as the tools see it.

mod place_text;
mod repeats;
mod replacements;

use std::collections::{HashMap, HashSet};

use bowline_core::place::{self, Found, Place, PlaceKind, Query, Statement, Survey};
use bowline_core::task;
use bowline_core::tool_output::Grant;
use bowline_index::{Kind, definitions, expose, places};

use crate::glimpse::is_withheld;
use crate::walk::{Hidden, Walk, is_file};
use crate::workspace::Workspace;

pub use place_text::read_place;

/// Files that are listed, and those of them that are read.
const FILES_MAX: usize = 20_000;
const FILES_READ_MAX: usize = 2_000;
const FILE_BYTES_MAX: u64 = 256 * 1024;
const BYTES_MAX: u64 = 16 * 1024 * 1024;
/// A project of at most so many files is read whole.
const SMALL_FILES_MAX: usize = 60;
/// A name is looked for in so much text.
const MENTIONED_BYTES_MAX: u64 = 128 * 1024 * 1024;
const PLACES_MAX: usize = 20_000;
/// What the imports at the top of a file are called as a place.
const IMPORTS: &str = "imports";
/// Lines of a statement that a failed command pointed at.
const STATEMENT_LINES_MAX: usize = 8;
/// Failing tests that are looked into, and their assertions.
const TESTS_MAX: usize = 5;
const ASSERTIONS_MAX: usize = 12;
/// A word of the task that is shorter is in too many files to choose by it.
const WORD_CHARS_MIN: usize = 3;

/// A text file of the project.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// The places of the project that a task may be about, and what else the query asks for.
pub fn survey(workspace: &Workspace, query: &Query) -> Survey {
    let files = files(workspace);
    let words: Vec<String> =
        task::words(&query.task).into_iter().filter(|word| word.chars().count() >= WORD_CHARS_MIN).collect();
    let is_small = files.len() <= SMALL_FILES_MAX;
    let mentions = |source: &Source| {
        let text = source.text.to_lowercase();
        let path = source.path.to_lowercase();
        is_small || words.iter().any(|word| path.contains(word.as_str()) || text.contains(word.as_str()))
    };
    // A text that is put together from parts counts as soon as the project has all its words.
    let mut missing: Vec<(&String, Vec<&str>)> =
        query.texts.iter().map(|text| (text, text.split_whitespace().collect())).collect();
    let mut survey = Survey::default();
    for source in sources(workspace, &files) {
        for (_, words) in &mut missing {
            words.retain(|word| !source.text.contains(*word));
        }
        if survey.places.len() < PLACES_MAX && mentions(&source) {
            survey.places.extend(places_of(&source));
        }
    }
    survey.missing =
        missing.iter().filter(|(_, words)| !words.is_empty()).map(|(text, _)| (*text).clone()).collect();
    survey.files = files;
    let statements = query.lines.iter().filter_map(|at| statement(workspace, &survey, at));
    survey.statements = repeats::with_repeats(workspace, &survey, statements.collect(), &query.marked);
    survey.replacements = replacements::replacements(workspace, &survey.files, &query.values);
    survey.corrected = replacements::corrected(workspace, &survey, &query.corrections);
    survey.assertions = assertions(workspace, &survey, &query.tests);
    survey
}

/// The assertions of these tests, by the ids that their runner prints: `LoansTest.test_empty`, `tests::empty`, a title.
fn assertions(workspace: &Workspace, survey: &Survey, tests: &[String]) -> Vec<Statement> {
    let is_it = |found: &&Found| {
        let name = found.place.own_name().unwrap_or_default();
        let is_named = |id: &String| {
            let last = id.rsplit(['.', ':', '/', ' ', '>']).next().unwrap_or(id);
            name == last || name.ends_with(id.as_str()) || id.ends_with(name)
        };
        found.is_test && name.len() >= WORD_CHARS_MIN && tests.iter().any(is_named)
    };
    let mut assertions = Vec::new();
    for found in survey.places.iter().filter(is_it).take(TESTS_MAX) {
        let Some(source) = source(workspace, &found.place.path) else { continue };
        for line in found.first_line..=found.last_line {
            let text = usize::try_from(line).ok().and_then(|line| source.text.lines().nth(line - 1));
            let is_assertion = text.is_some_and(|text| text.contains("assert") || text.contains("expect("));
            if is_assertion && assertions.len() < ASSERTIONS_MAX {
                assertions.extend(statement(workspace, survey, &(found.place.path.clone(), line)));
            }
        }
    }
    assertions
}

/// The statement that begins on a line, up to where its parentheses are closed.
fn statement(workspace: &Workspace, survey: &Survey, (path, line): &(String, i64)) -> Option<Statement> {
    let source = source(workspace, survey.file(path)?)?;
    let first = usize::try_from(*line).ok()?.checked_sub(1)?;
    let mut text = String::new();
    for line in source.text.lines().skip(first).take(STATEMENT_LINES_MAX) {
        text.push_str(line.trim_end());
        text.push('\n');
        if text.matches('(').count() <= text.matches(')').count() {
            break;
        }
    }
    let calls = place::calls(&text);
    Some(Statement {
        path: source.path,
        line: *line,
        text: text.trim().to_owned(),
        calls,
        repeats: Vec::new(),
    })
}

/// The paths of all files that may be looked at, sorted.
fn files(workspace: &Workspace) -> Vec<String> {
    let walk = Walk::of(workspace, workspace.root()).hidden(Hidden::LeftOut);
    let paths = walk.entries().filter(is_file).map(|entry| workspace.display(entry.path()));
    let mut paths: Vec<String> = paths.filter(|path| !is_withheld(path)).take(FILES_MAX).collect();
    paths.extend(workspace.waiting_files(workspace.root()).into_iter().map(|file| file.display));
    paths.sort();
    paths.dedup();
    paths
}

/// The text files among these.
fn sources<'a>(workspace: &'a Workspace, files: &'a [String]) -> impl Iterator<Item = Source> + 'a {
    let mut bytes = 0;
    let read = move |path: &String| {
        let source = source(workspace, path)?;
        bytes += source.text.len() as u64;
        (bytes <= BYTES_MAX).then_some(source)
    };
    files.iter().filter_map(read).take(FILES_READ_MAX)
}

/// The text files that mention a name.
pub(crate) struct Mentions {
    pub(crate) sources: Vec<Source>,
    pub(crate) extent: Extent,
}

/// How much of a project was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Extent {
    Whole,
    /// The project has more files, or more text, than are looked at.
    Part,
    /// This file mentions the name and is too large to be parsed.
    AllBut(String),
}

/// All text files that mention a name, and the manifests that say what a package is called.
pub(crate) fn mentioning(workspace: &Workspace, name: &str) -> Mentions {
    mentioning_any(workspace, name, &[])
}

/// The same with the files that mention one of some other names.
pub(crate) fn mentioning_any(workspace: &Workspace, name: &str, others: &[String]) -> Mentions {
    let files = files(workspace);
    let is_wanted = |source: &Source| {
        source.text.contains(name)
            || source.path.ends_with("Cargo.toml")
            || others.iter().any(|other| source.text.contains(other.as_str()))
    };
    let (mut sources, mut bytes) = (Vec::new(), 0);
    let mut extent = if files.len() < FILES_MAX { Extent::Whole } else { Extent::Part };
    for path in &files {
        let size = workspace.root().join(path).symlink_metadata().map_or(0, |metadata| metadata.len());
        bytes += size;
        if bytes > MENTIONED_BYTES_MAX {
            extent = Extent::Part;
            break;
        }
        if size > FILE_BYTES_MAX {
            if extent == Extent::Whole && is_mentioned_in_large(workspace, path, name) {
                extent = Extent::AllBut(path.clone());
            }
            continue;
        }
        sources.extend(source(workspace, path).filter(is_wanted));
    }
    Mentions { sources, extent }
}

/// Whether a text file that is too large to be parsed contains a name.
fn is_mentioned_in_large(workspace: &Workspace, path: &str, name: &str) -> bool {
    let file = workspace.resolve(path, Grant::Inside).ok().filter(|_| !is_withheld(path));
    let bytes = file.and_then(|file| workspace.read(&file).ok()).map(|read| read.bytes).unwrap_or_default();
    !bytes.contains(&0) && memchr::memmem::find(&bytes, name.as_bytes()).is_some()
}

/// Which file defines each of these names, outside `path` and the tests; names that two files define are left out.
pub(crate) fn defining(workspace: &Workspace, path: &str, names: &[String]) -> Vec<(String, String)> {
    if names.is_empty() {
        return Vec::new();
    }
    let files = files(workspace);
    let others = || files.iter().filter(|file| *file != path && !place::is_test_path(file));
    let mut defined: Vec<(String, String)> = Vec::new();
    for source in others().filter_map(|file| source(workspace, file)).take(FILES_READ_MAX) {
        if !names.iter().any(|name| source.text.contains(name.as_str())) {
            continue;
        }
        let found = definitions(&source.path, source.text.as_bytes());
        let own = found.into_iter().filter(|part| part.container.is_none() && names.contains(&part.name));
        defined.extend(own.map(|part| (part.name, source.path.clone())));
    }
    let is_only = |name: &str| defined.iter().filter(|(known, _)| known == name).count() == 1;
    defined.iter().filter(|(name, _)| is_only(name)).cloned().collect()
}

/// The names that a new text brings into a file and that another file defines without showing them to others, each with the
/// path of that file.
pub(crate) fn to_expose(workspace: &Workspace, path: &str, text: &str) -> Vec<(String, String)> {
    let old = source(workspace, path).map(|source| source.text).unwrap_or_default();
    let known: HashSet<String> = place::identifiers(&old).into_iter().collect();
    let new: Vec<String> =
        place::identifiers(text).into_iter().filter(|name| !known.contains(name)).collect();
    let is_closed = |(name, path): &(String, String)| {
        source(workspace, path).is_some_and(|source| expose(path, source.text.as_bytes(), name).is_some())
    };
    defining(workspace, path, &new).into_iter().filter(is_closed).collect()
}

/// A file of the project as the tools see it; none for one that is large, binary or not to be looked at.
pub(crate) fn source(workspace: &Workspace, path: &str) -> Option<Source> {
    let file = workspace.resolve(path, Grant::Inside).ok()?;
    let size = file.real.symlink_metadata().map_or(0, |metadata| metadata.len());
    if size > FILE_BYTES_MAX || is_withheld(path) {
        return None;
    }
    let text = String::from_utf8(workspace.read(&file).ok()?.bytes).ok()?;
    (!text.contains('\0')).then(|| Source { path: path.to_owned(), text })
}

/// The text of each of these files that a tool may see, with its path.
pub fn read_files(workspace: &Workspace, paths: &[String]) -> Vec<(String, String)> {
    let sources = paths.iter().filter_map(|path| source(workspace, path));
    sources.map(|source| (source.path, source.text)).collect()
}

/// The places of a file, the file itself first.
fn places_of(source: &Source) -> Vec<Found> {
    let describe = |place: Place, kind: PlaceKind, lines: (usize, usize), head: &str, text: &str| {
        let own = place.own_name().unwrap_or_default().to_owned();
        Found {
            is_test: place::is_test_place(&place),
            place,
            kind,
            first_line: i64::try_from(lines.0).unwrap_or(i64::MAX),
            last_line: i64::try_from(lines.1).unwrap_or(i64::MAX),
            head: head.to_owned(),
            uses: place::identifiers(text).into_iter().filter(|name| *name != own).collect(),
            calls: place::calls(text),
            options: place::options(text),
            numbers: if kind == PlaceKind::File { Vec::new() } else { place::numbers(text) },
        }
    };
    let lines = source.text.lines().count();
    let head = source.text.lines().next().unwrap_or_default();
    let whole = describe(Place::file(&source.path), PlaceKind::File, (1, lines), head, &source.text);
    let parts = places(&source.path, source.text.as_bytes());
    let parts = unique(&parts).into_iter().map(|part| {
        let text = source.text.get(part.bytes.clone()).unwrap_or_default();
        let place = Place { path: source.path.clone(), name: Some(part.path()) };
        describe(
            place,
            kind_of(part.kind, &part.name),
            (*part.lines.start(), *part.lines.end()),
            &part.head,
            text,
        )
    });
    std::iter::once(whole).chain(parts).collect()
}

/// One place for each path in a file, the one with a body before a mere declaration of it.
fn unique(parts: &[bowline_index::Place]) -> Vec<&bowline_index::Place> {
    let mut chosen: HashMap<String, &bowline_index::Place> = HashMap::new();
    for part in parts {
        let known = chosen.entry(part.path()).or_insert(part);
        if known.body.is_none() && part.body.is_some() {
            *known = part;
        }
    }
    parts.iter().filter(|part| chosen.get(&part.path()).is_some_and(|known| known == part)).collect()
}

/// The place of this path in a file.
pub(crate) fn find<'a>(parts: &'a [bowline_index::Place], path: &str) -> Option<&'a bowline_index::Place> {
    unique(parts).into_iter().find(|part| part.path() == path)
}

fn kind_of(kind: Kind, name: &str) -> PlaceKind {
    match kind {
        Kind::Function | Kind::Macro => PlaceKind::Function,
        Kind::Type | Kind::Implementation | Kind::Module => PlaceKind::Type,
        Kind::Constant => PlaceKind::Constant,
        Kind::Field | Kind::Variant => PlaceKind::Member,
        Kind::Block if name == IMPORTS => PlaceKind::Imports,
        _ => PlaceKind::Text,
    }
}
