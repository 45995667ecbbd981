//! Guards: they watch the outcomes of each tool phase, and let pass, nudge or stop.
//!
//! Each is a pure module with its rule at its top. Their state lives for one run: it starts afresh with a user's message
//! or *Continue*, so a fold of the run's entries gives it again.

pub mod doom;
pub mod mistakes;
pub mod text;

use crate::outcome::Outcome;
use crate::sentinel::Sentinel;

/// One call of a phase, as guards see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    pub outcome: Outcome,
    pub weight: Weight,
}

/// What a call counts for beside its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// As its outcome says.
    Plain,
    /// It wrote bytes.
    Changed,
    /// Somebody said no, or nobody could be asked: no mistake of the model's.
    Declined,
}

/// What a guard makes of a phase.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    Pass,
    /// The model is told something in the next request; the user sees the sentinel.
    Nudge {
        sentinel: Sentinel,
        note: String,
    },
    /// The turn stops.
    Stop {
        sentinel: Sentinel,
    },
}
