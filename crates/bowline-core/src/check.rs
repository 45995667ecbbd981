//! The project's check: what a run of it says, what is stored of it, and what the model reads.
//!
//! Pure: which command it is and how it is run is decided elsewhere (`turn/checking.rs`, and the host). What always holds: the
//! model never reads the log of a check, only the lines that [`report`] makes of it.

use serde::{Deserialize, Serialize};

use crate::failure::{self, Failure, Kind, Stage, Subkind};

/// Lines of a check that a model reads.
pub const REPORT_LINES_MAX: usize = 25;
/// Ids of failing tests that are stored with a check.
pub const IDS_MAX: usize = 50;
/// Characters of the output that are kept with an entry, for the places that it names.
pub const EXCERPT_CHARS_MAX: usize = 6_000;
/// A line of a report. Characters.
const LINE_CHARS_MAX: usize = 200;

/// One run of the check by the program itself, as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    pub command: String,
    /// None if it did not end by itself.
    pub exit_code: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subkind: Option<Subkind>,
    /// One line of at most 160 characters.
    pub summary: String,
    /// The result as a row shows it, where that is shorter: `2 failed · test_last`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub row: String,
    pub duration_ms: i64,
    pub moment: CheckMoment,
    pub failures: Failures,
    pub result: CheckResult,
    /// Who named the command.
    pub source: CheckSource,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    /// The same for the same failure.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fingerprint: String,
    /// What the changed files contained, as a hash; none if that is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// Whether it was not run, because the files are as they were when it ran last.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_known: bool,
    /// What the model reads of it, in this place of the conversation. Left out of the frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// Lines for the model, if the result is sent back to it. Left out of the frame.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub report: String,
    /// The beginning and the end of the output, if it failed. Left out of the frame.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub excerpt: String,
}

/// When a check ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckMoment {
    /// Before the first edit of a run: the baseline.
    Before,
    /// After a step that changed files.
    After,
    /// Before the turn ends.
    End,
}

impl CheckMoment {
    pub fn word(self) -> &'static str {
        match self {
            CheckMoment::Before => "before",
            CheckMoment::After => "after",
            CheckMoment::End => "end",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckResult {
    Passed,
    Failed,
    /// It was stopped because it took too long: nothing is known.
    Unfinished,
    /// It failed and passed on the same files.
    Flaky,
}

/// Who named a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckSource {
    /// `--check`.
    Flag,
    /// `[checks]` of the configuration.
    Settings,
    /// The user's message.
    Message,
    /// It was found in the project's files.
    Project,
}

impl CheckSource {
    /// Whether the user named it for this turn.
    pub fn is_users(self) -> bool {
        matches!(self, CheckSource::Flag | CheckSource::Message)
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failures {
    pub count: i64,
    /// At most [`IDS_MAX`].
    pub ids: Vec<String>,
}

/// The result of a turn's check, as the end of the turn carries it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckAccount {
    pub command: String,
    /// The last result in one line.
    pub summary: String,
    /// `passed`, `failed`, `unfinished` or `flaky`; none if it did not run before the first edit.
    pub before: Option<CheckResult>,
    pub after: CheckResult,
    /// Whether more fails than before the first edit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_worse: bool,
}

/// What the host is asked to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckRequest {
    pub moment: CheckMoment,
    /// The command that the turn knows already; none if the project's own has to be found.
    pub command: Option<(String, CheckSource)>,
    /// The first file that the turn changed: the nearest stack above it decides.
    pub near: Option<String>,
    /// The command whose result is known for exactly these files: it need not be run.
    pub known: Option<String>,
    /// Commands that did not end in time in this session.
    pub unfinished: Vec<String>,
    /// The files whose contents are the state that is checked.
    pub files: Vec<String>,
    pub time_ms_max: i64,
}

/// What the host says about a check.
#[derive(Debug, Clone, PartialEq)]
pub enum CheckEnd {
    Ran(Box<CheckRun>),
    /// The command is the one whose result is known.
    Known {
        source: CheckSource,
        state: Option<String>,
    },
    /// The project has none that is known.
    Unknown,
    /// The permission rules do not allow it without asking.
    NotAllowed {
        command: String,
        source: CheckSource,
    },
}

/// A check that was run.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckRun {
    pub command: String,
    pub source: CheckSource,
    pub end: failure::End,
    /// Both streams as they came.
    pub output: String,
    pub duration_ms: i64,
    pub state: Option<String>,
    /// The project's lines that the failure goes through.
    pub snippets: Vec<Snippet>,
}

/// Lines of a file around one that a failure names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    pub path: String,
    /// The first line's number, from 1.
    pub first: i64,
    /// The line that the failure names.
    pub line: i64,
    pub lines: Vec<String>,
}

