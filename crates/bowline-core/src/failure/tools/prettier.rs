//! prettier: files that are not formatted, or that can't be parsed.

use super::super::Subkind;
use super::super::log::Log;
use super::super::places;
use super::super::report::{Problem, Report};

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    let broken = log
        .lines
        .iter()
        .find_map(|line| line.strip_prefix("[error] ").filter(|rest| rest.contains("SyntaxError: ")));
    if let Some(broken) = broken {
        let (path, message) = broken.split_once(": ").unwrap_or((broken, ""));
        let line = message.rsplit_once('(').and_then(|(_, at)| at.split(':').next()?.parse().ok());
        let problem = Problem::new("", places::place(path, line.unwrap_or(1)), message);
        return Some(Report::of_lint(Subkind::Compile, vec![problem]));
    }
    let is_own = log
        .lines
        .iter()
        .any(|line| line.contains("Code style issues") || line.starts_with("Checking formatting"));
    let warned = log
        .lines
        .iter()
        .filter_map(|line| line.strip_prefix("[warn] "))
        .filter(|line| !line.contains("Code style issues"));
    let problems: Vec<Problem> =
        warned.map(|path| Problem::new("prettier", None, &format!("{path} is not formatted"))).collect();
    if problems.is_empty() || !is_own { None } else { Some(Report::of_lint(Subkind::Style, problems)) }
}
