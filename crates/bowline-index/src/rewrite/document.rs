//! A text that a model wrote, read as a file: its places, its imports, its statements outside of them.

use std::collections::HashSet;
use std::ops::Range;

use crate::edits::Edits;
use crate::fit::{self, Fitting, Unit, frozen_rows, indentation};
use crate::imports::Import;
use crate::kinds::Kind;
use crate::language::Language;
use crate::place::Place;
use crate::places::places;
use crate::uses::Reading;

pub(crate) struct Document {
    pub(crate) text: String,
    pub(crate) places: Vec<Place>,
    pub(crate) imports: Vec<Import>,
    /// Whether it parses.
    pub(crate) is_sound: bool,
    frozen: HashSet<usize>,
}

/// A statement outside of definitions.
pub(crate) struct Statement {
    pub(crate) text: String,
    pub(crate) kind: String,
    /// The kind of the expression that it consists of.
    pub(crate) inner: String,
    pub(crate) start: usize,
}

impl Document {
    pub(crate) fn of(path: &str, text: &str) -> Document {
        let needs_tag = Language::of(path) == Some(Language::Php) && !text.contains("<?");
        let text = if needs_tag { format!("<?php\n{text}") } else { text.to_owned() };
        let reading = Reading::of(path, text.as_bytes());
        let is_sound = reading.as_ref().is_some_and(|reading| !reading.tree.root_node().has_error());
        let imports = reading.map(|reading| reading.imports()).unwrap_or_default();
        Document {
            places: places(path, text.as_bytes()),
            imports,
            is_sound,
            frozen: frozen_rows(path, &text),
            text,
        }
    }

    /// The text without the lines of its imports outside of definitions.
    pub(crate) fn without_imports(&self) -> String {
        let is_inside = |import: &Import| {
            self.places.iter().any(|place| {
                is_named(place.kind)
                    && place.bytes.start <= import.statement.start
                    && import.statement.end <= place.bytes.end
            })
        };
        let mut edits = Edits::default();
        for import in self.imports.iter().filter(|import| !is_inside(import)) {
            edits.remove(import.statement.clone());
        }
        let text = edits.apply(self.text.as_bytes());
        fit::plain(&String::from_utf8_lossy(&text))
    }

    /// The text inside the container of a place, so that a method alone is read in its class.
    pub(crate) fn wrapped(path: &str, content: &[u8], place: &Place, text: &str) -> Option<Document> {
        let all = places(path, content);
        let container = container(&all, place)?;
        let body = container.body.clone()?;
        // Only the head: a comment or decorator in front says nothing here.
        let own = own_start(content, container);
        let head = String::from_utf8_lossy(content.get(own.min(body.start)..body.start)?).into_owned();
        let tail = String::from_utf8_lossy(content.get(body.end..container.bytes.end)?).into_owned();
        let step = format!("{}    ", indentation(&head));
        let frozen = frozen_rows(path, text);
        let from = text.lines().map(indentation).min_by_key(|indent| indent.len()).unwrap_or_default();
        let fitting = Fitting { frozen: &frozen, from, to: &step, text_unit: None, file_unit: None };
        let lines: Vec<String> =
            text.lines().enumerate().map(|(row, line)| fitting.line(row, line)).collect();
        let document = format!("{}\n{}\n{}", head.trim_end(), lines.join("\n"), tail.trim_start());
        Some(Document::of(path, &document))
    }

    /// The file with the text in the place, so that a fragment is read where it belongs, and the bytes that it has there.
    pub(crate) fn spliced(
        path: &str,
        content: &[u8],
        place: &Place,
        text: &str,
    ) -> Option<(Document, Range<usize>)> {
        let own = own_start(content, place);
        let line = String::from_utf8_lossy(content.get(own..place.bytes.end)?).into_owned();
        let to = indentation(&line).to_owned();
        let frozen = frozen_rows(path, text);
        let from = text.lines().map(indentation).min_by_key(|indent| indent.len()).unwrap_or_default();
        let fitting = Fitting { frozen: &frozen, from, to: &to, text_unit: None, file_unit: None };
        let lines: Vec<String> =
            text.lines().enumerate().map(|(row, line)| fitting.line(row, line)).collect();
        let before = std::str::from_utf8(content.get(..place.bytes.start)?).ok()?;
        let after = std::str::from_utf8(content.get(place.bytes.end..)?).ok()?;
        let end = if content.get(place.bytes.clone())?.ends_with(b"\n") { "\n" } else { "" };
        let new = format!("{}{end}", with_ending(&line, &lines.join("\n")));
        let region = before.len()..before.len() + new.len();
        let document = Document::of(path, &format!("{before}{new}{after}"));
        document.is_sound.then_some((document, region))
    }

