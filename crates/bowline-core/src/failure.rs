//! Names a failure: what kind it is, in one line, with the failing tests and the place, from what a command printed.
//!
//! It works on text alone. It knows neither the project nor the tools, and nothing is permitted because of it, so rules of
//! thumb are enough. Any text has an answer, in time that grows with its length, and every list has a bound.

mod command;
mod dependencies;
mod fingerprint;
mod log;
mod packages;
mod places;
mod programs;
mod report;
mod shell;
mod summary;
mod timeouts;
mod tooling;
mod tools;
mod tracebacks;

use log::Log;
use programs::{Program, Purpose};
use report::Report;
use serde::{Deserialize, Serialize};

/// Ids of failing tests that are kept: the first ones.
pub const TESTS_MAX: usize = 50;
/// A summary. Characters.
pub const SUMMARY_CHARS_MAX: usize = 160;

/// A command that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run<'a> {
    pub command: &'a str,
    pub end: End,
    /// What it printed. Where both streams came as one text, that text, and `stderr` is empty.
    pub stdout: &'a str,
    pub stderr: &'a str,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Exit(i32),
    /// By a signal of this number.
    Signal(i32),
    /// It was stopped because it took too long.
    Timeout,
}

/// What came of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// With the counts where a test runner says them.
    Passed(Option<Counts>),
    Failed(Failure),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub kind: Kind,
    pub subkind: Option<Subkind>,
    /// One line of at most [`SUMMARY_CHARS_MAX`] characters.
    pub summary: String,
    /// The ids of the failing tests, as their runner writes them, at most [`TESTS_MAX`].
    pub tests: Vec<String>,
    pub counts: Counts,
    /// How many tests failed, or how many findings there are: one at least.
    pub total: u32,
    /// The line of the project that the first failure leads to.
    pub place: Option<Place>,
    /// The values of the first failing assertion.
    pub assertion: Option<Assertion>,
    /// How far the run got.
    pub stage: Stage,
    /// The same for the same failure, whatever the time, the addresses, the line numbers and the temporary paths.
    pub fingerprint: String,
}

/// What a failure means for the one who has to mend it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A test runner ran, and tests failed or did not compile.
    TestFailure,
    /// A linter, a formatter, a type checker or a compiler found something.
    LintFailure,
    /// A program ended with a traceback, a panic, a signal or an uncaught exception.
    RuntimeError,
    /// The tool is missing, misconfigured or can't run: editing the code does not help.
    ToolingError,
    Unknown,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::TestFailure => "test_failure",
            Kind::LintFailure => "lint_failure",
            Kind::RuntimeError => "runtime_error",
            Kind::ToolingError => "tooling_error",
            Kind::Unknown => "unknown",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subkind {
    Assertion,
    Compile,
    Collect,
    Import,
    Type,
    Style,
    Panic,
    Signal,
    MissingTool,
    MissingDependency,
    Usage,
    Config,
    Port,
    Disk,
    Permission,
    Timeout,
}

impl Subkind {
    pub fn name(self) -> &'static str {
        match self {
            Subkind::Assertion => "assertion",
            Subkind::Compile => "compile",
            Subkind::Collect => "collect",
            Subkind::Import => "import",
            Subkind::Type => "type",
            Subkind::Style => "style",
            Subkind::Panic => "panic",
            Subkind::Signal => "signal",
            Subkind::MissingTool => "missing_tool",
            Subkind::MissingDependency => "missing_dependency",
            Subkind::Usage => "usage",
            Subkind::Config => "config",
            Subkind::Port => "port",
            Subkind::Disk => "disk",
            Subkind::Permission => "permission",
            Subkind::Timeout => "timeout",
        }
    }
}

/// How far a run got. Ordered: a later stage is an improvement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    Setup,
    Compile,
    Collect,
    Run,
}

impl Stage {
    pub fn name(self) -> &'static str {
        match self {
            Stage::Setup => "setup",
            Stage::Compile => "compile",
            Stage::Collect => "collect",
            Stage::Run => "run",
        }
    }
}

/// What a test runner or a linter counts, as far as it says so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub failed: Option<u32>,
    pub passed: Option<u32>,
    pub skipped: Option<u32>,
    pub collected: Option<u32>,
}

