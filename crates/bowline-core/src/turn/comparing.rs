//! Whether the commands of a turn changed files: a command does not say so, and the turn is about to end.
//!
//! The host compares the files with the turn's first checkpoint, so that edits and commands are seen alike. No entry says what
//! came of it: a process that goes on asks again. What always holds: the host is asked once after the last command that may
//! have changed files, and where it does not know, the turn ends as if nothing had been asked.

use super::checking::Account;
use super::{Effect, Machine, Phase};
use crate::checkpoint::Compared;
use crate::entry::Access;

/// What the turn was about to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    /// The model has answered without a call.
    Answer,
    /// The turn ends, with the last word of this one.
    End(Account),
}

impl Machine {
    /// Whether commands ran whose changes nobody has looked at, and something depends on them.
    pub(super) fn awaits_comparison(&self) -> bool {
        let can_write = self.setup.access == Access::Write && self.access == Access::Write;
        let is_wanted = self.is_checked() || self.signs.is_change_uncertain();
        self.checks.has_unseen_commands() && can_write && is_wanted && self.checkpoints.first_commit.is_some()
    }

    /// Asks how the files differ from the turn's first checkpoint. There has to be one.
    pub(super) fn compare_files(&mut self, due: Due) {
        let since = self.checkpoints.first_commit.clone().unwrap_or_default();
        self.effects.push(Effect::CompareFiles { since });
        self.phase = Phase::Comparing(due);
    }

    pub(super) fn files_compared(&mut self, compared: Option<Compared>, now: i64) {
        let Phase::Comparing(due) = self.phase else { return };
        self.phase = Phase::Idle;
        if let Some(compared) = &compared {
            self.signs.files_compared(!compared.paths.is_empty());
        }
        self.checks.files_compared(compared);
        if self.conversation.steering_through().is_some() {
            return self.go_on(None, now);
        }
        match due {
            Due::Answer => self.answered_without_call(now),
            Due::End(account) => self.end_checked(account, now),
        }
    }
}
