//! javac, Maven with surefire, and Gradle.

use super::super::log::Log;
use super::super::programs::Purpose;
use super::super::report::{Problem, Report, assertion};
use super::super::{Assertion, Counts, Kind, Place, Stage, Subkind, places};
use super::{counting, located};

pub(super) fn parse(log: &Log<'_>, purpose: Purpose) -> Option<Report> {
    surefire(log).or_else(|| gradle(log)).or_else(|| nothing(log)).or_else(|| compile(log, purpose))
}

/// No test was found.
fn nothing(log: &Log<'_>) -> Option<Report> {
    let line = log.lines.iter().find(|line| {
        line.contains("No tests were executed") || line.contains("No tests found for given includes")
    })?;
    let text = line.split_once("No tests ").map_or(*line, |(_, rest)| rest);
    let problem = Problem::new("", None, &format!("No tests {}", text.split(" -> ").next().unwrap_or(text)));
    Some(Report::of_one(Kind::TestFailure, Some(Subkind::Collect), Stage::Collect, problem))
}

/// A line without Maven's mark.
fn bare(line: &str) -> &str {
    let text = line.trim_start();
    ["[ERROR] ", "[INFO] ", "[WARNING] "]
        .iter()
        .find_map(|mark| text.strip_prefix(mark))
        .unwrap_or(text)
        .trim()
}

fn surefire(log: &Log<'_>) -> Option<Report> {
    // `Tests run: 3, Failures: 1, Errors: 1, Skipped: 0`: the last one is that of all classes.
    let sum = log.lines.iter().rev().map(|line| bare(line)).find(|line| line.starts_with("Tests run: "))?;
    let pairs = counting::after_words(sum.split(", Time elapsed").next().unwrap_or(sum));
    let mut counts = counting::counts(&pairs);
    counts.collected = pairs.first().map(|(number, _)| *number);
    let lost = counts.failed.unwrap_or(0).saturating_add(counts.skipped.unwrap_or(0));
    counts.passed = counts.collected.map(|all| all.saturating_sub(lost));
    let mut problems = listed(log);
    if problems.is_empty() {
        problems = marked(log);
    }
    if let Some(first) = problems.first_mut() {
        detail(log, first);
    }
    Some(Report::of_tests(problems, counts))
}

/// The list below `Failures:` and `Errors:`: `CartTest.total:7 expected: <3> but was: <4>`.
fn listed(log: &Log<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut is_list = false;
    for line in log.lines.iter().map(|line| bare(line)) {
        match line {
            "Failures:" | "Errors:" | "Failed tests:" | "Tests in error:" => is_list = true,
            _ if line.is_empty() || line.starts_with("Tests run:") => is_list = false,
            _ if is_list && !line.starts_with("Run ") => {
                let (at, message) = line.split_once(' ').unwrap_or((line, ""));
                // A test that calls another place is `CartTest.total:7->Cart.sum:12`.
                let name = at.split("->").next().unwrap_or(at).split(':').next().unwrap_or(at);
                let message = message.trim_start_matches("» ");
                if name.contains('.') {
                    problems.push(Problem::new(name, None, message));
                }
            }
            _ => {}
        }
    }
    problems
}

/// `CartTest.total -- Time elapsed: 0.01 s <<< FAILURE!`, also with the class in parentheses as older versions write.
fn marked(log: &Log<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for line in log.lines.iter().map(|line| bare(line)) {
        let is_mark = line.contains("<<< FAILURE!") || line.contains("<<< ERROR!");
        if !is_mark || line.starts_with("Tests run:") {
            continue;
        }
        let name = line.split([' ', '(']).next().unwrap_or(line);
        problems.push(Problem::new(name, None, ""));
    }
    problems
}

/// The exception and the frames below the mark of a test.
fn detail(log: &Log<'_>, problem: &mut Problem) {
    let method = problem.name.rsplit('.').next().unwrap_or(&problem.name).to_owned();
    let class = problem.name.rsplit('.').nth(1).unwrap_or("").to_owned();
    let at =
        log.position(|line| line.contains("<<< ") && line.contains(&method) && !line.contains("Tests run:"));
    if let Some(at) = at {
        let block = log.between(at + 1, at + 30);
        if problem.message.is_empty() {
            problem.message =
                block.iter().map(|line| bare(line)).find(|line| !line.is_empty()).unwrap_or("").to_owned();
        }
        problem.place = block
            .iter()
            .find_map(|line| own_frame(line, &class))
            .or_else(|| block.iter().find_map(|line| own_frame(line, "")));
    }
    problem.assertion = values(&problem.message);
}

