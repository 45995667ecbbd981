//! jest: the blocks that begin with `●`, and the sums below them.

use super::super::log::Log;
use super::super::report::{Problem, Report, assertion};
use super::super::{Assertion, Counts, Stage, Subkind, places};
use super::counting;

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    if let Some(line) = log.lines.iter().find(|line| line.starts_with("No tests found, exiting with code")) {
        let mut report = Report::of_tests(vec![Problem::new("", None, line)], Counts::default());
        (report.stage, report.subkind) = (Stage::Collect, Some(Subkind::Collect));
        return Some(report);
    }
    let tests = log.lines.iter().rev().find_map(|line| line.strip_prefix("Tests: "));
    let suites = log.lines.iter().rev().find_map(|line| line.strip_prefix("Test Suites: "));
    let is_block = |line: &str| line.starts_with("  ● ");
    if tests.is_none()
        && suites.is_none()
        && !(log.lines.iter().any(|line| is_block(line)) && log.has("FAIL "))
    {
        return None;
    }
    let counts = counting::counts(&counting::before_words(tests.unwrap_or_default()));
    let mut problems: Vec<Problem> = Vec::new();
    let mut file = "";
    let mut has_failed_suite = false;
    for (at, line) in log.lines.iter().enumerate() {
        if let Some(path) = line.strip_prefix("FAIL ") {
            file = path.trim().split(" (").next().unwrap_or(path).trim();
        }
        let Some(title) = line.strip_prefix("  ● ").filter(|title| !title.starts_with("Console")) else {
            continue;
        };
        let is_suite = title == "Test suite failed to run";
        let name = if is_suite { file } else { title };
        has_failed_suite |= is_suite && problems.is_empty();
        if !problems.iter().any(|problem| problem.name == name) {
            let end = log.from(at + 1).iter().position(|line| {
                is_block(line) || line.starts_with("FAIL ") || line.starts_with("Test Suites:")
            });
            let block = log.between(at + 1, end.map_or(at + 200, |end| at + 1 + end));
            problems.push(problem(name, block));
        }
    }
    let mut report = Report::of_tests(problems, counts);
    if has_failed_suite {
        report.stage = Stage::Collect;
        let is_syntax = report.problems.first().is_some_and(|problem| {
            problem.message.contains("SyntaxError")
                || problem.message.contains("error TS")
                || problem.message.contains(" - error")
        });
        report.subkind = Some(if is_syntax { Subkind::Compile } else { Subkind::Collect });
        report.stage = if is_syntax { Stage::Compile } else { Stage::Collect };
    }
    if report.total == 0
        && report.counts.failed.is_none()
        && suites.is_some_and(|suites| suites.contains("failed"))
    {
        let message = if file.is_empty() { "a test suite failed to run" } else { file };
        report.problems.push(Problem::new(file, None, message));
        report.total = 1;
    }
    if report.total == 0 && log.contains("coverage threshold for") {
        let line = log.lines.iter().find(|line| line.contains("coverage threshold for")).unwrap_or(&"");
        report.problems.push(Problem::new("", None, line));
        report.total = 1;
    }
    Some(report)
}

fn problem(name: &str, block: &[&str]) -> Problem {
    let told = values(block);
    let is_text = |line: &&&str| {
        let text = line.trim();
        !text.is_empty() && !text.starts_with("at ") && !is_code(text)
    };
    let first = block.iter().find(is_text).map_or("", |line| line.trim());
    let is_wordy =
        first == "Jest encountered an unexpected token" || first.starts_with("Your test suite must contain");
    let details = block.iter().map(|line| line.trim()).find(|line| line.starts_with("SyntaxError: "));
    let message = match (&told, details) {
        (_, Some(details)) if is_wordy => details.to_owned(),
        (Some(told), _) => format!("expected {}, received {}", told.expected, told.actual),
        // The line of the matcher says less than the two below it.
        (None, _) if first.starts_with("expect(") => {
            let lines = block.iter().filter(is_text).map(|line| line.trim()).skip(1).take(2);
            let rest = lines.collect::<Vec<_>>().join(", ");
            let matcher = first.split(" // ").next().unwrap_or(first);
            if rest.is_empty() { matcher.to_owned() } else { format!("{matcher}: {rest}") }
        }
        (None, _) => first.to_owned(),
    };
    Problem::new(name, place(block), &message).with(told)
}

/// `> 5 |   expect(…)` and the lines around it.
fn is_code(text: &str) -> bool {
    let text = text.trim_start_matches('>').trim_start();
    let text = text.trim_start_matches(|sign: char| sign.is_ascii_digit()).trim_start();
    text.starts_with('|')
}

/// The first frame in the project, which jest prints innermost first.
fn place(block: &[&str]) -> Option<super::super::Place> {
    let in_frame = |line: &&str| {
        let text = line.trim().strip_prefix("at ")?;
        let at = text.rsplit_once(" (").map_or(text, |(_, at)| at.trim_end_matches(')'));
        places::parsed(at)
    };
    let by_frame = block.iter().find_map(in_frame);
    by_frame
        .or_else(|| {
            // `SyntaxError: /app/cart.test.js: Unexpected token (2:18)`.
            let line = block.iter().find(|line| line.contains("SyntaxError: "))?;
            let path = line.split("SyntaxError: ").nth(1)?.split(": ").next()?;
            let number = line.rsplit_once(" (")?.1.split(':').next()?.parse().ok()?;
            places::place(path, number)
        })
        .or_else(|| block.iter().find_map(|line| places::parsed(line.split(" - error").next()?.trim())))
}

/// `Expected: 3` and `Received: 4`, or the lines of a difference.
fn values(block: &[&str]) -> Option<Assertion> {
    let value = |labels: &[&str]| {
        block.iter().find_map(|line| {
            let text = line.trim();
            labels.iter().find_map(|label| text.strip_prefix(label)).map(str::trim)
        })
    };
    let expected = value(&[
        "Expected: ",
        "Expected length: ",
        "Expected substring: ",
        "Expected pattern: ",
        "Expected value: ",
    ]);
    let received = value(&[
        "Received: ",
        "Received length: ",
        "Received string: ",
        "Received value: ",
        "Received message: ",
    ]);
    if let Some((expected, received)) = expected.zip(received) {
        return assertion(expected, received);
    }
    let line = |sign: &str| {
        block.iter().find_map(|line| {
            let text = line.trim_start().strip_prefix(sign)?;
            let is_label =
                text.trim_start().starts_with("Expected") || text.trim_start().starts_with("Received");
            (!is_label && !text.trim().is_empty()).then_some(text.trim())
        })
    };
    let has_difference = block.iter().any(|line| line.trim_start().starts_with("- Expected"));
    if has_difference {
        assertion(line("-")?.trim_end_matches(','), line("+")?.trim_end_matches(','))
    } else {
        None
    }
}
