//! mypy and pyright.

use super::super::Subkind;
use super::super::log::Log;
use super::super::places;
use super::super::report::{Problem, Report};
use super::located;
use crate::task::traces::compiler;

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    let mut problems: Vec<Problem> = Vec::new();
    let is_own = log.lines.iter().any(|line| {
        line.starts_with("Found ") && line.contains(" error") && line.contains(" file")
            || line.contains(" errors, ") && line.contains(" warning")
    });
    for line in &log.lines {
        let Some(location) = compiler::location(line.trim_start()) else { continue };
        let has_error = line.contains(": error: ") || line.contains(" - error: ");
        let Some(message) = location.message.filter(|_| has_error) else { continue };
        let message = message.trim_start_matches("error: ");
        let (text, code) = code(message);
        problems.push(Problem::new(code, places::place(&location.path, location.line), text));
    }
    if !is_own && !problems.iter().any(|problem| !problem.name.is_empty()) {
        return cannot(log);
    }
    let Some(first) = problems.first() else { return cannot(log).or_else(|| sum_only(log)) };
    let subkind = match first.name.as_str() {
        "syntax" => Subkind::Compile,
        "import-not-found" | "reportMissingImports" => Subkind::Import,
        _ => Subkind::Type,
    };
    Some(Report::of_lint(subkind, problems))
}

/// `Unsupported operand types  [operator]`, `… (reportCallIssue)`.
fn code(message: &str) -> (&str, &str) {
    if let Some((text, code)) = message.rsplit_once("  [") {
        return (text, code.trim_end_matches(']'));
    }
    match message.rsplit_once(" (report") {
        Some((text, code)) => {
            let start = message.len() - code.len() - "report".len();
            (text, message.get(start..).unwrap_or(code).trim_end_matches(')'))
        }
        None => (message, ""),
    }
}

fn cannot(log: &Log<'_>) -> Option<Report> {
    let line = log.lines.iter().find(|line| {
        line.starts_with("mypy: ")
            || line.contains("can't read file")
            || line.contains(": error: Cannot read file")
    })?;
    Some(Report::tooling(Some(Subkind::Usage), "", line))
}

fn sum_only(log: &Log<'_>) -> Option<Report> {
    let line = log.lines.iter().find(|line| line.starts_with("Found ") && line.contains(" error"))?;
    let found = located::problems(log);
    let problems = if found.is_empty() { vec![Problem::new("mypy", None, line)] } else { found };
    Some(Report::of_lint(Subkind::Type, problems))
}
