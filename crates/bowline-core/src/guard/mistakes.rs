//! The mistake guard: different errors in a row.
//!
//! **The streak.** Failures in an unbroken series; a success clears the series and the nudges given. After a phase with a
//! failure: three or more and no nudge yet, a nudge; three or more after a nudge, the turn stops.
//!
//! **The score** runs beside it, for models that read something harmless between two failures and so never have a streak.
//! A failure adds 1; a success that changed something takes 2 away, every second success in a row 1; never below 0. At 5
//! it nudges, unless a warning stands already (a streak's nudge is one; only a score of 2 or less takes it back); at 8,
//! once warned, the turn stops. It only adds: what the streak decides stands.
//!
//! A nudge gets a fair chance: no stop before two more phases. Neither a command that ended non-zero nor a search without
//! hits counts for or against: red tests are information.
//!
//! Figures, in model calls: failures alone are nudged at 3 and stopped at 6; failing and reading in turn at 9 and 15;
//! three failures, a read, three failures are nudged twice and go on.

use super::{Seen, Verdict, Weight};
use crate::outcome::Outcome;
use crate::sentinel::Sentinel;

const STREAK_TRIPS: usize = 3;
const SCORE_WARNS: i64 = 5;
const SCORE_STOPS: i64 = 8;
/// At or below it a warning is taken back.
const SCORE_FORGIVES: i64 = 2;
/// Phases a nudge has before anything stops.
const CHANCE_PHASES: u32 = 2;

const NUDGE: &str = include_str!("nudge.md");

/// The state, kept for one run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mistakes {
    streak: Vec<Outcome>,
    /// Nudges since the last success.
    nudges: u32,
    score: i64,
    /// The failures since the score last stood at 0.
    scored: Vec<Outcome>,
    /// Successes in a row.
    row: u32,
    is_warned: bool,
    /// Phases since the last nudge.
    phases: u32,
}

impl Mistakes {
    /// Takes the outcomes of one phase, in call order.
    pub fn phase(&mut self, seen: &[Seen]) -> Verdict {
        self.phases = self.phases.saturating_add(1);
        let mut has_failed = false;
        for call in seen {
            match classify(call) {
                CallKind::Failure => {
                    self.fail(call.outcome);
                    has_failed = true;
                }
                CallKind::Success => self.succeed(call.weight),
                CallKind::Neither => {}
            }
        }
        if !has_failed {
            return Verdict::Pass;
        }
        self.decide()
    }

    fn fail(&mut self, kind: Outcome) {
        self.streak.push(kind);
        self.score += 1;
        self.scored.push(kind);
        self.row = 0;
    }

    fn succeed(&mut self, weight: Weight) {
        self.streak.clear();
        self.nudges = 0;
        self.row += 1;
        let relief = match weight {
            Weight::Changed => 2,
            _ if self.row.is_multiple_of(2) => 1,
            _ => 0,
        };
        self.score = (self.score - relief).max(0);
        if self.score == 0 {
            self.scored.clear();
        }
        if self.score <= SCORE_FORGIVES {
            self.is_warned = false;
        }
    }

    fn decide(&mut self) -> Verdict {
        let has_chance = self.phases < CHANCE_PHASES;
        if self.streak.len() >= STREAK_TRIPS {
            if self.nudges == 0 {
                let kinds = std::mem::take(&mut self.streak);
                return self.nudge(kinds);
            }
            if !has_chance {
                return stop(self.streak.clone());
            }
            return Verdict::Pass;
        }
        if self.score >= SCORE_STOPS && self.is_warned && !has_chance {
            return stop(self.scored.clone());
        }
        if self.score >= SCORE_WARNS && !self.is_warned {
            self.streak.clear();
            return self.nudge(self.scored.clone());
        }
        Verdict::Pass
    }

    fn nudge(&mut self, kinds: Vec<Outcome>) -> Verdict {
        self.nudges += 1;
        self.phases = 0;
        self.is_warned = true;
        Verdict::Nudge { sentinel: sentinel(kinds, None), note: NUDGE.trim().to_owned() }
    }
}

enum CallKind {
    Failure,
    Success,
    Neither,
}

fn classify(call: &Seen) -> CallKind {
    match call.outcome {
        Outcome::Success => CallKind::Success,
        Outcome::NoResult | Outcome::Interrupted => CallKind::Neither,
        Outcome::PermissionDenied if call.weight == Weight::Declined => CallKind::Neither,
        Outcome::SchemaReject
        | Outcome::ToolNotFound
        | Outcome::ExecError
        | Outcome::PermissionDenied
        | Outcome::ApiError => CallKind::Failure,
    }
}

fn stop(kinds: Vec<Outcome>) -> Verdict {
    Verdict::Stop { sentinel: sentinel(kinds, Some(true)) }
}

fn sentinel(failure_kinds: Vec<Outcome>, can_continue: Option<bool>) -> Sentinel {
    Sentinel::MistakeRecovery {
        count: failure_kinds.len(),
        failure_kinds,
        escalated: can_continue.is_some(),
        can_continue,
    }
}
