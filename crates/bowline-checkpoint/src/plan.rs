//! What a restore would do, path by path, before anything is touched.

use std::path::PathBuf;

/// A request for a plan: what is to be restored.
#[derive(Debug, Clone)]
pub struct PlanRequest<'w> {
    /// The commit of the checkpoint.
    pub target: &'w str,
    /// What is taken back: of all that was done since the files before and after it, as commits, in the order it was done;
    /// what cancels out counts for nothing. None: everything that differs is meant.
    pub taken_back: Option<&'w [(String, String)]>,
    pub user_changes: UserChanges,
}

/// What becomes of files that only the user changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum UserChanges {
    #[default]
    Keep,
    Restore,
}

/// A restore, ready to be shown and carried out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The files as the plan saw them: a commit, to come back to.
    pub now: String,
    pub target: String,
    /// The files as they will be.
    pub goal: String,
    /// By path.
    pub changes: Vec<Planned>,
    /// What differs from the target and stays as it is.
    pub kept: Vec<Kept>,
}

/// What happens to one path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    pub path: PathBuf,
    pub action: Action,
    pub cause: Cause,
    /// Lines that come and go with it; none for what is no text.
    pub added: Option<u64>,
    pub removed: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It is not there and comes back.
    Create,
    /// It is there and gets its content, kind or permissions back.
    Write,
    Delete,
    MakeFolder,
    RemoveFolder,
}

/// Whose change is taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// What is taken back changed it, and nobody since.
    Turn,
    /// That, and the user after it.
    Both,
    /// The user alone; only where that is asked for.
    User,
}

/// A path that differs from the target and stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    pub path: PathBuf,
    pub why: WhyKept,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhyKept {
    /// No turn that is taken back changed it.
    User,
    /// No checkpoint holds what is there now.
    NotCaptured,
}
