//! Going through a folder: what `.gitignore` names is left out, hidden files are not, `.git` and our own folders never
//! show up, links are not followed, and the order is always the same.

use std::path::Path;

use ignore::{DirEntry, WalkBuilder};

use super::{Stop, Tool};

impl Tool<'_> {
    /// Calls `each` for every entry below a folder, or for the file itself, until it says stop.
    pub(super) fn walk(
        &self,
        from: &Path,
        depth_max: Option<usize>,
        mut each: impl FnMut(&DirEntry) -> Result<Next, Stop>,
    ) -> Result<(), Stop> {
        let workspace = self.workspace.clone();
        let walk = WalkBuilder::new(from)
            .hidden(false)
            .require_git(false)
            // Rules above a folder that is in no repository are not about it.
            .parents(from.ancestors().any(|folder| folder.join(".git").exists()))
            .max_depth(depth_max)
            .sort_by_file_name(Ord::cmp)
            .filter_entry(move |entry| entry.depth() == 0 || !workspace.is_forbidden(entry.path()))
            .build();
        // An entry that cannot be read, be it for want of permission, is passed over.
        for entry in walk.flatten() {
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

pub(super) fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file())
}
