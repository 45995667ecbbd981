//! TAP, the form that many runners can print: node's, mocha's, tape, prove, bats.

use super::super::log::Log;
use super::super::report::{Problem, Report, assertion};
use super::super::{Counts, Place, places};

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    let is_plan = |line: &&str| {
        line.trim()
            .strip_prefix("1..")
            .is_some_and(|rest| rest.split(' ').next().is_some_and(|number| number.parse::<u32>().is_ok()))
    };
    let has_plan = log.lines.iter().any(is_plan) || log.has("TAP version") || log.has("# tests ");
    let points = log.lines.iter().filter(|line| is_point(line)).count();
    if !has_plan && points < 2 {
        return prove(log);
    }
    if points == 0 {
        return None;
    }
    let mut problems: Vec<Problem> = Vec::new();
    for (at, line) in log.lines.iter().enumerate() {
        let Some(rest) = line.trim_start().strip_prefix("not ok") else { continue };
        if rest.to_lowercase().contains("# todo")
            || rest.contains("# SKIP")
            || !rest.is_empty() && !rest.starts_with(' ')
        {
            continue;
        }
        let name = rest
            .trim_start()
            .trim_start_matches(|sign: char| sign.is_ascii_digit())
            .trim_start()
            .trim_start_matches("- ");
        let end = log.from(at + 1).iter().position(|line| is_point(line));
        let block = log.between(at + 1, end.map_or(at + 80, |end| at + 1 + end));
        // A suite that failed because of its tests is told by them.
        if block.iter().take(12).any(|line| line.contains("subtestsFailed")) {
            continue;
        }
        problems.push(problem(name.split(" # ").next().unwrap_or(name), block));
    }
    let mut counts = comments(log);
    if counts == Counts::default() {
        let count = |is_wanted: &dyn Fn(&str) -> bool| {
            u32::try_from(log.lines.iter().filter(|line| is_wanted(line.trim_start())).count()).ok()
        };
        counts.failed = u32::try_from(problems.len()).ok();
        counts.skipped = count(&|line| line.starts_with("ok ") && line.to_uppercase().contains("# SKIP"));
        counts.passed = count(&|line| line.starts_with("ok ") && !line.to_uppercase().contains("# SKIP"));
    }
    Some(Report::of_tests(problems, counts))
}

fn is_point(line: &str) -> bool {
    let text = line.trim_start();
    let rest = text.strip_prefix("not ok").or_else(|| text.strip_prefix("ok"));
    rest.is_some_and(|rest| {
        rest.strip_prefix(' ')
            .is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_digit() || sign == '-'))
    })
}

/// `# tests 5`, `# pass 1`, `# fail 3` at the end.
fn comments(log: &Log<'_>) -> Counts {
    let value = |label: &str| {
        log.lines
            .iter()
            .rev()
            .find_map(|line| line.strip_prefix("# ")?.strip_prefix(label)?.trim().parse::<u32>().ok())
    };
    let cancelled = value("cancelled ").unwrap_or(0);
    Counts {
        failed: value("fail ").map(|failed| failed.saturating_add(cancelled)),
        passed: value("pass "),
        skipped: value("skipped ").or_else(|| value("skip ")),
        collected: value("tests "),
    }
}

fn problem(name: &str, block: &[&str]) -> Problem {
    let value =
        |label: &str| block.iter().find_map(|line| line.trim_start().strip_prefix(label)).map(str::trim);
    let (expected, actual) = (value("expected: "), value("actual: "));
    let told = expected.zip(actual).and_then(|(expected, actual)| assertion(expected, actual));
    let error = match value("error: ").or_else(|| value("message: ")) {
        Some("|-" | "|" | ">-") => {
            let at = block
                .iter()
                .position(|line| {
                    line.trim_start().starts_with("error: ") || line.trim_start().starts_with("message: ")
                })
                .unwrap_or(0);
            let lines = block.iter().skip(at + 1).map(|line| line.trim());
            lines
                .take_while(|line| !line.starts_with("code: "))
                .filter(|line| !line.is_empty())
                .take(3)
                .collect::<Vec<_>>()
                .join(" ")
        }
        Some(error) => error.trim_matches(['\'', '"']).to_owned(),
        None => {
            let lines = block.iter().map(|line| line.trim().trim_start_matches("# "));
            let lines: Vec<&str> = lines.filter(|line| !line.is_empty() && !is_mark(line)).take(2).collect();
            match lines.as_slice() {
                [first, second] if first.ends_with(':') => format!("{first} {second}"),
                [first, ..] => (*first).to_owned(),
                [] => String::new(),
            }
        }
    };
    let kind = value("name: ")
        .map(|name| name.trim_matches('\''))
        .filter(|name| name.ends_with("Error") && *name != "AssertionError");
    let message = kind.map_or(error.clone(), |kind| format!("{kind}: {error}"));
    Problem::new(name, place(block), &message).with(told)
}

fn is_mark(line: &str) -> bool {
    matches!(line, "---" | "...")
        || line.starts_with("Subtest:")
        || line.starts_with("1..")
        || line.starts_with("Failed test")
}

fn place(block: &[&str]) -> Option<Place> {
    let stack = block.iter().position(|line| line.trim_start().starts_with("stack: ")).map_or(0, |at| at + 1);
    let in_frame = |line: &&str| {
        let text = line.trim().trim_start_matches("at ");
        let at = text.rsplit_once('(').map_or(text, |(_, at)| at.trim_end_matches(')'));
        places::parsed(at).filter(|place| place.path.contains('.'))
    };
    let location = || {
        let line = block.iter().find_map(|line| {
            line.trim_start().strip_prefix("location: ").or_else(|| line.trim_start().strip_prefix("at: "))
        })?;
        places::parsed(line.trim_matches('\''))
    };
    block.iter().skip(stack).find_map(in_frame).or_else(location)
}

/// The report of `prove`, which hides the lines of the tests: `Failed test:  2` below the name of the file.
fn prove(log: &Log<'_>) -> Option<Report> {
    let line = log.lines.iter().find(|line| line.starts_with("Result: FAIL"));
    line?;
    let at = log.position(|line| line.starts_with("Test Summary Report"))?;
    let file = log.from(at + 2).first()?.split("(Wstat").next().unwrap_or("").trim();
    let said = log.lines.iter().find(|line| line.trim_start().starts_with("Failed test"));
    let problem = Problem::new(file, None, said.map_or("failed", |line| line.trim()));
    Some(Report::of_tests(vec![problem], Counts::default()))
}
