//! PHPUnit: the numbered blocks, and the sums at the end.

use super::super::log::Log;
use super::super::report::{Problem, Report, assertion};
use super::super::{Assertion, Counts, Kind, Stage, Subkind, places};
use super::counting;
use crate::task::traces::frame;

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    let is_own = log.has("PHPUnit ") || log.contains("PHPUnit\\") || log.contains("/PHPUnit/");
    if !is_own {
        return None;
    }
    if let Some(line) = log.lines.iter().find(|line| {
        line.starts_with("Cannot open file")
            || line.starts_with("Test file \"")
            || line.starts_with("Unrecognized option")
            || line.starts_with("Unknown option")
            || line.starts_with("option \"")
    }) {
        return Some(Report::tooling(Some(Subkind::Usage), "phpunit", line));
    }
    let passed = log
        .lines
        .iter()
        .rev()
        .find_map(|line| line.strip_prefix("OK (").or_else(|| line.strip_prefix("OK, but")));
    if let Some(passed) = passed {
        let pairs = counting::before_words(passed);
        let tests = pairs.iter().find(|(_, word)| word.starts_with("test")).map(|(number, _)| *number);
        return Some(Report::of_tests(
            Vec::new(),
            Counts { passed: tests, collected: tests, ..Counts::default() },
        ));
    }
    let Some(sum) = log.lines.iter().rev().find(|line| line.starts_with("Tests: ")) else {
        return fatal(log);
    };
    let mut counts = counting::counts(&counting::after_words(sum));
    counts.collected =
        counting::after_words(sum).iter().find(|(_, word)| *word == "Tests").map(|(number, _)| *number);
    let lost = counts.failed.unwrap_or(0).saturating_add(counts.skipped.unwrap_or(0));
    counts.passed = counts.collected.map(|all| all.saturating_sub(lost));
    let mut problems: Vec<Problem> = blocks(log);
    if problems.is_empty() {
        problems = testdox(log);
    }
    Some(Report::of_tests(problems, counts))
}

/// `1) CartTest::testTotal`, with the message and the places below it.
fn blocks(log: &Log<'_>) -> Vec<Problem> {
    let title = |line: &&str| {
        let (number, name) = line.split_once(") ")?;
        (number.parse::<u32>().is_ok() && name.contains("::")).then(|| name.to_owned())
    };
    let starts: Vec<(usize, String)> =
        log.lines.iter().enumerate().filter_map(|(at, line)| Some((at, title(line)?))).collect();
    let mut problems = Vec::new();
    for (index, (at, name)) in starts.iter().enumerate() {
        let end = starts.get(index + 1).map_or(at + 40, |(end, _)| *end);
        let block = log.between(at + 1, end);
        problems.push(problem(&without_values(name), block));
    }
    problems
}

/// `testPrice with data set "different" (1, 2)` without the values.
fn without_values(name: &str) -> String {
    name.split_once("\" (").map_or(name.to_owned(), |(name, _)| format!("{name}\""))
}

fn problem(name: &str, block: &[&str]) -> Problem {
    let message = block.iter().map(|line| line.trim()).find(|line| !line.is_empty()).unwrap_or("");
    let told = values(message, block);
    let place = block
        .iter()
        .find_map(|line| places::parsed(line.trim()).filter(|place| place.path.ends_with(".php")));
    let message = match &told {
        Some(told) if !message.contains(&told.actual) => {
            format!("{message} expected {}, got {}", told.expected, told.actual)
        }
        _ => message.to_owned(),
    };
    Problem::new(name, place, &message).with(told)
}

/// `Failed asserting that 4 is identical to 3.`, or the lines of a difference.
fn values(message: &str, block: &[&str]) -> Option<Assertion> {
    if let Some(rest) = message.strip_prefix("Failed asserting that ")
        && let Some((actual, expected)) = [" is identical to ", " matches expected ", " is equal to "]
            .iter()
            .find_map(|words| rest.split_once(words))
    {
        return assertion(expected.trim_end_matches('.'), actual);
    }
    let at = block.iter().position(|line| line.trim() == "@@ @@")?;
    let line = |sign: char| {
        block.iter().skip(at).find_map(|line| line.trim_start().strip_prefix(sign)).map(str::trim)
    };
    assertion(line('-')?, line('+')?)
}

/// `✘ Total` with what stands behind `│` below it.
fn testdox(log: &Log<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (at, line) in log.lines.iter().enumerate() {
        let Some(name) = line.trim_start().strip_prefix("✘ ") else { continue };
        let rest = log
            .between(at + 1, at + 30)
            .iter()
            .take_while(|line| line.trim_start().starts_with(['│', '├', '┊', '╵', '┐']));
        let lines: Vec<&str> =
            rest.map(|line| line.trim().trim_start_matches(['│', '├', '┊', '╵', '┐']).trim()).collect();
        problems.push(problem(name.trim(), &lines));
    }
    problems
}

/// A test file that can't be parsed or loaded.
fn fatal(log: &Log<'_>) -> Option<Report> {
    let found = log.lines.iter().find_map(|line| frame::php_error(line.trim()))?;
    let (frame, message) = found;
    let problem = Problem::new("", places::place(&frame.path, frame.line), message);
    let is_syntax = message.contains("ParseError") || message.contains("syntax error");
    let subkind = if is_syntax { Subkind::Compile } else { Subkind::Collect };
    Some(Report::of_one(Kind::TestFailure, Some(subkind), Stage::Collect, problem))
}
