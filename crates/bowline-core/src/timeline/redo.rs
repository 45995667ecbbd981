//! What can be redone: the undos that nothing but undos and redos came after.

use crate::entry::{Body, Entry};
use crate::item::ChangeState;
use crate::restore_entry::RestoreKind;

/// Why nothing is redone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoRedo {
    /// Nothing was undone, or all of it was redone.
    Nothing,
    /// Something else was done since. This checkpoint still holds what was undone last.
    Passed { checkpoint: String },
}

/// The `seq` of the `restored` entry a redo undoes.
pub(super) fn next(entries: &[Entry]) -> Result<i64, NoRedo> {
    let mut undone: Vec<(i64, &str)> = Vec::new();
    let mut passed: Option<&str> = None;
    for entry in entries {
        match &entry.body {
            Body::Restored(restored) if restored.kind == RestoreKind::Undo => {
                undone.push((entry.seq, restored.undo_checkpoint.as_str()));
            }
            Body::Restored(restored) if restored.kind == RestoreKind::Redo => {
                undone.pop();
            }
            body if moves_on(body) => {
                passed = undone.last().map(|(_, checkpoint)| *checkpoint).or(passed);
                undone.clear();
            }
            _ => {}
        }
    }
    match (undone.last(), passed) {
        (Some((seq, _)), _) => Ok(*seq),
        (None, Some(checkpoint)) => Err(NoRedo::Passed { checkpoint: checkpoint.to_owned() }),
        (None, None) => Err(NoRedo::Nothing),
    }
}

/// Whether an entry changes files or the conversation.
fn moves_on(body: &Body) -> bool {
    match body {
        Body::TurnStarted(_) | Body::RunStarted(_) | Body::Restored(_) => true,
        Body::Change(decided) => decided.state != ChangeState::Pending,
        _ => false,
    }
}
