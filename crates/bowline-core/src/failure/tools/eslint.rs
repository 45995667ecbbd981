//! eslint: findings below the path of their file.

use super::super::log::Log;
use super::super::report::{Problem, Report};
use super::super::{Subkind, places};
use super::located;
use crate::task::traces::frame;

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    if let Some(report) = broken(log) {
        return Some(report);
    }
    let mut file = "";
    let mut errors = Vec::new();
    let mut warnings = Vec::new();
    for line in &log.lines {
        if !line.starts_with([' ', '\t']) && line.contains('.') {
            file = line.trim();
            continue;
        }
        let Some((number, _, rest)) = frame::eslint(line.trim()) else { continue };
        let (severity, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        let (message, rule) = rest.trim().rsplit_once("  ").unwrap_or((rest.trim(), ""));
        let problem = Problem::new(rule, places::place(file, number), message);
        if severity == "error" { errors.push(problem) } else { warnings.push(problem) }
    }
    let sum = log.lines.iter().rev().find(|line| line.contains(" problem") && line.contains(" error"));
    if errors.is_empty() && warnings.is_empty() {
        let found = located::problems(log);
        return if sum.is_some() && !found.is_empty() {
            Some(Report::of_lint(Subkind::Style, found))
        } else {
            None
        };
    }
    let is_syntax =
        errors.first().is_some_and(|problem: &Problem| problem.message.starts_with("Parsing error"));
    // Warnings fail a run only if there are too many of them.
    if errors.is_empty() {
        errors = warnings;
    }
    Some(Report::of_lint(if is_syntax { Subkind::Compile } else { Subkind::Style }, errors))
}

fn broken(log: &Log<'_>) -> Option<Report> {
    let at = log.position(|line| line.starts_with("Oops! Something went wrong"))?;
    let said = log
        .from(at + 1)
        .iter()
        .map(|line| line.trim())
        .find(|line| !line.is_empty() && !line.starts_with("ESLint: "))?;
    let is_usage = said.starts_with("No files matching") || said.contains("are ignored");
    let is_missing = said.contains("couldn't find the plugin")
        || said.contains("couldn't find the config")
        || said.contains("Cannot find module")
        || said.contains("Cannot find package");
    let subkind = match () {
        () if is_usage => Subkind::Usage,
        () if is_missing => Subkind::MissingDependency,
        () => Subkind::Config,
    };
    Some(Report::tooling(Some(subkind), "eslint", said))
}
