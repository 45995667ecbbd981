//! cargo and rustc: failing tests, errors of the compiler, lints of clippy.

use super::super::log::Log;
use super::super::programs::Purpose;
use super::super::report::{PROBLEMS_MAX, Problem, Report, assertion};
use super::super::{Counts, Kind, Stage, Subkind, places};
use super::counting;
use crate::task::traces::frame;

pub(super) fn parse(log: &Log<'_>, purpose: Purpose) -> Option<Report> {
    let tested = tests(log);
    if tested.as_ref().is_some_and(|tested| tested.total == 0) {
        return unnamed(log).or_else(|| errors(log, purpose)).or(tested);
    }
    tested.or_else(|| crash(log)).or_else(|| unnamed(log)).or_else(|| errors(log, purpose))
}

fn tests(log: &Log<'_>) -> Option<Report> {
    let results = || log.lines.iter().filter_map(|line| line.trim().strip_prefix("test result: "));
    let nextest = log.lines.iter().rev().find(|line| line.trim_start().starts_with("Summary ["));
    let failed = log
        .lines
        .iter()
        .filter_map(|line| line.trim().strip_prefix("test ")?.strip_suffix(" ... FAILED"))
        .map(without_note);
    let mut names: Vec<&str> = failed.collect();
    if let Some(summary) = nextest {
        return Some(nextest_report(log, summary));
    }
    if results().next().is_none() && names.is_empty() {
        return None;
    }
    let mut counts = Counts::default();
    for result in results() {
        let one = counting::counts(&counting::before_words(result));
        let add =
            |sum: Option<u32>, one: Option<u32>| one.map(|one| sum.unwrap_or(0).saturating_add(one)).or(sum);
        counts.failed = add(counts.failed, one.failed);
        counts.passed = add(counts.passed, one.passed);
        counts.skipped = add(counts.skipped, one.skipped);
    }
    // The quiet form names them only in the blocks of their output.
    let blocks = log.lines.iter().filter_map(|line| line.strip_prefix("---- ")?.strip_suffix(" stdout ----"));
    let blocks = blocks.map(without_note);
    for name in blocks {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() && counts.failed.unwrap_or(0) > 0 {
        names.extend(listed(log));
    }
    let problems = names.iter().take(PROBLEMS_MAX).map(|name| problem(log, name)).collect();
    let mut report = Report::of_tests(problems, counts);
    report.total = report.total.max(names.len());
    let is_panic = report.problems.first().is_some_and(|problem| problem.message.starts_with("panicked"));
    if is_panic && report.subkind.is_none() {
        report.subkind = Some(Subkind::Panic);
    }
    Some(report)
}

/// The name of a test without the note that it should panic.
fn without_note(name: &str) -> &str {
    name.trim_end_matches(" - should panic")
}

/// The end of a run whose beginning was cut off: only the target that failed is named.
fn unnamed(log: &Log<'_>) -> Option<Report> {
    let at = log.position(|line| {
        line.starts_with("error: ") && (line.contains(" target failed:") || line.contains(" targets failed:"))
    })?;
    let target = log.lines.get(at + 1)?.trim();
    let problem = Problem::new("", None, &format!("tests failed in {target}"));
    Some(Report::of_one(Kind::TestFailure, None, Stage::Run, problem))
}

/// The names that stand alone below `failures:`.
fn listed<'a>(log: &Log<'a>) -> Vec<&'a str> {
    let Some(at) = log.lines.iter().rposition(|line| *line == "failures:") else { return Vec::new() };
    let names = log.from(at + 1).iter().take_while(|line| line.starts_with("    "));
    names.map(|line| line.trim()).collect()
}

