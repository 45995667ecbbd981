//! The status of a worktree: uncommitted files, and commits that are on no other branch. Nothing is changed.

use std::path::Path;

use super::git::Git;
use super::{Worktree, WorktreeError, is_there};

/// The status of one worktree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorktreeStatus {
    /// Whether its folder is there.
    pub is_there: bool,
    /// Files that differ from its last commit, new ones too.
    pub uncommitted: usize,
    /// Commits since it began.
    pub ahead: usize,
    /// Commits of its branch that are on no other branch and no tag.
    pub unmerged: usize,
    /// Where its branch is; none where that is gone.
    pub(super) tip: Option<String>,
    /// Where its HEAD is, if that has commits which no branch has.
    pub(super) stray: Option<String>,
}

impl WorktreeStatus {
    /// Whether something is in it that is nowhere else.
    pub fn has_unsaved_work(&self) -> bool {
        self.uncommitted > 0 || self.unmerged > 0 || self.stray.is_some()
    }

    /// What that is, in words.
    pub fn words(&self) -> String {
        let several = |count: usize, one: &str, many: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            count => Some(format!("{count} {many}")),
        };
        let parts = [
            several(self.uncommitted, "uncommitted change", "uncommitted changes"),
            several(
                self.unmerged,
                "commit that is on no other branch",
                "commits that are on no other branch",
            ),
            self.stray.as_ref().map(|_| "commits that are on no branch at all".to_owned()),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

pub async fn worktree_status(worktree: &Worktree) -> Result<WorktreeStatus, WorktreeError> {
    let path = Path::new(&worktree.path);
    let mut status = WorktreeStatus { is_there: is_there(path), ..WorktreeStatus::default() };
    let git = match status.is_there {
        true => Git::in_folder(path),
        false => Git::in_folder(worktree.project_root.as_ref()),
    };
    if status.is_there {
        status.uncommitted = uncommitted(&git).await?;
        status.stray = stray(&git, worktree).await?;
    }
    status.tip = git.tip(&worktree.branch).await?;
    if status.tip.is_some() {
        status.unmerged = unmerged(&git, worktree).await?;
    }
    // What it is at, which need not be its branch.
    let at = if status.is_there { Some("HEAD".to_owned()) } else { status.tip.clone() };
    if let Some(at) = at {
        let since = format!("^{}", worktree.base);
        status.ahead = match is_known(&git, &worktree.base).await? {
            true => git.count("count commits", &["rev-list", "--count", &at, &since]).await?,
            false => 0,
        };
    }
    Ok(status)
}

/// How many files differ from the last commit; a folder of new files counts as one.
pub(super) async fn uncommitted(git: &Git) -> Result<usize, WorktreeError> {
    let status = ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=normal"];
    Ok(git.text("look for changes", &status).await?.matches('\0').count())
}

/// Whether a commit is in the repository.
async fn is_known(git: &Git, commit: &str) -> Result<bool, WorktreeError> {
    let name = format!("{commit}^{{commit}}");
    Ok(git.found("look for a commit", &["rev-parse", "--verify", "--quiet", &name]).await?.is_some())
}

/// Commits of its branch that are on no other branch and no tag, and that it did not begin with.
async fn unmerged(git: &Git, worktree: &Worktree) -> Result<usize, WorktreeError> {
    let tip = format!("refs/heads/{}", worktree.branch);
    let exclude = format!("--exclude={}", worktree.branch);
    let base = worktree.base.as_str();
    let mut args = vec!["rev-list", "--count", &tip, "--not", &exclude, "--branches", "--tags", "--remotes"];
    if is_known(git, base).await? {
        args.push(base);
    }
    git.count("count commits", &args).await
}

/// The commit its HEAD is at, if a branch would have to be made to keep it.
async fn stray(git: &Git, worktree: &Worktree) -> Result<Option<String>, WorktreeError> {
    let head = ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"];
    let Some(head) = git.found("look at its HEAD", &head).await? else { return Ok(None) };
    let base = worktree.base.as_str();
    let mut args = vec!["rev-list", "--count", &head, "--not", "--branches", "--tags", "--remotes"];
    if is_known(git, base).await? {
        args.push(base);
    }
    let count = git.count("count commits", &args).await?;
    Ok((count > 0).then_some(head))
}
