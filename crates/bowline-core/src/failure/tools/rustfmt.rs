//! rustfmt: files that are not formatted.

use super::super::log::Log;
use super::super::report::{Problem, Report};
use super::super::{Subkind, places};

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    let place = |line: &&str| {
        let rest = line.strip_prefix("Diff in ")?;
        // Older versions write `at line 3:`.
        let rest = rest.replace(" at line ", ":");
        places::parsed(rest.trim_end_matches(':'))
    };
    let mut problems: Vec<Problem> = Vec::new();
    for place in log.lines.iter().filter_map(place) {
        if !problems
            .iter()
            .any(|problem| problem.place.as_ref().is_some_and(|known| known.path == place.path))
        {
            problems.push(Problem::new("rustfmt", Some(place), "not formatted"));
        }
    }
    if problems.is_empty() {
        super::cargo::parse(log, super::Purpose::Lint)
    } else {
        Some(Report::of_lint(Subkind::Style, problems))
    }
}
