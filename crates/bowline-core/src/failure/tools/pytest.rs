//! pytest: the lines of its short summary, the block of the first failure, errors of collection and of its own options.

mod blocks;

use super::super::log::Log;
use super::super::report::{PROBLEMS_MAX, Problem, Report};
use super::super::{Counts, Kind, Stage, Subkind, places};
use super::counting;
use blocks::{blocks, detail};

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    if let Some(report) = usage(log) {
        return Some(report);
    }
    let totals = totals(log);
    let has_session = log.contains("test session starts") || log.contains("short test summary info");
    if totals.is_none() && !has_session {
        return None;
    }
    let counts = totals.unwrap_or_default();
    let problems = problems(log);
    let mut report = Report::of_tests(problems, counts);
    if let Some(crash) = log.lines.iter().find(|line| line.starts_with("Fatal Python error: ")) {
        report = Report {
            total: 1,
            ..Report::of_tests(vec![Problem::new("", places::innermost(&log.lines), crash)], counts)
        };
        report.subkind = Some(Subkind::Signal);
        return Some(report);
    }
    if log.contains("during collection") || log.lines.iter().any(|line| line.contains(" ERROR collecting ")) {
        report.stage = Stage::Collect;
        report.subkind = Some(Subkind::Collect);
        let interrupted = log.lines.iter().find(|line| line.contains("during collection"));
        if let Some(line) = interrupted.filter(|_| report.problems.is_empty()) {
            report.problems.push(Problem::new("", None, line.trim_matches(['!', ' '])));
            report.total = 1;
        }
    }
    if report.total == 0 {
        return extra(log, report);
    }
    Some(report)
}

/// What fails although no test does: an empty run, too little coverage.
fn extra(log: &Log<'_>, mut report: Report) -> Option<Report> {
    let low = log
        .lines
        .iter()
        .find(|line| line.starts_with("FAIL Required test coverage") || line.contains("Coverage failure:"));
    let problem = if let Some(low) = low {
        Problem::new("", None, low.trim_start_matches("ERROR: "))
    } else if log.contains("INTERNALERROR>") {
        let line = log.lines.iter().rev().find(|line| line.contains("INTERNALERROR>")).unwrap_or(&"");
        Problem::new("", None, line)
    } else if log.contains("no tests ran")
        || log.contains("no tests collected")
        || report.counts.passed.is_none() && log.contains(" deselected")
    {
        report.stage = Stage::Collect;
        report.subkind = Some(Subkind::Collect);
        let collected = log.lines.iter().find(|line| line.starts_with("collected "));
        Problem::new(
            "",
            None,
            &collected.map_or("no tests ran".to_owned(), |line| format!("no tests ran: {line}")),
        )
    } else {
        return Some(report);
    };
    report.total = 1;
    report.problems = vec![problem];
    Some(report)
}

/// pytest could not start: an option, a path or a configuration that is wrong, a `conftest.py` that can't be imported.
fn usage(log: &Log<'_>) -> Option<Report> {
    let tooling = |subkind, line: &str| {
        Some(Report::tooling(Some(subkind), "pytest", &super::super::tooling::plain(line)))
    };
    if let Some(at) = log.position(|line| line.starts_with("ImportError while loading conftest")) {
        let lines = log.from(at);
        let error = lines
            .iter()
            .find_map(|line| line.trim().strip_prefix("E   "))
            .unwrap_or("conftest.py can't be imported");
        let problem = Problem::new("conftest.py", places::innermost(lines), error);
        return Some(Report::of_one(Kind::TestFailure, Some(Subkind::Import), Stage::Collect, problem));
    }
    let (is_own, has_session) = (log.contains("pytest"), log.contains("test session starts"));
    for line in &log.lines {
        if line.starts_with("ERROR: file or directory not found:") || line.starts_with("ERROR: not found: ") {
            return tooling(Subkind::Usage, line);
        }
        if is_own && line.contains("error: unrecognized arguments:") {
            let is_configured = log.contains("inifile: ") && !log.contains("inifile: None");
            return tooling(if is_configured { Subkind::Config } else { Subkind::Usage }, line);
        }
        if line.contains("Error importing plugin ") {
            return tooling(Subkind::MissingDependency, line);
        }
        let is_config = line.starts_with("ERROR: ")
            && (line.contains("pytest.ini") || line.contains("pyproject.toml") || line.contains(".cfg:"));
        if is_config && !has_session {
            return tooling(Subkind::Config, line);
        }
    }
    None
}

/// `= 5 failed, 3 passed, 1 skipped in 0.51s =`.
fn totals(log: &Log<'_>) -> Option<Counts> {
    const WORDS: &[&str] = &[
        "passed",
        "failed",
        "error",
        "errors",
        "skipped",
        "deselected",
        "xfailed",
        "xpassed",
        "warnings",
        "warning",
    ];
    let is_total = |line: &&&str| {
        let text = line.trim_matches(|sign: char| sign == '=' || sign.is_whitespace());
        let (before, after) = text.rsplit_once(" in ").unwrap_or(("", ""));
        let is_time = after.starts_with(|sign: char| sign.is_ascii_digit()) && after.contains('s');
        let pairs = counting::before_words(before);
        is_time
            && text.starts_with(|sign: char| sign.is_ascii_digit())
            && pairs.iter().all(|(_, word)| WORDS.contains(word))
            && !pairs.is_empty()
            || is_time && before == "no tests ran"
    };
    let line = log.lines.iter().rev().find(is_total)?;
    let text = line.trim_matches(|sign: char| sign == '=' || sign.is_whitespace());
    let text = text.rsplit_once(" in ").map_or(text, |(before, _)| before);
    let mut counts = counting::counts(&counting::before_words(text));
    let collected = log.lines.iter().rev().find_map(|line| line.strip_prefix("collected "));
    counts.collected = collected.and_then(|line| line.split(' ').next()?.parse().ok());
    Some(counts)
}

fn problems(log: &Log<'_>) -> Vec<Problem> {
    let mut problems: Vec<Problem> = Vec::new();
    for line in &log.lines {
        let Some(rest) = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR ")) else {
            continue;
        };
        let (id, message) = rest.split_once(" - ").unwrap_or((rest, ""));
        let is_id = id.contains(".py") && !id.contains(": ");
        if is_id && !problems.iter().any(|problem| problem.name == id.trim()) {
            problems.push(Problem::new(id, None, message));
        }
    }
    let blocks = blocks(log);
    if problems.is_empty() {
        let names = blocks.iter().map(|(title, _)| Problem::new(title, None, ""));
        problems = names.collect();
    }
    for problem in problems.iter_mut().take(1) {
        detail(log, &blocks, problem);
    }
    // A collection error has its reason only in its block.
    let rest = problems.iter_mut().take(PROBLEMS_MAX).skip(1);
    for problem in rest.filter(|problem| problem.message.is_empty()) {
        detail(log, &blocks, problem);
    }
    problems
}
