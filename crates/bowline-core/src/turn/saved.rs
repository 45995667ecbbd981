//! The checkpoint of the turn: where its undo goes back to, folded from the log.

use crate::checkpoint::Moment;
use crate::entry::{Body, Message};

#[derive(Debug, Default)]
pub(super) struct Saved {
    /// The turn's first assistant message, over all its runs.
    anchor: Option<String>,
    /// The first that was taken for it.
    pub(super) checkpoint: Option<String>,
}

impl Saved {
    pub(super) fn apply(&mut self, body: &Body) {
        match body {
            Body::TurnStarted(_) => *self = Saved::default(),
            Body::RunStarted(run) => {
                self.anchor.get_or_insert_with(|| run.message.clone());
            }
            Body::Checkpoint(taken) if taken.moment == Moment::Before && taken.commit.is_some() => {
                self.checkpoint.get_or_insert_with(|| taken.id.clone());
            }
            _ => {}
        }
    }

    /// The anchor says which checkpoint it has.
    pub(super) fn marked(&self, message: Message) -> Message {
        let is_anchor = self.anchor.as_ref() == Some(&message.id);
        Message { checkpoint: self.checkpoint.clone().filter(|_| is_anchor), ..message }
    }
}
