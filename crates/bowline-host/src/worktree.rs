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
        "{folder} is no git repository, and git makes worktrees. Leave --worktree away, or begin with git init and a first \
         commit"
    )]
    NotGit { folder: String },
    #[error(
        "{folder} has no commit yet, and a worktree begins from one. Make one with git commit, or leave --worktree away"
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
        "session {session} works in a worktree of its own, which a copy of it can't share. Go on with it: bowline run -s \
         {session}; or begin beside it: bowline run --worktree \"task\""
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
            WorktreeError::Git { .. } => ". Put that right, or leave --worktree away",
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
