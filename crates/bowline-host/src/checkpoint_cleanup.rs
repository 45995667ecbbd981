//! Deletes old checkpoints: those past their age or the quota, and those without a row. The rest is packed. This runs at
//! most once a day per store, and never while somebody waits for an answer.
//!
//! What always holds: the checkpoints of the newest turn, and later ones, are never deleted.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use bowline_checkpoint::{Failure, Store as Kept};
use bowline_core::timeline::Timeline;

use crate::clock::Clock;
use crate::config::CheckpointSettings;
use crate::restore::{RESTORE_SUFFIX, Tree};
use crate::store::{CheckpointRow, Store, StoreError};

/// The file whose time says when the last cleanup was.
const MARK: &str = "upkeep";
/// Ids that no row named the last time.
const STRAYS: &str = "strays";
const EVERY: Duration = Duration::from_secs(24 * 60 * 60);
/// Rows that are looked through.
const ROWS_MAX: i64 = 100_000;
/// Sessions whose logs are read.
const SESSIONS_MAX: usize = 200;
/// How often the quota is measured again. Each time a part of what may go goes.
const ROUNDS_MAX: usize = 6;
const PART: usize = 4;

#[derive(Debug, thiserror::Error)]
pub enum CleanupError {
    #[error("the checkpoints of this folder cannot be tidied: {0}")]
    Tree(#[from] Failure),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a cleanup deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CleanupReport {
    pub forgotten: usize,
    pub bytes_before: u64,
    pub bytes_after: u64,
}

/// Whether a cleanup is due. A store without one is new: its first day begins now.
pub fn is_due(home: &Path, root: &Path) -> bool {
    let folder = Kept::of_root(home, root, bowline_checkpoint::Settings::default());
    let folder = folder.folder().to_owned();
    let mark = folder.join(MARK);
    match mark.metadata().and_then(|about| about.modified()) {
        Ok(last) => SystemTime::now().duration_since(last).is_ok_and(|since| since >= EVERY),
        Err(_) => {
            // Where there is no store there is nothing to be marked.
            let _ = std::fs::write(mark, "");
            false
        }
    }
}

/// The cleanup of one folder's store.
pub struct CheckpointCleanup<'u> {
    pub store: &'u Store,
    pub clock: Clock,
    pub home: PathBuf,
    pub root: PathBuf,
    pub settings: CheckpointSettings,
}

impl CheckpointCleanup<'_> {
    pub async fn tidy(&self) -> Result<CleanupReport, CleanupError> {
        let tree = Tree::open(&self.home, &self.root, self.settings.store(Vec::new())).await?;
        let folder = tree.folder();
        // First, so that two processes do not do the same.
        let _ = std::fs::write(folder.join(MARK), "");
        let bytes_before = tree.ask(Kept::health).await?.bytes;
        let rows = self.store.tree_checkpoints(&self.root.to_string_lossy(), ROWS_MAX).await?;
        let listed = self.listed(&rows).await?;
        let Chosen { expired, mut spare } =
            choose(&rows, &listed, self.clock.now_ms() - self.settings.keep_ms());
        let mut forgotten = expired.len();
        self.forget(&tree, &expired).await?;
        self.drop_strays(&tree, &folder, &rows).await?;
        tree.ask(Kept::tidy).await?;
        let mut bytes = tree.ask(Kept::health).await?.bytes;
        for _ in 0..ROUNDS_MAX {
            if bytes <= self.settings.keep_bytes() || spare.is_empty() {
                break;
            }
            let part: Vec<String> = spare.drain(..spare.len().div_ceil(PART)).collect();
            forgotten += part.len();
            self.forget(&tree, &part).await?;
            tree.ask(Kept::tidy).await?;
            bytes = tree.ask(Kept::health).await?.bytes;
        }
        Ok(CleanupReport { forgotten, bytes_before, bytes_after: bytes })
    }

    /// What an undo or a restore can still go back to.
    async fn listed(&self, rows: &[CheckpointRow]) -> Result<BTreeSet<String>, CleanupError> {
        let sessions: BTreeSet<&str> = rows.iter().filter_map(|row| row.session.as_deref()).collect();
        let mut listed = BTreeSet::new();
        for session in sessions.into_iter().rev().take(SESSIONS_MAX) {
            let log = self.store.log(session).await?;
            listed.extend(Timeline::of(&log).listed().into_iter().map(|one| one.id));
        }
        Ok(listed)
    }

    /// Deletes checkpoints, their rows first: the next cleanup deletes what has no row.
    async fn forget(&self, tree: &Tree, ids: &[String]) -> Result<(), CleanupError> {
        if ids.is_empty() {
            return Ok(());
        }
        self.store.delete_checkpoints(ids).await?;
        let with_restores = ids.iter().flat_map(|id| [id.clone(), format!("{id}{RESTORE_SUFFIX}")]).collect();
        forget_kept(tree, with_restores).await?;
        Ok(())
    }

    /// What has no row may be about to get one: it goes if it had none the last time either.
    async fn drop_strays(
        &self,
        tree: &Tree,
        folder: &Path,
        rows: &[CheckpointRow],
    ) -> Result<(), CleanupError> {
        let known: BTreeSet<&str> = rows.iter().map(|row| row.id.as_str()).collect();
        let kept = tree.ask(Kept::ids).await?;
        let is_stray = |id: &&String| !known.contains(id.strip_suffix(RESTORE_SUFFIX).unwrap_or(id));
        let strays: Vec<String> = kept.iter().filter(is_stray).cloned().collect();
        let before = std::fs::read_to_string(folder.join(STRAYS)).unwrap_or_default();
        let before: BTreeSet<&str> = before.lines().collect();
        let (old, new): (Vec<String>, Vec<String>) =
            strays.into_iter().partition(|id| before.contains(id.as_str()));
        // A list that can't be written only puts it off.
        let _ = std::fs::write(folder.join(STRAYS), new.join("\n"));
        forget_kept(tree, old).await?;
        Ok(())
    }
}

