//! Sentinels: what a guard did, told to the user. No model ever sees one: the payload's fold leaves them out.

use serde::{Deserialize, Serialize};

use crate::outcome::Outcome;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Sentinel {
    /// Several errors in a row: guidance was given, or the turn was stopped.
    MistakeRecovery {
        /// In call order, repeats kept.
        failure_kinds: Vec<Outcome>,
        count: usize,
        escalated: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        can_continue: Option<bool>,
    },
    /// The same thing again: the model was told, or the turn was stopped.
    DoomLoop {
        pattern: LoopPattern,
        count: usize,
        escalated: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        can_continue: Option<bool>,
    },
    /// The run used up its steps or its time.
    CapHit { limit: Cap, can_continue: bool },
    /// The model answered nothing that could be used.
    NoAnswer { reason: NoAnswer, can_continue: bool },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoopPattern {
    Exact,
    Cycle,
    Near,
    Stall,
    /// A stream that repeats itself.
    Text,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cap {
    Steps,
    Time,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoAnswer {
    Empty,
    Reasoning,
    TextLoop,
}
