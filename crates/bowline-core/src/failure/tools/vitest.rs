//! vitest: the lines that begin with `FAIL`, and the sums at the end.

use super::super::log::Log;
use super::super::report::{Problem, Report, assertion};
use super::super::{Assertion, Counts, Stage, Subkind, places};
use super::counting;

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    let sum = |label: &str| log.lines.iter().rev().find_map(|line| line.trim_start().strip_prefix(label));
    let files = sum("Test Files  ");
    let is_vitest = files.is_some() || log.lines.iter().any(|line| line.trim_start().starts_with("RUN  v"));
    if let Some(line) = log.lines.iter().find(|line| line.starts_with("No test files found")) {
        let mut report = Report::of_tests(vec![Problem::new("", None, line)], Counts::default());
        (report.stage, report.subkind) = (Stage::Collect, Some(Subkind::Collect));
        return Some(report);
    }
    if !is_vitest {
        return None;
    }
    let mut counts = counting::counts(&counting::before_words(sum("Tests  ").unwrap_or_default()));
    counts.collected = sum("Tests  ")
        .and_then(|line| line.rsplit_once('('))
        .and_then(|(_, count)| count.trim_end_matches(')').parse().ok());
    let mut problems: Vec<Problem> = Vec::new();
    let mut is_suite = false;
    for (at, line) in log.lines.iter().enumerate() {
        let Some(title) = line.trim_start().strip_prefix("FAIL  ") else { continue };
        let end = log
            .from(at + 1)
            .iter()
            .position(|line| line.starts_with('⎯') || line.trim_start().starts_with("FAIL  "));
        let block = log.between(at + 1, end.map_or(at + 80, |end| at + 1 + end));
        // A file that could not be loaded is named twice: `a.test.js [ a.test.js ]`.
        let (name, of_suite) = match title.split_once(" [ ") {
            Some((file, _)) => (file, true),
            None => (title, false),
        };
        is_suite |= of_suite && problems.is_empty();
        if !problems.iter().any(|problem| problem.name == name.trim()) {
            problems.push(problem(name, block));
        }
    }
    if problems.is_empty() {
        problems = short(log);
    }
    let mut report = Report::of_tests(problems, counts);
    if is_suite {
        report.stage = Stage::Collect;
        let is_syntax = report.problems.first().is_some_and(|problem| {
            ["yntax", "arse", "ransform failed", "Unexpected token"]
                .iter()
                .any(|sign| problem.message.contains(sign))
        });
        report.subkind = Some(if is_syntax { Subkind::Compile } else { Subkind::Collect });
        let is_import =
            report.problems.first().is_some_and(|problem| problem.message.contains("Failed to load url"));
        if is_import {
            report.subkind = Some(Subkind::Import);
        }
    }
    Some(report)
}

fn problem(name: &str, block: &[&str]) -> Problem {
    let first = block.iter().map(|line| line.trim()).find(|line| !line.is_empty()).unwrap_or("");
    let told = values(first, block);
    let at = block
        .iter()
        .filter_map(|line| line.trim_start().strip_prefix("❯ "))
        .find_map(|line| places::parsed(line.rsplit(' ').next()?));
    Problem::new(name, at, first.trim_start_matches("AssertionError: ")).with(told)
}

/// `expected 4 to be 3 // Object.is equality`, or the lines of a difference.
fn values(first: &str, block: &[&str]) -> Option<Assertion> {
    let text = first.trim_start_matches("AssertionError: ").split(" // ").next().unwrap_or(first);
    if let Some(rest) = text.strip_prefix("expected ")
        && let Some((actual, expected)) =
            [" to be ", " to equal ", " to deeply equal ", " to strictly equal "]
                .iter()
                .find_map(|words| rest.split_once(words))
        && !expected.contains('…')
    {
        return assertion(expected, actual);
    }
    let has_difference = block.iter().any(|line| line.starts_with("- Expected"));
    let line = |sign: &str| {
        let lines = block.iter().filter_map(|line| line.strip_prefix(sign)).map(str::trim);
        lines
            .into_iter()
            .find(|text| !text.is_empty() && !text.starts_with("Expected") && !text.starts_with("Received"))
    };
    if has_difference {
        assertion(line("-")?.trim_end_matches(','), line("+")?.trim_end_matches(','))
    } else {
        None
    }
}

/// Where only the list is left: `❯ cart.test.js > Cart > total` with `→ message` below it, or `× total`.
fn short(log: &Log<'_>) -> Vec<Problem> {
    let mut problems: Vec<Problem> = Vec::new();
    for (at, line) in log.lines.iter().enumerate() {
        let text = line.trim_start();
        let Some(rest) =
            text.strip_prefix("× ").or_else(|| text.strip_prefix("❯ ").filter(|rest| rest.contains(" > ")))
        else {
            continue;
        };
        let name =
            rest.trim_end_matches("ms").trim_end_matches(|sign: char| sign.is_ascii_digit()).trim_end();
        let below = log.lines.get(at + 1).and_then(|line| line.trim_start().strip_prefix("→ "));
        if !problems.iter().any(|problem| problem.name == name) {
            problems.push(Problem::new(name, None, below.unwrap_or_default()));
        }
    }
    problems
}
