//! The messages of file and path errors for the user. Their `Display` is for the model.

use std::io;

use super::{FileError, PathError};

impl FileError {
    /// What is wrong and what the user can do about it.
    pub fn for_user(&self) -> String {
        match self {
            FileError::Folder { path } => format!("{path} is a folder: name a file"),
            FileError::Changed { path } => format!("{path} changed in the meantime: try again"),
            FileError::ReadOnly { path } => format!("{path} is read-only: make it writable, then try again"),
            FileError::TooLarge { path, bytes } => {
                format!("{path} has {bytes} bytes, more than can be edited at once: change it by other means")
            }
            FileError::Failed { path, source } => format!("{path}: {}", reason(source)),
            FileError::Missing { .. } | FileError::NotRegular { .. } | FileError::TooLargeToWait { .. } => {
                self.to_string()
            }
        }
    }
}

fn reason(error: &io::Error) -> String {
    let words = match error.kind() {
        io::ErrorKind::PermissionDenied => {
            "you have no permission: change the rights of the file or its folder"
        }
        io::ErrorKind::StorageFull => "the disk is full: free some space",
        io::ErrorKind::QuotaExceeded => "the disk quota is used up: free some space",
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only",
        _ => return super::reason(error),
    };
    words.to_owned()
}

impl PathError {
    /// What is wrong and what the user can do about it.
    pub fn for_user(&self) -> String {
        match self {
            PathError::Forbidden { path } => {
                format!("{path} belongs to git or to bowline, and is not edited")
            }
            PathError::Outside { path } => format!("{path} is outside the folder: -C names another"),
            _ => self.to_string(),
        }
    }
}
