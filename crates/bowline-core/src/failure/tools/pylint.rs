//! pylint: `path:line:column: C0114: message (symbol)`. An error counts before a convention.

use super::super::Subkind;
use super::super::log::Log;
use super::super::report::{Problem, Report};
use super::{located, ruff};

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    let is_finding = |problem: &Problem| {
        let code = problem.message.split(": ").next().unwrap_or("");
        code.len() == 5
            && code.starts_with(['C', 'R', 'W', 'E', 'F', 'I'])
            && code.get(1..).is_some_and(|digits| digits.parse::<u32>().is_ok())
    };
    let found = located::problems(log).into_iter().filter(is_finding);
    let mut problems: Vec<Problem> = found.map(|problem| ruff::split_code(&problem)).collect();
    problems.sort_by_key(|problem| match problem.name.chars().next() {
        Some('F') => 0,
        Some('E') => 1,
        Some('W') => 2,
        _ => 3,
    });
    let Some(first) = problems.first().filter(|first| first.name != "F0001") else { return unplaced(log) };
    let is_syntax = first.name == "E0001";
    let is_missing = first.name == "E0401";
    let subkind = match () {
        () if is_syntax => Subkind::Compile,
        () if is_missing => Subkind::Import,
        () => Subkind::Style,
    };
    Some(Report::of_lint(subkind, problems))
}

/// `nothing.py:1:0: F0001: No module named nothing.py (fatal)`.
fn unplaced(log: &Log<'_>) -> Option<Report> {
    let line = log.lines.iter().find(|line| line.contains(": F0001: "))?;
    Some(Report::tooling(Some(Subkind::Usage), "pylint", line))
}
