//! What a restore, an undo or a redo would take back, asked of the log. Nothing is done here; what is meant is said, and
//! whoever carries it out fills in the rest.
//!
//! What always holds: only what is visible is taken back, and every answer follows from the order of the log.

mod redo;
mod turns;

use std::collections::BTreeSet;

use crate::checkpoint::{Checkpoint, Moment};
use crate::entry::{Body, Entry};
use crate::restore_entry::{RestoreKind, RestoreWhat, Restored, Restoring, RestoringState};
use crate::visible::{List, Lists, visible};

pub use redo::NoRedo;
pub use turns::{Pair, Run, TurnFiles};

/// A log, to be asked.
pub struct Timeline<'e> {
    entries: &'e [Entry],
    lists: Lists<'e>,
    visible: Vec<&'e Entry>,
}

/// What a restore is about: the part of [`Restored`] that the log knows, and what it means for the files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// None for a turn without one: only its conversation can be taken back.
    pub checkpoint: Option<String>,
    /// Where its files are.
    pub commit: Option<String>,
    /// The anchor.
    pub message: Option<String>,
    /// The `restored` entry that is undone.
    pub undoes: Option<i64>,
    /// How many messages go with the conversation.
    pub messages: i64,
    /// What was done to the files since: before and after each part of it.
    pub pairs: Vec<Pair>,
}

/// Why a checkpoint can't be restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoTarget {
    /// The session has no such checkpoint.
    Unknown,
    /// It was undone with its turn; restoring this one brings it back.
    TakenBack { holder: String },
}

/// A checkpoint of the session that can be restored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub id: String,
    pub commit: String,
    pub seq: i64,
    pub at_ms: i64,
    /// The turn it stands before; none for the state before a restore.
    pub turn: Option<String>,
    /// The anchor.
    pub message: Option<String>,
    pub label: String,
}

impl<'e> Timeline<'e> {
    pub fn of(entries: &'e [Entry]) -> Timeline<'e> {
        let lists = Lists::of(entries);
        let visible = lists.now();
        Timeline { entries, lists, visible }
    }

    /// The visible turns that have an assistant's message, oldest first.
    pub fn turns(&self) -> Vec<TurnFiles> {
        turns::of(&self.visible, self.entries)
    }

    /// The checkpoints that can be restored, oldest first.
    pub fn listed(&self) -> Vec<Listed> {
        let turns = self.turns();
        let is_changed = |id: &str| {
            let turn = turns.iter().find(|turn| turn.checkpoint.as_deref() == Some(id));
            turn.is_some_and(TurnFiles::is_changed)
        };
        let named: BTreeSet<&str> =
            self.restored().filter_map(|(_, restored)| restored.checkpoint.as_deref()).collect();
        let visible: BTreeSet<i64> = self.visible.iter().map(|entry| entry.seq).collect();
        let listed = self.entries.iter().filter_map(|entry| match &entry.body {
            Body::Checkpoint(checkpoint) if checkpoint.moment == Moment::Before => {
                let is_listed = visible.contains(&entry.seq) && is_changed(&checkpoint.id);
                (is_listed || named.contains(checkpoint.id.as_str()))
                    .then(|| Listed::before(entry, checkpoint))
                    .flatten()
            }
            Body::Restored(restored) => {
                let is_listed =
                    visible.contains(&entry.seq) || named.contains(restored.undo_checkpoint.as_str());
                is_listed.then(|| Listed::undo(entry, restored)).flatten()
            }
            _ => None,
        });
        listed.collect()
    }

    /// What restoring a checkpoint means, be it listed or one of a turn that changed nothing.
    pub fn target(&self, id: &str) -> Result<Target, NoTarget> {
        if let Some((seq, restored)) = all_restored(self.entries).find(|(_, one)| one.undo_checkpoint == id) {
            return Ok(self.undoing(seq, restored));
        }
        let (entry, checkpoint) = self.before(id).ok_or(NoTarget::Unknown)?;
        match self.lists.cut(&checkpoint.message) {
            Some(goal) => {
                let taken = (Some(checkpoint.id.clone()), checkpoint.commit.clone());
                Ok(self.cutting(goal, taken, checkpoint.message.clone(), Some(entry.seq)))
            }
            None => {
                Err(self.holder(entry).map_or(NoTarget::Unknown, |holder| NoTarget::TakenBack { holder }))
            }
        }
    }

    /// What `undo` takes back next: the last visible turn that has an answer.
    pub fn undo(&self) -> Option<Target> {
        let turn = self.turns().pop()?;
        let goal = self.lists.cut(&turn.anchor)?;
        let commit = turn.runs.iter().find_map(|run| run.pair.as_ref()).map(|pair| pair.before.clone());
        let since = turn.checkpoint.as_deref().and_then(|id| self.before(id)).map(|(entry, _)| entry.seq);
        Some(self.cutting(goal, (turn.checkpoint, commit), turn.anchor, since))
    }

    /// What `redo` undoes next.
    pub fn redo(&self) -> Result<Target, NoRedo> {
        let seq = redo::next(self.entries)?;
        let restored = all_restored(self.entries).find(|(at, _)| *at == seq);
        restored.map(|(seq, restored)| self.undoing(seq, restored)).ok_or(NoRedo::Nothing)
    }

    /// A restore that was announced and neither done nor given up: its process died.
    pub fn open(&self) -> Option<&'e Restored> {
        open_restoring(self.entries)
    }

