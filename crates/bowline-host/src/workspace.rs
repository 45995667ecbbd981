//! The work tree a turn's tools see, and the only way they reach files.
//!
//! A path of the model is resolved first, symbolic links and all, and only then judged: what leaves the tree is refused
//! unless somebody granted it, and `.git` and bowline's own folders are refused always. Reading never blocks on a pipe or
//! a device; writing is whole or not at all. Nothing here deletes a file, but for one that a change made, when the
//! change is taken back and nobody changed the file since.

mod names;
mod pending;
mod read;
mod resolve;
mod user_errors;
mod write;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pending::Pending;

pub use names::printable;
pub use pending::Opened;
pub use read::{FileRead, Hash, READ_BYTES_MAX};
pub use resolve::{Kind, PathError, Resolved};
pub use write::Expected;
pub(crate) use write::{TEMPORARY_PREFIX, TEMPORARY_SUFFIX};

/// A folder, and what in it is nobody's business.
#[derive(Debug, Clone)]
pub struct Workspace {
    root: PathBuf,
    forbidden: Vec<PathBuf>,
    /// In review mode.
    pending: Option<Arc<Pending>>,
}

/// Why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("{path} does not exist")]
    Missing { path: String },
    #[error("{path} is a folder: list_dir shows what is in it")]
    Folder { path: String },
    #[error("{path} is not a regular file but a {what}")]
    NotRegular { path: String, what: &'static str },
    #[error(
        "{path} has {bytes} bytes, more than the {READ_BYTES_MAX} that can be edited at once: change it with a command"
    )]
    TooLarge { path: String, bytes: u64 },
    #[error("{path} would change by more than can wait for the user's review: make smaller changes")]
    TooLargeToWait { path: String },
    #[error("{path} changed in the meantime: view it again, then repeat the change")]
    Changed { path: String },
    #[error("{path} is read-only: ask the user before changing its permissions")]
    ReadOnly { path: String },
    #[error("{path}: {}", reason(source))]
    Failed { path: String, source: io::Error },
}

impl FileError {
    fn from_io(path: &str, source: io::Error) -> FileError {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => FileError::Missing { path },
            io::ErrorKind::IsADirectory => FileError::Folder { path },
            _ => FileError::Failed { path, source },
        }
    }
}

/// What went wrong and what to do about it.
fn reason(error: &io::Error) -> String {
    let words = match error.kind() {
        io::ErrorKind::PermissionDenied => {
            "no permission, for bowline's user: pick another place or ask the user"
        }
        io::ErrorKind::StorageFull => "the disk is full: ask the user to free space",
        io::ErrorKind::QuotaExceeded => "the disk quota is used up: ask the user to free space",
        io::ErrorKind::ReadOnlyFilesystem => {
            "the file system is read-only: pick another place or ask the user"
        }
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "a part of the path is a file, not a folder"
        }
        io::ErrorKind::InvalidFilename => "the name is too long or not allowed here",
        _ => return error.to_string(),
    };
    words.to_owned()
}

impl Workspace {
    /// Opens a folder. `forbidden` are bowline's own folders, wherever they are.
    pub fn open(root: &Path, forbidden: Vec<PathBuf>) -> io::Result<Workspace> {
        let root = fs::canonicalize(root)?;
        if !root.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, "not a folder"));
        }
        let forbidden = forbidden
            .into_iter()
            .map(|folder| fs::canonicalize(&folder).unwrap_or(folder))
            .chain(git_folder(&root))
            .collect();
        Ok(Workspace { root, forbidden, pending: None })
    }

    /// The canonical folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path as the model and the user read it: relative to the root where it is inside, with `/`, and without control
    /// characters.
    pub fn display(&self, path: &Path) -> String {
        match path.strip_prefix(&self.root) {
            Ok(inside) if inside.as_os_str().is_empty() => ".".to_owned(),
            Ok(inside) => printable(inside),
            Err(_) => printable(path),
        }
    }
}

/// Where git's data really is, if `.git` is a link or a file that points there. One that holds the root itself would
/// forbid everything and is left out.
fn git_folder(root: &Path) -> Option<PathBuf> {
    const POINTER_BYTES_MAX: u64 = 4096;
    let entry = root.join(".git");
    let kind = fs::symlink_metadata(&entry).ok()?;
    let target = if kind.is_file() && kind.len() <= POINTER_BYTES_MAX {
        let text = fs::read_to_string(&entry).ok()?;
        root.join(text.strip_prefix("gitdir:")?.trim())
    } else if kind.is_symlink() {
        entry
    } else {
        return None;
    };
    fs::canonicalize(target).ok().filter(|folder| !root.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};

    use super::FileError;

    #[test]
    fn what_the_disk_says_is_told_with_what_to_do() {
        let words = |kind| FileError::from_io("a.txt", Error::from(kind)).to_string();
        assert_eq!(words(ErrorKind::StorageFull), "a.txt: the disk is full: ask the user to free space");
        assert!(words(ErrorKind::PermissionDenied).contains("no permission"));
        assert!(words(ErrorKind::ReadOnlyFilesystem).contains("read-only"));
        assert_eq!(words(ErrorKind::NotFound), "a.txt does not exist");
    }
}
