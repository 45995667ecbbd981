//! A git worktree for a session: its own folder below the data folder, on a branch of its own.
//!
//! The user's checkout is only read: neither its files nor its HEAD, index or branches change, and no hook runs. What always
//! holds: no branch that is there is taken, nothing is removed whose changes are in no checkpoint, and no commit is let
//! go that is on no other branch or tag.

mod create;
mod git;
mod remove;
mod status;

use std::path::{Path, PathBuf};

use crate::home::Home;
use crate::store::StoreError;

pub use crate::store::Worktree;
pub(crate) use create::remove_unused;
pub use create::{Start, make};
pub use remove::{NotRemoved, Removal, RemoveMode, Removed};
pub use status::{WorktreeStatus, worktree_status};

/// Why a session can't work in a worktree.
#[derive(Debug, thiserror::Error)]
pub enum WorktreeError {
    #[error(
        "{folder} is not a git repository, and worktrees need one. Omit --worktree, or start with git init and a first \
         commit"
    )]
    NotGit { folder: String },
    #[error(
        "{folder} has no commit yet, and a worktree starts from one. Make one with git commit, or omit --worktree"
    )]
    NoCommit { folder: String },
    #[error("git could not {what}: {why}")]
    Git { what: &'static str, why: String },
    #[error("{path}: {why}. Make room for it, or set BOWLINE_HOME to another folder")]
    Folder { path: String, why: String },
    #[error(
        "session {session} works in {folder} itself, and keeps to it. A new one can have a worktree: bowline run --worktree \
         \"task\""
    )]
    NotNew { session: String, folder: String },
    #[error(
        "session {session} works in its own worktree, which a copy can't share. Resume it: bowline run -s \
         {session}; or start another session: bowline run --worktree \"task\""
    )]
    Forked { session: String },
    #[error("the worktree of session {session} is gone: {path}. {next}")]
    Gone { session: String, path: String, next: String },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl WorktreeError {
    /// What to do about it when a session was to begin, where its words do not say so already.
    pub(crate) fn next(&self) -> &'static str {
        match self {
            WorktreeError::Git { .. } => ". Fix that, or omit --worktree",
            _ => "",
        }
    }
}

/// Where the worktrees are.
pub fn folder(home: &Home) -> PathBuf {
    home.data.join("worktrees")
}

/// Whether a worktree is at this path, as far as can be seen without git.
pub fn is_there(path: &Path) -> bool {
    path.join(".git").exists()
}
