//! Changes that wait for the user, on top of the disk.
//!
//! In review mode nothing is written: a write becomes one more change that waits, and a read is what the disk holds with
//! those changes made in it, in their order. Each is found anew in what the disk holds now; one that does not fit any more
//! is left out, and whoever wants to apply it is told why.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bowline_core::limits::PATCH_BYTES_MAX;
use bowline_core::review::Review;
use bowline_core::tool_output::Grant;
use bowline_edit::Patch;

use super::{Expected, FileError, FileRead, Hash, Kind, Resolved, Workspace};

/// The changes of one session that wait, oldest first.
#[derive(Debug, Default)]
pub(super) struct Pending(Mutex<Vec<Waits>>);

#[derive(Debug, Clone)]
struct Waits {
    real: PathBuf,
    patch: Patch,
    /// Those of its hunks that nobody has decided about.
    hunks: Vec<usize>,
}

/// A file to be read: the disk's, or with what waits.
#[derive(Debug)]
pub enum Opened {
    Disk(File),
    Content(Cursor<Vec<u8>>),
}

impl Read for Opened {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Opened::Disk(file) => file.read(buffer),
            Opened::Content(content) => content.read(buffer),
        }
    }
}

impl Pending {
    fn of(&self, real: &Path) -> Vec<Waits> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter(|waits| waits.real == real).cloned().collect()
    }

    fn new_files(&self) -> Vec<PathBuf> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter(|waits| waits.patch.before.is_none()).map(|waits| waits.real.clone()).collect()
    }

    fn push(&self, waits: Waits) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(waits);
    }

    fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

impl Workspace {
    /// This workspace in review mode, with the changes that are already pending.
    pub fn reviewing(self, review: &Review) -> Workspace {
        let pending = Pending::default();
        for change in review.pending() {
            let file = self.resolve(&change.edit.path, Grant::Outside);
            if let (Ok(file), Some(patch)) = (file, &change.edit.patch) {
                pending.push(Waits { real: file.real, patch: patch.clone(), hunks: change.pending() });
            }
        }
        Workspace { pending: Some(Arc::new(pending)), ..self }
    }

    pub fn is_reviewing(&self) -> bool {
        self.pending.is_some()
    }

    /// How many changes wait.
    pub fn waiting(&self) -> usize {
        self.pending.as_ref().map_or(0, |pending| pending.len())
    }

    /// Files below a folder, or that file, which only wait to be made, in the order of their paths.
    pub fn waiting_files(&self, below: &Path) -> Vec<Resolved> {
        let mut files = self.pending.as_ref().map_or_else(Vec::new, |pending| pending.new_files());
        files.retain(|real| real.starts_with(below) && !real.exists());
        files.sort();
        files.dedup();
        let resolved = |real: PathBuf| Resolved { display: self.display(&real), real, kind: Kind::File };
        files.into_iter().map(resolved).filter(|file| self.read(file).is_ok()).collect()
    }

    /// What a path without anything on the disk is by what waits.
    pub(super) fn kind_waiting(&self, real: &Path) -> Kind {
        let below = self.waiting_files(real);
        match below.iter().any(|file| file.real == real) {
            true => Kind::File,
            false if below.is_empty() => Kind::Missing,
            false => Kind::Folder,
        }
    }

    pub(super) fn has_waiting(&self, real: &Path) -> bool {
        self.pending.as_ref().is_some_and(|pending| !pending.of(real).is_empty())
    }

    /// A file's content with what waits; none where there is no file.
    pub(super) fn with_waiting(&self, real: &Path, disk: Option<Vec<u8>>) -> Option<Vec<u8>> {
        let all = self.pending.as_ref().map_or_else(Vec::new, |pending| pending.of(real));
        all.iter().fold(disk, |now, waits| waits.patch.apply_hunks(now.as_deref(), &waits.hunks).ok().or(now))
    }

    /// Takes a new content as a change that waits.
    pub(super) fn queue(
        &self,
        pending: &Pending,
        file: &Resolved,
        content: &[u8],
        expected: Expected,
    ) -> Result<(), FileError> {
        self.check(file, expected)?;
        let now = match self.read(file) {
            Ok(FileRead { bytes, .. }) => Some(bytes),
            Err(FileError::Missing { .. }) => None,
            Err(error) => return Err(error),
        };
        let patch = Patch::between(now.as_deref(), content);
        if patch.bytes() > PATCH_BYTES_MAX {
            return Err(FileError::TooLargeToWait { path: file.display.clone() });
        }
        let hunks = (0..patch.hunks.len()).collect();
        pending.push(Waits { real: file.real.clone(), patch, hunks });
        Ok(())
    }
}

/// A content as it is read.
pub(super) fn file_read(bytes: Vec<u8>) -> FileRead {
    FileRead { hash: Hash::of(&bytes), bytes }
}