/// A line of a file of the project, as the output writes its path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    pub path: String,
    pub line: u32,
}

/// Both values of an assertion that failed. Where a runner does not say which of them was expected, the first one counts
/// as the actual one, as is usual in its language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assertion {
    pub expected: String,
    pub actual: String,
}

impl Failure {
    /// The failure in a row of its command: `2 failed · test_last` for a test run, the summary otherwise.
    pub fn row(&self) -> String {
        summary::row(self)
    }
}

impl Counts {
    /// The counts of a run that passed: `12 passed, 1 skipped`. Nothing if no test ran.
    pub fn row(&self) -> Option<String> {
        summary::counts(self)
    }
}

/// Names what came of a command. A command that ends with 0 has failed all the same if its exit code is not the test
/// runner's (`pytest | tail`, `npm test || true`) and the runner says that tests failed.
pub fn read(run: &Run<'_>) -> Outcome {
    let (stdout, stderr) = (log::clean(run.stdout), log::clean(run.stderr));
    let log = Log::new(&stdout, &stderr);
    let programs = programs::all(run.command, &log);
    if run.end == End::Exit(0) {
        return without_error(run, &log, &programs);
    }
    let report = report(run, &log, &programs);
    Outcome::Failed(summary::failure(&report, run.command))
}

fn without_error(run: &Run<'_>, log: &Log<'_>, programs: &[Program]) -> Outcome {
    let report = tools::by_command(log, programs).or_else(|| tools::of_tests(log, programs));
    match report {
        Some(report) if report.total > 0 && command::hides_exit(run.command) => {
            Outcome::Failed(summary::failure(&dependencies::refined(report), run.command))
        }
        Some(report) if report.total == 0 => Outcome::Passed(Some(report.counts)),
        _ => Outcome::Passed(None),
    }
}

/// The first that has something to say, from the most certain to the least.
fn report(run: &Run<'_>, log: &Log<'_>, programs: &[Program]) -> Report {
    let purpose = programs::purpose(programs);
    if timeouts::is_timeout(run) {
        return timeouts::report(log, programs);
    }
    let found = shell::missing(run, log)
        .or_else(|| failing(tools::by_command(log, programs)))
        .or_else(|| failing(tools::of_tests(log, programs)))
        .or_else(|| tooling::certain(log, programs))
        .or_else(|| failing(tools::of_lints(log, programs)))
        .or_else(|| tracebacks::report(log, programs, run.end))
        .or_else(|| shell::ended(run, log, programs))
        .or_else(|| tooling::likely(log, programs))
        .unwrap_or_else(|| by_purpose(run, log, programs, purpose));
    dependencies::refined(found)
}

fn failing(report: Option<Report>) -> Option<Report> {
    report.filter(|report| report.total > 0)
}

/// What is left where the output says nothing that is understood: the command decides.
fn by_purpose(run: &Run<'_>, log: &Log<'_>, programs: &[Program], purpose: Purpose) -> Report {
    let kind = match purpose {
        Purpose::Test => Kind::TestFailure,
        Purpose::Lint => Kind::LintFailure,
        Purpose::Build if programs.iter().any(|program| program.tool.is_some()) => Kind::LintFailure,
        Purpose::Build | Purpose::Run | Purpose::Install | Purpose::Other => Kind::Unknown,
    };
    let own = || programs.iter().rev().filter(|program| program.echo.is_none());
    let own = own().find(|program| program.purpose != Purpose::Other).or_else(|| own().next());
    let name = own.map_or("the command", |program| program.name.as_str());
    let ended = match run.end {
        End::Exit(code) => format!("{name} exited with {code}"),
        End::Signal(signal) => format!("{name} was ended by signal {signal}"),
        End::Timeout => format!("{name} timed out"),
    };
    let message = match log.telling_line(programs) {
        Some(said) => format!("{ended}: {said}"),
        None => format!("{ended} and printed nothing"),
    };
    let at = log.telling_line(programs).and_then(|said| places::parsed(said.split(' ').next()?));
    let problem = report::Problem::new("", at, &message);
    let subkind = match kind {
        Kind::TestFailure => report::tested(&problem),
        Kind::LintFailure => own.and_then(|program| program.tool).and_then(tools::Tool::subkind),
        _ => None,
    };
    Report::of_one(kind, subkind, Stage::Run, problem)
}
