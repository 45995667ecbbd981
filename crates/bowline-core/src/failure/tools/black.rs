//! black and isort: files that are not formatted.

use super::super::Subkind;
use super::super::log::Log;
use super::super::places;
use super::super::report::{Problem, Report};

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    let broken = log.lines.iter().filter_map(|line| line.strip_prefix("error: cannot format "));
    let mut problems: Vec<Problem> = broken.map(broken_file).collect();
    // Newer versions write `error: cannot parse: path:line:column` with the reason below.
    for (at, line) in log.lines.iter().enumerate() {
        let Some(place) = line.strip_prefix("error: cannot parse: ") else { continue };
        let reason = log
            .between(at + 1, at + 6)
            .iter()
            .find(|line| line.contains("Error: "))
            .copied()
            .unwrap_or("cannot parse");
        problems.push(Problem::new("", places::parsed(place), &format!("black cannot parse it: {reason}")));
    }
    let is_syntax = !problems.is_empty();
    let unformatted = log.lines.iter().filter_map(|line| {
        let path = line.strip_prefix("would reformat ");
        path.map(|path| Problem::new("", None, &format!("black would reformat {path}")))
    });
    problems.extend(unformatted);
    let unsorted = log.lines.iter().filter_map(|line| {
        let path = line
            .strip_prefix("ERROR: ")?
            .strip_suffix(" Imports are incorrectly sorted and/or formatted.")?;
        Some(Problem::new("", None, &format!("isort: imports of {path} are not sorted")))
    });
    problems.extend(unsorted);
    if problems.is_empty() {
        return None;
    }
    Some(Report::of_lint(if is_syntax { Subkind::Compile } else { Subkind::Style }, problems))
}

/// `lint/broken.py: Cannot parse: 1:6: def f(:`.
fn broken_file(text: &str) -> Problem {
    let (path, message) = text.split_once(": ").unwrap_or((text, ""));
    let line =
        message.split(": ").find_map(|part| part.split_once(':').and_then(|(line, _)| line.parse().ok()));
    Problem::new("", places::place(path, line.unwrap_or(1)), message)
}
