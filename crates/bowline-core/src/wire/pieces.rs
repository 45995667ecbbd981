//! What a decoder makes of the wire: deltas, the same for every server.

use crate::entry::Usage;
use crate::item::ReasoningField;

/// One piece of a model's answer, in the order it came.
#[derive(Debug, Clone, PartialEq)]
pub enum Delta {
    Text(String),
    Reasoning {
        field: ReasoningField,
        text: String,
    },
    Call(CallPiece),
    Usage(Usage),
    /// How much of the prompt has been read: no token, but a sign of life.
    Progress {
        percent: i64,
    },
    /// Somebody else is being served first.
    Queued,
    /// Anything else that says the server is alive.
    Alive,
    Finish(Finish),
    /// The server gave up in the middle of a 200.
    Error(String),
}

/// A piece of a call, as loosely as servers send them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CallPiece {
    pub index: Option<i64>,
    /// Never empty.
    pub id: Option<String>,
    /// Never empty.
    pub name: Option<String>,
    /// To be appended to what came before.
    pub arguments: String,
}

/// Why the model ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// By itself, or by asking for tools.
    Ended,
    /// It ran into the limit of its answer or its window.
    Length,
}
