//! The log entries of a restore: one announces it before the files are touched, one says that it is done. A restore hides the
//! entries that it undoes, and can itself be undone (`visible.rs`).

use serde::{Deserialize, Serialize};

/// Announces what is about to be done to the files. Left out of the frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restoring {
    pub state: RestoringState,
    /// What will be on the log when the files are done.
    pub restored: Restored,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RestoringState {
    Begun,
    /// The files are as they were before it.
    GivenUp,
}

/// A restore that is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restored {
    /// The restore's own id, the same in its announcement.
    pub id: String,
    pub kind: RestoreKind,
    pub what: RestoreWhat,
    /// The checkpoint that was restored, if the turn had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The anchor: this message and all after it go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The `seq` of the `restored` entry this one undoes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<i64>,
    /// The checkpoint of the state just before, which brings everything back.
    pub undo_checkpoint: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undo_commit: Option<String>,
    /// The files as this left them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_commit: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deleted: Vec<String>,
    /// What only the user changed and what no checkpoint holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<String>,
    /// How many messages were removed.
    pub messages_deleted: i64,
    /// Whether the files are the checkpoint's.
    pub worktree_reset: bool,
    /// Whether an external agent was reset.
    pub backend_reset: bool,
    pub by: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RestoreKind {
    /// A restore of a named checkpoint.
    Restore,
    Undo,
    Redo,
}

impl RestoreKind {
    /// What the checkpoint of the moment before is called.
    pub fn before(self) -> &'static str {
        match self {
            RestoreKind::Restore => "before a restore",
            RestoreKind::Undo => "before an undo",
            RestoreKind::Redo => "before a redo",
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RestoreWhat {
    #[default]
    Both,
    Files,
    Conversation,
}

impl RestoreWhat {
    pub fn has_files(self) -> bool {
        self != RestoreWhat::Conversation
    }

    pub fn has_conversation(self) -> bool {
        self != RestoreWhat::Files
    }
}