    /// The places that could be meant by a place of the file: of the same name, in a container of the same name.
    pub(crate) fn wanted(&self, place: &Place) -> Vec<&Place> {
        let is_meant = |found: &&Place| found.name == place.name && last(found) == last(place);
        let named: Vec<&Place> = self.places.iter().filter(is_meant).collect();
        let same: Vec<&Place> = named.iter().filter(|found| found.kind == place.kind).copied().collect();
        if !same.is_empty() {
            return same;
        }
        let is_value = |kind| matches!(kind, Kind::Function | Kind::Constant | Kind::Field);
        named.into_iter().filter(|found| is_value(found.kind) && is_value(place.kind)).collect()
    }

    pub(crate) fn text_of(&self, place: &Place) -> &str {
        self.text.get(place.bytes.clone()).unwrap_or_default()
    }

    /// Rows of the text as lines of a file, from the indentation of the first one that is no front line to another.
    pub(crate) fn lines(&self, place: &Place, to: &str, file_unit: Option<Unit>) -> FittedPlace {
        let rows: Vec<&str> = self.text.lines().collect();
        let (first, own, last) =
            (place.lines.start() - 1, place.own_lines.start() - 1, place.own_lines.end() - 1);
        let from = rows.get(own).copied().map(indentation).unwrap_or_default();
        let own_rows: Vec<&str> = (own..=last)
            .filter(|row| !self.frozen.contains(row))
            .filter_map(|row| rows.get(row).copied())
            .collect();
        let text_unit = fit::unit_of(&own_rows.join("\n"));
        let fitting = Fitting { frozen: &self.frozen, from, to, text_unit, file_unit };
        let is_alone = place.bytes.start == line_start(&self.text, place.bytes.start);
        if !is_alone {
            let text = self.text_of(place).lines().map(str::to_owned).collect();
            return FittedPlace { front: Vec::new(), own: text };
        }
        let fitted = |from: usize, to: usize| -> Vec<String> {
            let rows = rows.iter().enumerate().skip(from).take(to.saturating_sub(from));
            rows.map(|(row, line)| fitting.line(row, line)).collect()
        };
        FittedPlace { front: fitted(first, own), own: fitted(own, last + 1) }
    }

    /// Statements outside of definitions, imports and comments.
    pub(crate) fn statements(&self, path: &str) -> Vec<Statement> {
        let Some(reading) = Reading::of(path, self.text.as_bytes()) else { return Vec::new() };
        let root = reading.tree.root_node();
        let mut cursor = root.walk();
        let mut found = Vec::new();
        for node in root.named_children(&mut cursor) {
            let bytes = node.byte_range();
            let is_place = self.places.iter().any(|place| {
                let is_named = is_named(place.kind);
                is_named && place.bytes.start < bytes.end && bytes.start < place.bytes.end
            });
            let is_import = self
                .imports
                .iter()
                .any(|import| import.statement.start < bytes.end && bytes.start < import.statement.end);
            let kind = node.kind();
            let is_quiet =
                kind.contains("comment") || matches!(kind, "php_tag" | "attribute_item" | "empty_statement");
            if is_place || is_import || is_quiet {
                continue;
            }
            let inner = node.named_child(0).map_or("", |inner| inner.kind()).to_owned();
            let kind = kind.to_owned();
            let text = reading.text(&node).trim().to_owned();
            found.push(Statement { text, kind, inner, start: bytes.start });
        }
        found
    }
}

/// A place's lines, fitted to the file.
pub(crate) struct FittedPlace {
    pub(crate) front: Vec<String>,
    pub(crate) own: Vec<String>,
}

/// Kinds that define a name in code.
pub(crate) fn is_named(kind: Kind) -> bool {
    kind.is_definition() || matches!(kind, Kind::Constant | Kind::Field | Kind::Variant)
}

/// The name of the innermost container.
pub(crate) fn last(place: &Place) -> Option<&str> {
    place.container.as_deref().map(|container| container.rsplit('.').next().unwrap_or(container))
}

/// The place that a place lies in.
pub(crate) fn container<'a>(all: &'a [Place], place: &Place) -> Option<&'a Place> {
    let around = all.iter().filter(|found| {
        found.bytes.start <= place.bytes.start
            && place.bytes.end <= found.bytes.end
            && found.bytes.len() > place.bytes.len()
            && found.body.is_some()
    });
    around.min_by_key(|found| found.bytes.len())
}

/// A text with the comma or semicolon that another one ends with.
pub(crate) fn with_ending(old: &str, new: &str) -> String {
    let (old, trimmed) = (old.trim_end(), new.trim_end());
    let is_missing = |sign| old.ends_with(sign) && !trimmed.ends_with([',', ';']);
    if is_missing(',') {
        format!("{trimmed},")
    } else if is_missing(';') && (!trimmed.ends_with('}') || old.ends_with("};")) {
        format!("{trimmed};")
    } else {
        new.to_owned()
    }
}

/// Where the own lines of a place begin, or its own text.
pub(crate) fn own_start(content: &[u8], place: &Place) -> usize {
    let skipped = place.own_lines.start() - place.lines.start();
    let mut at = place.bytes.start;
    for _ in 0..skipped {
        let rest = content.get(at..).unwrap_or_default();
        at += rest.iter().position(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    }
    at
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
}