/// Deletes the files of checkpoints whose session is deleted, so that nothing of it can be found any more.
pub async fn delete_kept(home: &Path, gone: &[CheckpointRow]) -> Result<(), Failure> {
    let roots: BTreeSet<&str> = gone.iter().map(|kept| kept.root.as_str()).collect();
    for root in roots {
        let tree = Tree::of_root(home, Path::new(root), CheckpointSettings::default().store(Vec::new()));
        let ids = gone.iter().filter(|kept| kept.root == root);
        let ids = ids.flat_map(|kept| [kept.id.clone(), format!("{}{RESTORE_SUFFIX}", kept.id)]).collect();
        forget_kept(&tree, ids).await?;
        tree.ask(Kept::tidy).await?;
    }
    Ok(())
}

/// Lets ids go that are there.
async fn forget_kept(tree: &Tree, ids: Vec<String>) -> Result<(), Failure> {
    tree.ask(move |store| {
        // A store that was never made has none.
        let kept: BTreeSet<String> = store.ids()?.into_iter().collect();
        let ids: Vec<String> = ids.into_iter().filter(|id| kept.contains(id)).collect();
        if ids.is_empty() { Ok(()) } else { store.forget(&ids) }
    })
    .await
}

#[derive(Debug, PartialEq, Eq)]
struct Chosen {
    /// Past their age.
    expired: Vec<String>,
    /// May go for the quota, in this order: what can't be gone back to first, then the oldest.
    spare: Vec<String>,
}

/// `rows` newest first.
fn choose(rows: &[CheckpointRow], listed: &BTreeSet<String>, oldest_ms: i64) -> Chosen {
    let newest = rows.iter().position(|row| row.moment == "before");
    let is_newest = |at: usize, row: &CheckpointRow| {
        let turn = newest.and_then(|at| rows.get(at)).filter(|turn| turn.session.is_some());
        let is_its = turn.is_some_and(|turn| (&turn.session, &turn.message) == (&row.session, &row.message));
        newest.is_none_or(|newest| at <= newest) || is_its
    };
    let free = rows.iter().enumerate().filter(|(at, row)| !is_newest(*at, row)).map(|(_, row)| row);
    let (old, young): (Vec<&CheckpointRow>, Vec<&CheckpointRow>) =
        free.rev().partition(|row| row.created_ms < oldest_ms);
    let is_listed = |row: &&CheckpointRow| row.session.is_none() || listed.contains(&row.id);
    let (wanted, unwanted): (Vec<&CheckpointRow>, Vec<&CheckpointRow>) =
        young.into_iter().partition(is_listed);
    let ids = |rows: &[&CheckpointRow]| rows.iter().map(|row| row.id.clone()).collect::<Vec<_>>();
    Chosen { expired: ids(&old), spare: [ids(&unwanted), ids(&wanted)].concat() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &str, moment: &str, message: &str, created_ms: i64) -> CheckpointRow {
        CheckpointRow {
            id: id.to_owned(),
            root: "/p".to_owned(),
            session: (moment != "hand").then(|| "s".to_owned()),
            message: (moment != "hand").then(|| message.to_owned()),
            moment: moment.to_owned(),
            commit: "c".to_owned(),
            label: String::new(),
            created_ms,
        }
    }

    #[test]
    fn the_newest_turn_stays_and_what_nobody_can_go_back_to_goes_first() {
        let rows = [
            row("undo", "restore", "", 90),
            row("after9", "after", "m9", 80),
            row("again9", "before", "m9", 70),
            row("hand", "hand", "", 60),
            row("before9", "before", "m9", 50),
            row("after5", "after", "m5", 42),
            row("before5", "before", "m5", 40),
            row("hidden", "before", "m3", 30),
            row("old", "before", "m1", 10),
        ];
        let listed = ["before5", "before9"].map(str::to_owned).into();
        let chosen = choose(&rows, &listed, 20);
        assert_eq!(chosen.expired, ["old"]);
        assert_eq!(chosen.spare, ["hidden", "after5", "before5", "hand"]);
        // Age does not beat it either.
        let chosen = choose(&rows, &listed, 1_000);
        assert_eq!(chosen.expired, ["old", "hidden", "before5", "after5", "hand"]);
        assert_eq!(chosen.spare, Vec::<String>::new());
        assert_eq!(choose(&[], &BTreeSet::new(), 0), Chosen { expired: Vec::new(), spare: Vec::new() });
    }
}
