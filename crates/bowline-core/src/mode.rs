//! Calling modes: many small models can say *what* they want to call and not *how*.
//!
//! All three have the same tools, the same log and the same guards; they differ in what a request looks like
//! (`wire/plain.rs`) and how an answer is read (`stream/bound.rs`). A session keeps its mode, since a change would have
//! the whole prompt read again, unless its server leaves no choice.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// `tools` in the request, structured calls in the answer.
    #[default]
    Native,
    /// The tools described in the system prompt, calls read from the text.
    Text,
    /// The answer bound to a schema: a message or one call.
    Constrained,
}

impl Mode {
    pub const ALL: [Mode; 3] = [Mode::Native, Mode::Text, Mode::Constrained];

    pub fn word(self) -> &'static str {
        match self {
            Mode::Native => "native",
            Mode::Text => "text",
            Mode::Constrained => "constrained",
        }
    }

    /// The mode of this word.
    pub fn of(word: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|mode| mode.word() == word)
    }
}

/// Who found out which mode a model is to be asked in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModeBy {
    /// Its server refused tools, or could not read its model's calls.
    Refused,
    /// The model wrote its calls into the text.
    Written,
    /// The exam.
    Exam,
}

impl ModeBy {
    pub fn word(self) -> &'static str {
        match self {
            ModeBy::Refused => "refused",
            ModeBy::Written => "written",
            ModeBy::Exam => "exam",
        }
    }
}

/// What is known of a model when a session begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Known {
    /// What the user set.
    pub set: Option<Mode>,
    /// What was remembered of it.
    pub remembered: Option<Mode>,
    /// Whether its server said that its template has no tools. That it has some is not believed either way.
    pub is_without_tools: bool,
}

/// The mode of a new session.
pub fn choose(known: Known) -> Mode {
    let told = if known.is_without_tools { Mode::Text } else { Mode::Native };
    known.set.or(known.remembered).unwrap_or(told)
}
