//! Checkpoints that a user takes with `bowline checkpoint take`, also in folders without a session or a repository, and
//! their restore, which no log announces.
//!
//! What always holds: a checkpoint of the current state is stored, with its row, before a file is touched.

use std::path::{Path, PathBuf};

use bowline_checkpoint::{Difference, Failure, NotCaptured, Plan, PlanRequest, Settings, Snapshot, WhyNot};
use bowline_core::restore_entry::RestoreKind;
use serde_json::json;

use super::{Answer, Extent, RestoreError, RestoreOptions, RestoreReport, Tree, new_id, restore_id};
use crate::clock::Clock;
use crate::fault::point;
use crate::session::check_tree_free;
use crate::store::{CheckpointRow, Store};

/// The moments of rows that do not follow from a session's log.
const HAND: &str = "hand";
const RESTORE: &str = "restore";
const LOST: &str = "bowline checkpoint list shows what else there is";
/// Rows that are looked through.
const ROWS_MAX: i64 = 10_000;

/// A folder in which the user takes and restores checkpoints.
pub struct ManualCheckpoints<'f> {
    pub store: &'f Store,
    pub clock: Clock,
    /// Absolute, without links.
    pub root: PathBuf,
    /// Where the checkpoint stores are.
    pub home: PathBuf,
    pub settings: Settings,
}

impl ManualCheckpoints<'_> {
    fn root_text(&self) -> String {
        self.root.to_string_lossy().into_owned()
    }

    pub async fn tree(&self) -> Result<Tree, Failure> {
        Tree::open(&self.home, &self.root, self.settings.clone()).await
    }

    /// All checkpoints of this folder, newest first.
    pub async fn list(&self) -> Result<Vec<CheckpointRow>, RestoreError> {
        Ok(self.store.tree_checkpoints(&self.root_text(), ROWS_MAX).await?)
    }

    /// Takes a checkpoint of the files as they are now.
    pub async fn take(&self, label: &str) -> Result<(CheckpointRow, Snapshot), RestoreError> {
        let tree = self.tree().await.map_err(RestoreError::Take)?;
        let id = new_id();
        let snapshot = {
            let id = id.clone();
            tree.ask(move |store| store.take(&id)).await.map_err(RestoreError::Take)?
        };
        let kept = self.row(id, HAND, &snapshot.commit, label);
        self.store.insert_checkpoint(&kept, &not_captured(&snapshot.not_captured)).await?;
        Ok((kept, snapshot))
    }

    /// How the files differ from one commit to another, or to what is there now.
    pub async fn compare(
        &self,
        (from, to): (String, Option<String>),
    ) -> Result<(Vec<Difference>, Vec<u8>), RestoreError> {
        let tree = self.tree().await.map_err(RestoreError::Look)?;
        let compared = tree.ask(move |store| {
            let now = new_id();
            let is_now = to.is_none();
            let to = match to {
                Some(to) => to,
                None => store.take(&now)?.commit,
            };
            let compared = (store.differences(&from, &to)?, store.diff(&from, &to)?);
            if is_now {
                store.forget(&[now])?;
            }
            Ok(compared)
        });
        compared.await.map_err(RestoreError::Look)
    }

    /// Restores the files of a checkpoint, whoever changed them since.
    pub async fn restore(
        &self,
        kept: &CheckpointRow,
        options: RestoreOptions,
    ) -> Result<RestoreReport, RestoreError> {
        check_tree_free(self.store, &self.clock, &self.root_text()).await?;
        let tree = self.tree().await.map_err(RestoreError::Now)?;
        point("restore:lease");
        let now_id = new_id();
        let plan = {
            let (id, commit, user_changes) = (now_id.clone(), kept.commit.clone(), options.user_changes);
            let request = move |store: &bowline_checkpoint::Store| {
                store.plan(&id, &PlanRequest { target: &commit, taken_back: None, user_changes })
            };
            match tree.ask(request).await {
                Ok(plan) => plan,
                Err(Failure::Unknown(_)) => return Err(RestoreError::lost(Some(&kept.id), LOST)),
                Err(failure) => return Err(RestoreError::Now(failure)),
            }
        };
        point("restore:now");
        let is_planned = options.extent == Extent::Planned;
        if is_planned {
            let id = now_id.clone();
            // What is kept too long is found by the upkeep.
            let _ = tree.ask(move |store| store.forget(&[id])).await;
        } else {
            self.carry_out(&tree, &now_id, kept, &plan).await?;
        }
        let answer = Answer {
            checkpoint_id: Some(kept.id.clone()),
            messages_deleted: 0,
            worktree_reset: true,
            backend_reset: false,
            undo_checkpoint_id: (!is_planned).then_some(now_id),
        };
        Ok(RestoreReport {
            answer,
            kind: RestoreKind::Restore,
            plan: Some(plan),
            text: None,
            untouched: None,
        })
    }

    /// Carries the plan out. If the process dies in between, the store finishes the restore the next time it is opened.
    async fn carry_out(
        &self,
        tree: &Tree,
        now_id: &str,
        kept: &CheckpointRow,
        plan: &Plan,
    ) -> Result<(), RestoreError> {
        let label = format!("before the restore of {}", kept.id);
        let row = self.row(now_id.to_owned(), RESTORE, &plan.now, &label);
        self.store.insert_checkpoint(&row, "[]").await?;
        point("restore:announced");
        tree.restore(&restore_id(now_id), plan).await?;
        point("restore:files");
        Ok(())
    }

    fn row(&self, id: String, moment: &str, commit: &str, label: &str) -> CheckpointRow {
        CheckpointRow {
            id,
            root: self.root_text(),
            session: None,
            message: None,
            moment: moment.to_owned(),
            commit: commit.to_owned(),
            label: label.to_owned(),
            created_ms: self.clock.now_ms(),
        }
    }
}

fn not_captured(left_out: &[NotCaptured]) -> String {
    let one = |one: &NotCaptured| json!({ "path": path(&one.path), "why": why_not(&one.why) });
    serde_json::Value::from(left_out.iter().map(one).collect::<Vec<_>>()).to_string()
}

fn path(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Why a path is not in a checkpoint, in words.
pub fn why_not(why: &WhyNot) -> String {
    match why {
        WhyNot::Large { bytes } => format!("a new file of {} MiB", bytes.div_ceil(1024 * 1024)),
        WhyNot::Many { files } => format!("a new folder with {files} files"),
        WhyNot::Repository { .. } => "a repository of its own".to_owned(),
        WhyNot::Special => "neither file nor link".to_owned(),
        WhyNot::Unreadable => "it can't be read".to_owned(),
    }
}
