//! Finds every `.git` in a folder, so that it can be protected. It reads nothing but folders and follows no links.

use std::fs;
use std::path::{Path, PathBuf};

const NAME: &str = ".git";

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitFolders {
    /// Every folder or file of that name.
    pub paths: Vec<PathBuf>,
    /// Whether the whole folder was looked at, or the bound was reached first.
    pub is_complete: bool,
}

/// Finds every `.git` in a folder: the project's own, those of submodules and of repositories inside it. It looks at so
/// many entries at most, nearest first.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// std::fs::create_dir_all(folder.path().join("vendor/lib/.git"))?;
/// let found = bowline_contain::git_folders(folder.path(), 10_000);
/// assert_eq!(found.paths, [folder.path().join("vendor/lib/.git")]);
/// assert!(found.is_complete);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn git_folders(folder: &Path, entries_max: usize) -> GitFolders {
    let mut found = GitFolders { paths: Vec::new(), is_complete: true };
    let mut left = entries_max;
    let mut waiting = std::collections::VecDeque::from([folder.to_path_buf()]);
    while let Some(folder) = waiting.pop_front() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            if left == 0 {
                found.is_complete = false;
                return found;
            }
            left -= 1;
            if entry.file_name() == NAME {
                found.paths.push(entry.path());
            } else if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                waiting.push_back(entry.path());
            }
        }
    }
    found
}
