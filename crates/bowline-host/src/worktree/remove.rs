//! Removes a worktree safely: nobody works in it, its changes are in a checkpoint, and its commits are on a branch.
//!
//! Everything that can be refused is, before anything is touched: who removes several prepares all of them first. Git
//! removes the folder, nobody else.

use std::path::{Path, PathBuf};

use bowline_checkpoint::{NotCaptured, WhyNot};
use bowline_core::entry::Access;
use shell_words::quote;

use super::create::parent;
use super::git::Git;
use super::status::{WorktreeStatus, worktree_status};
use super::{Worktree, WorktreeError};
use crate::clock::Clock;
use crate::config::CheckpointSettings;
use crate::home::Home;
use crate::restore::{ManualCheckpoints, RestoreError};
use crate::session::{AttachError, Attached, check_tree_free};
use crate::snapshots::Snapshots;
use crate::store::{Scope, Store, StoreError};

/// Sessions that may work in one worktree and are looked at.
const SESSIONS_MAX: i64 = 100;
/// Paths named in a refusal.
const NAMED_MAX: usize = 5;
/// Names tried for a branch that keeps what no branch has.
const NAMES_MAX: usize = 100;

/// What happens to a worktree with uncommitted or unmerged work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemoveMode {
    /// It stays.
    Careful,
    /// It is removed, after a checkpoint.
    Force,
}

/// Why a worktree was not removed. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum NotRemoved {
    #[error("worktree {id} is in use: {error}")]
    Busy { id: String, error: AttachError },
    #[error(
        "worktree {id} has {what}. Look at it in {path}; bowline worktree remove {id} --force removes it, keeps changes in a \
         checkpoint and commits on a branch"
    )]
    Unsaved { id: String, what: String, path: String },
    #[error(
        "worktree {id} has files that no checkpoint holds: {what}. Commit them or move them away first; git worktree remove --force \
         {path} would delete them permanently"
    )]
    NotCaptured { id: String, what: String, path: String },
    #[error("{path} is no longer a worktree, but it is not empty. Look at it, and delete it yourself")]
    NoWorktree { path: String },
    #[error("worktree {id} stays: {error}")]
    Checkpoint { id: String, error: Box<RestoreError> },
    #[error("worktree {id} stays: {error}. Fix that, and try again")]
    Git { id: String, error: WorktreeError },
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What was done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Removed {
    /// Holds the changes there were.
    pub checkpoint: Option<String>,
    /// Branches that stay, for their commits are nowhere else.
    pub kept: Vec<String>,
    /// The command that makes the worktree again and restores the checkpoint in it.
    pub again: Option<String>,
}

/// A worktree that can be removed; nobody else works in it meanwhile.
#[derive(Debug)]
pub struct Removal {
    worktree: Worktree,
    status: WorktreeStatus,
    attached: Option<Attached>,
}

impl Removal {
    pub async fn prepare(
        store: &Store,
        clock: &Clock,
        home: &Home,
        worktree: Worktree,
        mode: RemoveMode,
    ) -> Result<Removal, NotRemoved> {
        let id = worktree.id.clone();
        let path = Path::new(&worktree.path);
        let attached = match hold(store, clock, home, &worktree).await {
            Ok(attached) => attached,
            Err(AttachError::Store(error)) => return Err(error.into()),
            Err(error) => return Err(NotRemoved::Busy { id, error }),
        };
        let status = match path.exists() || Path::new(&worktree.project_root).exists() {
            true => {
                worktree_status(&worktree).await.map_err(|error| NotRemoved::Git { id: id.clone(), error })
            }
            // With the project went the repository, and nothing is left but a row.
            false => Ok(WorktreeStatus::default()),
        };
        let removal = status.and_then(|status| {
            let is_empty =
                !path.exists() || std::fs::read_dir(path).is_ok_and(|mut all| all.next().is_none());
            if !status.is_there && !is_empty {
                return Err(NotRemoved::NoWorktree { path: worktree.path.clone() });
            }
            // Of one that is gone the branch is left, and it stays where it must.
            if mode == RemoveMode::Careful && status.is_there && status.has_unsaved_work() {
                let (what, path) = (status.words(), worktree.path.clone());
                return Err(NotRemoved::Unsaved { id, what, path });
            }
            Ok(status)
        });
        match removal {
            Ok(status) => Ok(Removal { worktree, status, attached }),
            Err(error) => {
                release(store, attached.as_ref()).await;
                Err(error)
            }
        }
    }

    /// Leaves it as it is.
    pub async fn give_up(self, store: &Store) {
        release(store, self.attached.as_ref()).await;
    }

    pub async fn carry_out(self, store: &Store, clock: &Clock, home: &Home) -> Result<Removed, NotRemoved> {
        let removed = self.remove(store, clock, home).await;
        release(store, self.attached.as_ref()).await;
        removed
    }

    async fn remove(&self, store: &Store, clock: &Clock, home: &Home) -> Result<Removed, NotRemoved> {
        let Removal { worktree, status, .. } = self;
        let mut removed = Removed::default();
        if status.uncommitted > 0 {
            let checkpoint = self.keep(store, clock, home).await?;
            removed.again = Some(self.again(&checkpoint));
            removed.checkpoint = Some(checkpoint);
        }
        let unkept = |error| NotRemoved::Git { id: worktree.id.clone(), error };
        if status.is_there || status.tip.is_some() {
            removed.kept = self.take_away().await.map_err(unkept)?;
        }
        // Only where it is empty.
        let _ = std::fs::remove_dir(&worktree.path);
        let _ = std::fs::remove_dir(parent(worktree));
        store.remove_worktree(&worktree.id).await?;
        Ok(removed)
    }

