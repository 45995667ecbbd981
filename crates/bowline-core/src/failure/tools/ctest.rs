//! ctest: the list of the tests that failed, and what the first one printed.

use super::super::log::Log;
use super::super::report::{Problem, Report};
use super::super::{Counts, Stage, Subkind, places};

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    if let Some(line) = log.lines.iter().find(|line| line.contains("No tests were found!!!")) {
        let mut report = Report::of_tests(vec![Problem::new("", None, line)], Counts::default());
        (report.stage, report.subkind) = (Stage::Collect, Some(Subkind::Collect));
        return Some(report);
    }
    // `20% tests passed, 4 tests failed out of 5`
    let sum = log.lines.iter().find(|line| line.contains("% tests passed, ") && line.contains(" out of "))?;
    let (_, rest) = sum.split_once("passed, ")?;
    let failed: u32 = rest.split(' ').next()?.parse().ok()?;
    let collected: u32 = rest.rsplit(' ').next()?.parse().ok()?;
    let counts = Counts {
        failed: Some(failed),
        passed: Some(collected.saturating_sub(failed)),
        skipped: None,
        collected: Some(collected),
    };
    let list = log.position(|line| line.starts_with("The following tests FAILED:"));
    let mut problems: Vec<Problem> = Vec::new();
    for line in list.map(|at| log.from(at + 1)).unwrap_or_default() {
        let Some((number, rest)) = line.trim().split_once(" - ") else { break };
        if number.trim().parse::<u32>().is_err() {
            break;
        }
        let (name, why) = rest.rsplit_once(" (").unwrap_or((rest, ""));
        problems.push(Problem::new(name, None, why.trim_end_matches(')')));
    }
    if let Some(first) = problems.first_mut() {
        detail(log, first);
    }
    let mut report = Report::of_tests(problems, counts);
    let why = report.problems.first().map(|problem| problem.message.clone()).unwrap_or_default();
    if report.subkind.is_none() {
        report.subkind = match () {
            () if why.contains("Timeout") => Some(Subkind::Timeout),
            () if why.contains("SEGFAULT") || why.contains("aborted") || why.contains("Exception") => {
                Some(Subkind::Signal)
            }
            () => None,
        };
    }
    Some(report)
}

/// What the test printed, which stands below its line.
fn detail(log: &Log<'_>, problem: &mut Problem) {
    let Some(at) =
        log.position(|line| line.contains(&format!(": {} .", problem.name)) && line.contains("***"))
    else {
        return;
    };
    let block = log.between(at + 1, at + 40);
    let end = block.iter().position(|line| {
        line.trim_start().starts_with("Start ") || line.contains("% tests passed") || line.contains(" Test ")
    });
    let block = block.get(..end.unwrap_or(block.len())).unwrap_or(block);
    const SIGNS: &[&str] = &["ssert", "rror", "FAIL", "xpected", "what()"];
    let said = block.iter().find(|line| SIGNS.iter().any(|sign| line.contains(sign)));
    let said = said.or_else(|| block.iter().find(|line| !line.trim().is_empty()));
    if let Some(said) = said {
        problem.place = said
            .split(' ')
            .find_map(|word| places::parsed(word.trim_end_matches(':')))
            .or_else(|| places::innermost(block));
        problem.message = Problem::new("", None, &format!("{} ({})", said.trim(), problem.message)).message;
    }
}
