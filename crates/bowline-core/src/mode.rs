//! Calling modes: many small models can say *what* they want to call and not *how*.
//!
//! All three modes have the same tools, the same log and the same guards. They differ in what a request looks like
//! (`wire/plain.rs`) and how an answer is read (`stream/constrained.rs`). This file decides in which mode a session begins; when a
//! session moves to another mode is decided in `turn/modes.rs`.

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

/// Why a mode is remembered for a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModeBy {
    /// The server refused tools, or dropped them.
    Refused,
    /// The server could not read its own model's calls.
    Unread,
    /// The model wrote its calls into the text.
    Written,
    /// The model answered with code where a change was asked for.
    Fenced,
    /// In text mode the model made no call that could be read.
    NoCall,
    /// The exam picked it.
    Exam,
}

impl ModeBy {
    pub const ALL: [ModeBy; 6] =
        [ModeBy::Refused, ModeBy::Unread, ModeBy::Written, ModeBy::Fenced, ModeBy::NoCall, ModeBy::Exam];

    pub fn word(self) -> &'static str {
        match self {
            ModeBy::Refused => "refused",
            ModeBy::Unread => "unread",
            ModeBy::Written => "written",
            ModeBy::Fenced => "fenced",
            ModeBy::NoCall => "no_call",
            ModeBy::Exam => "exam",
        }
    }

    /// The reason of this word.
    pub fn of(word: &str) -> Option<ModeBy> {
        ModeBy::ALL.into_iter().find(|by| by.word() == word)
    }
}

/// How large a model is, as far as its calling mode depends on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Size {
    /// It has fewer than [`SMALL_PARAMETERS_MAX`](crate::limits::SMALL_PARAMETERS_MAX) parameters.
    Small,
    /// It has more, or nobody knows how many it has.
    #[default]
    LargeOrUnknown,
}

/// Whether a server can bind an answer to a schema.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Binding {
    /// Nothing speaks against it.
    #[default]
    Possible,
    /// The server refused a schema, or ignored one.
    Refused,
}

/// What decides whether, and to which mode, a session may move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Calling {
    /// The mode that the user set. A session in this mode leaves it only if the server refuses it.
    pub set: Option<Mode>,
    pub size: Size,
    pub binding: Binding,
}

impl Calling {
    /// The mode for a model whose native calls do not work.
    pub fn fallback(self) -> Mode {
        match (self.size, self.binding) {
            (Size::Small, Binding::Possible) => Mode::Constrained,
            _ => Mode::Text,
        }
    }
}

/// What is known of a model when a session begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Known {
    pub calling: Calling,
    /// The mode that the exam or an earlier session found.
    pub remembered: Option<Mode>,
    /// Whether the server said that the model's template has no tools. A server that says it has some is not believed.
    pub is_without_tools: bool,
}

/// The mode of a new session.
pub fn choose(known: Known) -> Mode {
    let Known { calling, remembered, is_without_tools } = known;
    let remembered = remembered.map(|mode| match (mode, calling.binding) {
        (Mode::Constrained, Binding::Refused) => Mode::Text,
        (mode, _) => mode,
    });
    let by_size = match calling.fallback() {
        Mode::Constrained => Mode::Constrained,
        fallback if is_without_tools => fallback,
        _ => Mode::Native,
    };
    calling.set.or(remembered).unwrap_or(by_size)
}
