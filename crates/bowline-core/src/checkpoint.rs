//! A checkpoint of the files, as the log has it. The files themselves lie in the checkpoint store; here is where to find
//! them, and which turn they belong to.

use serde::{Deserialize, Serialize};

use crate::entry::Change;

/// The files as they were at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    pub id: String,
    pub moment: Moment,
    /// The anchor: the turn's first assistant message, over all its runs.
    pub message: String,
    /// Where the files are in the store; none where it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// What the user asked for, in one line.
    pub label: String,
    /// For a checkpoint after a run: what the run did to the files, commands included.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// What is there and not in it, with the reason; the first few. Of the moment after a run: what came with the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_captured: Vec<NotCaptured>,
    /// How many more there are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub not_captured_more: i64,
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// When it was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// Before the run's first call that can write.
    Before,
    /// When the run had ended.
    After,
}

/// A path that is in no checkpoint. A restore never deletes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotCaptured {
    pub path: String,
    /// In words: `over 2 MiB`, `a folder with more than 200 new files`, `a repository of its own`.
    pub why: String,
}

/// How the files differ from a checkpoint. What programs leave behind when they run is left aside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Compared {
    /// The files that differ, sorted.
    pub paths: Vec<String>,
    /// What they contain, as a hash; none if that is unknown.
    pub state: Option<String>,
}

/// Names of folders and files in which programs keep what they can make again.
const LEFTOVERS: [&str; 10] = [
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".coverage",
    ".gradle",
    ".nyc_output",
    "node_modules",
    "target",
    "TestResults",
];

/// Whether a path is something that a program leaves behind when it runs, such as a cache: no change of the project.
pub fn is_leftover(path: &str) -> bool {
    path.ends_with(".pyc") || path.split('/').any(|part| LEFTOVERS.contains(&part))
}

/// What came of taking one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// The id that the host gave it.
    pub id: String,
    /// Or why there is none, in words.
    pub captured: Result<Captured, String>,
}

/// The files, and what is known of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captured {
    pub commit: String,
    /// How they differ from the checkpoint before, where one was named.
    pub changes: Vec<Change>,
    pub not_captured: Vec<NotCaptured>,
    pub not_captured_more: i64,
}

impl Checkpoint {
    /// The entry that says what came of it.
    pub fn of(taken: Taken, moment: Moment, message: String, label: String) -> Checkpoint {
        let Taken { id, captured } = taken;
        let (commit, captured, error) = match captured {
            Ok(captured) => (Some(captured.commit.clone()), captured, None),
            Err(why) => (None, Captured::default(), Some(why)),
        };
        let Captured { changes, not_captured, not_captured_more, .. } = captured;
        Checkpoint { id, moment, message, commit, label, changes, not_captured, not_captured_more, error }
    }
}

fn is_zero(count: &i64) -> bool {
    *count == 0
}
