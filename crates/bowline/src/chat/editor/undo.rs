//! What was changed, so that it can be taken back.
//!
//! Pure. What always holds: changes are taken back in the order opposite to theirs, so each finds the text it left.

use std::collections::VecDeque;

use super::draft::Draft;

/// Changes that can be taken back; past either bound the oldest are forgotten.
const CHANGES_MAX: usize = 1000;
const BYTES_MAX: usize = 16 * 1024 * 1024;

#[derive(Debug, Default)]
pub(super) struct Undo {
    changes: VecDeque<Change>,
    /// Of what was removed.
    bytes: usize,
}

/// At one place something went and something came.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) at: usize,
    pub(super) removed: Draft,
    pub(super) inserted: usize,
    /// Where the cursor was before.
    pub(super) cursor: usize,
}

/// Whether a change goes on where the last one ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Run {
    New,
    Same,
}

impl Undo {
    pub(super) fn record(&mut self, change: Change, run: Run) {
        self.bytes += change.removed.full_len();
        let change = match self.changes.back_mut() {
            Some(last) if run == Run::Same => joined(last, change),
            _ => Some(change),
        };
        self.changes.extend(change);
        while self.changes.len() > CHANGES_MAX || (self.bytes > BYTES_MAX && self.changes.len() > 1) {
            let oldest = self.changes.pop_front();
            self.bytes -= oldest.map_or(0, |change| change.removed.full_len());
        }
    }

    pub(super) fn last(&mut self) -> Option<Change> {
        let change = self.changes.pop_back()?;
        self.bytes -= change.removed.full_len();
        Some(change)
    }

    pub(super) fn forget(&mut self) {
        *self = Undo::default();
    }
}

/// Puts a change into the one before it, if the two are one stretch of text; gives it back if not.
fn joined(last: &mut Change, change: Change) -> Option<Change> {
    let is_typed = change.removed.is_empty() && change.at == last.at + last.inserted;
    let is_deleted = change.inserted == 0 && last.inserted == 0;
    if is_typed {
        last.inserted += change.inserted;
    } else if is_deleted && change.at + change.removed.len() == last.at {
        let mut removed = change.removed;
        removed.append(&last.removed);
        (last.at, last.removed) = (change.at, removed);
    } else if is_deleted && change.at == last.at {
        last.removed.append(&change.removed);
    } else {
        return Some(change);
    }
    None
}