impl Checked {
    /// Reads what came of a run.
    pub fn of(run: &CheckRun, moment: CheckMoment) -> Checked {
        let named = failure::Run { command: &run.command, end: run.end, stdout: &run.output, stderr: "" };
        let mut checked = Checked {
            command: run.command.clone(),
            exit_code: match run.end {
                failure::End::Exit(code) => Some(i64::from(code)),
                failure::End::Signal(signal) => Some(128 + i64::from(signal)),
                failure::End::Timeout => None,
            },
            kind: None,
            subkind: None,
            summary: String::new(),
            row: String::new(),
            duration_ms: run.duration_ms,
            moment,
            failures: Failures::default(),
            result: CheckResult::Passed,
            source: run.source,
            stage: None,
            fingerprint: String::new(),
            state: run.state.clone(),
            is_known: false,
            words: None,
            report: String::new(),
            excerpt: String::new(),
        };
        match failure::read(&named) {
            _ if run.end == failure::End::Timeout => {
                checked.result = CheckResult::Unfinished;
                checked.summary = format!("did not finish in {} s", run.duration_ms / 1000);
            }
            failure::Outcome::Passed(counts) => {
                let counts = counts.and_then(|counts| counts.row());
                checked.summary = counts.unwrap_or_else(|| "passes".to_owned());
            }
            failure::Outcome::Failed(failure) => checked.fail(&failure, run),
        }
        checked
    }

    fn fail(&mut self, failure: &Failure, run: &CheckRun) {
        self.result = CheckResult::Failed;
        (self.kind, self.subkind) = (Some(failure.kind), failure.subkind);
        self.summary.clone_from(&failure.summary);
        let row = failure.row();
        if row != failure.summary {
            self.row = row;
        }
        let known = i64::try_from(failure.tests.len()).unwrap_or(i64::MAX);
        let count = failure.counts.failed.unwrap_or(failure.total).into();
        let count = known.max(count).max(1);
        self.failures = Failures { count, ids: failure.tests.iter().take(IDS_MAX).cloned().collect() };
        self.stage = Some(failure.stage);
        self.fingerprint.clone_from(&failure.fingerprint);
        self.report = report(failure, run);
        self.excerpt = excerpt(&run.output);
    }

    pub fn is_red(&self) -> bool {
        self.result == CheckResult::Failed
    }

    pub fn is_green(&self) -> bool {
        self.result == CheckResult::Passed
    }

    /// Whether no edit of the code would help.
    pub fn is_blocked(&self) -> bool {
        self.is_red() && self.kind == Some(Kind::ToolingError)
    }

    /// Whether it fails in the same way as another run of it, or in a part of that way.
    pub fn is_no_worse_than(&self, before: &Checked) -> bool {
        if !self.is_red() || !before.is_red() {
            return false;
        }
        if self.failures.ids.is_empty() || before.failures.ids.is_empty() {
            return self.fingerprint == before.fingerprint;
        }
        self.failures.count <= before.failures.count
            && self.failures.ids.iter().all(|id| before.failures.ids.contains(id))
    }

    /// How good a result is, for comparison: green first, then a later stage, then fewer failures.
    pub fn rank(&self) -> (bool, Option<Stage>, i64) {
        (self.is_green(), self.stage, -self.failures.count)
    }

    /// Whether another result is better than this one.
    pub fn is_improved_by(&self, later: &Checked) -> bool {
        later.rank() > self.rank()
    }

    /// The result in a row: `2 failed · test_last`, `12 passed`.
    pub fn row(&self) -> String {
        let words = if self.row.is_empty() { &self.summary } else { &self.row };
        // The command stands in front of it already.
        let words = words.strip_prefix(&format!("{} ", self.command)).unwrap_or(words);
        if self.result == CheckResult::Flaky { format!("flaky: {words}") } else { words.to_owned() }
    }

    /// The result as a sentence of the program's own account, without a full stop.
    pub fn sentence(&self) -> String {
        let says = match self.result {
            CheckResult::Passed => "The check passes",
            CheckResult::Failed => "The check fails",
            CheckResult::Unfinished => "The check did not finish",
            CheckResult::Flaky => "The check fails and passes on the same files",
        };
        let words = self.summary.strip_prefix(&format!("{} ", self.command)).unwrap_or(&self.summary);
        format!("{says}: {} · {words}", self.command)
    }

    /// One line about it, with the number of failures before the turn.
    pub fn line(&self, before: Option<&Checked>) -> String {
        let earlier = match before {
            Some(before) if before.is_red() && self.is_red() => {
                format!(" ({} failed before this turn)", before.failures.count)
            }
            Some(before) if before.is_green() && self.is_red() => " (it passed before this turn)".to_owned(),
            _ => String::new(),
        };
        format!("check: {} · {}{earlier}", self.command, self.row())
    }
}

/// What a model reads of a failure: what ran and the summary, the failing assertion with both values, and the code that the
/// failure goes through.
fn report(failure: &Failure, run: &CheckRun) -> String {
    let mut lines = vec![format!("check: {} · {}", run.command, failure.summary)];
    if let Some(assertion) = &failure.assertion {
        lines.push(format!("expected: {}", assertion.expected));
        lines.push(format!("actual:   {}", assertion.actual));
    }
    for snippet in &run.snippets {
        lines.push(format!("{}:", snippet.path));
        for (at, text) in (snippet.first..).zip(&snippet.lines) {
            let mark = if at == snippet.line { '>' } else { ' ' };
            lines.push(format!("{mark} {at}: {text}"));
        }
    }
    lines.truncate(REPORT_LINES_MAX);
    let short = |line: &String| line.chars().take(LINE_CHARS_MAX).collect::<String>();
    lines.iter().map(short).collect::<Vec<_>>().join("\n")
}

/// The beginning and the end of a long output.
fn excerpt(output: &str) -> String {
    crate::truncate::truncate(output, EXCERPT_CHARS_MAX, crate::truncate::Keep::HeadAndTail, "")
        .unwrap_or_else(|| output.to_owned())
}
