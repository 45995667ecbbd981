//! tsc: `src/a.ts(12,5): error TS2322: …`, also in its pretty form.

use super::super::log::Log;
use super::super::report::{Problem, Report};
use super::super::{Subkind, places};
use crate::task::traces::compiler;

pub(super) fn parse(log: &Log<'_>) -> Option<Report> {
    let mut problems: Vec<Problem> = Vec::new();
    for line in &log.lines {
        let Some((at, rest)) = line.split_once("error TS").filter(|_| !line.starts_with([' ', '\t'])) else {
            continue;
        };
        let (code, message) = rest.split_once(": ").unwrap_or((rest, ""));
        let code = code.trim();
        if code.parse::<u32>().is_err() {
            continue;
        }
        let place =
            compiler::location(line).and_then(|location| places::place(&location.path, location.line));
        let place = place.or_else(|| places::parsed(at.trim_end_matches(" - ")));
        problems.push(Problem::new(&format!("TS{code}"), place, message));
    }
    let first = problems.first()?;
    let is_setup = |problem: &Problem| {
        problem.place.as_ref().is_none_or(|place| place.path.ends_with(".json")) && problem.name.len() > 5
            || matches!(
                problem.name.as_str(),
                "TS5023" | "TS5024" | "TS6046" | "TS6053" | "TS5057" | "TS5058" | "TS5083"
            )
    };
    if is_setup(first) {
        let is_usage =
            matches!(first.name.as_str(), "TS5023" | "TS6053" | "TS5058" | "TS6231") && first.place.is_none();
        let subkind = if is_usage { Subkind::Usage } else { Subkind::Config };
        return Some(Report::tooling(Some(subkind), &first.name, &first.message));
    }
    // Codes below 2000 are errors of syntax.
    let is_syntax = first.name.len() == 6 && first.name.starts_with("TS1");
    let subkind = match first.name.as_str() {
        _ if is_syntax => Subkind::Compile,
        "TS2307" => Subkind::Import,
        _ => Subkind::Type,
    };
    Some(Report::of_lint(subkind, problems))
}
