//! Python's unittest, and what prints as it does: Django's runner, nose.

use super::super::log::Log;
use super::super::report::{Problem, Report, assertion};
use super::super::{Stage, Subkind, places};
use super::counting;

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    let ran = log.lines.iter().rev().find_map(|line| line.strip_prefix("Ran "))?;
    let ran: u32 = ran.split(' ').next()?.parse().ok()?;
    let result = log.lines.iter().rev().find(|line| {
        line.starts_with("FAILED (")
            || **line == "OK"
            || line.starts_with("OK (")
            || line.starts_with("NO TESTS RAN")
    })?;
    let mut counts = counting::counts(&counting::after_words(result));
    counts.collected = Some(ran);
    let lost = counts.failed.unwrap_or(0).saturating_add(counts.skipped.unwrap_or(0));
    counts.passed = Some(ran.saturating_sub(lost));
    let problems = problems(log);
    if result.starts_with("NO TESTS RAN") {
        let mut report = Report::of_tests(vec![Problem::new("", None, "no tests ran")], counts);
        (report.stage, report.subkind) = (Stage::Collect, Some(Subkind::Collect));
        return Some(report);
    }
    let is_loading = problems.first().is_some_and(|problem| problem.name.contains("_FailedTest"));
    let is_assertion = log.lines.iter().find_map(|line| is_title(line).then(|| line.starts_with("FAIL: ")));
    let mut report = Report::of_tests(problems, counts);
    if is_assertion == Some(true) {
        report.subkind = Some(Subkind::Assertion);
    }
    for problem in &mut report.problems {
        problem.name = problem.name.replace("unittest.loader._FailedTest.", "");
    }
    if is_loading {
        report.stage = Stage::Collect;
        let is_named =
            report.problems.first().is_some_and(|problem| problem.message.contains("has no attribute"));
        report.subkind = Some(if is_named { Subkind::Collect } else { Subkind::Import });
    }
    Some(report)
}

fn is_title(line: &str) -> bool {
    line.starts_with("FAIL: ") || line.starts_with("ERROR: ")
}

fn problems(log: &Log<'_>) -> Vec<Problem> {
    let starts: Vec<usize> =
        log.lines.iter().enumerate().filter(|(_, line)| is_title(line)).map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain(std::iter::once(log.lines.len()));
    starts.iter().zip(ends).map(|(start, end)| problem(log.between(*start, end))).collect()
}

fn problem(block: &[&str]) -> Problem {
    let title = block
        .first()
        .map(|line| line.trim_start_matches("FAIL: ").trim_start_matches("ERROR: "))
        .unwrap_or_default();
    let end =
        block.iter().skip(1).position(|line| line.starts_with("=====")).map_or(block.len(), |at| at + 1);
    let block = block.get(..end).unwrap_or(block);
    // The error of the last traceback: those before it led to it.
    let start = block.iter().rposition(|line| line.starts_with("Traceback ")).unwrap_or(0);
    let trace = block.get(start..).unwrap_or(block);
    let is_error = |line: &&&str| !line.starts_with([' ', '\t', '-']) && !line.trim().is_empty();
    let error = trace.iter().skip(1).find(is_error).copied().unwrap_or("");
    let message = error.trim_start_matches("AssertionError: ").trim_start_matches("AssertionError");
    let told = message.split(" : ").next().and_then(|text| text.split_once(" != "));
    let told = told.and_then(|(actual, expected)| assertion(expected, actual));
    Problem::new(&id(title), places::innermost(trace), message).with(told)
}

/// `test_find (shop.CartTest.test_find)` or, in older versions, `test_find (shop.CartTest)`.
fn id(title: &str) -> String {
    let Some((name, rest)) = title.split_once(" (") else { return title.to_owned() };
    let class = rest.split(')').next().unwrap_or(rest);
    if class.rsplit('.').next() == Some(name) { class.to_owned() } else { format!("{class}.{name}") }
}
