//! pytest: the lines of its short summary, the block of the first failure, errors of collection and of its own options.

use super::super::log::Log;
use super::super::report::{PROBLEMS_MAX, Problem, Report, assertion};
use super::super::{Assertion, Counts, Kind, Stage, Subkind, places};
use super::counting;

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
    for line in &log.lines {
        if line.starts_with("ERROR: file or directory not found:") || line.starts_with("ERROR: not found: ") {
            return tooling(Subkind::Usage, line);
        }
        if line.contains("error: unrecognized arguments:") && log.contains("pytest") {
            let is_configured = log.contains("inifile: ") && !log.contains("inifile: None");
            return tooling(if is_configured { Subkind::Config } else { Subkind::Usage }, line);
        }
        let is_config = line.starts_with("ERROR: ")
            && (line.contains("pytest.ini") || line.contains("pyproject.toml") || line.contains(".cfg:"));
        if is_config && !log.contains("test session starts") {
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

/// The title of each block of a failure, and its first line.
fn blocks<'a>(log: &Log<'a>) -> Vec<(&'a str, usize)> {
    let title = |line: &&'a str| {
        let is_title = line.starts_with("__") && line.ends_with("__") && line.contains(' ');
        let text = line.trim_matches(|sign: char| sign == '_' || sign == ' ');
        (is_title && !text.is_empty()).then_some(text)
    };
    let numbered = log.lines.iter().enumerate();
    numbered.filter_map(|(at, line)| title(line).map(|title| (strip_title(title), at))).collect()
}

fn strip_title(title: &str) -> &str {
    ["ERROR collecting ", "ERROR at setup of ", "ERROR at teardown of "]
        .iter()
        .find_map(|start| title.strip_prefix(start))
        .unwrap_or(title)
}

/// Adds what the block of a failure shows: the whole message, both values, the place.
fn detail(log: &Log<'_>, blocks: &[(&str, usize)], problem: &mut Problem) {
    let dotted =
        problem.name.split_once("::").map_or(problem.name.clone(), |(_, name)| name.replace("::", "."));
    let Some(index) = blocks.iter().position(|(title, _)| *title == dotted || *title == problem.name) else {
        return whole_message(log, problem);
    };
    let Some((_, start)) = blocks.get(index) else { return };
    let end = blocks.get(index + 1).map_or(log.lines.len(), |(_, end)| *end);
    let block = log.between(start + 1, end);
    let is_end = |line: &&str| line.starts_with("====") || line.starts_with("----------");
    let block = block.get(..block.iter().position(is_end).unwrap_or(block.len())).unwrap_or(block);
    let errors: Vec<&str> =
        block.iter().filter_map(|line| line.trim_start().strip_prefix("E ")).map(str::trim).collect();
    let is_shown = |text: &&&str| {
        let text = **text;
        !text.is_empty()
            && !text.starts_with("+ ")
            && !text.starts_with("- ")
            && !text.starts_with("? ")
            && !text.starts_with("Use -v")
            && !text.starts_with("File \"")
    };
    let asserted = errors
        .iter()
        .map(|text| text.trim_start_matches("AssertionError: "))
        .find(|text| text.starts_with("assert "));
    problem.assertion = asserted.and_then(values);
    let mut message = errors
        .iter()
        .find(is_shown)
        .map_or(String::new(), |text| text.trim_start_matches("AssertionError: ").to_owned());
    // The last line is the error where the ones before it are the code that was read.
    let last = errors.iter().rev().find(is_shown).filter(|last| last.contains("Error: "));
    if let Some(last) = last.filter(|_| !message.contains("Error") && asserted.is_none()) {
        message = (*last).to_owned();
    }
    // In the form of Python's own tracebacks the error is not marked.
    let plain = || {
        block
            .iter()
            .rev()
            .find(|line| crate::task::traces::frame::is_exception(line) && line.contains("Error"))
    };
    if message.is_empty()
        && problem.message.ends_with("...")
        && let Some(plain) = plain()
    {
        message = plain.trim_start_matches("AssertionError: ").to_owned();
    }
    if let Some(asserted) = asserted.filter(|asserted| !message.contains(*asserted)) {
        message = format!("{message}: {asserted}");
    }
    if !message.is_empty() {
        problem.message = Problem::new("", None, &message).message;
    }
    problem.place = named_file(&errors).or_else(|| places::innermost(block)).or_else(|| last_place(block));
}

/// Without blocks (`--tb=line`) the error stands alone, and the summary has cut it short.
fn whole_message(log: &Log<'_>, problem: &mut Problem) {
    let Some(start) = problem.message.strip_suffix("...").filter(|start| !start.is_empty()) else { return };
    let found =
        log.lines.iter().find_map(|line| line.strip_prefix("E   ").filter(|text| text.starts_with(start)));
    let line = log
        .lines
        .iter()
        .find(|line| line.contains(start) && line.contains(".py:") && !line.starts_with("FAILED"));
    problem.place = line.and_then(|line| places::parsed(line.split(": ").next()?));
    if let Some(found) = found {
        problem.message = found.to_owned();
    }
}

/// A syntax error names its file in the lines of the error.
fn named_file(errors: &[&str]) -> Option<super::super::Place> {
    let line = errors.iter().find(|text| text.starts_with("File \""))?;
    let (frame, _) = crate::task::traces::frame::python(line)?;
    places::place(&frame.path, frame.line)
}

/// `one/test_one.py:10: ` with nothing after it.
fn last_place(block: &[&str]) -> Option<super::super::Place> {
    block.iter().rev().find_map(|line| places::parsed(line))
}

/// `assert 8 == 11`.
fn values(text: &str) -> Option<Assertion> {
    let text = text.strip_prefix("assert ")?;
    let (actual, expected) = [" == ", " is ", " in "].iter().find_map(|sign| text.split_once(sign))?;
    assertion(expected, actual)
}
