//! Exact repetition and cycles, found at the end of the history; and the pattern that is being repeated.

use super::fingerprint::CallFingerprint;
use crate::sentinel::LoopPattern;

const EXACT_TRIPS: usize = 3;
const COMMAND_TRIPS: usize = 5;
const SLOW_TRIPS: usize = 8;
const POLL_TRIPS: usize = 5;
/// Rounds of a poll after the model was told: a server that comes up at the seventh try is still seen.
const POLL_ROUNDS_MORE: usize = 2;
const PERIOD_MAX: usize = 6;

/// Calls that repeat: one, or a cycle.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pattern {
    block: Vec<CallFingerprint>,
    times: usize,
}

impl Pattern {
    /// What the history ends with, by its shortest period.
    pub(super) fn find(history: &[CallFingerprint]) -> Option<Pattern> {
        let last = history.last()?;
        let times = match (last.kind.is_command(), last.kind.is_slow()) {
            (_, true) => SLOW_TRIPS,
            (true, false) => COMMAND_TRIPS,
            (false, false) => EXACT_TRIPS,
        };
        if repeats(history, 1, times) {
            return Some(Pattern { block: vec![last.clone()], times });
        }
        (2..=PERIOD_MAX).find_map(|period| {
            let block = history.get(history.len().checked_sub(period)?..)?;
            let all_commands = block.iter().all(|fingerprint| fingerprint.kind.is_command());
            let times = match (period, all_commands) {
                _ if is_poll(block) => POLL_TRIPS,
                (2, true) => 5,
                (2, false) => 3,
                _ => 2,
            };
            // A cycle of two is no cycle of four.
            let has_shorter = (1..period).any(|shorter| repeats_within(block, shorter));
            let all_equal = block.iter().all(|fingerprint| fingerprint.call == last.call);
            let is_cycle = !all_equal && !has_shorter && repeats(history, period, times);
            is_cycle.then(|| Pattern { block: block.to_vec(), times })
        })
    }

    /// Calls it consists of.
    pub(super) fn count(&self) -> usize {
        self.block.len() * self.times
    }
}

/// Whether a cycle is a way of waiting for something: one of its calls lets time pass.
fn is_poll(block: &[CallFingerprint]) -> bool {
    block.len() > 1 && block.iter().any(|fingerprint| fingerprint.is_pause)
}

/// Whether the history ends with `times` blocks of this period.
fn repeats(history: &[CallFingerprint], period: usize, times: usize) -> bool {
    let tail = history.len().checked_sub(period * times).and_then(|start| history.get(start..));
    tail.is_some_and(|tail| repeats_within(tail, period))
}

fn repeats_within(calls: &[CallFingerprint], period: usize) -> bool {
    let same = |(a, b): (&CallFingerprint, &CallFingerprint)| a.call == b.call && a.result == b.result;
    calls.iter().zip(calls.iter().skip(period)).all(same)
}

/// A pattern the model was told about.
#[derive(Debug)]
pub(super) struct Active {
    pattern: Pattern,
    /// How often it was done once more.
    pub(super) answers: usize,
    pub(super) answers_max: usize,
    /// The call, counted from 1, that first gave the result.
    first: usize,
}

impl Active {
    pub(super) fn new(pattern: Pattern, calls: usize) -> Active {
        let block = &pattern.block;
        let answers_max = match block.as_slice() {
            block if is_poll(block) => block.len() * POLL_ROUNDS_MORE,
            [only] if only.kind.is_slow() => 6,
            [first, second] if first.kind.is_command() && second.kind.is_command() => 4,
            _ => 2,
        };
        let first = (calls + 1).saturating_sub(pattern.count());
        Active { pattern, answers: 0, answers_max, first }
    }

    pub(super) fn kind(&self) -> LoopPattern {
        if self.pattern.block.len() == 1 { LoopPattern::Exact } else { LoopPattern::Cycle }
    }

    pub(super) fn count(&self) -> usize {
        self.pattern.count() + self.answers
    }

    pub(super) fn has(&self, call: &str) -> bool {
        self.pattern.block.iter().any(|fingerprint| fingerprint.call == call)
    }

    pub(super) fn is_same(&self, fingerprint: &CallFingerprint) -> bool {
        self.pattern
            .block
            .iter()
            .any(|known| known.call == fingerprint.call && known.result == fingerprint.result)
    }

    /// For the model: at most 60 words, with two things to do next.
    pub(super) fn words(&self, fingerprint: &CallFingerprint, calls: usize) -> String {
        let place = self.pattern.block.iter().position(|known| known.call == fingerprint.call).unwrap_or(0);
        let same = (self.first + place).min(calls);
        let next = if fingerprint.kind.is_command() {
            "Change a file before you run it again, or answer with what is left."
        } else {
            "Use what you have already read to make the change, or look somewhere else."
        };
        format!("Note: the same as in call {same}: doing it again changes nothing. {next}")
    }
}
