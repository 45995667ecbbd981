//! What a checkpoint holds, what it does not, and how two of them differ.

use std::path::PathBuf;

/// The files of a work tree at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// In the store. Equal files make equal commits.
    pub commit: String,
    /// What is there and not in it.
    pub not_captured: Vec<NotCaptured>,
}

/// A path that is there and in no checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotCaptured {
    /// Below the root.
    pub path: PathBuf,
    pub why: WhyNot,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WhyNot {
    /// A new file of so many bytes.
    Large { bytes: u64 },
    /// A new folder of so many new files.
    Many { files: usize },
    /// A repository of its own: at most the commit it stands at is noted.
    Repository { commit: Option<String> },
    /// Neither file nor link: a pipe, a socket, a device; or a name git keeps for itself.
    Special,
    /// It can't be read.
    Unreadable,
}

/// How one path differs between two checkpoints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub path: PathBuf,
    pub status: Status,
    /// Lines; none for what is no text.
    pub added: Option<u64>,
    pub removed: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Added,
    Modified,
    Deleted,
    /// Only its permissions.
    Mode,
    /// A file became a link, or a link a file.
    Kind,
    /// An empty folder that came or went.
    FolderAdded,
    FolderDeleted,
}
