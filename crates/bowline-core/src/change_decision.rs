//! The log entry about changes that were applied, rejected or reverted after the call that made them.

use bowline_edit::Patch;
use serde::{Deserialize, Serialize};

use crate::item::ChangeState;
use crate::limits::CHANGE_QUOTE_CHARS_MAX;

/// A decision about one or more changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangeDecisions {
    pub state: ChangeState,
    pub changes: Vec<ChangeDecision>,
    /// Who decided: `terminal`, `web`, a user's name; `bowline` for the program itself.
    pub by: String,
    /// The calls whose changes the program took back, in the middle of a turn. None where somebody else decided.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<String>,
}

/// The name of the program as the one who decided.
pub const BY_PROGRAM: &str = "bowline";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangeDecision {
    pub id: String,
    pub path: String,
    /// Counted from 1; all that were open where none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hunks: Vec<i64>,
    /// Where it begins, from 1.
    pub line: i64,
    /// The first line of text that the hunk added, or that it removed.
    pub quote: String,
    /// What the change did to the file, so that it can be reverted. Left out of the frame.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::patch_form::option")]
    pub patch: Option<Patch>,
}

impl ChangeDecisions {
    /// Whether the program took back what a call of the running turn had changed.
    pub fn is_programs_rewind(&self) -> bool {
        self.state == ChangeState::Rewound && !self.calls.is_empty()
    }

    /// What the model is told. None if the files are as the model believes.
    pub(crate) fn words(&self) -> Option<String> {
        if self.is_programs_rewind() {
            let mut paths: Vec<&str> = self.changes.iter().map(|change| change.path.as_str()).collect();
            paths.sort_unstable();
            paths.dedup();
            let paths = paths.join(", ");
            return Some(format!("Your last change to {paths} was undone: the check was no better with it."));
        }
        let (said, after) = match self.state {
            ChangeState::Rejected => {
                ("rejected", "it was not made. Do not make it again unless you are asked to.")
            }
            ChangeState::Rewound => ("took back", "the file no longer has it."),
            ChangeState::Applied | ChangeState::Pending => return None,
        };
        let lines = self.changes.iter().map(|change| {
            let quote: String = change.quote.chars().take(CHANGE_QUOTE_CHARS_MAX).collect();
            let quote = if quote.is_empty() { String::new() } else { format!(": `{quote}`") };
            format!(
                "Note: the user {said} your change to {} (line {}{quote}): {after}",
                change.path, change.line
            )
        });
        Some(lines.collect::<Vec<_>>().join("\n")).filter(|words| !words.is_empty())
    }
}
