//! Turns and what they did to the files: a checkpoint before and after each run that could write.

use super::taken_before;
use crate::checkpoint::{Checkpoint, Moment};
use crate::entry::{Body, Entry};

/// The files before and after something, as commits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    pub before: String,
    /// None where it is not known yet: the files as they are now.
    pub after: Option<String>,
}

impl Pair {
    /// What is not known may have changed.
    pub fn is_changed(&self) -> bool {
        self.after.as_ref() != Some(&self.before)
    }
}

/// A turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnFiles {
    pub turn: String,
    /// What the user asked for.
    pub text: String,
    pub at_ms: i64,
    /// Its first assistant message.
    pub anchor: String,
    /// The first one that was taken for it, if any was.
    pub checkpoint: Option<String>,
    pub runs: Vec<Run>,
}

/// One run of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub message: String,
    /// None where no checkpoint was taken: it did not write, or that failed.
    pub pair: Option<Pair>,
}

impl TurnFiles {
    /// Whether it changed a file, as far as anybody knows.
    pub fn is_changed(&self) -> bool {
        self.runs.iter().filter_map(|run| run.pair.as_ref()).any(Pair::is_changed)
    }
}

/// The turns of a list of entries that have an answer. `all`: the whole log.
pub(super) fn of(list: &[&Entry], all: &[Entry]) -> Vec<TurnFiles> {
    let mut turns: Vec<TurnFiles> = Vec::new();
    let mut asked: Option<(String, String, i64)> = None;
    for entry in list {
        match &entry.body {
            Body::TurnStarted(turn) => {
                asked = Some((entry.turn.clone().unwrap_or_default(), turn.text.clone(), entry.at_ms));
            }
            Body::RunStarted(run) => {
                if let Some((turn, text, at_ms)) = asked.take() {
                    let (anchor, checkpoint) = (run.message.clone(), None);
                    turns.push(TurnFiles { turn, text, at_ms, anchor, checkpoint, runs: Vec::new() });
                }
                if let Some(turn) = turns.last_mut() {
                    turn.runs.push(Run { message: run.message.clone(), pair: None });
                }
            }
            _ => {}
        }
        if let (Some(checkpoint), Some(turn)) = (taken_before(entry), turns.last_mut()) {
            turn.checkpoint.get_or_insert_with(|| checkpoint.id.clone());
            if let Some(run) = turn.runs.last_mut() {
                run.pair = pair(entry, all);
            }
        }
    }
    turns
}

/// What the entries of a list did to the files, in their order: runs and restores.
pub(super) fn pairs(list: &[&Entry], all: &[Entry]) -> Vec<Pair> {
    let pair = |entry: &&Entry| match &entry.body {
        Body::Restored(restored) => {
            let before = restored.undo_commit.clone()?;
            Some(Pair { before, after: Some(restored.after_commit.clone()?) })
        }
        _ => pair(entry, all),
    };
    list.iter().filter_map(pair).collect()
}

/// What follows a checkpoint that was taken before a run: the one after it. A process that died took none: then whichever
/// comes next in the log.
fn pair(entry: &Entry, all: &[Entry]) -> Option<Pair> {
    let before = taken_before(entry)?.commit.clone()?;
    let from = all.partition_point(|one| one.seq <= entry.seq);
    let after = all.get(from..).unwrap_or_default().iter().find_map(|next| match &next.body {
        Body::Checkpoint(Checkpoint { moment: Moment::Before | Moment::After, commit, .. }) => commit.clone(),
        Body::Restored(restored) => restored.undo_commit.clone(),
        _ => None,
    });
    Some(Pair { before, after })
}
