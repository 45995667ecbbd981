//! Tells a missing package, which has to be installed, from a missing module of the project, which has to be written.

use super::packages;
use super::report::{Problem, Report};
use super::{Kind, Stage, Subkind};

/// A module that was not found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Missing {
    /// A package that others publish.
    Package(String),
    /// A file or module of the project.
    Own(String),
}

/// A report whose problems are all missing packages is a tooling error; one that begins with a module of the project that
/// is missing says so.
pub(super) fn refined(mut report: Report) -> Report {
    if is_disk_full(&report) {
        report.kind = Kind::ToolingError;
        report.subkind = Some(Subkind::Disk);
        return report;
    }
    let can_be_missing = match report.kind {
        Kind::TestFailure => report.stage != Stage::Run,
        Kind::LintFailure => report.subkind == Some(Subkind::Import),
        Kind::RuntimeError => true,
        Kind::ToolingError | Kind::Unknown => false,
    };
    if !can_be_missing {
        return report;
    }
    let all: Vec<Option<Missing>> = report.problems.iter().map(|problem| missing(&problem.message)).collect();
    let is_package = |missing: &Option<Missing>| matches!(missing, Some(Missing::Package(_)));
    if !all.is_empty() && all.iter().all(is_package) {
        report.kind = Kind::ToolingError;
        report.subkind = Some(Subkind::MissingDependency);
        report.stage = Stage::Setup;
    } else if let Some(Some(_)) = all.first()
        && report.subkind != Some(Subkind::Timeout)
    {
        report.subkind = Some(Subkind::Import);
    }
    report
}

fn is_disk_full(report: &Report) -> bool {
    let is_full = |problem: &Problem| {
        ["No space left on device", "ENOSPC", "Errno 28", "Disk quota exceeded"]
            .iter()
            .any(|sign| problem.message.contains(sign))
    };
    report.problems.first().is_some_and(is_full)
}

/// What a message says is missing.
pub(super) fn missing(message: &str) -> Option<Missing> {
    python(message).or_else(|| node(message)).or_else(|| ruby(message))
}

fn quoted<'a>(message: &'a str, before: &str) -> Option<&'a str> {
    let (_, rest) = message.split_once(before)?;
    let quote = rest.chars().next().filter(|sign| matches!(sign, '\'' | '"' | '`'))?;
    let rest = rest.get(1..)?;
    rest.split(quote).next().filter(|name| !name.is_empty())
}

fn python(message: &str) -> Option<Missing> {
    if message.contains("cannot import name ") {
        let name = quoted(message, "cannot import name ")?;
        return Some(Missing::Own(name.to_owned()));
    }
    let name = match quoted(message, "No module named ") {
        Some(name) => name,
        None => message.split_once("No module named ")?.1.split_whitespace().next()?,
    };
    // A part that is missing below a package that is there is a mistake in the name.
    let root = name.split('.').next().unwrap_or(name);
    let is_package = packages::is_python(root) && (root == name || !message.contains("is not a package"));
    Some(if is_package { Missing::Package(name.to_owned()) } else { Missing::Own(name.to_owned()) })
}

fn node(message: &str) -> Option<Missing> {
    if let Some((_, name)) = message.split_once("does not provide an export named ") {
        return Some(Missing::Own(name.to_owned()));
    }
    const BEFORE: [&str; 6] = [
        "Cannot find module ",
        "Cannot find package ",
        "Failed to resolve import ",
        "Could not resolve ",
        "Can't resolve ",
        "Rollup failed to resolve import ",
    ];
    let name = BEFORE.into_iter().find_map(|before| quoted(message, before))?;
    let is_own =
        name.starts_with(['.', '/', '@', '~', '#']) && !packages::is_scoped(name) || name.contains(":\\");
    Some(if is_own { Missing::Own(name.to_owned()) } else { Missing::Package(name.to_owned()) })
}

fn ruby(message: &str) -> Option<Missing> {
    let (_, name) = message.split_once("cannot load such file -- ")?;
    let name = name.split_whitespace().next()?;
    let is_own = name.starts_with(['/', '.']) || name.ends_with(".rb");
    Some(if is_own { Missing::Own(name.to_owned()) } else { Missing::Package(name.to_owned()) })
}
