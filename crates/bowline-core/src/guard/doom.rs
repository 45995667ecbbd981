//! The doom-loop guard: the same thing again.
//!
//! Each call leaves a print: tool and canonical arguments, and its result with times, durations, addresses and temporary
//! paths masked (`fingerprint.rs`).
//!
//! **Exact**: the same call with the same result three times in a row (a command: five; one of 5 s or more is waiting:
//! eight). **Cycle**, by its shortest period: of 2 three times (of two commands: five), of 3 to 6 twice; if one of its commands
//! sleeps, the model waits for something: five times. At the first trip the model reads, instead of the last result, that it
//! is the same as before, and two things to do next. From then on a call of the pattern is still run, and with the same result
//! again answered so; the second such answer stops the turn (of two commands the fourth, of a slow command the sixth, of
//! waiting the last of two more rounds, so that something that is there at the seventh try is seen). Another result of one of
//! its calls, a result new in this run, or a change outside the pattern is progress, and the pattern is forgotten.
//!
//! **Near** (`near.rs`): six steps in a row with a call of one tool whose arguments differ only in digits, with the same
//! result: a note; twelve: stop. **Stall**: the same command ends non-zero with the same result for the fourth time since it
//! last ended with 0, whatever lies between: a note; the seventh: stop. Commands that differ only in digits are one for it if
//! files were changed between them. A check that bowline ran counts like a command, but as another one than the same command
//! of the model's: an edit, the check after it and the model's own test are one round, and each of the two counts it once.
//!
//! Figures, stop at model call: same read 5, same command 7, A-B 8 (two commands 14), A-B-C 8, a six-cycle 14, edit and the
//! same red test 14, an edit and bowline's check 7, offsets past the end 12, commands with another number each 12 (in two turns
//! 13, each behind the same pause 14), a slow command 14, waiting by reading, sleeping and asking 21. A result that changed is
//! progress: polling is legitimate.

mod fingerprint;
mod near;
mod pattern;
mod repeats;

use std::collections::HashSet;

use super::Verdict;
use crate::sentinel::{LoopPattern, Sentinel};

pub(crate) use fingerprint::call_of;
pub use fingerprint::{CallFingerprint, Kind, Seen};

use pattern::{Active, Pattern};
use repeats::Repeats;

/// Calls of a run that are looked back at.
const HISTORY_MAX: usize = 64;

/// The state, kept for one run.
#[derive(Debug, Default)]
pub struct Doom {
    history: Vec<CallFingerprint>,
    /// Everything that came of a call in this run.
    known: HashSet<(String, String)>,
    active: Option<Active>,
    repeats: Repeats,
    /// A pattern that was completed in this phase, and by which call of it.
    tripped: Option<(Pattern, usize)>,
    calls: usize,
}

/// What the guard makes of a phase's calls, before it acts.
#[derive(Debug, Default, PartialEq)]
pub struct Recorded {
    /// Calls of the phase, by place, that the model did once more; they count for no other guard. With what it reads.
    pub again: Vec<(usize, String)>,
}

/// What it does.
#[derive(Debug, PartialEq)]
pub struct Act {
    pub verdict: Verdict,
    /// In place of the result of the call at this place.
    pub answer: Option<(usize, String)>,
}

impl Doom {
    /// Whether a command is part of a loop, so that it is worth waiting before it is run again.
    pub fn is_looping(&self, call: &str) -> bool {
        self.active.as_ref().is_some_and(|active| active.has(call))
    }

    /// A compaction leaves the model nothing to go on with: what it does again is not a loop yet.
    pub fn forget(&mut self) {
        self.active = None;
        self.tripped = None;
        self.history.clear();
    }

    /// Takes the calls of one phase, in call order; identical reads of one step once.
    pub fn record(&mut self, phase: &[CallFingerprint]) -> Recorded {
        let mut recorded = Recorded::default();
        self.tripped = None;
        let mut known = Vec::new();
        for (at, fingerprint) in phase.iter().enumerate() {
            self.calls += 1;
            known.push(self.is_known(fingerprint));
            if let Some(text) = self.again(fingerprint) {
                recorded.again.push((at, text));
            }
            self.known.insert((fingerprint.call.clone(), fingerprint.result.clone()));
            self.history.push(fingerprint.clone());
            if self.history.len() > HISTORY_MAX {
                self.history.remove(0);
            }
            if self.active.is_none() {
                self.tripped = Pattern::find(&self.history).map(|pattern| (pattern, at));
            }
        }
        self.repeats.record(phase, &known);
        recorded
    }

    fn is_known(&self, fingerprint: &CallFingerprint) -> bool {
        self.known.contains(&(fingerprint.call.clone(), fingerprint.result.clone()))
    }

    /// Whether a call goes on with the pattern: the words for the model then. Progress forgets it.
    fn again(&mut self, fingerprint: &CallFingerprint) -> Option<String> {
        let is_known = self.is_known(fingerprint);
        let active = self.active.as_mut()?;
        if active.has(&fingerprint.call) {
            if active.is_same(fingerprint) {
                active.answers += 1;
                return Some(active.words(fingerprint, self.calls));
            }
            self.active = None;
        } else if !is_known || fingerprint.is_change {
            self.active = None;
        }
        None
    }

    /// Decides, where no other guard has acted in this phase.
    pub fn act(&mut self) -> Act {
        if let Some(active) = &self.active
            && active.answers >= active.answers_max
        {
            let verdict = Verdict::Stop { sentinel: sentinel(active.kind(), active.count(), true) };
            return Act { verdict, answer: None };
        }
        if let Some((pattern, at)) = self.tripped.take() {
            let count = pattern.count();
            let active = Active::new(pattern, self.calls);
            let answer = self.history.last().map(|fingerprint| (at, active.words(fingerprint, self.calls)));
            let sentinel = sentinel(active.kind(), count, false);
            self.active = Some(active);
            return Act { verdict: Verdict::Nudge { sentinel, note: String::new() }, answer };
        }
        Act { verdict: self.repeats.act(), answer: None }
    }
}

fn sentinel(pattern: LoopPattern, count: usize, escalated: bool) -> Sentinel {
    Sentinel::DoomLoop { pattern, count, escalated, can_continue: escalated.then_some(true) }
}
