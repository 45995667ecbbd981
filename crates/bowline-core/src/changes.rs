//! What a turn's edits did to the files, added up from its calls. Commands may have changed more; only edits are known.

use std::collections::BTreeMap;

use crate::entry::{Body, Change, Entry};
use crate::item::{ChangeState, Item};

/// Lines added and removed by path.
#[derive(Debug, Clone, Default)]
pub struct Changes(BTreeMap<String, (i64, i64)>);

impl Changes {
    pub fn apply(&mut self, body: &Body) {
        if let Body::ItemCompleted { item: Item { result: Some(result), .. } } = body {
            // What waits for the user has changed no file.
            for edit in result.edits.iter().filter(|edit| edit.state == ChangeState::Applied) {
                let (added, removed) = self.0.entry(edit.path.clone()).or_default();
                *added += edit.added;
                *removed += edit.removed;
            }
        }
    }

    pub fn list(&self) -> Vec<Change> {
        let change = |(path, (added, removed)): (&String, &(i64, i64))| Change {
            path: path.clone(),
            added: *added,
            removed: *removed,
        };
        self.0.iter().map(change).collect()
    }
}

/// The changes of one turn of a log.
pub fn of_turn(entries: &[Entry], turn: Option<&str>) -> Vec<Change> {
    let mut changes = Changes::default();
    for entry in entries.iter().filter(|entry| entry.turn.as_deref() == turn) {
        changes.apply(&entry.body);
    }
    changes.list()
}
