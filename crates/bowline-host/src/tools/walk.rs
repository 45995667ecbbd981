//! The project's walk for a tool: it ends when the call is cancelled, and when the tool has seen enough.

use std::path::Path;

use ignore::DirEntry;

use super::{Stop, Tool};
use crate::walk::Walk;

impl Tool<'_> {
    /// Calls `each` for every entry below a folder, or for the file itself, until it says stop.
    pub(super) fn walk(
        &self,
        from: &Path,
        depth_max: Option<usize>,
        mut each: impl FnMut(&DirEntry) -> Result<Next, Stop>,
    ) -> Result<(), Stop> {
        for entry in Walk::of(self.workspace, from).depth_max(depth_max).entries() {
            self.check_cancelled()?;
            if each(&entry)? == Next::Stop {
                break;
            }
        }
        Ok(())
    }
}

/// Whether a walk goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    GoOn,
    Stop,
}
