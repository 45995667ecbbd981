//! The runner of node, in its form for people: `✖ name (1.2ms)`.

use super::super::log::Log;
use super::super::report::{Problem, Report, assertion};
use super::super::{Counts, places};

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    let value = |label: &str| {
        log.lines
            .iter()
            .rev()
            .find_map(|line| line.strip_prefix("ℹ ")?.strip_prefix(label)?.trim().parse::<u32>().ok())
    };
    let failed = value("fail ")?;
    let counts = Counts {
        failed: Some(failed.saturating_add(value("cancelled ").unwrap_or(0))),
        passed: value("pass "),
        skipped: value("skipped "),
        collected: value("tests "),
    };
    // The list at the end has each failure once, with its place above it.
    let start = log.lines.iter().rposition(|line| line.starts_with("✖ failing tests:"));
    let lines = log.from(start.map_or(0, |at| at + 1));
    let mut problems: Vec<Problem> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(title) = line.trim_start().strip_prefix("✖ ") else { continue };
        let name =
            title.rsplit_once(" (").filter(|(_, time)| time.ends_with("ms)")).map_or(title, |(name, _)| name);
        let rest = lines.get(at + 1..).unwrap_or_default();
        let end =
            rest.iter().position(|line| line.trim_start().starts_with("✖ ") || line.starts_with("test at "));
        let block = rest.get(..end.unwrap_or(rest.len())).unwrap_or(rest);
        let is_suite = block.iter().all(|line| line.trim().is_empty() || line.contains("subtest"));
        if !is_suite && !problems.iter().any(|problem| problem.name == name) {
            let above = at
                .checked_sub(1)
                .and_then(|above| lines.get(above))
                .and_then(|line| line.strip_prefix("test at "));
            problems.push(problem(name, block, above));
        }
    }
    // A file that could not be loaded says why above the list.
    let mut is_loading = false;
    for problem in problems.iter_mut().filter(|problem| problem.message == "test failed") {
        let error = log.lines.iter().map(|line| line.strip_prefix("# ").unwrap_or(line));
        let error = error.into_iter().find(|line| line.contains("Error: ") && !line.starts_with(' '));
        if let Some(error) = error {
            problem.message = error.to_owned();
            is_loading |= error.contains("Cannot find ") || error.starts_with("SyntaxError");
        }
    }
    let mut report = Report::of_tests(problems, counts);
    if is_loading {
        report.stage = super::super::Stage::Collect;
        report.subkind = Some(super::super::Subkind::Collect);
    }
    Some(report)
}

/// Whether a message says nothing beyond that two values differ.
pub(super) fn is_generic(message: &str) -> bool {
    message.contains("xpected values to be") || message.contains(" == ") || message.contains(" === ")
}

fn problem(name: &str, block: &[&str], above: Option<&str>) -> Problem {
    let value = |label: &str| {
        block
            .iter()
            .find_map(|line| line.trim_start().strip_prefix(label))
            .map(|value| value.trim().trim_end_matches(','))
    };
    let told =
        value("expected: ").zip(value("actual: ")).and_then(|(expected, actual)| assertion(expected, actual));
    let first = block.iter().map(|line| line.trim()).find(|line| !line.is_empty()).unwrap_or("");
    let first = first
        .trim_matches('\'')
        .replace("[Error]", "")
        .replace(" [ERR_ASSERTION]", "")
        .replace("Error : ", "Error: ");
    let message = match &told {
        Some(told) if is_generic(&first) => format!("expected {}, got {}", told.expected, told.actual),
        _ => first.trim_start_matches("AssertionError: ").to_owned(),
    };
    let in_frame = |line: &&str| {
        let text = line.trim().strip_prefix("at ")?;
        places::parsed(text.rsplit_once('(').map_or(text, |(_, at)| at.split(')').next().unwrap_or(at)))
    };
    let place = block.iter().find_map(in_frame).or_else(|| places::parsed(above?));
    Problem::new(name, place, &message).with(told)
}
