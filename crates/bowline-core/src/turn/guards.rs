//! After the tool phase: the guards in their order, then the next step or the end of the budget.
//!
//! The first guard that trips acts. A budget is a promise to the user and no opinion: a nudge whose request the budget does
//! not allow is not given.

use super::Machine;
use crate::entry::Stop;
use crate::guard::{Seen, Verdict};
use crate::sentinel::{Cap, Sentinel};

impl Machine {
    /// All calls of the step have ended.
    pub(super) fn guard(&mut self, seen: &[Seen], now: i64) {
        match self.mistakes.phase(seen) {
            Verdict::Pass => self.go_on(None, now),
            Verdict::Nudge { sentinel, note } => self.go_on(Some((sentinel, note)), now),
            Verdict::Stop { sentinel } => {
                self.record_sentinel(sentinel);
                let reason = "Several errors came in a row and persisted after guidance was given.";
                let hint = "bowline run -c \"…\" with a hint, or try another model";
                self.finish(Stop::Guard, Some(reason.to_owned()), Some(hint.to_owned()), now);
            }
        }
    }

    /// The next step, or the end of the budget.
    pub(super) fn go_on(&mut self, nudge: Option<(Sentinel, String)>, now: i64) {
        if self.step >= self.setup.steps_max {
            self.cap(Cap::Steps, now);
            return;
        }
        let note = nudge.map(|(sentinel, note)| {
            self.record_sentinel(sentinel);
            note
        });
        self.next_step(note, now);
    }
}
