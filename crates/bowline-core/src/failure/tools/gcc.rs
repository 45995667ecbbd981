//! gcc and clang, with the linker and make around them.

use super::super::log::Log;
use super::super::programs::Purpose;
use super::super::report::{Problem, Report};
use super::super::{Kind, Stage, Subkind, places};
use super::located;

const SOURCES: &[&str] =
    &[".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".m", ".mm", ".S", ".cu", ".ino", ".l", ".y"];

pub(super) fn parse(log: &Log<'_>, purpose: Purpose) -> Option<Report> {
    let is_source = |problem: &Problem| {
        !problem.message.starts_with("runtime error: ")
            && problem.place.as_ref().is_some_and(|place| SOURCES.iter().any(|end| place.path.ends_with(end)))
    };
    let has_error =
        log.lines.iter().any(|line| line.contains("error: ") || line.contains("undefined reference to"));
    if !has_error {
        return None;
    }
    let (errors, warnings) = located::found(log);
    let of_source =
        |found: &[Problem]| found.iter().filter(|problem| is_source(problem)).cloned().collect::<Vec<_>>();
    let mut problems = of_source(errors);
    if problems.is_empty() && log.contains("-Werror") {
        problems = of_source(warnings);
    }
    if problems.is_empty() {
        problems.extend(in_header(log));
    }
    problems.extend(unlinked(log));
    if problems.is_empty() {
        return usage(log);
    }
    let mut report = Report::of_lint(Subkind::Compile, problems);
    if purpose == Purpose::Test {
        report.kind = Kind::TestFailure;
    }
    report.stage = Stage::Compile;
    Some(report)
}

/// An error in a header of the system is due to the line that required it.
fn in_header(log: &Log<'_>) -> Option<Problem> {
    let line = log.lines.iter().find(|line| line.contains(": error: ") && line.starts_with('/'))?;
    let message = line.split_once(": error: ")?.1;
    let required = log.lines.iter().find(|line| line.trim_end().ends_with("required from here"))?;
    let place = places::parsed(required.split_whitespace().next()?)?;
    Some(Problem::new("", Some(place), message))
}

/// ``undef.c:(.text+0xa): undefined reference to `missing'``.
fn unlinked(log: &Log<'_>) -> Vec<Problem> {
    let mut problems: Vec<Problem> = Vec::new();
    for line in &log.lines {
        let Some((at, name)) = line.split_once("undefined reference to ") else { continue };
        let message = format!("undefined reference to {name}");
        let place = at
            .split(' ')
            .find_map(|word| places::parsed(word.split(":(").next().unwrap_or(word).trim_end_matches(':')));
        let file = at
            .rsplit(' ')
            .find(|word| word.contains(":("))
            .and_then(|word| word.split(":(").next())
            .unwrap_or("");
        if !problems.iter().any(|problem| problem.message == message) {
            problems.push(Problem::new(if place.is_some() { "" } else { file }, place, &message));
        }
    }
    problems
}

/// `gcc: error: unrecognized command-line option`, `cc1: fatal error: nothing.c: No such file or directory`.
fn usage(log: &Log<'_>) -> Option<Report> {
    let line = log.lines.iter().find(|line| {
        let program = line.split(": ").next().unwrap_or("");
        let name = program.rsplit('/').next().unwrap_or(program);
        ["gcc", "g++", "cc1", "cc1plus", "clang", "clang++", "cc", "c++"]
            .iter()
            .any(|known| name.trim_end_matches(|sign: char| sign.is_ascii_digit() || sign == '-') == *known)
            && line.contains("error: ")
    })?;
    Some(Report::tooling(Some(Subkind::Usage), "", line))
}
