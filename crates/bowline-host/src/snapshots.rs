//! The checkpoints of one work tree, as a turn takes them: the one seam between whatever drives a turn and the store of
//! files.
//!
//! What always holds: an answer comes, in a bounded time, and it is never an error: one that failed says why.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bowline_checkpoint::{Difference, Failure, NotCaptured, Settings, Snapshot, Status};
use bowline_core::checkpoint::{self, Captured, Taken};
use bowline_core::entry::Change;
use bowline_core::limits::NOT_CAPTURED_MAX;
use tokio::time::timeout;

use crate::config::CheckpointSettings;
use crate::home::Home;
use crate::restore::{Tree, new_id, why_not};

/// How long the store may take beyond its own budget to notice that.
const LATE_MAX: Duration = Duration::from_secs(10);

/// Where the files of a work tree are kept.
#[derive(Debug, Clone)]
pub struct Snapshots {
    /// The folder of all checkpoint stores.
    home: PathBuf,
    root: PathBuf,
    settings: Settings,
}

impl Snapshots {
    pub fn new(home: PathBuf, root: impl Into<PathBuf>, settings: Settings) -> Snapshots {
        Snapshots { home, root: root.into(), settings }
    }

    /// As the user has set it.
    pub fn of(home: &Home, root: impl Into<PathBuf>, settings: &CheckpointSettings) -> Snapshots {
        Snapshots::new(home.checkpoints(), root, settings.store(home.forbidden()))
    }

    /// The work tree.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Keeps the files as they are, and tells how they differ from an earlier commit.
    pub async fn take(&self, since: Option<String>) -> Taken {
        let id = new_id();
        let taken = timeout(self.settings.budget + LATE_MAX, self.try_take(id.clone(), since)).await;
        let captured = match taken {
            Ok(captured) => captured.map_err(|failure| failure.to_string()),
            Err(_) => Err(Failure::TooLong { seconds: self.settings.budget.as_secs() }.to_string()),
        };
        Taken { id, captured }
    }

    async fn try_take(&self, id: String, since: Option<String>) -> Result<Captured, Failure> {
        let tree = Tree::open(&self.home, &self.root, self.settings.clone()).await?;
        tree.ask(move |store| {
            let Snapshot { commit, not_captured } = store.take(&id)?;
            let changes = match since {
                Some(since) if since != commit => store.differences(&since, &commit)?,
                _ => Vec::new(),
            };
            let more = not_captured.len().saturating_sub(NOT_CAPTURED_MAX);
            Ok(Captured {
                commit,
                changes: changes.iter().map(change).collect(),
                not_captured: not_captured.iter().take(NOT_CAPTURED_MAX).map(left_out).collect(),
                not_captured_more: i64::try_from(more).unwrap_or(i64::MAX),
            })
        })
        .await
    }

    /// Ends a restore whose process died: whether the files are as it wanted them, or as they were before it. A folder that
    /// is gone has nothing to be ended.
    pub async fn settle(&self, restore: &str) -> Result<bool, Failure> {
        if !self.root.is_dir() {
            return Ok(false);
        }
        let tree = Tree::open(&self.home, &self.root, self.settings.clone()).await?;
        let id = restore.to_owned();
        tree.ask(move |store| store.settle(&id)).await
    }
}

fn change(difference: &Difference) -> Change {
    let lines = |count: Option<u64>| i64::try_from(count.unwrap_or(0)).unwrap_or(i64::MAX);
    let mut path = difference.path.to_string_lossy().into_owned();
    if matches!(difference.status, Status::FolderAdded | Status::FolderDeleted) {
        path.push('/');
    }
    Change { path, added: lines(difference.added), removed: lines(difference.removed) }
}

fn left_out(not_captured: &NotCaptured) -> checkpoint::NotCaptured {
    checkpoint::NotCaptured {
        path: not_captured.path.to_string_lossy().into_owned(),
        why: why_not(&not_captured.why),
    }
}
