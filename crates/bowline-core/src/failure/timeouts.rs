//! A run that took too long: what it was run for decides the kind, and the output says how far it got.

use super::log::Log;
use super::programs::{self, Program, Purpose};
use super::report::{Problem, Report};
use super::{End, Kind, Run, Stage, Subkind, command};

/// What `timeout` exits with.
const TIMED_OUT: i32 = 124;

pub(super) fn is_timeout(run: &Run<'_>) -> bool {
    match run.end {
        End::Timeout => true,
        End::Exit(TIMED_OUT) => {
            let names_timeout = |step: &command::Step| {
                step.words.iter().any(|word| matches!(word.rsplit('/').next(), Some("timeout" | "gtimeout")))
            };
            command::steps(run.command).iter().any(names_timeout)
        }
        End::Exit(_) | End::Signal(_) => false,
    }
}

pub(super) fn report(log: &Log<'_>, programs: &[Program]) -> Report {
    let purpose = programs::purpose(programs);
    let kind = match purpose {
        Purpose::Test => Kind::TestFailure,
        Purpose::Lint | Purpose::Build => Kind::LintFailure,
        Purpose::Run => Kind::RuntimeError,
        Purpose::Install => Kind::ToolingError,
        Purpose::Other => Kind::Unknown,
    };
    let name = programs.last().map_or("the command", |program| program.name.as_str());
    // How far a run got stands on standard output; the other stream may have warnings.
    let is_text = |line: &&&str| line.chars().any(char::is_alphanumeric);
    let last = log.between(0, log.stdout_count).iter().rev().find(is_text);
    let last = last.or_else(|| log.lines.iter().rev().find(is_text));
    let message = match last {
        Some(last) => format!("{name} timed out; the last line was: {}", last.trim()),
        None => format!("{name} timed out without output"),
    };
    Report::of_one(kind, Some(Subkind::Timeout), Stage::Run, Problem::new("", None, &message))
}
