//! An item: what a client sees of a message's parts. A text, a stretch of reasoning, or a call together with its result.
//!
//! An item starts `running` and completes exactly once, with its whole body; what came between (deltas, updates) is
//! provisional.

use bowline_edit::Patch;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::entry::Status;
use crate::outcome::Outcome;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Nine letters and digits, unique in the session: also the id of the call in the payload, since some templates
    /// accept no other form.
    pub id: String,
    pub message: String,
    pub kind: ItemKind,
    pub status: ItemStatus,
    /// One line: `src/config.rs 1-200`, `cargo test`.
    pub title: String,
    /// The whole text of a `text` or `reasoning` item.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The field the reasoning came in and goes back in; none where it came as tags in the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<ReasoningField>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<Call>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<CallResult>,
}

/// What the model asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Call {
    pub tool: String,
    /// Always an object; `{}` where the model's text was none.
    pub arguments: Value,
    /// The model's own text, where it differs from `arguments` written compactly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
    /// What was mended in it, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<String>,
}

/// How the call ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallResult {
    pub outcome: Outcome,
    /// What the model reads.
    pub text: String,
    pub duration_ms: i64,
    /// For the user; the model never sees a diff.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<FileEdit>,
    /// The stored full output, where `text` was cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i64>,
}

/// A file as a call changed it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileEdit {
    pub path: String,
    pub added: i64,
    pub removed: i64,
    pub diff: String,
    /// The rung of the ladder that found the place.
    pub rung: String,
    /// Whether the file has it, or it waits for the user.
    #[serde(default, skip_serializing_if = "ChangeState::is_applied")]
    pub state: ChangeState,
    /// What it takes to take it back, left out of the frame; none where that was too much to keep.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::patch_form::option")]
    pub patch: Option<Patch>,
}

/// How a change stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeState {
    /// It waits for the user.
    Pending,
    /// The file has it.
    #[default]
    Applied,
    /// The user did not want it.
    Rejected,
    /// The user took it back.
    Rewound,
}

impl ChangeState {
    /// The word on the wire.
    pub fn word(self) -> &'static str {
        match self {
            ChangeState::Pending => "pending",
            ChangeState::Applied => "applied",
            ChangeState::Rejected => "rejected",
            ChangeState::Rewound => "rewound",
        }
    }

    fn is_applied(&self) -> bool {
        *self == ChangeState::Applied
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemKind {
    Text,
    Reasoning,
    Synthesis,
    Read,
    Search,
    Edit,
    Command,
    Tool,
}

impl ItemKind {
    /// Whether it is a call with its result.
    pub fn is_call(self) -> bool {
        !matches!(self, ItemKind::Text | ItemKind::Reasoning | ItemKind::Synthesis)
    }

    /// The word on the wire.
    pub fn word(self) -> &'static str {
        match self {
            ItemKind::Text => "text",
            ItemKind::Reasoning => "reasoning",
            ItemKind::Synthesis => "synthesis",
            ItemKind::Read => "read",
            ItemKind::Search => "search",
            ItemKind::Edit => "edit",
            ItemKind::Command => "command",
            ItemKind::Tool => "tool",
        }
    }

    pub(crate) fn part_started(self) -> &'static str {
        if self.is_call() { "tool_call" } else { self.word() }
    }

    pub(crate) fn part_completed(self) -> &'static str {
        if self.is_call() { "tool_result" } else { self.word() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemStatus {
    Running,
    Complete,
    Failed,
    Cancelled,
}

impl From<Status> for ItemStatus {
    fn from(status: Status) -> ItemStatus {
        match status {
            Status::Streaming => ItemStatus::Running,
            Status::Complete => ItemStatus::Complete,
            Status::Failed => ItemStatus::Failed,
            Status::Cancelled => ItemStatus::Cancelled,
        }
    }
}

/// Where a server puts the model's thoughts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReasoningField {
    ReasoningContent,
    Reasoning,
    Thinking,
}

impl ReasoningField {
    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            ReasoningField::ReasoningContent => "reasoning_content",
            ReasoningField::Reasoning => "reasoning",
            ReasoningField::Thinking => "thinking",
        }
    }
}
