//! What a turn did to the files: of a run with a checkpoint before and after it how these differ, commands included; of any
//! other what its calls said they edited, added up.

use std::collections::BTreeMap;

use crate::checkpoint::{Checkpoint, Moment};
use crate::entry::{Body, Change, Entry};
use crate::item::{ChangeState, Item};
use crate::visible::visible;

/// Lines added and removed by path.
type Lines = BTreeMap<String, (i64, i64)>;

#[derive(Debug, Clone, Default)]
pub struct Changes {
    /// The changes of the turn's earlier runs.
    earlier: Lines,
    run: Lines,
    /// What the calls of the run changed, each with its path.
    calls: Vec<(String, String, (i64, i64))>,
}

impl Changes {
    pub fn apply(&mut self, body: &Body) {
        match body {
            Body::RunStarted(_) => {
                self.calls.clear();
                for (path, lines) in std::mem::take(&mut self.run) {
                    add(&mut self.earlier, &path, lines);
                }
            }
            Body::ItemCompleted { item: Item { id, result: Some(result), .. } } => {
                // What waits for the user has changed no file.
                for edit in result.edits.iter().filter(|edit| edit.state == ChangeState::Applied) {
                    add(&mut self.run, &edit.path, (edit.added, edit.removed));
                    self.calls.push((id.clone(), edit.path.clone(), (edit.added, edit.removed)));
                }
            }
            Body::Change(decided) if decided.is_programs_rewind() => {
                let (rewound, kept) = std::mem::take(&mut self.calls)
                    .into_iter()
                    .partition(|(id, ..): &(String, String, (i64, i64))| decided.calls.contains(id));
                self.calls = kept;
                for (_, path, (added, removed)) in rewound {
                    add(&mut self.run, &path, (-added, -removed));
                    let is_as_before = !self.calls.iter().any(|(_, other, _)| *other == path);
                    if is_as_before {
                        self.run.remove(&path);
                    }
                }
            }
            Body::Checkpoint(Checkpoint { moment: Moment::After, commit: Some(_), changes, .. }) => {
                self.run.clear();
                for change in changes {
                    add(&mut self.run, &change.path, (change.added, change.removed));
                }
            }
            _ => {}
        }
    }

    pub fn list(&self) -> Vec<Change> {
        let mut all = self.earlier.clone();
        for (path, lines) in &self.run {
            add(&mut all, path, *lines);
        }
        let change = |(path, (added, removed))| Change { path, added, removed };
        all.into_iter().map(change).collect()
    }
}

fn add(lines: &mut Lines, path: &str, (more, less): (i64, i64)) {
    let (added, removed) = lines.entry(path.to_owned()).or_default();
    *added += more;
    *removed += less;
}

/// The changes of one turn of a log.
pub fn of_turn(entries: &[Entry], turn: Option<&str>) -> Vec<Change> {
    let mut changes = Changes::default();
    for entry in visible(entries).into_iter().filter(|entry| entry.turn.as_deref() == turn) {
        changes.apply(&entry.body);
    }
    changes.list()
}
