//! What the check said of files that a checkpoint holds, so that the next run on the same files need not run it again. A fold over
//! the log.
//!
//! What always holds: a result counts only for a checkpoint that was taken of the very files it speaks of, and only if the
//! files before the run are the same, all of them.

use crate::check::{CheckResult, Checked};
use crate::checkpoint::{Checkpoint, Moment};
use crate::entry::Body;

#[derive(Debug, Default)]
pub(super) struct KnownResult {
    /// The commit of a checkpoint after a run, and what the check said of the files in it.
    of: Option<(String, Checked)>,
    /// Whether the files before this run are those.
    is_of_run: bool,
}

impl KnownResult {
    /// `current`: the last result, if nothing can have changed the files since.
    pub(super) fn apply(&mut self, body: &Body, current: Option<&Checked>) {
        match body {
            Body::RunStarted(_) => self.is_of_run = false,
            Body::Checkpoint(Checkpoint { moment: Moment::Before, commit, .. }) => {
                self.is_of_run = self.of.as_ref().is_some_and(|(known, _)| commit.as_ref() == Some(known));
            }
            Body::Checkpoint(Checkpoint { moment: Moment::After, commit: Some(commit), .. }) => {
                let is_plain =
                    |checked: &&Checked| matches!(checked.result, CheckResult::Passed | CheckResult::Failed);
                // Without a new result the old one stands for its own files.
                if let Some(current) = current.filter(is_plain) {
                    self.of = Some((commit.clone(), current.clone()));
                }
            }
            _ => {}
        }
    }

    /// What the check said of the files as they were before this run.
    pub(super) fn before_run(&self) -> Option<&Checked> {
        self.of.as_ref().filter(|_| self.is_of_run).map(|(_, checked)| checked)
    }
}
