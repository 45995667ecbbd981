//! flake8, pycodestyle and pyflakes.

use super::super::Subkind;
use super::super::log::Log;
use super::super::report::{Problem, Report};
use super::{located, ruff};

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    let is_finding = |problem: &Problem| {
        let code = problem.message.split(' ').next().unwrap_or("");
        let is_code = code.len() >= 4
            && code.starts_with(|sign: char| sign.is_ascii_uppercase())
            && code.ends_with(|sign: char| sign.is_ascii_digit());
        is_code
            && problem
                .place
                .as_ref()
                .is_some_and(|place| place.path.ends_with(".py") || place.path.ends_with(".pyi"))
    };
    let found = located::problems(log).into_iter().filter(is_finding);
    let problems: Vec<Problem> = found.map(|problem| ruff::split_code(&problem)).collect();
    let first = problems.first().cloned().or_else(|| unplaced(log))?;
    if first.message.contains("No such file or directory") {
        return Some(Report::tooling(Some(Subkind::Usage), "flake8", &first.message));
    }
    let is_syntax = matches!(first.name.as_str(), "E999" | "E902");
    Some(Report::of_lint(if is_syntax { Subkind::Compile } else { Subkind::Style }, problems))
}

/// `nothing.py:0:1: E902 FileNotFoundError: …`, whose line is 0.
fn unplaced(log: &Log<'_>) -> Option<Problem> {
    let line = log.lines.iter().find(|line| line.contains(": E902 "))?;
    Some(Problem::new("E902", None, line))
}
