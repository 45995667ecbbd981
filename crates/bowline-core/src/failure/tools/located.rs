//! Findings of the form `path:line:column: message`, which compilers and linters share.

use super::super::Subkind;
use super::super::log::Log;
use super::super::places;
use super::super::report::{Problem, Report};
use crate::task::Severity;
use crate::task::traces::compiler;

/// Lines that are looked at.
const LINES_MAX: usize = 20_000;

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    let mut problems = problems(log);
    if problems.is_empty() {
        problems = shellcheck(log);
    }
    if problems.is_empty() {
        problems = php(log);
    }
    let first = problems.first()?;
    let is_syntax = first.message.contains("yntax error") || first.message.contains("Parse error");
    Some(Report::of_lint(if is_syntax { Subkind::Compile } else { Subkind::Style }, problems))
}

/// The findings, errors before warnings. Notes are left out.
pub(super) fn problems(log: &Log<'_>) -> Vec<Problem> {
    let (errors, warnings) = found(log);
    errors.iter().chain(warnings).cloned().collect()
}

/// Errors, and warnings.
pub(super) fn found<'b>(log: &'b Log<'_>) -> &'b (Vec<Problem>, Vec<Problem>) {
    log.located.get_or_init(|| {
        let mut found = (Vec::new(), Vec::new());
        for line in log.lines.iter().take(LINES_MAX) {
            let Some((severity, problem)) = finding(line) else { continue };
            match severity {
                Severity::Warning => found.1.push(problem),
                Severity::Error | Severity::Named => found.0.push(problem),
            }
        }
        found
    })
}

fn finding(line: &str) -> Option<(Severity, Problem)> {
    let is_plain = !line.starts_with([' ', '\t']) && line.bytes().any(|byte| byte.is_ascii_digit());
    let location = compiler::location(line.trim_start_matches("vet: ")).filter(|_| is_plain)?;
    let message = location.message?;
    let place = places::place(&location.path, location.line)?;
    let is_note = ["note:", "In file included", "required from", "in expansion of"]
        .iter()
        .any(|start| message.starts_with(start));
    if is_note { None } else { Some((location.severity, Problem::new("", Some(place), &message))) }
}

/// `In unbound.sh line 3:` with the findings below it: `^-- SC2154 (warning): …`.
fn shellcheck(log: &Log<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut place = None;
    for line in &log.lines {
        if let Some((path, number)) =
            line.strip_prefix("In ").and_then(|rest| rest.trim_end_matches(':').split_once(" line "))
        {
            place = number.parse().ok().and_then(|number| places::place(path, number));
        }
        let found = line
            .split_once("SC")
            .and_then(|(_, rest)| rest.split_once(": "))
            .filter(|_| line.trim_start().starts_with('^'));
        if let Some((code, message)) = found {
            let code = code.split(' ').next().unwrap_or(code);
            problems.push(Problem::new(&format!("SC{code}"), place.clone(), message));
        }
    }
    problems
}

/// `PHP Parse error: … in cart.php on line 2`.
fn php(log: &Log<'_>) -> Vec<Problem> {
    let found = |line: &&str| {
        crate::task::traces::frame::php_error(line.trim()).map(|(frame, message)| (frame, message.to_owned()))
    };
    let problem = |(frame, message): (crate::task::Frame, String)| {
        Problem::new("", places::place(&frame.path, frame.line), &message)
    };
    log.lines.iter().filter_map(found).map(problem).collect()
}
