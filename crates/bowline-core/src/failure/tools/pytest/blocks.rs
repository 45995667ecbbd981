//! The blocks of pytest that show a failure: its code, its error in the lines that begin with `E`, its place.

use super::super::super::log::Log;
use super::super::super::report::{Problem, assertion};
use super::super::super::{Assertion, Place, places};
use crate::task::traces::frame;

/// The title of each block of a failure, and its first line.
pub(super) fn blocks<'a>(log: &Log<'a>) -> Vec<(&'a str, usize)> {
    let title = |line: &&'a str| {
        let is_title = line.starts_with("__") && line.ends_with("__") && line.contains(' ');
        let text = line.trim_matches(|sign: char| sign == '_' || sign == ' ');
        (is_title && !text.is_empty()).then_some(text)
    };
    let numbered = log.lines.iter().enumerate();
    numbered.filter_map(|(at, line)| title(line).map(|title| (strip_title(title), at))).collect()
}

fn strip_title(title: &str) -> &str {
    ["ERROR collecting ", "ERROR at setup of ", "ERROR at teardown of ", "[doctest] "]
        .iter()
        .find_map(|start| title.strip_prefix(start))
        .unwrap_or(title)
}

/// Adds what the block of a failure shows: the whole message, both values, the place.
pub(super) fn detail(log: &Log<'_>, blocks: &[(&str, usize)], problem: &mut Problem) {
    let dotted =
        problem.name.split_once("::").map_or(problem.name.clone(), |(_, name)| name.replace("::", "."));
    let found = blocks.iter().position(|(title, _)| *title == dotted || *title == problem.name);
    let Some((index, (_, start))) = found.and_then(|index| Some((index, blocks.get(index)?))) else {
        return whole_message(log, problem);
    };
    let end = blocks.get(index + 1).map_or(log.lines.len(), |(_, end)| *end);
    let block = log.between(start + 1, end);
    let is_end = |line: &&str| line.starts_with("====") || line.starts_with("----------");
    let block = block.get(..block.iter().position(is_end).unwrap_or(block.len())).unwrap_or(block);
    let errors: Vec<&str> =
        block.iter().filter_map(|line| line.trim_start().strip_prefix("E ")).map(str::trim).collect();
    let asserted = errors.iter().map(|text| text.trim_start_matches("AssertionError: "));
    let asserted = asserted.into_iter().find(|text| text.starts_with("assert "));
    problem.assertion = asserted.and_then(values).or_else(|| labelled(&errors)).or_else(|| doctest(block));
    if let Some(message) = message(&errors, asserted, block, problem) {
        problem.message = Problem::new("", None, &message).message;
    }
    problem.place = named_file(&errors).or_else(|| places::innermost(block)).or_else(|| last_place(block));
}

/// What went wrong, in one line.
fn message(errors: &[&str], asserted: Option<&str>, block: &[&str], problem: &Problem) -> Option<String> {
    let is_shown = |text: &&&str| {
        const DIFFERENCE: &[&str] = &["+ ", "- ", "? ", "Use -v", "File \""];
        !text.is_empty() && !DIFFERENCE.iter().any(|start| text.starts_with(start))
    };
    let first = errors.iter().find(is_shown).map(|text| text.trim_start_matches("AssertionError: "));
    let Some(first) = first else {
        // A doctest has no such lines, and Python's own form of tracebacks does not mark them.
        let plain = block.iter().rev().find(|line| frame::is_exception(line) && line.contains("Error"));
        let cut = plain.filter(|_| problem.message.ends_with("..."));
        let of_doctest =
            problem.assertion.as_ref().map(|told| format!("expected {}, got {}", told.expected, told.actual));
        // What pytest itself complains about stands in the block as it is.
        let stem = problem
            .message
            .strip_suffix("...")
            .map(|text| text.trim_start_matches("Failed: "))
            .unwrap_or("-");
        let said = block.iter().find(|line| line.starts_with(stem)).map(|line| (*line).to_owned());
        if said.is_some() {
            return said;
        }
        return cut.map(|plain| plain.trim_start_matches("AssertionError: ").to_owned()).or(of_doctest);
    };
    // The last line is the error where the ones before it are the code that was read.
    let last = errors.iter().rev().find(is_shown).filter(|last| last.contains("Error: "));
    let mut message = match last {
        Some(last) if !first.contains("Error") && asserted.is_none() => (*last).to_owned(),
        _ => first.to_owned(),
    };
    if let Some(asserted) = asserted.filter(|asserted| !message.contains(*asserted)) {
        message = format!("{message}: {asserted}");
    }
    if asserted.is_none()
        && let Some(told) = &problem.assertion
    {
        message = format!("{message} expected {}, got {}", told.expected, told.actual);
    }
    Some(message)
}

/// `Expected regex: 'a'` and `Actual message: 'b'`, or `Regex: 'a'` and `Input: 'b'` in older versions.
fn labelled(errors: &[&str]) -> Option<Assertion> {
    let value = |labels: [&str; 3]| {
        errors.iter().find_map(|text| labels.iter().find_map(|label| text.strip_prefix(label)))
    };
    assertion(
        value(["Expected regex: ", "Regex: ", "Expected: "])?,
        value(["Actual message: ", "Input: ", "Actual: "])?,
    )
}

/// The values below `Expected:` and `Got:`.
fn doctest(block: &[&str]) -> Option<Assertion> {
    let below = |label: &str| {
        let at = block.iter().position(|line| *line == label)?;
        block.get(at + 1).map(|line| line.trim())
    };
    assertion(below("Expected:")?, below("Got:")?)
}

/// Without blocks (`--tb=line`) the error stands alone, and the summary has cut it short.
fn whole_message(log: &Log<'_>, problem: &mut Problem) {
    let Some(start) = problem.message.strip_suffix("...").filter(|start| !start.is_empty()) else { return };
    let found =
        log.lines.iter().find_map(|line| line.strip_prefix("E   ").filter(|text| text.starts_with(start)));
    let is_place =
        |line: &&&str| line.contains(start) && line.contains(".py:") && !line.starts_with("FAILED");
    let line = log.lines.iter().find(is_place);
    problem.place = line.and_then(|line| places::parsed(line.split(": ").next()?));
    if let Some(found) = found {
        problem.message = found.to_owned();
    }
}

/// A syntax error names its file in the lines of the error.
fn named_file(errors: &[&str]) -> Option<Place> {
    let line = errors.iter().find(|text| text.starts_with("File \""))?;
    let (frame, _) = frame::python(line)?;
    places::place(&frame.path, frame.line)
}

/// `one/test_one.py:10: ` with nothing after it.
fn last_place(block: &[&str]) -> Option<Place> {
    block.iter().rev().find_map(|line| places::parsed(line))
}

/// `assert 8 == 11`.
fn values(text: &str) -> Option<Assertion> {
    let text = text.strip_prefix("assert ")?;
    let (actual, expected) = [" == ", " is ", " in "].iter().find_map(|sign| text.split_once(sign))?;
    assertion(expected, actual)
}
