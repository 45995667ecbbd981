//! Minitest, and Rails with it.

use super::super::log::Log;
use super::super::places;
use super::super::report::{Problem, Report, assertion};
use super::counting;

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    // `3 runs, 2 assertions, 1 failures, 1 errors, 0 skips`
    let sum = log.lines.iter().rev().find(|line| {
        line.contains(" assertions, ")
            && line.contains(" failures, ")
            && (line.contains(" runs, ") || line.contains(" tests, "))
    })?;
    let mut counts = counting::counts(&counting::before_words(sum));
    let lost = counts.failed.unwrap_or(0).saturating_add(counts.skipped.unwrap_or(0));
    counts.passed = counts.collected.map(|all| all.saturating_sub(lost));
    let mut problems = Vec::new();
    for (at, line) in log.lines.iter().enumerate() {
        let is_title = line.trim_end().ends_with(") Failure:") || line.trim_end().ends_with(") Error:");
        let is_rails = *line == "Failure:" || *line == "Error:";
        if !is_title && !is_rails {
            continue;
        }
        let block = log.between(at + 1, at + 20);
        let Some(title) = block.first() else { continue };
        let name = title.split([' ', '[']).next().unwrap_or(title).trim_end_matches(':');
        let place =
            title.rsplit_once('[').and_then(|(_, at)| places::parsed(at.trim_end_matches([':', ']'])));
        let value = |label: &str| {
            block.iter().take(8).find_map(|line| line.trim_start().strip_prefix(label)).map(str::trim)
        };
        let told = value("Expected: ")
            .zip(value("Actual: "))
            .and_then(|(expected, actual)| assertion(expected, actual));
        let message = match &told {
            Some(told) => format!("expected {}, got {}", told.expected, told.actual),
            None => block.get(1).map_or("", |line| line.trim()).to_owned(),
        };
        let frame = || {
            let own = block.iter().filter(|line| line.contains(":in "));
            own.filter_map(|line| places::parsed(line.trim().split(":in ").next()?)).next()
        };
        problems.push(Problem::new(name, place.or_else(frame), &message).with(told));
    }
    Some(Report::of_tests(problems, counts))
}