    fn again(&self, checkpoint: &str) -> String {
        let Worktree { path, branch, project_root, base, .. } = &self.worktree;
        let (root, path) = (quote(project_root), quote(path));
        let made = match &self.status.tip {
            Some(_) if self.status.unmerged > 0 => format!("{path} {branch}"),
            tip => format!("-b {branch} {path} {}", tip.as_ref().unwrap_or(base)),
        };
        format!("git -C {root} worktree add {made} && bowline restore -C {path} {checkpoint}")
    }

    /// The folder and what branches are not needed; those that stay are given back.
    async fn take_away(&self) -> Result<Vec<String>, WorktreeError> {
        let Worktree { path, branch, project_root, .. } = &self.worktree;
        let mut kept = Vec::new();
        let folder = if self.status.is_there { path } else { project_root };
        let git = Git::in_folder(folder.as_ref()).shared().await?;
        if let Some(stray) = &self.status.stray {
            kept.push(keep_stray(&git, branch, stray).await?);
        }
        if self.status.is_there {
            // Without changes git's own care counts: it does not remove what has submodules.
            let force = if self.status.uncommitted > 0 { vec!["--force"] } else { vec![] };
            let args = [&["worktree", "remove"], force.as_slice(), &[path.as_str()]].concat();
            git.text("remove the worktree", &args).await?;
        } else {
            // What git remembers of it; not with `prune`, which would take others with it. It may have forgotten it.
            let _ = git.text("forget the worktree", &["worktree", "remove", "--force", path]).await;
        }
        match &self.status.tip {
            Some(_) if self.status.unmerged > 0 => kept.push(branch.clone()),
            // Only where it is still what was looked at.
            Some(tip) => {
                let name = format!("refs/heads/{branch}");
                git.text("delete its branch", &["update-ref", "-d", &name, tip]).await?;
            }
            None => {}
        }
        Ok(kept)
    }

    /// Takes a checkpoint of all that would be lost.
    async fn keep(&self, store: &Store, clock: &Clock, home: &Home) -> Result<String, NotRemoved> {
        let Worktree { id, path, .. } = &self.worktree;
        let no_checkpoint =
            |error: RestoreError| NotRemoved::Checkpoint { id: id.clone(), error: Box::new(error) };
        let folder = ManualCheckpoints {
            store,
            clock: *clock,
            root: PathBuf::from(path),
            home: home.checkpoints(),
            settings: CheckpointSettings::default().store(home.forbidden()),
        };
        let label = format!("worktree {id} as it was removed");
        let (kept, snapshot) = folder.take(&label).await.map_err(no_checkpoint)?;
        let lost: Vec<&NotCaptured> =
            snapshot.not_captured.iter().filter(|left| left.why != WhyNot::Special).collect();
        if lost.is_empty() {
            return Ok(kept.id);
        }
        // What it holds is still there. What has no row the upkeep lets go.
        store.delete_checkpoints(&[kept.id]).await?;
        let mut named: Vec<String> =
            lost.iter().take(NAMED_MAX).map(|left| left.path.display().to_string()).collect();
        if lost.len() > NAMED_MAX {
            named.push(format!("{} more", lost.len() - NAMED_MAX));
        }
        Err(NotRemoved::NotCaptured { id: id.clone(), what: named.join(", "), path: path.clone() })
    }
}

/// Holds the session and the tree, as a turn would.
async fn hold(
    store: &Store,
    clock: &Clock,
    home: &Home,
    worktree: &Worktree,
) -> Result<Option<Attached>, AttachError> {
    let (path, now_ms) = (&worktree.path, clock.now_ms());
    check_tree_free(store, clock, path).await?;
    // A turn that only reads holds its session alone.
    for session in store.sessions_of(Some(path), SESSIONS_MAX).await? {
        let lease = store.lease(&Scope::Session(session.id.clone())).await?;
        if let Some(by) = lease.filter(|lease| lease.is_held(now_ms)) {
            return Err(AttachError::SessionBusy { session: session.id, pid: by.pid() });
        }
    }
    match &worktree.session {
        Some(session) => {
            let snapshots = Snapshots::of(home, path, &CheckpointSettings::default());
            Attached::attach(store, clock, session, &snapshots, Access::Write).await.map(Some)
        }
        None => Ok(None),
    }
}

async fn release(store: &Store, attached: Option<&Attached>) {
    if let Some(attached) = attached {
        // A lease that can't be given up now ends with its process.
        let _ = attached.give_up(store).await;
    }
}

/// A branch for commits that are on none.
async fn keep_stray(git: &Git, branch: &str, commit: &str) -> Result<String, WorktreeError> {
    let what = "keep its commits on a branch";
    for number in 1..=NAMES_MAX {
        let name = if number == 1 { format!("{branch}-head") } else { format!("{branch}-head-{number}") };
        if git.tip(&name).await?.is_none() {
            git.text(what, &["branch", "--no-track", &name, commit]).await?;
            return Ok(name);
        }
    }
    Err(WorktreeError::Git { what, why: "all names for it are taken".to_owned() })
}
