//! Entries about steps: one model call and the tool calls it asked for.

use serde::{Deserialize, Serialize};

use super::Usage;
use crate::place::{Choice, Offered};
use crate::thinking::Thinking;

/// A step begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepStarted {
    pub message: String,
    /// Counted from 1 within the run.
    pub step: i64,
    pub purpose: StepPurpose,
    /// The one-off note in this step's request, and in no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Steering up to this `seq` is in this step's request; what came later waits for the next.
    pub inputs_through: i64,
    /// This step's own, where it differs from the session's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking: Option<Thinking>,
    /// What the model reads in place of results, from this request on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<InPlace>,
    /// What the program says to the model's last answer, which did not end the turn. It stays in the conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent_back: Option<String>,
    /// Why the answer was sent back. Older logs do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent_back_for: Option<SentBackFor>,
    /// The places that the model can choose to change in this step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offered: Vec<Offered>,
    /// What the model can choose beside them.
    #[serde(default, skip_serializing_if = "Choice::is_free")]
    pub choice: Choice,
    /// The whole prompt of a step that does not send the conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
}

/// Why an answer did not end the turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SentBackFor {
    /// The task asks for a change, and no file was changed.
    NoChange,
    /// Files were changed, no check is known, and no command was run after the last change.
    NoCommand,
    /// The check is red.
    Check,
}

impl StepStarted {
    /// A step with nothing beyond its purpose.
    pub fn new(message: &str, step: i64, purpose: StepPurpose) -> StepStarted {
        StepStarted {
            message: message.to_owned(),
            step,
            purpose,
            note: None,
            inputs_through: 0,
            thinking: None,
            answers: Vec::new(),
            sent_back: None,
            sent_back_for: None,
            offered: Vec::new(),
            choice: Choice::Free,
            prompt: None,
        }
    }
}

/// An answer in place of a call's result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InPlace {
    pub item: String,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepPurpose {
    Work,
    /// The last call after a limit: words only, calls in it are not run.
    Summary,
    /// The conversation is to be folded: words only, and not for the user.
    Compaction,
    /// The new text of a place, in a prompt of its own.
    Write,
    /// No model is asked: the program carries out what the user's words and the code decide.
    Program,
}

impl StepPurpose {
    /// Whether its request is a short prompt of its own, and not the conversation.
    pub fn has_own_prompt(self) -> bool {
        matches!(self, StepPurpose::Write | StepPurpose::Program)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepCompleted {
    pub message: String,
    pub step: i64,
    pub usage: Usage,
    /// The size of the prompt that `usage` counts, before it is put into a wire form; none if the server did not count it. Bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_bytes: Option<i64>,
}