fn nextest_report(log: &Log<'_>, summary: &str) -> Report {
    let text = summary.split_once("] ").map_or(summary, |(_, rest)| rest);
    let counts = counting::counts(&counting::before_words(text));
    let mut names: Vec<&str> = Vec::new();
    for line in &log.lines {
        let Some(rest) = line.trim_start().strip_prefix("FAIL [") else { continue };
        let Some((_, rest)) = rest.split_once("] ") else { continue };
        let name = rest.split(' ').next_back().unwrap_or(rest);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Report::of_tests(names.iter().take(PROBLEMS_MAX).map(|name| problem(log, name)).collect(), counts)
}

/// What a test printed before it failed.
fn problem(log: &Log<'_>, name: &str) -> Problem {
    let short = name.split(" (line ").next().unwrap_or(name);
    let is_panic = |line: &str| {
        let line = line.trim_start();
        line.starts_with(&format!("thread '{short}'")) && line.contains("panicked at ")
    };
    let block = log.position(|line| {
        line.strip_prefix("---- ")
            .is_some_and(|rest| rest.starts_with(name) && rest.ends_with(" stdout ----"))
    });
    let start = block.or_else(|| log.position(is_panic));
    let Some(start) = start else {
        let block =
            log.position(|line| line.contains(name) && line.contains("FAIL [")).map_or(0, |at| at + 1);
        let error = log.from(block).iter().take(30).find(|line| line.trim_start().starts_with("Error: "));
        return Problem::new(name, None, error.map_or("", |line| line.trim()));
    };
    let end = log.from(start + 1).iter().position(|line| line.starts_with("---- ") || *line == "failures:");
    let lines = log.between(start, end.map_or(start + 60, |end| start + 1 + end));
    let panic = lines
        .iter()
        .position(|line| line.trim_start().starts_with("thread '") && line.contains("panicked at "));
    let Some(panic) = panic else {
        let said = lines.iter().skip(1).find(|line| !line.trim().is_empty());
        return Problem::new(name, places::innermost(lines), said.map_or("", |line| line.trim()));
    };
    let lines = lines.get(panic..).unwrap_or(lines);
    let Some((at, inside)) = lines.first().and_then(|line| frame::panicked(line.trim())) else {
        return Problem::new(name, None, "panicked");
    };
    let said = inside
        .or_else(|| lines.iter().skip(1).map(|line| line.trim()).find(|line| !line.is_empty()))
        .unwrap_or("");
    let value = |label: &str| lines.iter().take(16).find_map(|line| line.trim().strip_prefix(label));
    let values = value("left: ").zip(value("right: "));
    let told = values.and_then(|(left, right)| assertion(right, left));
    let message = match values {
        Some((left, right)) => {
            let said = said.trim_start_matches("assertion `left == right` failed").trim_start_matches(": ");
            format!("{said} left: {left}, right: {right}")
        }
        None if said.starts_with("assert") => said.to_owned(),
        None => format!("panicked: {said}"),
    };
    Problem::new(name, places::place(&at.path, at.line), &message).with(told)
}

/// A test binary that a signal ended.
fn crash(log: &Log<'_>) -> Option<Report> {
    if !log.contains("error: test failed") {
        return None;
    }
    let line = log
        .lines
        .iter()
        .find(|line| line.contains("process didn't exit successfully") && line.contains("(signal: "))?;
    let signal = line.split("(signal: ").nth(1).unwrap_or("").trim_end_matches(')');
    let told = log.lines.iter().find(|line| line.starts_with("thread '") && !line.contains("panicked at "));
    let name = told.and_then(|line| line.split('\'').nth(1)).unwrap_or_default();
    let message = told.map_or_else(|| format!("signal {signal}"), |told| format!("{told} (signal {signal})"));
    let problem = Problem::new(name, None, &message);
    Some(Report::of_one(Kind::TestFailure, Some(Subkind::Signal), Stage::Run, problem))
}

/// Headlines that only count others.
const SUMS: &[&str] = &[
    "could not compile",
    "test failed",
    "aborting due to",
    "process didn't exit",
    "doctest failed",
    "build failed",
    "could not document",
    "test run failed",
];

fn errors(log: &Log<'_>, purpose: Purpose) -> Option<Report> {
    let mut problems: Vec<Problem> = Vec::new();
    let mut is_style = true;
    for (at, line) in log.lines.iter().enumerate() {
        let Some((code, message)) = headline(line) else { continue };
        if SUMS.iter().any(|sum| message.starts_with(sum)) || message.contains("targets failed") {
            continue;
        }
        let block = log.between(at + 1, at + 30);
        let end = block.iter().position(|line| headline(line).is_some()).unwrap_or(block.len());
        let block = block.get(..end).unwrap_or(block);
        let place =
            block.iter().take(8).find_map(|line| places::parsed(line.trim_start().strip_prefix("--> ")?));
        let is_known = place.is_some() || code.is_some() || message.starts_with("linking with");
        if !is_known {
            continue;
        }
        let lint = block.iter().find_map(|line| lint_name(line));
        let is_lint =
            lint.is_some() || block.iter().any(|line| line.contains("the lint level is defined here"));
        is_style = is_style && is_lint && code.is_none();
        let name = code.map(str::to_owned).or(lint).unwrap_or_default();
        problems.push(Problem::new(&name, place, message));
    }
    short_form(log, &mut problems, &mut is_style);
    let is_sum = |message: &str| SUMS.iter().any(|sum| message.starts_with(sum));
    let is_cut = !log.lines.iter().any(|line| headline(line).is_some_and(|(_, message)| !is_sum(message)));
    let counted = log.lines.iter().find_map(|line| line.strip_prefix("error: could not compile "));
    if let Some(line) = counted.filter(|_| is_cut && problems.is_empty()) {
        // The errors were cut off; what is left names the crate and counts them.
        problems.push(Problem::new("", None, &format!("could not compile {line}")));
        is_style = false;
    }
    if problems.is_empty() {
        return None;
    }
    let is_manifest =
        |problem: &Problem| problem.place.as_ref().is_some_and(|place| place.path.ends_with(".toml"));
    if let Some(first) = problems.first().filter(|problem| is_manifest(problem)) {
        let place =
            first.place.as_ref().map_or(String::new(), |place| format!("{}:{}", place.path, place.line));
        return Some(Report::tooling(Some(Subkind::Config), &place, &first.message));
    }
    let subkind = if is_style { Subkind::Style } else { Subkind::Compile };
    let mut report = Report::of_lint(subkind, problems);
    if purpose == Purpose::Test {
        report.kind = Kind::TestFailure;
    }
    Some(report)
}

/// `src/main.rs:12:18: error[E0308]: mismatched types`.
fn short_form(log: &Log<'_>, problems: &mut Vec<Problem>, is_style: &mut bool) {
    for line in &log.lines {
        let Some((at, rest)) = line.split_once(": error") else { continue };
        let Some(place) = places::parsed(at).filter(|place| place.path.ends_with(".rs")) else { continue };
        let (code, message) = headline(&format!("error{rest}"))
            .map_or((None, rest.to_owned()), |(code, message)| (code.map(str::to_owned), message.to_owned()));
        *is_style = false;
        problems.push(Problem::new(&code.unwrap_or_default(), Some(place), &message));
    }
}

/// `error[E0308]: mismatched types` or `error: unused variable`.
fn headline(line: &str) -> Option<(Option<&str>, &str)> {
    let rest = line.strip_prefix("error")?;
    if let Some(rest) = rest.strip_prefix('[') {
        let (code, rest) = rest.split_once(']')?;
        return Some((Some(code), rest.strip_prefix(": ")?));
    }
    Some((None, rest.strip_prefix(": ")?))
}

/// The lint that a note names: `` `-D clippy::needless-return` implied by `-D warnings` ``, `` `#[deny(…)]` on by default ``.
fn lint_name(line: &str) -> Option<String> {
    let text = line.trim_start().strip_prefix("= note: ")?;
    let name = text.split('`').nth(1)?;
    if let Some(lint) = name.strip_prefix("-D ").or_else(|| name.strip_prefix("-F ")) {
        return Some(lint.replace('-', "_"));
    }
    let name = name.strip_prefix("#[deny(").or_else(|| name.strip_prefix("#[forbid("))?;
    Some(name.trim_end_matches(")]").to_owned())
}