    /// A checkpoint taken before a turn, by its id.
    fn before(&self, id: &str) -> Option<(&'e Entry, &'e Checkpoint)> {
        self.entries.iter().find_map(|entry| match &entry.body {
            Body::Checkpoint(one) if one.id == id && one.moment == Moment::Before => {
                one.commit.is_some().then_some((entry, one))
            }
            _ => None,
        })
    }

    fn cutting(
        &self,
        goal: List,
        (checkpoint, commit): (Option<String>, Option<String>),
        anchor: String,
        since: Option<i64>,
    ) -> Target {
        let gone = gone(&self.visible, &self.lists.list(goal));
        Target {
            checkpoint,
            commit,
            message: Some(anchor),
            undoes: None,
            messages: messages(&gone),
            pairs: since.map_or(Vec::new(), |seq| self.done_since(seq)),
        }
    }

    fn undoing(&self, seq: i64, restored: &Restored) -> Target {
        let goal = self.lists.list(self.lists.before(seq).flatten());
        Target {
            checkpoint: Some(restored.undo_checkpoint.clone()),
            commit: restored.undo_commit.clone(),
            message: None,
            undoes: Some(seq),
            messages: messages(&gone(&self.visible, &goal)),
            pairs: self.done_since(seq),
        }
    }

    /// What was done to the files from an entry on, in the order it was done. What is hidden counts, too: a turn and the
    /// restore that took it back together did nothing, and one without the other would.
    fn done_since(&self, seq: i64) -> Vec<Pair> {
        let from = self.entries.partition_point(|entry| entry.seq < seq);
        let since: Vec<&Entry> = self.entries.get(from..).unwrap_or_default().iter().collect();
        turns::pairs(&since, self.entries)
    }

    /// The checkpoint whose restore makes a hidden entry visible again: of the last restore that hid it.
    fn holder(&self, entry: &Entry) -> Option<String> {
        let mut restored: Vec<(i64, &Restored)> = all_restored(self.entries).collect();
        restored.reverse();
        let hid = restored.into_iter().find(|(seq, _)| {
            let before = self.lists.list(self.lists.before(*seq).flatten());
            before.iter().any(|one| one.seq == entry.seq)
        });
        hid.map(|(_, restored)| restored.undo_checkpoint.clone())
    }

