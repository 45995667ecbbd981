//! Turns what was found into the failure that others read: its line, its row, its ids.

use super::report::{Names, Problem, Report};
use super::{Counts, Failure, Kind, Place, SUMMARY_CHARS_MAX, TESTS_MAX, fingerprint};

/// The name of a test in a row. Characters.
const NAME_CHARS_MAX: usize = 60;
/// A path in a summary; a longer one is shown by its end. Characters.
const PATH_CHARS_MAX: usize = 48;

pub(super) fn failure(report: &Report, command: &str) -> Failure {
    let first = report.problems.first().cloned().unwrap_or_default();
    let is_named = report.kind == Kind::TestFailure && report.names == Names::Tests;
    let names = report.problems.iter().map(|problem| problem.name.clone());
    let tests: Vec<String> = names.filter(|name| is_named && !name.is_empty()).take(TESTS_MAX).collect();
    let root = root(command);
    let place = first.place.as_ref().map(|place| relative(place, root));
    Failure {
        kind: report.kind,
        subkind: report.subkind,
        summary: summary(report, &first, place.as_ref()),
        fingerprint: fingerprint::of(report),
        tests,
        counts: report.counts,
        total: u32::try_from(report.total.max(1)).unwrap_or(u32::MAX),
        place,
        assertion: first.assertion,
        stage: report.stage,
    }
}

/// The line of the first problem, or the counts where nothing else is known.
fn summary(report: &Report, first: &Problem, place: Option<&Place>) -> String {
    let line = line(first, place, report.total.saturating_sub(1));
    let is_known = !first.name.is_empty() || !first.message.is_empty() || place.is_some();
    if is_known {
        line
    } else {
        counts(&report.counts).unwrap_or_else(|| report.kind.name().replace('_', " "))
    }
}

/// `name (path:line): message (and 3 more)`.
fn line(first: &Problem, place: Option<&Place>, others: usize) -> String {
    let name = cut(short_name(&first.name), NAME_CHARS_MAX * 4 / 3);
    let at = place.map(|place| format!("{}:{}", end_of_path(&place.path), place.line)).unwrap_or_default();
    let message = one_line(&first.message);
    // A tool that names itself in its message is not named twice.
    let is_told = !name.is_empty() && message.starts_with(&name);
    let name = if is_told { String::new() } else { name };
    let mut head = match (name.is_empty(), at.is_empty()) {
        (true, true) => String::new(),
        (true, false) => at,
        (false, true) => name,
        (false, false) if name.contains(&at) => name,
        (false, false) => format!("{name} ({at})"),
    };
    if !message.is_empty() && !head.is_empty() {
        head.push_str(": ");
    }
    let tail = match others {
        0 => String::new(),
        others => format!(" (and {others} more)"),
    };
    let room = SUMMARY_CHARS_MAX.saturating_sub(tail.chars().count());
    format!("{}{tail}", cut(&format!("{head}{message}"), room))
}

pub(super) fn row(failure: &Failure) -> String {
    let count = failure.counts.failed.filter(|count| *count > 0);
    match (failure.kind, count, failure.tests.first()) {
        (Kind::TestFailure, Some(count), Some(first)) => {
            format!("{count} failed · {}", cut(short_name(first), NAME_CHARS_MAX))
        }
        (Kind::TestFailure, None, Some(first)) if failure.stage == super::Stage::Run => {
            format!("{} failed · {}", failure.tests.len(), cut(short_name(first), NAME_CHARS_MAX))
        }
        _ => failure.summary.clone(),
    }
}

pub(super) fn counts(counts: &Counts) -> Option<String> {
    let mut parts = Vec::new();
    if let Some(failed) = counts.failed.filter(|count| *count > 0) {
        parts.push(format!("{failed} failed"));
    }
    if let Some(passed) = counts.passed {
        parts.push(format!("{passed} passed"));
    }
    if let Some(skipped) = counts.skipped.filter(|count| *count > 0) {
        parts.push(format!("{skipped} skipped"));
    }
    if parts.is_empty() { None } else { Some(parts.join(", ")) }
}

/// A test's name without the file or the module it is in, which the place tells: `TestCart::test_last`.
fn short_name(name: &str) -> &str {
    if let Some((file, rest)) = name.split_once("::").or_else(|| name.split_once(" > "))
        && file.contains('.')
        && !rest.is_empty()
    {
        return rest;
    }
    let is_dotted = !name.contains([' ', '/', ':']) && name.matches('.').count() > 1;
    let last_two = name.rmatch_indices('.').nth(1).and_then(|(at, _)| name.get(at + 1..));
    last_two.filter(|_| is_dotted).unwrap_or(name)
}

/// The folder that the command goes to, with a slash at its end. Paths inside of it are shown relative to it.
fn root(command: &str) -> Option<&str> {
    let (_, rest) = command.split_once("cd /").filter(|(before, _)| before.trim().is_empty())?;
    let end = rest.find([' ', ';', '&', '\n']).unwrap_or(rest.len());
    let start = command.len() - rest.len() - 1;
    command.get(start..start + 1 + end).filter(|path| path.len() > 1)
}

fn relative(place: &Place, root: Option<&str>) -> Place {
    let inside = root.and_then(|root| place.path.strip_prefix(root.trim_end_matches('/')));
    let path = inside.and_then(|path| path.strip_prefix('/')).unwrap_or(&place.path);
    Place { path: path.trim_start_matches("./").to_owned(), line: place.line }
}

/// The last parts of a long path.
fn end_of_path(path: &str) -> String {
    if path.chars().count() <= PATH_CHARS_MAX {
        return path.to_owned();
    }
    let mut start = path.len();
    for (at, _) in path.rmatch_indices('/') {
        if path.len() - at > PATH_CHARS_MAX {
            break;
        }
        start = at;
    }
    match path.get(start..) {
        Some(end) if !end.is_empty() => format!("…{end}"),
        _ => cut(path, PATH_CHARS_MAX),
    }
}

/// A message as one line: its lines joined, white space made single.
fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text of at most this many characters. What was cut off is marked.
pub(super) fn cut(text: &str, chars_max: usize) -> String {
    if text.chars().count() <= chars_max {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(chars_max.saturating_sub(1)).collect();
    cut.truncate(cut.trim_end().len());
    cut.push('…');
    cut
}

/// The beginning of a text, cut between characters.
pub(super) fn cut_bytes(text: &str, bytes_max: usize) -> &str {
    let mut end = text.len().min(bytes_max);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}
