//! Repetition that is not literal: arguments that differ only in digits, and a command that keeps failing the same way.

use std::collections::HashMap;

use super::print::{CallPrint, Kind};
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
    /// Steps in a row with such a call, and its last arguments.
    near: HashMap<(String, String), (usize, String)>,
    /// By command: its failure, and how often since it last ended with 0.
    stalled: HashMap<String, (String, usize)>,
    last_call: String,
    /// Counts that were raised in this phase.
    raised: Vec<(LoopPattern, usize)>,
}

impl Repeats {
    pub(super) fn record(&mut self, phase: &[CallPrint]) {
        self.raised.clear();
        self.record_near(phase);
        for print in phase {
            self.record_stall(print);
            self.last_call.clone_from(&print.call);
        }
    }

    /// One step counts once, however many such calls it has; a step without one ends the row.
    fn record_near(&mut self, phase: &[CallPrint]) {
        let before = std::mem::take(&mut self.near);
        for print in phase.iter().filter(|print| !print.is_change) {
            let key = (print.near.clone(), print.near_result.clone());
            let row = match before.get(&key) {
                // The very same call is the exact pattern's matter.
                Some((row, call)) if *call != print.call => row + 1,
                Some((row, _)) => *row,
                None => 1,
            };
            self.near.entry(key).or_insert((row, print.call.clone()));
        }
        let raised = self.near.values().map(|(row, _)| *row).max();
        self.raised.extend(raised.map(|row| (LoopPattern::Near, row)));
    }

    fn record_stall(&mut self, print: &CallPrint) {
        match print.kind {
            Kind::Green { .. } => {
                self.stalled.remove(&print.call);
            }
            // A slow command repeated with nothing between is waiting.
            Kind::Red { is_slow } if !(is_slow && self.last_call == print.call) => {
                let failure = self.stalled.entry(print.call.clone()).or_default();
                if failure.0 != print.stall_result {
                    *failure = (print.stall_result.clone(), 0);
                }
                failure.1 += 1;
                self.raised.push((LoopPattern::Stall, failure.1));
            }
            Kind::Red { .. } | Kind::Other => {}
        }
    }

    pub(super) fn act(&mut self) -> Verdict {
        let mut verdict = Verdict::Pass;
        for (pattern, count) in self.raised.drain(..) {
            let (notes, stops, note) = match pattern {
                LoopPattern::Near => (NEAR_NOTES, NEAR_STOPS, NEAR),
                _ => (STALL_NOTES, STALL_STOPS, STALL),
            };
            if count >= stops {
                return Verdict::Stop { sentinel: sentinel(pattern, count, true) };
            }
            if count == notes && verdict == Verdict::Pass {
                let sentinel = sentinel(pattern, count, false);
                verdict = Verdict::Nudge { sentinel, note: note.trim().to_owned() };
            }
        }
        verdict
    }
}
