//! Takes changes of this run back, newest first, where the check says that the files were better without them.
//!
//! The host puts the files back, all of the changes or none; then the log says so. What always holds: only changes that a call of
//! this run made are taken back, and if that is not possible exactly, they stay.

use super::checking::Then;
use super::{Effect, Machine, Phase};
use crate::change_decision::ChangeDecisions;
use crate::entry::Body;
use crate::limits::REWIND_MS_MAX;

/// Changes that the host is taking back, and where the turn goes on.
pub(super) struct Rewinding {
    since_ms: i64,
    /// The calls that made them.
    calls: Vec<String>,
    pub(super) then: Then,
}

impl Rewinding {
    pub(super) fn wake_at(&self) -> i64 {
        self.since_ms + REWIND_MS_MAX
    }
}

impl Machine {
    /// Takes back what this run changed after its first so many changes.
    pub(super) fn rewind_to(&mut self, len: usize, then: Then, now: i64) {
        let changes = self.checks.applied.after(len);
        let mut calls: Vec<String> = Vec::new();
        for change in &changes {
            if !calls.contains(&change.item) {
                calls.push(change.item.clone());
            }
        }
        let ids = changes.into_iter().map(|change| change.id).collect();
        self.effects.push(Effect::Rewind { changes: ids });
        self.phase = Phase::Rewinding(Box::new(Rewinding { since_ms: now, calls, then }));
    }

    /// The host did not answer in time: what it did is unknown, and nothing is said about it.
    pub(super) fn tick_rewinding(&mut self, now: i64) {
        if let Phase::Rewinding(rewinding) = &self.phase
            && now >= rewinding.wake_at()
        {
            self.rewound(None, now);
        }
    }

    /// What was taken back; none if the changes stay.
    pub(super) fn rewound(&mut self, decided: Option<ChangeDecisions>, now: i64) {
        if !matches!(self.phase, Phase::Rewinding(_)) {
            return;
        }
        let Phase::Rewinding(rewinding) = std::mem::replace(&mut self.phase, Phase::Idle) else { return };
        if let Some(decided) = decided {
            self.record(Body::Change(ChangeDecisions { calls: rewinding.calls, ..decided }));
        }
        self.go_on_after_check(rewinding.then, now);
    }
}
