//! The changes that the calls of this run made to files, with their ids in the session, so that the program can take its own
//! back. A fold over the log.
//!
//! What always holds: changes of earlier runs and of other turns are counted, so that the ids are right, and never listed.

use crate::entry::Body;
use crate::item::ChangeState;
use crate::review::change_id;
use crate::rewind_entry::{OpenRewinding, Rewinding};

#[derive(Debug, Default)]
pub(super) struct Applied {
    /// Changes of the session so far, in whatever state.
    count: usize,
    /// Those of this run that are in the files, oldest first.
    run: Vec<AppliedChange>,
    rewinding: OpenRewinding,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AppliedChange {
    pub(super) id: String,
    /// The call that made it.
    pub(super) item: String,
    pub(super) path: String,
}

impl Applied {
    pub(super) fn apply(&mut self, body: &Body) {
        self.rewinding.apply(body);
        match body {
            Body::RunStarted(_) => self.run.clear(),
            Body::ItemCompleted { item } => {
                for edit in item.result.iter().flat_map(|result| &result.edits) {
                    self.count += 1;
                    if edit.state == ChangeState::Applied {
                        self.run.push(AppliedChange {
                            id: change_id(self.count),
                            item: item.id.clone(),
                            path: edit.path.clone(),
                        });
                    }
                }
            }
            Body::Change(decided) if decided.state == ChangeState::Rewound => {
                self.run.retain(|change| !decided.changes.iter().any(|one| one.id == change.id));
            }
            _ => {}
        }
    }

    /// What the program is about to take back.
    pub(super) fn rewinding(&self) -> Option<&Rewinding> {
        self.rewinding.get()
    }

    pub(super) fn len(&self) -> usize {
        self.run.len()
    }

    /// The changes after the first so many, newest first.
    pub(super) fn after(&self, len: usize) -> Vec<AppliedChange> {
        self.run.iter().skip(len).rev().cloned().collect()
    }
}
