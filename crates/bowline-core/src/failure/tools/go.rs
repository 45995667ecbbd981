//! go build, go vet and go test.

use super::super::log::Log;
use super::super::programs::Purpose;
use super::super::report::{Problem, Report, assertion};
use super::super::{Assertion, Counts, Kind, Stage, Subkind, places};
use super::located;

pub(super) fn parse(log: &Log<'_>, purpose: Purpose) -> Option<Report> {
    json(log, purpose).or_else(|| tests(log)).or_else(|| compile(log, purpose))
}

/// The output of `go test -json`: the text is in the events.
fn json(log: &Log<'_>, purpose: Purpose) -> Option<Report> {
    if !log
        .lines
        .iter()
        .take(20)
        .any(|line| line.starts_with("{\"Time\":") || line.starts_with("{\"Action\":"))
    {
        return None;
    }
    let event = |line: &&str| serde_json::from_str::<serde_json::Value>(line).ok();
    let output =
        |event: serde_json::Value| event.get("Output").and_then(|text| text.as_str().map(str::to_owned));
    let text: String = log.lines.iter().filter_map(event).filter_map(output).collect();
    let inner = Log::new(&text, "");
    tests(&inner).or_else(|| compile(&inner, purpose))
}

fn tests(log: &Log<'_>) -> Option<Report> {
    let title = |line: &str| -> Option<String> {
        let rest = line.trim_start().strip_prefix("--- FAIL: ")?;
        Some(rest.split(" (").next().unwrap_or(rest).to_owned())
    };
    let starts: Vec<(usize, String)> =
        log.lines.iter().enumerate().filter_map(|(at, line)| Some((at, title(line)?))).collect();
    let is_timeout = log.has("panic: test timed out after");
    let has_package = log.lines.iter().any(|line| line.starts_with("FAIL\t") || line.starts_with("ok  \t"));
    if starts.is_empty() && !is_timeout {
        return if has_package { packages(log) } else { None };
    }
    let mut problems: Vec<Problem> = Vec::new();
    for (index, (at, name)) in starts.iter().enumerate() {
        // A test that failed because of its subtests is told by them.
        let is_parent = starts.get(index + 1).is_some_and(|(_, next)| next.starts_with(&format!("{name}/")));
        let end = starts.get(index + 1).map_or(at + 60, |(end, _)| *end);
        if !is_parent {
            problems.push(problem(name, log.between(at + 1, end), log.between(at.saturating_sub(12), *at)));
        }
    }
    if is_timeout {
        let line = log.lines.iter().find(|line| line.contains("test timed out after")).unwrap_or(&"");
        let at = log.position(|line| own_test(line).is_some());
        let place = at.and_then(|at| own_test(log.lines.get(at)?));
        let above = at.and_then(|at| log.lines.get(at.checked_sub(1)?)).copied().unwrap_or_default();
        let name =
            above.split('(').next().and_then(|name| name.rsplit('.').next()).unwrap_or_default().to_owned();
        problems.push(Problem::new(&name, place, line.trim_start_matches("panic: ")));
    }
    let passed = log.lines.iter().filter(|line| line.trim_start().starts_with("--- PASS: ")).count();
    let skipped = log.lines.iter().filter(|line| line.trim_start().starts_with("--- SKIP: ")).count();
    let number = |count: usize| u32::try_from(count).ok();
    let is_verbose = passed + skipped > 0;
    let counts = Counts {
        failed: number(problems.len()),
        passed: number(passed).filter(|_| is_verbose),
        skipped: number(skipped).filter(|_| is_verbose),
        collected: None,
    };
    let has_compiled = log.lines.iter().any(|line| line.starts_with("# "));
    let broken = if has_compiled { sources(log) } else { Vec::new() };
    let is_broken = !broken.is_empty();
    let problems: Vec<Problem> = broken.into_iter().chain(problems).collect();
    let mut report = Report::of_tests(problems, counts);
    if is_broken {
        report.subkind = Some(Subkind::Compile);
        return Some(report);
    }
    if report.problems.first().is_some_and(|problem| problem.message.starts_with("panic: ")) {
        report.subkind = Some(Subkind::Panic);
    }
    if is_timeout {
        report.subkind = Some(Subkind::Timeout);
    }
    Some(report)
}

/// A frame in a test file: `/app/cart_test.go:8 +0x25`.
fn own_test(line: &str) -> Option<super::super::Place> {
    let place = places::parsed(line.trim().split(" +0x").next()?)?;
    (line.starts_with('\t') && place.path.ends_with("_test.go")).then_some(place)
}

