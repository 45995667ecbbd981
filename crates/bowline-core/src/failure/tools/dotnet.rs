//! dotnet test and dotnet build.

use super::super::log::Log;
use super::super::programs::Purpose;
use super::super::report::{Problem, Report};
use super::super::{Kind, Subkind, places};
use super::{counting, located};

pub(super) fn parse(log: &Log<'_>, purpose: Purpose) -> Option<Report> {
    // `Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3`
    let sum = log
        .lines
        .iter()
        .rev()
        .find(|line| line.contains("Failed:") && line.contains("Passed:") && line.contains("Total:"));
    if let Some(sum) = sum {
        let counts = counting::counts(&counting::after_words(sum));
        return Some(Report::of_tests(tests(log), counts));
    }
    let is_error =
        |problem: &Problem| problem.message.starts_with("error") || problem.message.starts_with("CS");
    let found: Vec<Problem> = located::problems(log)
        .into_iter()
        .filter(|problem| is_error(problem) || is_source(problem))
        .collect();
    if found.is_empty() {
        return None;
    }
    let mut report = Report::of_lint(Subkind::Compile, found);
    if purpose == Purpose::Test {
        report.kind = Kind::TestFailure;
    }
    Some(report)
}

fn is_source(problem: &Problem) -> bool {
    problem.place.as_ref().is_some_and(|place| place.path.ends_with(".cs") || place.path.ends_with(".fs"))
}

/// `  Failed Shop.CartTests.Total [12 ms]` with the message and the stack below it.
fn tests(log: &Log<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (at, line) in log.lines.iter().enumerate() {
        let Some(rest) = line.trim_start().strip_prefix("Failed ").filter(|rest| rest.ends_with(']')) else {
            continue;
        };
        let name = rest.rsplit_once(" [").map_or(rest, |(name, _)| name);
        let block = log.between(at + 1, at + 20);
        let message =
            block.iter().position(|line| line.trim() == "Error Message:").and_then(|at| block.get(at + 1));
        problems.push(Problem::new(name, places::innermost(block), message.map_or("", |line| line.trim())));
    }
    problems
}
