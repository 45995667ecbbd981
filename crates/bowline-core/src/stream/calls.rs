//! Call pieces into calls.
//!
//! Servers number calls, or don't; give ids, or don't; share an index between two calls; repeat an empty name. The rule:
//! a piece belongs to the call of its index or id, else to the last one; a new id or a new name after complete arguments
//! opens a new call. After [`CALLS_PER_ANSWER_MAX`] calls the rest of the answer's are left out.

use serde_json::Value;

use crate::limits::CALLS_PER_ANSWER_MAX;
use crate::wire::CallPiece;

/// A call as the model wrote it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RawCall {
    index: Option<i64>,
    id: Option<String>,
    pub name: String,
    pub arguments: String,
    /// Where it came from.
    pub origin: Origin,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Origin {
    /// The server's structured calls.
    #[default]
    Wire,
    /// Written into the text.
    Text,
    /// Out of the error of a server that could not read it.
    Unread,
}

impl RawCall {
    /// Whether the arguments are JSON; none at all counts as an empty object.
    pub fn is_complete(&self) -> bool {
        self.arguments.trim().is_empty() || serde_json::from_str::<Value>(&self.arguments).is_ok()
    }
}

#[derive(Debug, Default)]
pub(super) struct Calls {
    list: Vec<RawCall>,
    /// Whether a call was left out: pieces that come later may be that one's.
    is_full: bool,
}

impl Calls {
    /// Calls that stood in the text; there were none on the wire.
    pub(super) fn lift(&mut self, calls: Vec<(String, String)>) {
        let call =
            |(name, arguments)| RawCall { name, arguments, origin: Origin::Text, ..RawCall::default() };
        self.list = calls.into_iter().take(CALLS_PER_ANSWER_MAX).map(call).collect();
    }

    /// The call a server could not read. What has already come of it on the wire is what it was.
    pub(super) fn take_unread(&mut self, call: (String, String)) {
        if self.list.is_empty() {
            self.lift(vec![call]);
        }
        self.list.iter_mut().for_each(|call| call.origin = Origin::Unread);
    }

    pub(super) fn list(&self) -> &[RawCall] {
        &self.list
    }

    pub(super) fn push(&mut self, piece: CallPiece) {
        if self.is_full {
            return;
        }
        let at = self.place(&piece);
        let Some(call) = at.and_then(|at| self.list.get_mut(at)) else {
            self.is_full = self.list.len() >= CALLS_PER_ANSWER_MAX;
            if self.is_full {
                return;
            }
            self.list.push(RawCall {
                index: piece.index,
                id: piece.id,
                name: piece.name.unwrap_or_default(),
                arguments: piece.arguments,
                origin: Origin::Wire,
            });
            return;
        };
        if call.id.is_none() {
            call.id = piece.id;
        }
        if call.name.is_empty() {
            call.name = piece.name.unwrap_or_default();
        }
        call.arguments.push_str(&piece.arguments);
    }

    /// The call a piece belongs to; none: it opens a new one.
    fn place(&self, piece: &CallPiece) -> Option<usize> {
        let is_at = |call: &RawCall| piece.index.is_none() || call.index == piece.index;
        let by_id = piece
            .id
            .as_ref()
            .and_then(|id| self.list.iter().rposition(|call| call.id.as_ref() == Some(id) && is_at(call)));
        if by_id.is_some() {
            return by_id;
        }
        let candidate = match piece.index {
            Some(index) => self.list.iter().rposition(|call| call.index == Some(index))?,
            None if piece.name.is_some() => return None,
            None => self.list.len().checked_sub(1)?,
        };
        let call = self.list.get(candidate)?;
        let is_other_id = piece.id.is_some() && call.id.is_some();
        let is_other_name = piece.name.as_ref().is_some_and(|name| {
            !call.name.is_empty() && !call.arguments.is_empty() && (call.name != *name || call.is_complete())
        });
        (!is_other_id && !is_other_name).then_some(candidate)
    }
}
