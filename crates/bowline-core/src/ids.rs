//! Ids within a session: counted, so that the core needs no randomness and a log replays to the same ids.

use crate::entry::Body;

/// The next free numbers, folded from the log.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ids {
    turns: u32,
    messages: u32,
    items: u32,
}

impl Ids {
    pub fn apply(&mut self, body: &Body) {
        match body {
            Body::TurnStarted(_) => self.turns += 1,
            Body::ItemStarted { .. } => self.items += 1,
            _ => {}
        }
        if matches!(body, Body::MessageStarted { .. } | Body::Sentinel(_)) {
            self.messages += 1;
        }
    }

    /// The id of the next turn.
    pub fn turn(&self) -> String {
        format!("t{}", self.turns + 1)
    }

    /// `ahead`: how many come before it.
    pub fn message(&self, ahead: u32) -> String {
        format!("m{}", self.messages + 1 + ahead)
    }

    /// Nine letters and digits, as some chat templates demand of a call's id.
    pub fn item(&self) -> String {
        format!("i{:08}", self.items + 1)
    }
}
