//! What is captured, and how long that may take.

use std::path::PathBuf;
use std::time::Duration;

/// Bounds of a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// A new file above this is listed and not captured. Bytes.
    pub new_file_bytes_max: u64,
    /// A new folder with more new files than this is listed and not captured.
    pub new_files_max: usize,
    /// A file that was captured and is not the user's to commit is dropped when it has grown above this. Bytes.
    pub known_file_bytes_max: u64,
    /// A checkpoint that takes longer fails.
    pub budget: Duration,
    /// Folders and files that are never captured and never touched, wherever they are.
    pub left_out: Vec<PathBuf>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            new_file_bytes_max: 2 * 1024 * 1024,
            new_files_max: 200,
            known_file_bytes_max: 64 * 1024 * 1024,
            budget: Duration::from_secs(60),
            left_out: Vec::new(),
        }
    }
}
