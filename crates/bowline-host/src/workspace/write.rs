//! Writing a file: whole or not at all, and only over what the writer saw.
//!
//! The new content goes to a temporary file in the same folder, is synced, and takes the place of the old one by a
//! rename. A failure at any point leaves the file as it was and no temporary file behind.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use tempfile::NamedTempFile;

use super::{FileError, Hash, Kind, Resolved, Workspace};

/// The name of a file that is to take another's place.
pub(crate) const TEMPORARY_PREFIX: &str = ".bowline-";
pub(crate) const TEMPORARY_SUFFIX: &str = ".tmp";
/// Less what the user's umask takes away.
const NEW_FILE_MODE: u32 = 0o666;
const WRITE_BITS: u32 = 0o222;
const PERMISSION_BITS: u32 = 0o7777;

/// What the writer saw there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    Missing,
    Content(Hash),
}

impl Workspace {
    /// Writes a file's new content. Missing folders on the way are made. In review mode nothing is written: it waits.
    pub fn write(&self, file: &Resolved, content: &[u8], expected: Expected) -> Result<(), FileError> {
        if let Some(pending) = &self.pending {
            return self.queue(pending, file, content, expected);
        }
        let failed = |error| FileError::from_io(&file.display, error);
        let folder = file.real.parent().ok_or_else(|| failed(io::ErrorKind::IsADirectory.into()))?;
        self.make_folder(folder).map_err(failed)?;
        self.check(file, expected)?;
        let temporary = match expected {
            Expected::Missing => prepare(folder, content, None),
            Expected::Content(_) => {
                let now = fs::symlink_metadata(&file.real).map_err(failed)?;
                if now.mode() & WRITE_BITS == 0 {
                    return Err(FileError::ReadOnly { path: file.display.clone() });
                }
                prepare(folder, content, Some(&now))
            }
        };
        let temporary = temporary.map_err(failed)?;
        // The content took a while to reach the disk: look again, as late as possible.
        self.check(file, expected)?;
        match expected {
            Expected::Missing => temporary.persist_noclobber(&file.real),
            Expected::Content(_) => temporary.persist(&file.real),
        }
        .map_err(|error| match error.error.kind() {
            io::ErrorKind::AlreadyExists => FileError::Changed { path: file.display.clone() },
            _ => failed(error.error),
        })?;
        // The rename itself is durable only with its folder; a file system that cannot sync one loses nothing else.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
        Ok(())
    }

    /// Deletes a file that bowline made and nobody changed: only as long as it holds what it was made with. Its folder stays.
    pub fn remove_made(&self, file: &Resolved, made: Hash) -> Result<(), FileError> {
        self.check(file, Expected::Content(made))?;
        fs::remove_file(&file.real).map_err(|error| FileError::from_io(&file.display, error))
    }

    fn make_folder(&self, folder: &Path) -> io::Result<()> {
        if !folder.is_dir() {
            fs::create_dir_all(folder)?;
        }
        // A link put on the way since the path was resolved would lead elsewhere.
        if fs::canonicalize(folder)? == folder {
            return Ok(());
        }
        Err(io::Error::other("a folder on the way changed in the meantime: try again"))
    }

    pub(super) fn check(&self, file: &Resolved, expected: Expected) -> Result<(), FileError> {
        let now = match self.read(file) {
            Ok(read) => Some(read.hash),
            Err(FileError::Missing { .. }) if file.kind != Kind::Other => None,
            Err(error) => return Err(error),
        };
        let same = match expected {
            Expected::Missing => now.is_none(),
            Expected::Content(hash) => now == Some(hash),
        };
        if same { Ok(()) } else { Err(FileError::Changed { path: file.display.clone() }) }
    }
}

/// The content in a temporary file that removes itself unless it is renamed.
fn prepare(folder: &Path, content: &[u8], old: Option<&fs::Metadata>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY_PREFIX).suffix(TEMPORARY_SUFFIX);
    let mut temporary = builder.permissions(Permissions::from_mode(NEW_FILE_MODE)).tempfile_in(folder)?;
    temporary.write_all(content)?;
    if let Some(old) = old {
        // Where the owner cannot be kept, the mode must not give its rights to another.
        let owned = std::os::unix::fs::fchown(temporary.as_file(), Some(old.uid()), Some(old.gid())).is_ok();
        let mode = old.mode() & if owned { PERMISSION_BITS } else { 0o777 };
        temporary.as_file().set_permissions(Permissions::from_mode(mode))?;
    }
    temporary.as_file().sync_all()?;
    Ok(temporary)
}