    fn restored(&self) -> impl Iterator<Item = (i64, &'e Restored)> {
        self.visible.iter().filter_map(|entry| match &entry.body {
            Body::Restored(restored) => Some((entry.seq, restored.as_ref())),
            _ => None,
        })
    }
}

impl Target {
    /// What is on the log when it is done, but for what only the files and whoever asks can tell.
    pub fn restored(&self, id: &str, kind: RestoreKind, what: RestoreWhat, by: &str) -> Restored {
        Restored {
            id: id.to_owned(),
            kind,
            what,
            checkpoint: self.checkpoint.clone(),
            commit: self.commit.clone(),
            message: self.message.clone(),
            undoes: self.undoes,
            undo_checkpoint: String::new(),
            undo_commit: None,
            after_commit: None,
            written: Vec::new(),
            deleted: Vec::new(),
            kept: Vec::new(),
            messages_deleted: if what.has_conversation() { self.messages } else { 0 },
            worktree_reset: false,
            backend_reset: false,
            by: by.to_owned(),
        }
    }
}

impl Listed {
    fn before(entry: &Entry, checkpoint: &Checkpoint) -> Option<Listed> {
        Some(Listed {
            id: checkpoint.id.clone(),
            commit: checkpoint.commit.clone()?,
            seq: entry.seq,
            at_ms: entry.at_ms,
            turn: entry.turn.clone(),
            message: Some(checkpoint.message.clone()),
            label: checkpoint.label.clone(),
        })
    }

    fn undo(entry: &Entry, restored: &Restored) -> Option<Listed> {
        Some(Listed {
            id: restored.undo_checkpoint.clone(),
            commit: restored.undo_commit.clone()?,
            seq: entry.seq,
            at_ms: entry.at_ms,
            turn: None,
            message: None,
            label: restored.kind.before().to_owned(),
        })
    }
}

/// The checkpoint of a visible turn.
pub fn checkpoint_of(entries: &[Entry], turn: Option<&str>) -> Option<String> {
    let of_turn = visible(entries).into_iter().filter(|entry| entry.turn.as_deref() == turn);
    of_turn.filter_map(taken_before).map(|checkpoint| checkpoint.id.clone()).next()
}

/// A restore that was announced and neither done nor given up.
pub fn open_restoring(entries: &[Entry]) -> Option<&Restored> {
    let mut open = None;
    for entry in entries {
        match &entry.body {
            Body::Restoring(restoring) => {
                let Restoring { state, restored } = restoring.as_ref();
                open = (*state == RestoringState::Begun).then_some(restored);
            }
            Body::Restored(restored) => {
                open = open.filter(|announced: &&Restored| announced.id != restored.id);
            }
            _ => {}
        }
    }
    open
}

/// The checkpoint an entry says was taken before a run.
fn taken_before(entry: &Entry) -> Option<&Checkpoint> {
    match &entry.body {
        Body::Checkpoint(checkpoint) if checkpoint.moment == Moment::Before => {
            checkpoint.commit.is_some().then_some(checkpoint)
        }
        _ => None,
    }
}

fn all_restored(entries: &[Entry]) -> impl Iterator<Item = (i64, &Restored)> {
    entries.iter().filter_map(|entry| match &entry.body {
        Body::Restored(restored) => Some((entry.seq, restored.as_ref())),
        _ => None,
    })
}

/// What one list has and another has not.
fn gone<'e>(from: &[&'e Entry], to: &[&'e Entry]) -> Vec<&'e Entry> {
    let kept: BTreeSet<i64> = to.iter().map(|entry| entry.seq).collect();
    from.iter().filter(|entry| !kept.contains(&entry.seq)).copied().collect()
}

fn messages(entries: &[&Entry]) -> i64 {
    let begins = |entry: &&&Entry| matches!(entry.body, Body::MessageStarted { .. } | Body::Sentinel(_));
    i64::try_from(entries.iter().filter(begins).count()).unwrap_or(i64::MAX)
}