/// Packages whose tests did not build, or that passed.
fn packages(log: &Log<'_>) -> Option<Report> {
    if log.has("flag provided but not defined") {
        return None;
    }
    let failed: Vec<&str> = log.lines.iter().filter_map(|line| line.strip_prefix("FAIL\t")).collect();
    if failed.is_empty() {
        let passed = log.lines.iter().filter(|line| line.trim_start().starts_with("--- PASS: ")).count();
        let passed = u32::try_from(passed).ok().filter(|passed| *passed > 0);
        return Some(Report::of_tests(Vec::new(), Counts { passed, ..Counts::default() }));
    }
    let is_build =
        failed.iter().any(|line| line.contains("[build failed]") || line.contains("[setup failed]"));
    let found = sources(log);
    if is_build && !found.is_empty() {
        let mut report = Report::of_lint(Subkind::Compile, found);
        report.kind = Kind::TestFailure;
        return Some(report);
    }
    if is_build {
        return None;
    }
    // A package can fail without a failing test: a panic in it, or `os.Exit`.
    let raised = log.lines.iter().position(|line| line.starts_with("panic: "));
    let end = log.position(|line| line.starts_with("FAIL\t")).unwrap_or(0);
    let is_said =
        |line: &&&str| !line.trim().is_empty() && !line.starts_with("exit status") && **line != "FAIL";
    let said = log.between(0, end).iter().rev().find(is_said).copied();
    let message = raised.and_then(|at| log.lines.get(at)).copied().or(said).unwrap_or("failed");
    let place = raised.and_then(|at| places::innermost(log.from(at)));
    let name = failed.first().and_then(|line| line.split(['\t', ' ']).next()).unwrap_or_default();
    Some(Report::of_tests(vec![Problem::new(name, place, message)], Counts::default()))
}

/// What the compiler found.
fn sources(log: &Log<'_>) -> Vec<Problem> {
    located::problems(log).into_iter().filter(is_go).collect()
}

fn is_go(problem: &Problem) -> bool {
    problem.place.as_ref().is_some_and(|place| place.path.ends_with(".go"))
}

fn problem(name: &str, below: &[&str], above: &[&str]) -> Problem {
    let end = below.iter().position(|line| {
        line.starts_with("FAIL") || line.starts_with("=== ") || line.trim_start().starts_with("--- PASS")
    });
    let below = below.get(..end.unwrap_or(below.len())).unwrap_or(below);
    if let Some(panic) = below.iter().position(|line| line.trim_start().starts_with("panic: ")) {
        let message = below.get(panic).map_or("", |line| line.trim()).trim_end_matches(" [recovered]");
        return Problem::new(name, places::innermost(below), message);
    }
    // The verbose form prints the messages of a test before its result.
    let lines = below.iter().chain(above.iter().rev());
    let said = lines.filter_map(|line| {
        let (at, message) =
            line.trim_start().split_once(": ").or_else(|| Some((line.trim().strip_suffix(':')?, "")))?;
        let place = places::parsed(at).filter(|place| place.path.ends_with(".go"))?;
        Some((place, message.to_owned()))
    });
    let Some((place, message)) = said.into_iter().next() else {
        let said = below.iter().find(|line| !line.trim().is_empty()).map_or("", |line| line.trim());
        return Problem::new(name, None, said);
    };
    let (testified, told) = testify(below);
    let message = match testified {
        Some(testified) if message.trim().is_empty() => testified,
        _ => message,
    };
    let told = told.or_else(|| got_want(&message));
    Problem::new(name, Some(place), &message).with(told)
}

/// `Total() = 4, want 3`, `got 4, want 3`, `expected 3, got 4`.
fn got_want(message: &str) -> Option<Assertion> {
    let (before, want) = message.rsplit_once("want ").or_else(|| message.rsplit_once("wanted "))?;
    let got = before.trim_end().trim_end_matches([',', ';']);
    let got = got.rsplit_once("= ").or_else(|| got.rsplit_once("got ")).map_or(got, |(_, got)| got);
    assertion(want, got.trim_start_matches(": "))
}

/// The block of testify: `Error: Not equal:`, `expected: 3`, `actual  : 4`.
fn testify(lines: &[&str]) -> (Option<String>, Option<Assertion>) {
    let value = |label: &str| lines.iter().find_map(|line| line.trim().strip_prefix(label)).map(str::trim);
    let expected = value("expected: ")
        .or_else(|| lines.iter().find_map(|line| line.split_once("expected: ").map(|(_, value)| value)));
    let actual = value("actual  : ")
        .or_else(|| lines.iter().find_map(|line| line.split_once("actual  : ").map(|(_, value)| value)));
    let error = value("Error:").map(str::trim);
    let told = expected.zip(actual).and_then(|(expected, actual)| assertion(expected, actual));
    let message = match (&told, error) {
        (Some(told), _) => Some(format!("expected {}, got {}", told.expected, told.actual)),
        (None, Some(error)) => Some(error.to_owned()),
        (None, None) => None,
    };
    (message, told)
}

fn compile(log: &Log<'_>, purpose: Purpose) -> Option<Report> {
    let found = sources(log);
    let is_missing = |problem: &Problem| {
        problem.message.contains("no required module provides")
            || problem.message.contains("cannot find module")
            || problem.message.starts_with("module ")
    };
    if found.first().is_some_and(is_missing) {
        return found
            .first()
            .map(|problem| Report::tooling(Some(Subkind::MissingDependency), "", &problem.message));
    }
    if found.is_empty() || log.contains("goroutine ") {
        return None;
    }
    let is_vet = purpose == Purpose::Lint;
    let mut report = Report::of_lint(if is_vet { Subkind::Style } else { Subkind::Compile }, found);
    if purpose == Purpose::Test {
        report.kind = Kind::TestFailure;
    }
    report.stage = if is_vet { Stage::Run } else { Stage::Compile };
    // What vet can't compile it can't judge.
    if is_vet && log.has("vet: ") {
        (report.stage, report.subkind) = (Stage::Compile, Some(Subkind::Compile));
    }
    let is_import = report.problems.first().is_some_and(|problem| {
        problem.message.contains("is not in GOROOT") || problem.message.contains("is not in std")
    });
    if is_import {
        report.subkind = Some(Subkind::Import);
    }
    Some(report)
}
