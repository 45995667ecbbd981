//! ruff: findings in its full and in its concise form, and files that are not formatted.

use super::super::log::Log;
use super::super::report::{Problem, Report};
use super::super::{Subkind, places};
use super::located;

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    if let Some(line) = log.lines.iter().find(|line| line.starts_with("ruff failed")) {
        let cause = log.lines.iter().rev().map(|line| line.trim()).find(|line| line.starts_with("Cause: "));
        let file =
            log.lines.iter().find(|line| line.contains("Failed to parse ")).map_or("", |line| line.trim());
        let last =
            log.lines.iter().rev().find(|line| !line.starts_with([' ', '|']) && !line.trim().is_empty());
        let reason =
            last.filter(|last| **last != *line && !last.contains(" | ")).copied().unwrap_or_default();
        let message = cause.unwrap_or(line).trim_start_matches("Cause: ");
        let message = format!("{} {message}: {reason}", file.trim_start_matches("Cause: "));
        return Some(Report::tooling(Some(Subkind::Config), "ruff", &message));
    }
    let mut problems = full(log);
    if problems.is_empty() {
        let is_rule = |problem: &Problem| {
            is_code(problem.message.split(' ').next().unwrap_or("").trim_end_matches(':'))
        };
        problems =
            located::problems(log).into_iter().filter(is_rule).map(|problem| split_code(&problem)).collect();
    }
    // `--statistics` counts each rule on a line: `5	F401	[*] unused-import`.
    let counted = log.lines.iter().filter_map(|line| {
        let mut columns = line.split('\t').map(str::trim);
        let (count, code) =
            (columns.next()?.parse::<u32>().ok()?, columns.next().filter(|code| is_code(code))?);
        Some(Problem::new(
            code,
            None,
            &format!(
                "{} times {}",
                count,
                columns.next_back().unwrap_or_default().trim_start_matches("[*] ")
            ),
        ))
    });
    problems.extend(counted);
    let unformatted = log.lines.iter().filter_map(|line| line.strip_prefix("Would reformat: "));
    problems.extend(
        unformatted.map(|path| Problem::new("ruff format", None, &format!("{path} would be reformatted"))),
    );
    let is_own = log.lines.iter().any(|line| {
        line.starts_with("Found ") && line.contains(" error")
            || line.contains("would be reformatted")
            || line.contains("fixable with")
    });
    let first = problems.first().filter(|_| is_own)?;
    if first.name == "E902" {
        return Some(Report::tooling(
            Some(Subkind::Usage),
            "ruff",
            &format!("{} {}", first.message, first.place.as_ref().map_or("", |place| place.path.as_str())),
        ));
    }
    let is_syntax =
        first.name == "invalid-syntax" || first.name == "E999" || first.message.starts_with("SyntaxError");
    Some(Report::of_lint(if is_syntax { Subkind::Compile } else { Subkind::Style }, problems))
}

/// ``F401 [*] `os` imported but unused`` with ` --> path:line:column` below it.
fn full(log: &Log<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (at, line) in log.lines.iter().enumerate() {
        let Some(path) = line.trim_start().strip_prefix("--> ") else { continue };
        let Some(above) = at.checked_sub(1).and_then(|above| log.lines.get(above)) else { continue };
        let (code, message) = above.split_once(' ').unwrap_or((above, ""));
        let code = code.trim_end_matches(':');
        if !is_code(code) && code != "unformatted" && code != "invalid-syntax" {
            continue;
        }
        problems.push(Problem::new(code, places::parsed(path), message.trim_start_matches("[*] ")));
    }
    problems
}

/// `F401`, `PLR0913`.
fn is_code(word: &str) -> bool {
    let digits = word.trim_start_matches(|sign: char| sign.is_ascii_uppercase());
    let is_numbered =
        digits.len() >= 3 && digits.len() < word.len() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_numbered || word == "SyntaxError" || word == "invalid-syntax"
}

pub(super) fn split_code(problem: &Problem) -> Problem {
    let (code, message) = problem.message.split_once(' ').unwrap_or((problem.message.as_str(), ""));
    Problem::new(code.trim_end_matches(':'), problem.place.clone(), message.trim_start_matches("[*] "))
}
