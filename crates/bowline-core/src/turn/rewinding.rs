//! Takes changes of this run back, newest first, where the check says that the files were better without them.
//!
//! An entry announces it; then the host puts the files back, all of the changes or none; then the log says what came of it. What
//! always holds: only changes that a call of this run made are taken back, and if that is not possible exactly, they stay. A
//! process that dies in between, or a turn that is stopped, leaves the announcement to whoever writes in the session next.

use super::checking::Then;
use super::{Effect, Machine, Phase};
use crate::change_decision::ChangeDecisions;
use crate::entry::Body;
use crate::limits::REWIND_MS_MAX;
use crate::rewind_entry::Rewinding as Announced;

/// Changes that the host is taking back, and where the turn goes on.
pub(super) struct Rewinding {
    since_ms: i64,
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
        let ids: Vec<String> = changes.into_iter().map(|change| change.id).collect();
        self.record(Body::Rewinding(Announced::begun(ids.clone(), calls)));
        self.effects.push(Effect::Rewind { changes: ids });
        self.phase = Phase::Rewinding(Box::new(Rewinding { since_ms: now, then }));
    }

    /// The host did not answer in time: what it did is unknown, and the announcement stays open.
    pub(super) fn tick_rewinding(&mut self, now: i64) {
        if matches!(&self.phase, Phase::Rewinding(rewinding) if now >= rewinding.wake_at()) {
            self.go_on_after_rewind(now);
        }
    }

    /// What was taken back; none if the changes stay.
    pub(super) fn rewound(&mut self, decided: Option<ChangeDecisions>, now: i64) {
        if matches!(self.phase, Phase::Rewinding(_)) {
            self.record_rewind(decided);
            self.go_on_after_rewind(now);
        }
    }

    /// Says what came of the rewind that was announced.
    pub(super) fn record_rewind(&mut self, decided: Option<ChangeDecisions>) {
        let Some(announced) = self.checks.applied.rewinding().cloned() else { return };
        self.record(match decided {
            Some(decided) => Body::Change(ChangeDecisions { calls: announced.calls, ..decided }),
            None => announced.given_up(),
        });
    }

    fn go_on_after_rewind(&mut self, now: i64) {
        if let Phase::Rewinding(rewinding) = std::mem::replace(&mut self.phase, Phase::Idle) {
            self.go_on_after_check(rewinding.then, now);
        }
    }
}
