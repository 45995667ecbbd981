//! Undo, redo, and the restore of a named checkpoint: files, conversation or both.
//!
//! In this order: the leases, so that no turn runs meanwhile; what is meant (core's timeline); a checkpoint of now and the
//! plan; the announcement on the log, which says all that will be there afterwards; the files; the entry that says it is
//! done. What always holds: a process that dies anywhere in between leaves something that the next one finishes or
//! reverts (`session.rs`), and what is refused has touched nothing.

mod error;
mod files;
mod manual;
mod target;
mod tree;
mod turn_diff;

use std::path::{Path, PathBuf};

use bowline_checkpoint::{Action, Plan, Settings, UserChanges};
use bowline_core::entry::{Access, Body};
use bowline_core::restore_entry::{RestoreKind, RestoreWhat, Restored, Restoring, RestoringState};

use crate::clock::Clock;
use crate::fault::point;
use crate::session::Attached;
use crate::snapshots::Snapshots;
use crate::store::{Session, Store};
use files::Files;
use target::Target;

pub use error::RestoreError;
pub use manual::{ManualCheckpoints, why_not};
pub use tree::Tree;
pub use turn_diff::{DiffSource, TurnDiff, WhichTurn};

/// Enough that nobody meets the same twice.
const ID_DIGITS: usize = 10;

/// Behind the id of the checkpoint before a restore: the files after it.
pub(crate) const RESTORE_SUFFIX: &str = "-r";
/// The most paths of each kind on the log.
const PATHS_MAX: usize = 1_000;

/// A session, with what is needed to undo, redo and restore in it.
pub struct SessionRestore<'d> {
    pub store: &'d Store,
    pub clock: Clock,
    pub session: &'d Session,
    /// Where the checkpoint stores are.
    pub home: PathBuf,
    pub settings: Settings,
    /// Whether the files are kept also where only the conversation is restored.
    pub keeps: CheckpointUse,
    /// Who asks for it.
    pub by: &'d str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckpointUse {
    Files,
    /// Checkpoints are off, or nothing of the session goes to the disk.
    Nothing,
}

/// What the user asks for.
#[derive(Debug, Clone)]
pub enum RestoreRequest {
    Undo,
    Redo,
    Restore { checkpoint: String, what: RestoreWhat },
}

/// How a restore is carried out.
#[derive(Debug, Clone, Copy, Default)]
pub struct RestoreOptions {
    pub user_changes: UserChanges,
    pub extent: Extent,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Extent {
    #[default]
    Whole,
    /// The plan alone: nothing is changed.
    Planned,
}

/// The result of a restore.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Answer {
    pub checkpoint_id: Option<String>,
    pub messages_deleted: i64,
    pub worktree_reset: bool,
    pub backend_reset: bool,
    /// None where nothing was done.
    pub undo_checkpoint_id: Option<String>,
}

/// The answer, with details for the user.
#[derive(Debug, Clone)]
pub struct RestoreReport {
    pub answer: Answer,
    pub kind: RestoreKind,
    /// None where the files are left alone.
    pub plan: Option<Plan>,
    /// The user's text that started the turn that was undone.
    pub text: Option<String>,
    /// Why the files are not the checkpoint's though they were meant to be.
    pub untouched: Option<String>,
}

impl SessionRestore<'_> {
    pub async fn carry_out(
        &self,
        wanted: &RestoreRequest,
        options: RestoreOptions,
    ) -> Result<RestoreReport, RestoreError> {
        let id = &self.session.id;
        let snapshots = Snapshots::new(self.home.clone(), &self.session.work_tree, self.settings.clone());
        let attached = Attached::attach(self.store, &self.clock, id, &snapshots, Access::Write).await?;
        point("restore:lease");
        let done = self.carry_out_in(&attached, wanted, options).await;
        // A lease that can't be given up now ends with its process.
        let _ = attached.give_up(self.store).await;
        done
    }

    async fn carry_out_in(
        &self,
        attached: &Attached,
        wanted: &RestoreRequest,
        options: RestoreOptions,
    ) -> Result<RestoreReport, RestoreError> {
        let target = Target::of(&attached.entries, wanted)?;
        let files = self.files(&target, options).await?;
        point("restore:now");
        let restored = self.restored(&target, &files);
        let done = RestoreReport {
            answer: Answer {
                checkpoint_id: restored.checkpoint.clone(),
                messages_deleted: restored.messages_deleted,
                worktree_reset: restored.worktree_reset,
                backend_reset: restored.backend_reset,
                undo_checkpoint_id: Some(restored.undo_checkpoint.clone()),
            },
            kind: target.kind,
            text: target.text.clone(),
            untouched: files.untouched.clone(),
            plan: files.plan.clone(),
        };
        if options.extent == Extent::Planned {
            files.forget_now().await;
            return Ok(RestoreReport { answer: Answer { undo_checkpoint_id: None, ..done.answer }, ..done });
        }
        self.write(attached, restored, &files).await?;
        Ok(done)
    }

    /// What is on the log when it is done.
    fn restored(&self, target: &Target, files: &Files) -> Restored {
        let path = |path: &Path| path.to_string_lossy().into_owned();
        let changes = files.plan.iter().flat_map(|plan| &plan.changes);
        let gone = |action: Action| matches!(action, Action::Delete | Action::RemoveFolder);
        let (deleted, written): (Vec<_>, Vec<_>) = changes.partition(|change| gone(change.action));
        let kept = files.plan.iter().flat_map(|plan| &plan.kept);
        Restored {
            undo_checkpoint: files.now_id.clone(),
            undo_commit: files.now_commit.clone(),
            after_commit: files.plan.as_ref().map(|plan| plan.goal.clone()),
            written: written.iter().take(PATHS_MAX).map(|change| path(&change.path)).collect(),
            deleted: deleted.iter().take(PATHS_MAX).map(|change| path(&change.path)).collect(),
            kept: kept.take(PATHS_MAX).map(|kept| path(&kept.path)).collect(),
            worktree_reset: files.plan.is_some(),
            ..target.of.restored(&restore_id(&files.now_id), target.kind, target.what, self.by)
        }
    }

    /// Steps 4 to 6: announced, the files, and what the log says of it.
    async fn write(
        &self,
        attached: &Attached,
        restored: Restored,
        files: &Files,
    ) -> Result<(), RestoreError> {
        let announce = |state: RestoringState| {
            Body::Restoring(Box::new(Restoring { state, restored: restored.clone() }))
        };
        attached.record(self.store, &self.clock, &announce(RestoringState::Begun)).await?;
        point("restore:announced");
        if let Err(error) = files.restore(&restored.id).await {
            if matches!(error, RestoreError::Files(_)) {
                attached.record(self.store, &self.clock, &announce(RestoringState::GivenUp)).await?;
            }
            return Err(error);
        }
        point("restore:files");
        attached.record(self.store, &self.clock, &Body::Restored(Box::new(restored))).await?;
        point("restore:done");
        Ok(())
    }
}

/// A new id for a checkpoint.
pub(crate) fn new_id() -> String {
    let digits = uuid::Uuid::now_v7().simple().to_string();
    // The end of it is random, the beginning is the time.
    format!("k{}", digits.get(digits.len().saturating_sub(ID_DIGITS)..).unwrap_or(&digits))
}

/// The id of a restore, from the checkpoint taken before it. The store keeps the restored files under this id.
pub(crate) fn restore_id(undo_checkpoint: &str) -> String {
    format!("{undo_checkpoint}{RESTORE_SUFFIX}")
}
