//! Adds new definitions to a file: after a place, at the end of a type, or at the end of the file.
//!
//! What always holds for what is not refused: a file that parsed before parses after, and nothing that was in the file changes.

use std::fmt;
use std::ops::Range;

use crate::check::{Broken, check};
use crate::fit;
use crate::imports::add_imports;
use crate::kinds::Kind;
use crate::language::Language;
use crate::place::Place;
use crate::places::places;
use crate::rewrite::answer::{blank_lines, examples, used_imports};
use crate::rewrite::document::{Document, FittedPlace, container, is_named, last, own_start};

/// A file with something new in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Added {
    pub content: Vec<u8>,
    /// The names of what was added.
    pub added: Vec<String>,
    pub imports_added: Vec<String>,
    /// The first lines of what was left out: example calls.
    pub left_out: Vec<String>,
}

/// Why nothing was added.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AddRefused {
    Empty,
    /// The text defines nothing that is new.
    NothingNew,
    /// The file defines these already, in another way: that would be a rewrite of them.
    Exists {
        names: Vec<String>,
    },
    /// The file would no longer parse.
    Breaks(Broken),
    /// It holds a statement that is neither a definition nor an example.
    Stray {
        line: String,
    },
}

impl fmt::Display for AddRefused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AddRefused::Empty => formatter.write_str("the text is empty"),
            AddRefused::NothingNew => formatter.write_str("the text defines nothing new"),
            AddRefused::Exists { names } => write!(formatter, "`{}` is there already", names.join("`, `")),
            AddRefused::Breaks(broken) => {
                write!(formatter, "the file would not parse: line {}: {}", broken.line, broken.what)
            }
            AddRefused::Stray { line } => write!(formatter, "`{line}` does not belong there"),
        }
    }
}

impl std::error::Error for AddRefused {}

/// Adds the definitions of a text after a place, beside it; without a place, after the last definition of the file. Methods that
/// the text has inside the head of a type go to the end of that type. A text without definitions is added only to a file whose
/// language is not known.
///
/// ```
/// use bowline_index::{add_after, places};
///
/// let content = b"def load():\n    return 1\n\n\nif __name__ == \"__main__\":\n    load()\n";
/// let added = add_after("shop.py", content, None, "def save(rows):\n    return rows\n").unwrap();
/// let expected = "def load():\n    return 1\n\n\ndef save(rows):\n    return rows\n\n\nif __name__ == \"__main__\":\n    load()\n";
/// assert_eq!(String::from_utf8(added.content).unwrap(), expected);
/// ```
pub fn add_after(path: &str, content: &[u8], place: Option<&Place>, text: &str) -> Result<Added, AddRefused> {
    let text = fit::plain(text);
    if text.trim().is_empty() {
        return Err(AddRefused::Empty);
    }
    let place = place.filter(|place| content.get(place.bytes.clone()).is_some());
    let added = match Language::of(path) {
        Some(_) => code(path, content, place, &text)?,
        None => {
            let at = place.map_or(content.len(), |place| place.bytes.end);
            let lines: Vec<String> = text.lines().map(|line| line.trim_end().to_owned()).collect();
            let content = inserted(content, at, &lines, 1);
            Added { content, added: Vec::new(), imports_added: Vec::new(), left_out: Vec::new() }
        }
    };
    match check(path, content, &added.content) {
        Some(broken) => Err(AddRefused::Breaks(broken)),
        None => Ok(added),
    }
}

fn code(path: &str, content: &[u8], place: Option<&Place>, text: &str) -> Result<Added, AddRefused> {
    let all = places(path, content);
    let (document, new) = new_places(path, content, place, text, &all)?;
    let first = new.first().ok_or(AddRefused::NothingNew)?;
    let left_out = examples(&document, path, content, first).map_err(|line| AddRefused::Stray { line })?;
    let spot = spot(path, content, place, first, &all);
    let unit = fit::unit(&String::from_utf8_lossy(content));
    let blank = blank_lines(path, spot.is_inner);
    let mut lines: Vec<String> = Vec::new();
    for (index, found) in new.iter().enumerate() {
        let is_list = index > 0 && is_short(found) && new.get(index - 1).is_some_and(is_short);
        if index > 0 && !is_list {
            lines.extend(std::iter::repeat_n(String::new(), blank));
        }
        let FittedPlace { front, own } = document.lines(found, &spot.indent, unit);
        lines.extend(front.into_iter().chain(own));
    }
    let kept: Vec<&str> = new.iter().map(|found| document.text_of(found)).collect();
    let imports = used_imports(&document, path, content, &kept);
    let is_beside = is_short(first) && place.is_some_and(|place| is_short(place) && place.kind == first.kind);
    let content = inserted(content, spot.at, &lines, if is_beside { 0 } else { blank });
    let (content, imports_added) = add_imports(path, &content, &imports, text);
    let added = new.iter().map(|found| found.name.clone()).collect();
    Ok(Added { content, added, imports_added, left_out })
}

/// Constants, fields and the like stand below each other without a blank line.
fn is_short(place: &Place) -> bool {
    place.lines.start() == place.lines.end() && place.kind != Kind::Function
}

