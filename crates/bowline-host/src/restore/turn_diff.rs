//! What a turn did to the files, commands included: the checkpoints before and after each of its runs, compared.
//!
//! A turn that has none (it began before there were any, or they failed) is shown by its edits alone, and that is said.

use std::path::Path;

use bowline_checkpoint::{Difference, Failure, Status};
use bowline_core::item::ChangeState;
use bowline_core::review::{ChangeView, Review};
use bowline_core::timeline::{Pair, Timeline, TurnFiles};

use super::{RestoreError, SessionRestore, Tree, new_id};
use crate::changes::hunk_diffs;

/// Which turn is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhichTurn {
    /// The last that changed something.
    LastChange,
    /// As in `t3`.
    Named(String),
    /// Counted from the end: 1 is the last.
    Back(usize),
}

impl WhichTurn {
    /// From `t3`, `3` or `-1`; empty is the last that changed something.
    pub fn parse(text: &str) -> Option<WhichTurn> {
        let text = text.trim();
        if text.is_empty() {
            return Some(WhichTurn::LastChange);
        }
        if let Some(back) = text.strip_prefix('-') {
            return back.parse().ok().filter(|back| *back > 0).map(WhichTurn::Back);
        }
        let number: u32 = text.strip_prefix(['t', 'T']).unwrap_or(text).parse().ok()?;
        Some(WhichTurn::Named(format!("t{number}")))
    }
}

/// What a turn did to the files.
#[derive(Debug, Clone)]
pub struct TurnDiff {
    pub turn: String,
    /// What the user asked for.
    pub text: String,
    pub source: DiffSource,
    pub files: Vec<Difference>,
    /// Unified.
    pub diff: Vec<u8>,
}

/// Where the diff comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiffSource {
    Checkpoints,
    /// Its edits: what commands did is not known.
    Edits,
}

impl SessionRestore<'_> {
    /// None where no turn has changed anything, and none is named.
    pub async fn diff(&self, which: &WhichTurn) -> Result<Option<TurnDiff>, RestoreError> {
        let entries = self.store.log(&self.session.id).await?;
        let turns = Timeline::of(&entries).turns();
        let edits = Review::of(&entries);
        let Some(turn) = pick(&turns, &edits, which)? else { return Ok(None) };
        let pairs = joined(turn);
        let (turn_id, text) = (turn.turn.clone(), turn.text.clone());
        if pairs.is_empty() {
            let (files, diff) = of_edits(&edits, &turn.turn);
            return Ok(Some(TurnDiff { turn: turn_id, text, source: DiffSource::Edits, files, diff }));
        }
        match self.compare(pairs).await {
            Ok((files, diff)) => {
                Ok(Some(TurnDiff { turn: turn_id, text, source: DiffSource::Checkpoints, files, diff }))
            }
            Err(Failure::Unknown(_)) => {
                let (files, diff) = of_edits(&edits, &turn.turn);
                Ok(Some(TurnDiff { turn: turn_id, text, source: DiffSource::Edits, files, diff }))
            }
            Err(failure) => Err(RestoreError::Look(failure)),
        }
    }

    async fn compare(&self, pairs: Vec<Pair>) -> Result<(Vec<Difference>, Vec<u8>), Failure> {
        let folder = Path::new(&self.session.work_tree);
        let tree = Tree::open(&self.home, folder, self.settings.clone()).await?;
        tree.ask(move |store| {
            let (mut files, mut diff) = (Vec::new(), Vec::new());
            for Pair { before, after } in pairs {
                let now = new_id();
                let (after, is_now) = match after {
                    Some(after) => (after, false),
                    // Cut off: what it left is what there is.
                    None => (store.take(&now)?.commit, true),
                };
                files.append(&mut store.differences(&before, &after)?);
                diff.append(&mut store.diff(&before, &after)?);
                if is_now {
                    store.forget(&[now])?;
                }
            }
            Ok((files, diff))
        })
        .await
    }
}

fn pick<'t>(
    turns: &'t [TurnFiles],
    edits: &Review,
    which: &WhichTurn,
) -> Result<Option<&'t TurnFiles>, RestoreError> {
    let is_edited = |turn: &TurnFiles| applied(edits, &turn.turn).next().is_some();
    let found = match which {
        WhichTurn::LastChange => turns.iter().rev().find(|turn| turn.is_changed() || is_edited(turn)),
        WhichTurn::Named(id) => turns.iter().find(|turn| turn.turn == *id),
        WhichTurn::Back(back) => turns.len().checked_sub(*back).and_then(|at| turns.get(at)),
    };
    let last = turns.last().map_or("no turn yet", |turn| turn.turn.as_str());
    match (found, which) {
        (Some(_), _) | (None, WhichTurn::LastChange) => Ok(found),
        (None, WhichTurn::Named(id)) => Err(RestoreError::Unknown(format!(
            "there is no turn {id} in this session, or it was undone; the last one is {last}"
        ))),
        (None, WhichTurn::Back(back)) => {
            Err(RestoreError::Unknown(format!("this session has no {back} turns; the last one is {last}")))
        }
    }
}

/// The files before and after each run; where nobody changed anything in between, as one.
fn joined(turn: &TurnFiles) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    for pair in turn.runs.iter().filter_map(|run| run.pair.clone()) {
        match pairs.last_mut() {
            Some(last) if last.after.as_ref() == Some(&pair.before) => last.after = pair.after,
            _ => pairs.push(pair),
        }
    }
    pairs
}

fn applied<'r>(edits: &'r Review, turn: &str) -> impl Iterator<Item = &'r ChangeView> {
    edits
        .changes
        .iter()
        .filter(move |change| change.turn.as_deref() == Some(turn) && change.state() == ChangeState::Applied)
}

fn of_edits(edits: &Review, turn: &str) -> (Vec<Difference>, Vec<u8>) {
    let (mut files, mut diff) = (Vec::new(), String::new());
    for change in applied(edits, turn) {
        let path = &change.edit.path;
        let count = |lines: i64| u64::try_from(lines).ok();
        files.push(Difference {
            path: path.into(),
            status: if change.is_new_file() { Status::Added } else { Status::Modified },
            added: count(change.edit.added),
            removed: count(change.edit.removed),
        });
        let hunks: Vec<usize> = (0..change.hunks.len()).collect();
        let old = if change.is_new_file() { "/dev/null".to_owned() } else { format!("a/{path}") };
        diff.push_str(&format!("diff --git a/{path} b/{path}\n--- {old}\n+++ b/{path}\n"));
        hunk_diffs(change, &hunks).iter().for_each(|hunk| diff.push_str(hunk));
    }
    (files, diff.into_bytes())
}

#[cfg(test)]
mod tests {
    use super::WhichTurn;

    #[test]
    fn turns_are_named() {
        assert_eq!(WhichTurn::parse("t3"), Some(WhichTurn::Named("t3".to_owned())));
        assert_eq!(WhichTurn::parse("12"), Some(WhichTurn::Named("t12".to_owned())));
        assert_eq!(WhichTurn::parse("-1"), Some(WhichTurn::Back(1)));
        assert_eq!(WhichTurn::parse(" "), Some(WhichTurn::LastChange));
        for text in ["x", "t", "-0", "--1", "t-1", "1.5"] {
            assert_eq!(WhichTurn::parse(text), None, "{text}");
        }
    }
}