/// `at shop.CartTest.total(CartTest.java:7)`; the frames of the runtime and of test libraries are not the project's.
fn own_frame(line: &str, class: &str) -> Option<Place> {
    let text = line.trim().strip_prefix("at ")?;
    let is_foreign = [
        "java.",
        "jdk.",
        "sun.",
        "javax.",
        "org.junit",
        "junit.",
        "org.apache.maven",
        "org.hamcrest",
        "org.assertj",
        "org.gradle",
        "app//",
    ]
    .iter()
    .any(|start| text.starts_with(start));
    if is_foreign || !text.contains(class) {
        return None;
    }
    let (_, at) = text.rsplit_once('(')?;
    places::parsed(at.trim_end_matches(')'))
}

/// `expected: <3> but was: <4>`, `expected:<3> but was:<4>`.
fn values(message: &str) -> Option<Assertion> {
    let (_, rest) = message.split_once("expected:")?;
    let (expected, actual) = rest.split_once(" but was:")?;
    let bare = |text: &str| text.trim().trim_start_matches('<').trim_end_matches('>').to_owned();
    assertion(&bare(expected), &bare(actual))
}

/// `CartTest > totalIsTheSum() FAILED` with the exception below it.
fn gradle(log: &Log<'_>) -> Option<Report> {
    let mut problems = Vec::new();
    for (at, line) in log.lines.iter().enumerate() {
        let Some(name) =
            line.strip_suffix(" FAILED").filter(|name| name.contains(" > ") && !name.starts_with("> Task"))
        else {
            continue;
        };
        let block = log.between(at + 1, at + 15);
        let message = block.first().map_or("", |line| line.trim());
        let message = message
            .trim_start_matches("org.opentest4j.AssertionFailedError: ")
            .trim_start_matches("java.lang.AssertionError: ");
        let place = block.iter().find_map(|line| {
            line.trim()
                .strip_prefix("at ")
                .and_then(|at| places::parsed(at.rsplit(['(', ' ']).next()?.trim_end_matches(')')))
        });
        let place = place
            .or_else(|| block.iter().find_map(|line| places::parsed(line.trim().rsplit_once(" at ")?.1)));
        problems.push(Problem::new(name, place, message).with(values(message)));
    }
    let sum = log
        .lines
        .iter()
        .find(|line| line.contains(" tests completed, ") || line.contains(" test completed, "));
    let passed_all = sum.is_none() && problems.is_empty();
    if passed_all {
        return None;
    }
    let mut counts = Counts::default();
    if let Some(sum) = sum {
        let pairs = counting::before_words(sum);
        counts = counting::counts(&pairs);
        counts.collected = pairs.first().map(|(number, _)| *number);
        let lost = counts.failed.unwrap_or(0).saturating_add(counts.skipped.unwrap_or(0));
        counts.passed = counts.collected.map(|all| all.saturating_sub(lost));
    }
    Some(Report::of_tests(problems, counts))
}

fn compile(log: &Log<'_>, purpose: Purpose) -> Option<Report> {
    let mut problems: Vec<Problem> = located::problems(log).into_iter().filter(is_source).collect();
    if problems.is_empty() {
        problems = log.lines.iter().filter_map(|line| maven_error(line)).collect();
        problems.dedup();
    }
    // The name that was not found stands below the first error.
    let symbol = log.lines.iter().map(|line| bare(line)).find_map(|line| line.strip_prefix("symbol:"));
    if let Some(first) = problems.first_mut().filter(|first| first.message.contains("cannot find symbol")) {
        let symbol = symbol.map(|symbol| symbol.split_whitespace().collect::<Vec<_>>().join(" "));
        first.message = format!("{}: {}", first.message, symbol.unwrap_or_default());
    }
    if problems.is_empty() {
        return None;
    }
    let mut report = Report::of_lint(Subkind::Compile, problems);
    if purpose == Purpose::Test {
        report.kind = Kind::TestFailure;
    }
    report.stage = Stage::Compile;
    Some(report)
}

fn is_source(problem: &Problem) -> bool {
    let path = problem.place.as_ref().map_or("", |place| place.path.as_str());
    [".java", ".kt", ".scala", ".groovy"].iter().any(|end| path.ends_with(end))
}

/// `[ERROR] /app/src/main/java/Cart.java:[12,5] cannot find symbol`, `e: file:///app/Cart.kt:3:5 unresolved reference`.
fn maven_error(line: &str) -> Option<Problem> {
    if let Some(rest) = line.strip_prefix("e: ") {
        let (at, message) = rest.trim_start_matches("file://").split_once(' ')?;
        return Some(Problem::new("", places::parsed(at), message)).filter(is_source);
    }
    let text = line.strip_prefix("[ERROR] ")?;
    let (path, rest) = text.split_once(":[")?;
    let (at, message) = rest.split_once("] ")?;
    let number = at.split(',').next()?.parse().ok()?;
    Some(Problem::new("", places::place(path, number), message))
}