/// The definitions of a text that the file does not have.
fn new_places(
    path: &str,
    content: &[u8],
    place: Option<&Place>,
    text: &str,
    all: &[Place],
) -> Result<(Document, Vec<Place>), AddRefused> {
    let mut documents = vec![Document::of(path, text)];
    let wrapping = place.filter(|place| place.container.is_some());
    documents.extend(wrapping.and_then(|place| Document::wrapped(path, content, place, text)));
    for document in documents {
        let mut exists = Vec::new();
        let mut new: Vec<Place> = Vec::new();
        for found in document.places.iter().filter(|found| is_named(found.kind)) {
            let is_inside = new.iter().any(|outer| contains(&outer.bytes, &found.bytes));
            let same = all.iter().find(|other| {
                other.name == found.name && other.kind == found.kind && last(other) == last(found)
            });
            match same {
                _ if is_inside => {}
                None => new.push(found.clone()),
                Some(same) => {
                    let own = |content: &[u8], place: &Place| {
                        let bytes = own_start(content, place)..place.bytes.end;
                        String::from_utf8_lossy(content.get(bytes).unwrap_or_default()).into_owned()
                    };
                    let is_same = fit::is_same(&own(content, same), &own(document.text.as_bytes(), found));
                    // The head of a type around new methods is no definition of it.
                    let is_around = document
                        .places
                        .iter()
                        .any(|inner| inner.bytes != found.bytes && contains(&found.bytes, &inner.bytes));
                    if !is_same && !is_around {
                        exists.push(same.path());
                    }
                }
            }
        }
        if !exists.is_empty() {
            return Err(AddRefused::Exists { names: exists });
        }
        if !new.is_empty() {
            return Ok((document, new));
        }
    }
    Err(AddRefused::NothingNew)
}

fn contains(outer: &Range<usize>, inner: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

struct Spot {
    at: usize,
    indent: String,
    is_inner: bool,
}

/// Where new definitions go.
fn spot(path: &str, content: &[u8], place: Option<&Place>, first: &Place, all: &[Place]) -> Spot {
    let indent_of = |place: &Place| {
        let own = String::from_utf8_lossy(content.get(own_start(content, place)..).unwrap_or_default())
            .into_owned();
        fit::indentation(own.lines().next().unwrap_or_default()).to_owned()
    };
    let after = |place: &Place| Spot {
        at: place.bytes.end,
        indent: indent_of(place),
        is_inner: place.container.is_some(),
    };
    // Methods in the head of a type: after the last of its members, or after the place if that is one.
    if let Some(owner) = last(first) {
        let is_sibling = |found: &&Place| last(found) == Some(owner) && found.kind != Kind::Block;
        if let Some(place) = place.filter(is_sibling) {
            return after(place);
        }
        if let Some(member) = all.iter().filter(is_sibling).max_by_key(|member| member.bytes.end) {
            return after(member);
        }
    }
    match place {
        None => {
            let is_tests = |found: &Place| found.kind == Kind::Module && found.name == "tests";
            let top = all.iter().filter(|found| found.container.is_none() && is_named(found.kind));
            let end = top.filter(|found| !is_tests(found)).map(|found| found.bytes.end).max();
            Spot { at: end.unwrap_or(content.len()), indent: String::new(), is_inner: false }
        }
        Some(place) => {
            let head: String = first.head.split_whitespace().collect();
            let is_function = place.container.is_some()
                && Language::of(path) == Some(Language::Python)
                && first.kind == Kind::Function
                && !head.contains("(self")
                && !head.contains("(cls");
            // A function without `self` does not belong into a class.
            let mut outer = place;
            while is_function && let Some(around) = container(all, outer) {
                outer = around;
            }
            after(outer)
        }
    }
}

/// The content with lines put at the end of what stands before, and blank lines around them.
fn inserted(content: &[u8], at: usize, lines: &[String], blank: usize) -> Vec<u8> {
    let line_break = fit::line_break(content);
    let (before, after) = content.split_at(at.min(content.len()));
    let mut text = String::new();
    if !before.is_empty() && !before.ends_with(b"\n") {
        text.push_str(line_break);
    }
    if !before.trim_ascii().is_empty() {
        let known = trailing_breaks(before);
        text.push_str(&line_break.repeat(blank.saturating_sub(known)));
    }
    text.push_str(&lines.join(line_break));
    if content.ends_with(b"\n") || !after.is_empty() || content.is_empty() {
        text.push_str(line_break);
    }
    let next = after.trim_ascii_start().first();
    let is_apart = after.starts_with(b"\n") || after.starts_with(b"\r\n");
    if !is_apart && !after.trim_ascii().is_empty() && !matches!(next, Some(b'}' | b')' | b']')) {
        text.push_str(&line_break.repeat(blank));
    }
    [before, text.as_bytes(), after].concat()
}

/// How many blank lines a text ends with.
fn trailing_breaks(text: &[u8]) -> usize {
    let rest = text.trim_ascii_end().len();
    let end = text.get(rest..).unwrap_or_default();
    end.iter().filter(|byte| **byte == b'\n').count().saturating_sub(1)
}
