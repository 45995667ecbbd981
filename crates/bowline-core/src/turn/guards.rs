//! After the tool phase: the guards in their order, then the next step or the end of the budget.
//!
//! All record every phase; the first that trips acts, and the others keep silent in it. A budget is a promise to the user
//! and no opinion: a nudge whose request the budget does not allow is not given.

use super::Machine;
use crate::entry::{InPlace, Stop};
use crate::guard::doom::CallFingerprint;
use crate::guard::{Seen, Verdict};
use crate::mode::Mode;
use crate::sentinel::{Cap, Sentinel};

const NUDGE_PLACES: &str = include_str!("notes/nudge_places.md");

/// A call of the phase, as the guards see it.
pub(super) struct Ended {
    pub(super) item: String,
    /// Its own result.
    pub(super) text: String,
    pub(super) seen: Seen,
    /// None for a copy of another call of the step.
    pub(super) fingerprint: Option<CallFingerprint>,
}

impl Ended {
    /// Whether bowline ran it and no call of the model's.
    fn is_check(&self) -> bool {
        self.item.is_empty()
    }
}

impl Machine {
    /// All calls of the step have ended.
    pub(super) fn guard(&mut self, calls: &[Ended], now: i64) {
        let printed: Vec<&Ended> = calls.iter().filter(|call| call.fingerprint.is_some()).collect();
        let prints: Vec<CallFingerprint> =
            printed.iter().filter_map(|call| call.fingerprint.clone()).collect();
        let again = self.doom.record(&prints).again;
        for (at, words) in &again {
            self.answer_in_place(printed.get(*at).copied().filter(|call| !call.is_check()), words);
        }
        // What was done once more counts for no other guard.
        let repeated: Vec<&str> =
            again.iter().filter_map(|(at, _)| printed.get(*at)).map(|call| call.item.as_str()).collect();
        let counted = calls.iter().filter(|call| !repeated.contains(&call.item.as_str()));
        let seen: Vec<Seen> = counted.map(|call| call.seen).collect();
        let mut verdict = self.mistakes.phase(&seen);
        if verdict == Verdict::Pass {
            let act = self.doom.act();
            if let Some((at, words)) = &act.answer {
                // The result of a check is no message: the model reads it with the call before it.
                let call = printed.iter().take(at + 1).rfind(|call| !call.is_check());
                self.answer_in_place(call.copied(), words);
            }
            verdict = act.verdict;
        }
        self.obey(verdict, now);
    }

    /// The model reads these words instead of the result; beside it, where the call changed something.
    fn answer_in_place(&mut self, call: Option<&Ended>, words: &str) {
        let Some(call) = call else { return };
        let is_change = call.fingerprint.as_ref().is_some_and(|fingerprint| fingerprint.is_change);
        let text = if is_change { format!("{}\n\n{words}", call.text) } else { words.to_owned() };
        self.answers.push(InPlace { item: call.item.clone(), text });
    }

    fn obey(&mut self, verdict: Verdict, now: i64) {
        match verdict {
            Verdict::Pass => self.go_on(None, now),
            Verdict::Nudge { sentinel, note } => {
                // A model that chooses from a list has no schemas to read again.
                let is_places =
                    self.mode() == Mode::Constrained && matches!(sentinel, Sentinel::MistakeRecovery { .. });
                let note = if is_places { NUDGE_PLACES.trim().to_owned() } else { note };
                self.go_on(Some((sentinel, note)), now);
            }
            Verdict::Stop { sentinel } => {
                let reason = match &sentinel {
                    Sentinel::DoomLoop { .. } => "The model went round in circles, also after it was told.",
                    _ => "Several errors came in a row and persisted after guidance was given.",
                };
                self.record_sentinel(sentinel);
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
        let note = nudge.and_then(|(sentinel, note)| {
            self.record_sentinel(sentinel);
            Some(note).filter(|note| !note.is_empty())
        });
        match note {
            Some(note) if self.is_by_places() => {
                self.note_for_choice(note);
                self.next_step(None, now);
            }
            note => self.next_step(note, now),
        }
    }
}
