//! Repetition that is not literal: arguments that differ only in digits, and a command that keeps failing the same way.

use std::collections::HashMap;

use super::fingerprint::{CallFingerprint, Kind};
use super::near::Near;
use super::sentinel;
use crate::guard::Verdict;
use crate::sentinel::LoopPattern;

const NEAR_NOTES: usize = 6;
const NEAR_STOPS: usize = 12;
const STALL_NOTES: usize = 4;
const STALL_STOPS: usize = 7;

const NEAR: &str = include_str!("near.md");
const STALL: &str = include_str!("stall.md");

#[derive(Debug, Default)]
pub(super) struct Repeats {
    near: Near,
    /// By command and its last failure: how often since it last ended with 0.
    stalled: HashMap<String, Row>,
    /// The same for commands that differ only in digits, by their family. A failure counts here only if files were changed since
    /// the last one: without a change between them, they are numbered repetition.
    stalled_families: HashMap<String, Row>,
    last_call: String,
    /// Rows that grew in this phase.
    raised: Vec<Raised>,
}

#[derive(Debug, Clone, Default)]
struct Row {
    count: usize,
    /// How the command fails.
    last: String,
    /// Whether the model was told. Another guard may have acted when the note was due: it is given in the next step then,
    /// and nobody is stopped who was not told.
    is_noted: bool,
    /// Whether files were changed since the last failure.
    is_changed: bool,
}

#[derive(Debug, PartialEq)]
enum Raised {
    Near,
    Stall(String),
    StallOfFamily(String),
}

impl Row {
    fn fail(&mut self, result: &str) {
        if self.last != result {
            *self = Row { last: result.to_owned(), ..Row::default() };
        }
        self.count += 1;
        self.is_changed = false;
    }
}

impl Repeats {
    /// Takes the calls of a phase. `known` says of each whether the run has had it before, with the same result.
    pub(super) fn record(&mut self, phase: &[CallFingerprint], known: &[bool]) {
        self.raised.clear();
        if self.near.record(phase, known) {
            self.raised.push(Raised::Near);
        }
        for fingerprint in phase {
            self.record_stall(fingerprint);
            self.last_call.clone_from(&fingerprint.call);
        }
    }

    fn record_stall(&mut self, fingerprint: &CallFingerprint) {
        if fingerprint.is_change {
            self.stalled_families.values_mut().for_each(|row| row.is_changed = true);
        }
        match fingerprint.kind {
            Kind::Green { .. } => {
                self.stalled.remove(&fingerprint.call);
                self.stalled_families.remove(&fingerprint.family);
            }
            // A slow command repeated with nothing between is waiting.
            Kind::Red { is_slow } if !(is_slow && self.last_call == fingerprint.call) => {
                self.fail(fingerprint);
            }
            Kind::Red { .. } | Kind::Other => {}
        }
    }

    fn fail(&mut self, fingerprint: &CallFingerprint) {
        let (call, family, result) = (&fingerprint.call, &fingerprint.family, &fingerprint.stall_result);
        let row = self.stalled.entry(call.clone()).or_default();
        row.fail(result);
        let count = row.count;
        self.raise(Raised::Stall(call.clone()));
        let row = self.stalled_families.entry(family.clone()).or_default();
        if row.is_changed || row.last != *result {
            row.fail(result);
            // One command alone is told of once.
            if row.count > count {
                self.raise(Raised::StallOfFamily(family.clone()));
            }
        }
    }

    fn raise(&mut self, raised: Raised) {
        if !self.raised.contains(&raised) {
            self.raised.push(raised);
        }
    }

    pub(super) fn act(&mut self) -> Verdict {
        let mut verdict = Verdict::Pass;
        for raised in std::mem::take(&mut self.raised) {
            let (pattern, notes, stops, note) = match &raised {
                Raised::Near => (LoopPattern::Near, NEAR_NOTES, NEAR_STOPS, NEAR),
                Raised::Stall(_) | Raised::StallOfFamily(_) => {
                    (LoopPattern::Stall, STALL_NOTES, STALL_STOPS, STALL)
                }
            };
            let row = match &raised {
                Raised::Near => Some((self.near.count, &mut self.near.is_noted)),
                Raised::Stall(call) => self.stalled.get_mut(call).map(|row| (row.count, &mut row.is_noted)),
                Raised::StallOfFamily(family) => {
                    self.stalled_families.get_mut(family).map(|row| (row.count, &mut row.is_noted))
                }
            };
            let Some((count, is_noted)) = row else { continue };
            if count >= stops && *is_noted {
                return Verdict::Stop { sentinel: sentinel(pattern, count, true) };
            }
            if count >= notes && !*is_noted && verdict == Verdict::Pass {
                *is_noted = true;
                let sentinel = sentinel(pattern, count, false);
                verdict = Verdict::Nudge { sentinel, note: note.trim().to_owned() };
            }
        }
        verdict
    }
}
