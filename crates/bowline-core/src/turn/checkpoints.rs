//! Takes the checkpoints of a turn: one before a run's first call that can write, and one when the run ends. No call that
//! writes starts before the first checkpoint was taken. If it failed, each such call needs approval.
//!
//! Checkpoints are best effort: a failure is recorded on the log and does not end the turn.

use super::end::Ending;
use super::{Effect, Event, Machine, Phase};
use crate::checkpoint::{Checkpoint, Moment, Taken};
use crate::entry::{Access, Body, Input, InputKind, Message};
use crate::limits::TITLE_CHARS_MAX;

/// What the log says about the checkpoints of the current turn.
#[derive(Debug, Default)]
pub(super) struct TurnCheckpoints {
    /// What the user asked for, in one line.
    label: String,
    /// The turn's first assistant message, over all its runs.
    anchor: Option<String>,
    /// The id of the first checkpoint that was taken for the turn.
    pub(super) checkpoint: Option<String>,
    /// Its commit.
    pub(super) first_commit: Option<String>,
    /// The paths that the checkpoint before this run left out, and how many more there are.
    left_out: (Vec<String>, i64),
    run: RunCheckpoint,
}

/// The state of the checkpoint before this run.
#[derive(Debug, Default)]
enum RunCheckpoint {
    #[default]
    None,
    /// The host is taking it.
    Pending,
    /// It was taken, as this commit.
    Taken(String),
    Failed,
}

impl TurnCheckpoints {
    pub(super) fn apply(&mut self, body: &Body) {
        match body {
            Body::TurnStarted(turn) => {
                let line = turn.text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
                let label = line.chars().filter(|c| !c.is_control()).take(TITLE_CHARS_MAX).collect();
                *self = TurnCheckpoints { label, ..TurnCheckpoints::default() };
            }
            Body::RunStarted(run) => {
                self.anchor.get_or_insert_with(|| run.message.clone());
                self.run = RunCheckpoint::None;
            }
            Body::Checkpoint(checkpoint) if checkpoint.moment == Moment::Before => self.before(checkpoint),
            _ => {}
        }
    }

    fn before(&mut self, checkpoint: &Checkpoint) {
        let Some(commit) = &checkpoint.commit else {
            self.run = RunCheckpoint::Failed;
            return;
        };
        self.checkpoint.get_or_insert_with(|| checkpoint.id.clone());
        self.first_commit.get_or_insert_with(|| commit.clone());
        let names = checkpoint.not_captured.iter().map(|left_out| left_out.path.clone());
        self.left_out = (names.collect(), checkpoint.not_captured_more);
        self.run = RunCheckpoint::Taken(commit.clone());
    }

    /// Keeps only those omissions of the checkpoint after a run that the run itself caused. Keeps none if that is unknown.
    fn retain_new_omissions(&self, checkpoint: &mut Checkpoint) {
        let (names, more) = &self.left_out;
        checkpoint.not_captured.retain(|left_out| *more == 0 && !names.contains(&left_out.path));
        checkpoint.not_captured_more = (checkpoint.not_captured_more - more).max(0);
    }

    /// Adds the checkpoint's id to the message if it is the turn's first assistant message.
    pub(super) fn with_checkpoint_id(&self, message: Message) -> Message {
        let is_anchor = self.anchor.as_ref() == Some(&message.id);
        Message { checkpoint: self.checkpoint.clone().filter(|_| is_anchor), ..message }
    }

    /// Whether no checkpoint holds the files that a call of this run would change.
    pub(super) fn is_failed(&self) -> bool {
        matches!(self.run, RunCheckpoint::Failed)
    }
}

impl Machine {
    /// Whether a call that writes has to wait for the checkpoint before this run.
    pub(super) fn awaits_checkpoint(&self) -> bool {
        let is_taking = self.setup.takes_checkpoints && self.setup.access == Access::Write;
        is_taking && matches!(self.checkpoints.run, RunCheckpoint::None | RunCheckpoint::Pending)
    }

    /// Asks for the checkpoint before this run, because a call that writes is next.
    pub(super) fn take_checkpoint_before(&mut self) {
        if matches!(self.checkpoints.run, RunCheckpoint::None) {
            self.checkpoints.run = RunCheckpoint::Pending;
            self.effects.push(Effect::TakeCheckpoint { moment: Moment::Before, since: None });
        }
    }

    /// Asks for the checkpoint after this run, then ends the turn. Without a checkpoint before the run it ends at once.
    pub(super) fn take_checkpoint_after(&mut self, ending: Ending) {
        match &self.checkpoints.run {
            RunCheckpoint::Taken(before) if !self.is_between => {
                let since = Some(before.clone());
                self.effects.push(Effect::EndTools);
                self.effects.push(Effect::TakeCheckpoint { moment: Moment::After, since });
                self.phase = Phase::Closing(Box::new(ending));
            }
            _ => self.hand_back(ending),
        }
    }

    pub(super) fn checkpoint_taken(&mut self, moment: Moment, taken: Taken, now: i64) {
        let is_awaited = moment == Moment::Before && matches!(self.checkpoints.run, RunCheckpoint::Pending);
        if is_awaited {
            self.record_checkpoint(moment, taken);
            self.check_after_checkpoint(now);
            self.run_calls(now);
        }
    }

    fn record_checkpoint(&mut self, moment: Moment, taken: Taken) {
        let anchor = self.checkpoints.anchor.clone().unwrap_or_default();
        let label = self.checkpoints.label.clone();
        let mut checkpoint = Checkpoint::of(taken, moment, anchor, label);
        if moment == Moment::After {
            self.checkpoints.retain_new_omissions(&mut checkpoint);
        }
        self.record(Body::Checkpoint(checkpoint));
    }

    /// Handles events while the turn only waits for its last checkpoint. A stop ends that wait too.
    pub(super) fn close(&mut self, event: Event) {
        // The turn was stopped while the host was taking changes back.
        if let Event::Rewound(decided) = event {
            return self.record_rewind(decided.map(|decided| *decided));
        }
        let is_stop = matches!(
            &event,
            Event::Input { body, .. } if matches!(**body, Body::Input(Input { kind: InputKind::Stop, .. }))
        );
        let is_taken = matches!(&event, Event::Checkpointed { moment: Moment::After, .. });
        if !is_stop && !is_taken {
            return;
        }
        let Phase::Closing(ending) = std::mem::replace(&mut self.phase, Phase::Over) else { return };
        if let Event::Checkpointed { moment, taken } = event {
            self.record_checkpoint(moment, taken);
        }
        self.hand_back(*ending);
    }
}
