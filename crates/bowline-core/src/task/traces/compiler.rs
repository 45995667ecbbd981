//! The lines in which compilers and linters name a place: rustc, gcc, clang, tsc, go, javac, mypy, ruff, eslint.

use super::super::paths::is_path;
use super::super::{Location, Severity};
use super::frame::place;

const MESSAGE_BYTES_MAX: usize = 300;

pub(crate) fn named(path: String, line: u32, column: Option<u32>, message: &str) -> Location {
    Location { path, line, column, severity: severity(message), message: message_of(message) }
}

/// The place that a line of output starts with.
pub(crate) fn location(text: &str) -> Option<Location> {
    if let Some(at) = text.strip_prefix("--> ").or_else(|| text.strip_prefix("::: ")) {
        let (path, line, column) = place(at.trim())?;
        return Some(named(path.to_owned(), line, column, ""));
    }
    parenthesized(text).or_else(|| colons(text))
}

/// `src/a.ts(12,5): error TS2322: …`.
fn parenthesized(text: &str) -> Option<Location> {
    let (path, rest) = text.split_once('(')?;
    let (at, message) = rest.split_once("): ")?;
    let (line, column) = at.split_once(',').unwrap_or((at, "1"));
    if !is_path(path) {
        return None;
    }
    let column = column.parse().ok()?;
    Some(named(path.to_owned(), line.parse().ok()?, Some(column), message))
}

/// `src/a.c:12:5: error: …`, `./main.go:10:5: undefined: x`, `src/a.ts:12:5 - error …`, `/app/cart.js:12`.
fn colons(text: &str) -> Option<Location> {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (at, message) = text.split_at(end);
    let is_message = at.ends_with(':') || message.starts_with(" - ") || message.is_empty();
    let (path, line, column) = place(at.trim_end_matches(':'))?;
    // A place alone on a line is a sentence of the user's unless it is a whole path.
    let is_whole = !message.is_empty() || path.contains('/');
    if !is_message || !is_whole || !is_path(path) {
        return None;
    }
    Some(named(path.to_owned(), line, column, message.trim().trim_start_matches("- ")))
}

/// `error[E0308]: mismatched types`, `warning: unused variable`.
pub(crate) fn is_headline(text: &str) -> bool {
    ["error[", "error: ", "warning: ", "warning[", "fatal error: ", "error TS"]
        .iter()
        .any(|start| text.starts_with(start))
}

pub(crate) fn severity(text: &str) -> Severity {
    let starts = |word: &str| text.trim_start().to_ascii_lowercase().starts_with(word);
    if starts("warning") || starts("note") || starts("help") { Severity::Warning } else { Severity::Error }
}

pub(crate) fn message(headline: &str) -> Option<String> {
    headline.split_once(": ").and_then(|(_, message)| message_of(message))
}

fn message_of(text: &str) -> Option<String> {
    let mut end = text.len().min(MESSAGE_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let text = text.get(..end).unwrap_or("").trim();
    // The severity is told apart from the message.
    let text = ["fatal error:", "error:", "warning:", "error ", "warning "]
        .iter()
        .find_map(|severity| text.strip_prefix(severity))
        .unwrap_or(text)
        .trim();
    (!text.is_empty()).then(|| text.to_owned())
}
