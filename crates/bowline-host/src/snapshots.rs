//! The checkpoints of one work tree, as a turn takes them: the one seam between whatever drives a turn and the store of
//! files.
//!
//! What always holds: an answer comes, in a bounded time, and it is never an error: one that failed says why.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bowline_checkpoint::{Difference, Failure, NotCaptured, Settings, Snapshot, Status};
use bowline_core::checkpoint::{self, Captured, Compared, Taken, is_leftover};
use bowline_core::entry::Change;
use bowline_core::limits::NOT_CAPTURED_MAX;
use tokio::time::timeout;

use crate::check_run::files_state;
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

    /// How the files differ from an earlier commit. None if that can't be found out, or not in time.
    pub async fn compare(&self, since: String) -> Option<Compared> {
        timeout(self.settings.budget + LATE_MAX, self.try_compare(since)).await.ok()?.ok()
    }

    async fn try_compare(&self, since: String) -> Result<Compared, Failure> {
        let tree = Tree::open(&self.home, &self.root, self.settings.clone()).await?;
        let root = self.root.clone();
        tree.ask(move |store| {
            let now = new_id();
            let commit = store.take(&now)?.commit;
            let found = if commit == since { Ok(Vec::new()) } else { store.differences(&since, &commit) };
            store.forget(&[now])?;
            let differences = found?;
            let paths = differences.iter().map(|difference| change(difference).path);
            // An empty folder is no change of the project's either.
            let mut paths: Vec<String> =
                paths.filter(|path| !path.ends_with('/') && !is_leftover(path)).collect();
            paths.sort_unstable();
            let state = files_state(&root, &paths);
            Ok(Compared { paths, state })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_comparison_finds_what_a_command_changed_and_leaves_caches_aside() {
        let folder = tempfile::tempdir().unwrap();
        let (home, root) = (folder.path().join("home"), folder.path().join("project"));
        std::fs::create_dir_all(&root).unwrap();
        std::fs::write(root.join("a.py"), "one\n").unwrap();
        std::fs::write(root.join("b.py"), "two\n").unwrap();
        let snapshots = Snapshots::new(home, &root, Settings::default());
        let before = snapshots.take(None).await.captured.unwrap().commit;
        let nothing = snapshots.compare(before.clone()).await.unwrap();
        assert_eq!(nothing.paths, Vec::<String>::new());
        std::fs::create_dir_all(root.join("__pycache__")).unwrap();
        std::fs::write(root.join("__pycache__/a.cpython-313.pyc"), "x").unwrap();
        assert_eq!(snapshots.compare(before.clone()).await, Some(nothing.clone()));
        std::fs::write(root.join("a.py"), "three\n").unwrap();
        std::fs::remove_file(root.join("b.py")).unwrap();
        let changed = snapshots.compare(before.clone()).await.unwrap();
        assert_eq!(changed.paths, ["a.py", "b.py"]);
        assert_eq!(changed.state, files_state(&root, &changed.paths));
        assert_ne!(changed.state, nothing.state);
        assert_eq!(snapshots.compare("0".repeat(40)).await, None, "a checkpoint that is gone");
        // The comparisons left nothing behind.
        let again = snapshots.take(None).await;
        let tree = Tree::open(&snapshots.home, &root, Settings::default()).await.unwrap();
        assert_eq!(tree.count().await.unwrap(), 2, "{again:?}");
    }
}
