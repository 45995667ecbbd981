//! Repetition that is not literal: arguments that differ only in digits, and a command that keeps failing the same way.

use std::collections::HashMap;

use super::fingerprint::{CallFingerprint, Kind};
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
    /// Steps in a row with such a call.
    near: HashMap<Key, Row>,
    /// By command and its last failure: how often since it last ended with 0.
    stalled: HashMap<String, Row>,
    last_call: String,
    /// Rows that grew in this phase.
    raised: Vec<Raised>,
}

/// A call with its digits masked, and what came of it.
type Key = (String, String);

#[derive(Debug, Clone, Default)]
struct Row {
    count: usize,
    /// Near: the last call of the row. Stall: how it fails.
    last: String,
    /// Whether the model was told. Another guard may have acted when the note was due: it is given in the next step then,
    /// and nobody is stopped who was not told.
    is_noted: bool,
}

#[derive(Debug, PartialEq)]
enum Raised {
    Near(Key),
    Stall(String),
}

impl Repeats {
    pub(super) fn record(&mut self, phase: &[CallFingerprint]) {
        self.raised.clear();
        self.record_near(phase);
        for fingerprint in phase {
            self.record_stall(fingerprint);
            self.last_call.clone_from(&fingerprint.call);
        }
    }

    /// One step counts once, however many such calls it has; a step without one ends the row.
    fn record_near(&mut self, phase: &[CallFingerprint]) {
        let before = std::mem::take(&mut self.near);
        for fingerprint in phase.iter().filter(|fingerprint| !fingerprint.is_change) {
            let key = (fingerprint.near.clone(), fingerprint.near_result.clone());
            let mut row = before.get(&key).cloned().unwrap_or_default();
            // The very same call is the exact pattern's matter.
            if row.last != fingerprint.call {
                row.count += 1;
            }
            row.last.clone_from(&fingerprint.call);
            self.near.entry(key).or_insert(row);
        }
        let longest = self.near.iter().max_by_key(|(key, row)| (row.count, *key));
        self.raised.extend(longest.map(|(key, _)| Raised::Near(key.clone())));
    }

    fn record_stall(&mut self, fingerprint: &CallFingerprint) {
        match fingerprint.kind {
            Kind::Green { .. } => {
                self.stalled.remove(&fingerprint.call);
            }
            // A slow command repeated with nothing between is waiting.
            Kind::Red { is_slow } if !(is_slow && self.last_call == fingerprint.call) => {
                let row = self.stalled.entry(fingerprint.call.clone()).or_default();
                if row.last != fingerprint.stall_result {
                    *row = Row { last: fingerprint.stall_result.clone(), ..Row::default() };
                }
                row.count += 1;
                let raised = Raised::Stall(fingerprint.call.clone());
                if !self.raised.contains(&raised) {
                    self.raised.push(raised);
                }
            }
            Kind::Red { .. } | Kind::Other => {}
        }
    }

    pub(super) fn act(&mut self) -> Verdict {
        let mut verdict = Verdict::Pass;
        for raised in std::mem::take(&mut self.raised) {
            let (row, pattern, notes, stops, note) = match &raised {
                Raised::Near(key) => {
                    (self.near.get_mut(key), LoopPattern::Near, NEAR_NOTES, NEAR_STOPS, NEAR)
                }
                Raised::Stall(command) => {
                    (self.stalled.get_mut(command), LoopPattern::Stall, STALL_NOTES, STALL_STOPS, STALL)
                }
            };
            let Some(row) = row else { continue };
            if row.count >= stops && row.is_noted {
                return Verdict::Stop { sentinel: sentinel(pattern, row.count, true) };
            }
            if row.count >= notes && !row.is_noted && verdict == Verdict::Pass {
                row.is_noted = true;
                let sentinel = sentinel(pattern, row.count, false);
                verdict = Verdict::Nudge { sentinel, note: note.trim().to_owned() };
            }
        }
        verdict
    }
}
