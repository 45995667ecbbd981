//! mocha: `3 failing`, and the numbered blocks below it.

use super::super::log::Log;
use super::super::report::{Problem, Report, assertion};
use super::super::{Assertion, Counts, Kind, Stage, Subkind, places};
use super::counting;
use super::node_test::is_generic;

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    if let Some(report) = loading(log) {
        return Some(report);
    }
    if let Some(report) = jasmine(log) {
        return Some(report);
    }
    let value = |word: &str| {
        log.lines.iter().rev().find_map(|line| {
            let (number, rest) = line.trim().split_once(' ')?;
            let is_wanted = rest == word || rest.starts_with(&format!("{word} ("));
            number.parse::<u32>().ok().filter(|_| is_wanted)
        })
    };
    let passed = value("passing");
    let failed = value("failing");
    if passed.is_none() && failed.is_none() {
        return None;
    }
    let counts = Counts { failed, passed, skipped: value("pending"), collected: None };
    let start = log
        .lines
        .iter()
        .rposition(|line| line.trim().ends_with(" failing"))
        .map_or(log.lines.len(), |at| at + 1);
    let lines = log.from(start);
    let starts: Vec<usize> =
        lines.iter().enumerate().filter(|(_, line)| is_title(line)).map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain(std::iter::once(lines.len()));
    let blocks = starts.iter().zip(ends).filter_map(|(start, end)| lines.get(*start..end));
    Some(Report::of_tests(blocks.map(problem).collect(), counts))
}

/// `  1) Cart`.
fn is_title(line: &str) -> bool {
    let text = line.strip_prefix("  ").unwrap_or("");
    text.split_once(") ").is_some_and(|(number, _)| number.trim_start().parse::<u32>().is_ok())
        && !text.starts_with("    ")
}

fn problem(block: &[&str]) -> Problem {
    // The title goes on, line by line and deeper each time, until one that ends with a colon.
    let end = block.iter().position(|line| line.trim_end().ends_with(':')).unwrap_or(0);
    let title = block.get(..=end).unwrap_or_default().iter().map(|line| line.trim().trim_end_matches(':'));
    let name = title.collect::<Vec<_>>().join(" ");
    let name = name.split_once(") ").map_or(name.as_str(), |(_, name)| name);
    let rest = block.get(end + 1..).unwrap_or_default();
    let first = rest.iter().map(|line| line.trim()).find(|line| !line.is_empty()).unwrap_or("");
    let told = values(rest);
    let first = first.replace(" [ERR_ASSERTION]", "");
    let shown =
        rest.iter().map(|line| line.trim()).filter(|line| !line.is_empty() && !line.starts_with("at "));
    let first = if first.ends_with(':') { shown.take(6).collect::<Vec<_>>().join(" ") } else { first };
    let first = first.replace(" [ERR_ASSERTION]", "");
    let message = match &told {
        Some(told) if is_generic(&first) => format!("expected {}, got {}", told.expected, told.actual),
        _ => first.trim_start_matches("AssertionError: ").to_owned(),
    };
    let in_frame = |line: &&str| {
        let text = line.trim().strip_prefix("at ")?;
        places::parsed(text.rsplit_once('(').map_or(text, |(_, at)| at.trim_end_matches(')')))
    };
    Problem::new(name, rest.iter().find_map(in_frame), &message).with(told)
}

/// The difference below `+ expected - actual`.
fn values(lines: &[&str]) -> Option<Assertion> {
    let at = lines.iter().position(|line| line.trim() == "+ expected - actual")?;
    let below = lines.get(at + 1..)?;
    let line = |sign: &str| below.iter().find_map(|line| line.trim_start().strip_prefix(sign)).map(str::trim);
    assertion(line("+")?.trim_end_matches(','), line("-")?.trim_end_matches(','))
}

/// A file that could not be loaded, or none that was found.
fn loading(log: &Log<'_>) -> Option<Report> {
    if log.has("Error: No test files found") {
        let problem = Problem::new("", None, "no test files found");
        return Some(Report::of_one(Kind::TestFailure, Some(Subkind::Collect), Stage::Collect, problem));
    }
    let at = log.position(|line| line.trim_start().starts_with("Exception during run: "))?;
    let lines = log.from(at);
    let message = lines.first()?.trim().trim_start_matches("Exception during run: ");
    let problem = Problem::new("", places::innermost(lines), message.trim_start_matches("Error: "));
    Some(Report::of_one(Kind::TestFailure, Some(Subkind::Collect), Stage::Collect, problem))
}

/// Jasmine counts `2 specs, 1 failure` and puts the message of a spec below `Message:`.
fn jasmine(log: &Log<'_>) -> Option<Report> {
    let sum = log.lines.iter().rev().find(|line| line.contains(" spec") && line.contains(" failure"))?;
    let pairs = counting::before_words(sum);
    let mut counts = counting::counts(&pairs);
    counts.collected = pairs.iter().find(|(_, word)| word.starts_with("spec")).map(|(number, _)| *number);
    let mut problems = Vec::new();
    for (at, line) in log.lines.iter().enumerate() {
        let Some((number, name)) = line.split_once(") ") else { continue };
        let block = log.between(at + 1, at + 12);
        let is_title =
            number.parse::<u32>().is_ok() && block.first().is_some_and(|line| line.trim() == "Message:");
        if is_title {
            let in_frame = |line: &&str| {
                places::parsed(line.trim().strip_prefix("at ")?.rsplit_once('(')?.1.trim_end_matches(')'))
            };
            let message = block.get(1).map_or("", |line| line.trim());
            problems.push(Problem::new(name, block.iter().find_map(in_frame), message));
        }
    }
    Some(Report::of_tests(problems, counts))
}
