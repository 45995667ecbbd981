//! Reading a file without ever waiting for one that is not there to be read: a pipe, a socket, a device.

use std::fs::File;
use std::io::{Cursor, Read};
use std::os::unix::fs::FileTypeExt;

use rustix::fs::{Mode, OFlags};
use sha2::{Digest, Sha256};

use super::pending::file_read;
use super::{FileError, Opened, Resolved, Workspace};

/// The largest file that is held in memory as a whole.
pub const READ_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// What a file held, to tell later whether it still does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hash([u8; 32]);

impl Hash {
    pub fn of(bytes: &[u8]) -> Hash {
        Hash(Sha256::digest(bytes).into())
    }
}

/// A file's content as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRead {
    pub bytes: Vec<u8>,
    pub hash: Hash,
}

impl Workspace {
    /// Opens a regular file of any size for reading, with what waits for it.
    pub fn open_file(&self, file: &Resolved) -> Result<Opened, FileError> {
        if self.has_waiting(&file.real) {
            return Ok(Opened::Content(Cursor::new(self.read(file)?.bytes)));
        }
        self.open_on_disk(file).map(Opened::Disk)
    }

    fn open_on_disk(&self, file: &Resolved) -> Result<File, FileError> {
        let path = &file.display;
        // Without NONBLOCK a pipe would hold the caller until somebody writes; without NOFOLLOW a link put there since
        // the path was resolved would lead elsewhere.
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY;
        let opened = rustix::fs::open(&file.real, flags, Mode::empty());
        let opened = match opened {
            Ok(descriptor) => File::from(descriptor),
            // A socket cannot be opened at all.
            Err(rustix::io::Errno::NXIO) => {
                return Err(FileError::NotRegular { path: path.clone(), what: "socket" });
            }
            Err(error) => return Err(FileError::from_io(path, error.into())),
        };
        let kind = opened.metadata().map_err(|error| FileError::from_io(path, error))?.file_type();
        if kind.is_file() {
            return Ok(opened);
        }
        if kind.is_dir() {
            return Err(FileError::Folder { path: path.clone() });
        }
        let what = if kind.is_fifo() { "pipe" } else { "device" };
        Err(FileError::NotRegular { path: path.clone(), what })
    }

    /// Reads a whole file of at most [`READ_BYTES_MAX`], with what waits for it.
    pub fn read(&self, file: &Resolved) -> Result<FileRead, FileError> {
        if !self.has_waiting(&file.real) {
            return self.read_on_disk(file);
        }
        let disk = match self.read_on_disk(file) {
            Ok(read) => Some(read.bytes),
            Err(FileError::Missing { .. }) => None,
            Err(error) => return Err(error),
        };
        let content = self.with_waiting(&file.real, disk);
        content.map(file_read).ok_or_else(|| FileError::Missing { path: file.display.clone() })
    }

    fn read_on_disk(&self, file: &Resolved) -> Result<FileRead, FileError> {
        let failed = |error| FileError::from_io(&file.display, error);
        let opened = self.open_on_disk(file)?;
        let length = opened.metadata().map_err(failed)?.len();
        let mut bytes = Vec::new();
        opened.take(READ_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(failed)?;
        let length = length.max(bytes.len() as u64);
        if length > READ_BYTES_MAX {
            return Err(FileError::TooLarge { path: file.display.clone(), bytes: length });
        }
        Ok(file_read(bytes))
    }
}
