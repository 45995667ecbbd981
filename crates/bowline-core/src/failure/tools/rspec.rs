//! RSpec: the numbered blocks below `Failures:`, and files that could not be loaded.

use super::super::log::Log;
use super::super::report::{Problem, Report, assertion};
use super::super::{Counts, Place, Stage, Subkind, places};
use super::counting;

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    let sum = log.lines.iter().rev().find(|line| {
        let starts = line.split(' ').next().is_some_and(|number| number.parse::<u32>().is_ok());
        starts && (line.contains(" examples, ") || line.contains(" example, ")) && line.contains("failure")
    });
    let Some(sum) = sum else { return unsummed(log) };
    let mut counts = counting::counts(&counting::before_words(
        sum.split(", ").take(3).collect::<Vec<_>>().join(", ").as_str(),
    ));
    let lost = counts.failed.unwrap_or(0).saturating_add(counts.skipped.unwrap_or(0));
    counts.passed = counts.collected.map(|all| all.saturating_sub(lost));
    let loading = loading(log);
    if !loading.is_empty() && counts.collected == Some(0) {
        let is_unknown = loading
            .iter()
            .all(|problem| problem.message.contains(&problem.name.trim_start_matches("./").to_owned()));
        if is_unknown && loading.iter().all(|problem| problem.message.contains("cannot load such file")) {
            return loading
                .first()
                .map(|problem| Report::tooling(Some(Subkind::Usage), "rspec", &problem.message));
        }
        let mut report = Report::of_tests(loading, counts);
        (report.stage, report.subkind) = (Stage::Collect, Some(Subkind::Collect));
        if report.problems.first().is_some_and(|problem| problem.message.contains("SyntaxError")) {
            (report.stage, report.subkind) = (Stage::Compile, Some(Subkind::Compile));
        }
        return Some(report);
    }
    let start = log.position(|line| line == "Failures:").map_or(log.lines.len(), |at| at + 1);
    let lines = log.from(start);
    let is_title = |line: &str| {
        line.strip_prefix("  ").is_some_and(|text| {
            text.split_once(") ").is_some_and(|(number, _)| number.parse::<u32>().is_ok())
        })
    };
    let starts: Vec<usize> =
        lines.iter().enumerate().filter(|(_, line)| is_title(line)).map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain(std::iter::once(lines.len()));
    let mut problems: Vec<Problem> =
        starts.iter().zip(ends).filter_map(|(start, end)| lines.get(*start..end)).map(problem).collect();
    if problems.is_empty() {
        problems = listed(log);
    }
    Some(Report::of_tests(problems, counts))
}

fn problem(block: &[&str]) -> Problem {
    let name = block.first().and_then(|line| line.trim().split_once(") ")).map_or("", |(_, name)| name);
    let end = block.iter().position(|line| line.starts_with("Finished in ")).unwrap_or(block.len());
    let block = block.get(..end).unwrap_or(block);
    let value =
        |label: &str| block.iter().find_map(|line| line.trim_start().strip_prefix(label)).map(str::trim);
    let told = value("expected: ").or_else(|| value("expected collection contained:"));
    let told = told
        .zip(value("got: ").or_else(|| value("actual collection contained:")))
        .and_then(|(expected, got)| assertion(expected, got));
    let error = value("Failure/Error: ").unwrap_or("");
    let class = block.iter().position(|line| line.trim().ends_with("Error:") && !line.contains("Failure/"));
    let raised =
        class.and_then(|at| Some(format!("{} {}", block.get(at)?.trim(), block.get(at + 1)?.trim())));
    let message = match (&told, raised) {
        (Some(told), _) => format!("expected {}, got {}", told.expected, told.actual),
        (None, Some(raised)) => raised,
        (None, None) => {
            let said = block
                .iter()
                .skip(2)
                .map(|line| line.trim())
                .find(|line| line.starts_with("expected") || line.starts_with("Expected"));
            said.unwrap_or(error).to_owned()
        }
    };
    Problem::new(name, place(block), &message).with(told)
}

/// `# ./spec/cart_spec.rb:5:in …`, the innermost first.
fn place(block: &[&str]) -> Option<Place> {
    block.iter().find_map(|line| {
        let at = line.trim().strip_prefix("# ")?.split(":in ").next()?;
        places::parsed(at.trim_start_matches("./"))
    })
}

/// Only the list of the failed examples is left.
fn unsummed(log: &Log<'_>) -> Option<Report> {
    let problems = listed(log);
    if problems.is_empty() { None } else { Some(Report::of_tests(problems, Counts::default())) }
}

/// `rspec ./spec/cart_spec.rb:4 # Cart has a total` where the blocks are cut off.
fn listed(log: &Log<'_>) -> Vec<Problem> {
    let found = log.lines.iter().filter_map(|line| {
        let (at, name) = line.strip_prefix("rspec ")?.split_once(" # ")?;
        Some(Problem::new(name, places::parsed(at.trim_start_matches("./")), ""))
    });
    found.collect()
}

fn loading(log: &Log<'_>) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (at, line) in log.lines.iter().enumerate() {
        let Some(file) = line.strip_prefix("An error occurred while loading ") else { continue };
        let file = file.split(". - Did").next().unwrap_or(file).trim_end_matches('.');
        let block = log.between(at + 1, at + 20);
        let class = block.iter().position(|line| line.ends_with("Error:") && !line.starts_with(' '));
        let message =
            class.and_then(|at| Some(format!("{} {}", block.get(at)?.trim(), block.get(at + 1)?.trim())));
        let message = message.unwrap_or_default();
        let named = message.split(": ").find_map(places::parsed).filter(|place| place.path.ends_with(".rb"));
        problems.push(Problem::new(file, named.or_else(|| place(block)), &message));
    }
    problems
}
