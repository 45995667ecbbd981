//! What a parser found in an output, before it becomes a line to read.

use super::{Assertion, Counts, Kind, Place, Stage, Subkind};

/// Problems that are kept of one run: the first ones.
pub(super) const PROBLEMS_MAX: usize = super::TESTS_MAX;
/// A message of a problem. Bytes.
const MESSAGE_BYTES_MAX: usize = 400;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Report {
    pub kind: Kind,
    pub subkind: Option<Subkind>,
    pub stage: Stage,
    /// The first ones, in their order.
    pub problems: Vec<Problem>,
    /// Whether the names of the problems are those of tests.
    pub names: Names,
    /// How many there are in all. None: the run passed.
    pub total: usize,
    pub counts: Counts,
}

/// What the names of problems are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    Tests,
    /// Codes of errors, or tools.
    Codes,
}

/// A failing test, a finding of a linter, or an error.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Problem {
    /// The id of the test or the code of the error. It may be empty.
    pub name: String,
    pub place: Option<Place>,
    pub message: String,
    pub assertion: Option<Assertion>,
}

impl Problem {
    pub(super) fn new(name: &str, place: Option<Place>, message: &str) -> Problem {
        let message = super::summary::cut_bytes(message.trim(), MESSAGE_BYTES_MAX).to_owned();
        Problem { name: name.trim().to_owned(), place, message, assertion: None }
    }

    pub(super) fn with(mut self, assertion: Option<Assertion>) -> Problem {
        self.assertion = assertion;
        self
    }
}

impl Report {
    pub(super) fn of_one(kind: Kind, subkind: Option<Subkind>, stage: Stage, problem: Problem) -> Report {
        Report {
            kind,
            subkind,
            stage,
            problems: vec![problem],
            names: Names::Codes,
            total: 1,
            counts: Counts::default(),
        }
    }

    pub(super) fn tooling(subkind: Option<Subkind>, name: &str, message: &str) -> Report {
        Report::of_one(Kind::ToolingError, subkind, Stage::Setup, Problem::new(name, None, message))
    }

    /// The findings of a linter or a compiler.
    pub(super) fn of_lint(subkind: Subkind, problems: Vec<Problem>) -> Report {
        let total = problems.len();
        let stage = if subkind == Subkind::Compile { Stage::Compile } else { Stage::Run };
        let mut report = Report {
            kind: Kind::LintFailure,
            subkind: Some(subkind),
            stage,
            problems,
            names: Names::Codes,
            total,
            counts: Counts::default(),
        };
        report.problems.truncate(PROBLEMS_MAX);
        report
    }

    /// A test run. What fails decides the subkind: assertions if the first failure shows one.
    pub(super) fn of_tests(problems: Vec<Problem>, counts: Counts) -> Report {
        let failed = usize::try_from(counts.failed.unwrap_or(0)).unwrap_or(usize::MAX);
        let total = problems.len().max(failed);
        let subkind = problems.first().and_then(tested);
        let mut report = Report {
            kind: Kind::TestFailure,
            subkind,
            stage: Stage::Run,
            problems,
            names: Names::Tests,
            total,
            counts,
        };
        report.problems.truncate(PROBLEMS_MAX);
        report
    }
}

/// What the first failure of a test run was.
pub(super) fn tested(problem: &Problem) -> Option<Subkind> {
    let message = problem.message.to_lowercase();
    if message.contains("timed out")
        || message.contains("timeout of ")
        || message.contains("exceeded timeout")
    {
        return Some(Subkind::Timeout);
    }
    let class = problem.message.split(':').next().unwrap_or_default();
    let is_exception =
        !class.contains([' ', '(']) && (class.ends_with("Error") || class.ends_with("Exception"));
    if is_exception && !class.contains("Assert") && problem.assertion.is_none() {
        return None;
    }
    let is_assertion = problem.assertion.is_some()
        || ["assert", "expect", "want", "should", " got ", "failed asserting", "mismatch", " != "]
            .iter()
            .any(|word| message.contains(word));
    is_assertion.then_some(Subkind::Assertion)
}

/// Both values, without what surrounds them. Nothing if one of them is missing.
pub(super) fn assertion(expected: &str, actual: &str) -> Option<Assertion> {
    let value = |text: &str| super::summary::cut_bytes(text.trim(), MESSAGE_BYTES_MAX).to_owned();
    let (expected, actual) = (value(expected), value(actual));
    if expected.is_empty() || actual.is_empty() { None } else { Some(Assertion { expected, actual }) }
}
