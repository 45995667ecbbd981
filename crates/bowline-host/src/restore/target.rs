//! What is meant by an undo, a redo or a restore, as core's timeline has it, or why it can't be.

use bowline_core::checkpoint::Checkpoint;
use bowline_core::entry::{Body, Entry};
use bowline_core::item::{CallResult, Item};
use bowline_core::outcome::Outcome;
use bowline_core::restore_entry::{RestoreKind, RestoreWhat};
use bowline_core::timeline::{self, NoRedo, NoTarget, Pair, Timeline};
use bowline_core::tools::{Effect, effect};

use super::{RestoreError, RestoreRequest};

/// What is restored, and what of it.
pub(super) struct Target {
    pub(super) kind: RestoreKind,
    pub(super) what: RestoreWhat,
    pub(super) of: timeline::Target,
    /// The user's text that asked for what is taken back.
    pub(super) text: Option<String>,
    /// Why the turn has no checkpoint, where one was wanted.
    pub(super) failed: Option<String>,
}

impl Target {
    pub(super) fn of(entries: &[Entry], wanted: &RestoreRequest) -> Result<Target, RestoreError> {
        let timeline = Timeline::of(entries);
        let (kind, of) = match wanted {
            RestoreRequest::Undo => (RestoreKind::Undo, timeline.undo().ok_or_else(nothing_to_undo)?),
            RestoreRequest::Redo => (RestoreKind::Redo, timeline.redo().map_err(|none| no_redo(&none))?),
            RestoreRequest::Restore { checkpoint, .. } => {
                let target = timeline.target(checkpoint).map_err(|none| no_target(checkpoint, &none))?;
                (RestoreKind::Restore, target)
            }
        };
        let what = match wanted {
            RestoreRequest::Restore { what, .. } => *what,
            // Without a checkpoint there are no files to go back to.
            RestoreRequest::Undo if of.commit.is_none() => RestoreWhat::Conversation,
            RestoreRequest::Undo => RestoreWhat::Both,
            RestoreRequest::Redo => of.undoes.and_then(|seq| undone(entries, seq)).unwrap_or_default(),
        };
        let asked = timeline.turns().into_iter().find(|turn| Some(&turn.anchor) == of.message.as_ref());
        let failed = of.message.as_deref().filter(|_| of.commit.is_none());
        let failed = failed.and_then(|anchor| why_none(entries, anchor));
        let text = asked.map(|turn| turn.text).filter(|_| what.has_conversation());
        Ok(Target { kind, what, of, text, failed })
    }

    pub(super) fn pairs(&self) -> &[Pair] {
        &self.of.pairs
    }
}

/// What an earlier restore took back.
fn undone(entries: &[Entry], seq: i64) -> Option<RestoreWhat> {
    entries.iter().find(|entry| entry.seq == seq).and_then(|entry| match &entry.body {
        Body::Restored(restored) => Some(restored.what),
        _ => None,
    })
}

/// Why a turn that wrote has no checkpoint: it could not be taken, or nobody wanted one.
fn why_none(entries: &[Entry], anchor: &str) -> Option<String> {
    let failed = entries.iter().find_map(|entry| match &entry.body {
        Body::Checkpoint(Checkpoint { message, error: Some(error), .. }) if message == anchor => {
            Some(error.clone())
        }
        _ => None,
    });
    failed.or_else(|| wrote(entries, anchor).then(|| "they were off".to_owned()))
}

/// Whether a call of a turn ran that can write.
fn wrote(entries: &[Entry], anchor: &str) -> bool {
    let begins = |entry: &&Entry| matches!(&entry.body, Body::RunStarted(run) if run.message == anchor);
    let turn = entries.iter().find(begins).and_then(|entry| entry.turn.as_deref());
    let ran = |item: &Item| {
        let is_write = item.call.as_ref().is_some_and(|call| effect(&call.tool) == Effect::Writes);
        let has_run = |result: &CallResult| matches!(result.outcome, Outcome::Success | Outcome::NoResult);
        is_write && item.result.as_ref().is_some_and(has_run)
    };
    let of_turn = entries.iter().filter(|entry| turn.is_some() && entry.turn.as_deref() == turn);
    of_turn.into_iter().any(|entry| matches!(&entry.body, Body::ItemCompleted { item } if ran(item)))
}

fn nothing_to_undo() -> RestoreError {
    RestoreError::refused(
        "there is no turn to undo in this session",
        "bowline sessions list shows the others; bowline undo -s ID undoes a turn of another session",
    )
}

fn no_redo(none: &NoRedo) -> RestoreError {
    match none {
        NoRedo::Nothing => RestoreError::refused(
            "there is nothing to redo: nothing was undone, or all of it was redone",
            "bowline checkpoint list shows what can be restored",
        ),
        NoRedo::Passed { checkpoint } => RestoreError::refused(
            "a new turn, a restore or a decision about changes came after the last undo, so it can't be redone",
            format!("What was undone is still there: bowline restore {checkpoint} restores it"),
        ),
    }
}

fn no_target(id: &str, none: &NoTarget) -> RestoreError {
    match none {
        NoTarget::Unknown => RestoreError::Unknown(format!(
            "there is no checkpoint {id} in this session: bowline checkpoint list shows those there are"
        )),
        NoTarget::TakenBack { holder } => RestoreError::refused(
            format!("checkpoint {id} was undone with its turn"),
            format!("Restore that first: bowline restore {holder}"),
        ),
    }
}
