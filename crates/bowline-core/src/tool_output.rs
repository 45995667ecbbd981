//! The result of running a call, as the host returns it to the turn machine.

use crate::item::FileEdit;
use crate::outcome::Outcome;

/// How a line of a command's result begins that says what the sandbox refused.
pub const REFUSED: &str = "Sandbox: ";

/// How far a call may reach. Nothing reaches `.git` or bowline's own folders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grant {
    /// As far as the rules allow; a file tool only into the work tree.
    Inside,
    /// As far as `Inside`, but there is no checkpoint: calls that may write need approval.
    Unsaved,
    /// Beyond: somebody said yes.
    Outside,
}

/// The output of a call, or the question that has to be answered before it runs.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolDone {
    Output(ToolOutput),
    /// Nothing was done: the rules want somebody asked first.
    Ask(Question),
}

/// What the user is asked before a call is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// In words: `read /etc/hosts, outside the project`.
    pub what: String,
    /// The pattern that the answer *always* would allow.
    pub pattern: String,
    /// More patterns, if one does not cover the call.
    pub also: Vec<String>,
}

impl Question {
    /// What would allow it for longer; none where nothing does.
    pub fn patterns(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.pattern).chain(&self.also).filter(|pattern| !pattern.is_empty())
    }
}

/// A tool's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolOutput {
    pub outcome: Outcome,
    /// For the model.
    pub text: String,
    pub edits: Vec<FileEdit>,
    /// Where `text` was cut, the id under which the whole is stored.
    pub output: Option<String>,
    pub exit_code: Option<i64>,
}

impl ToolOutput {
    /// An answer of words alone.
    pub fn new(outcome: Outcome, text: impl Into<String>) -> ToolOutput {
        ToolOutput { outcome, text: text.into(), edits: Vec::new(), output: None, exit_code: None }
    }
}
