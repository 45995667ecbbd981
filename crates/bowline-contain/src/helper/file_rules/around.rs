//! Allows reading everywhere but around hidden paths. What cannot be walked in bounded time is not allowed at all.

use std::fs;
use std::path::{Path, PathBuf};

use landlock::AccessFs;

use super::Rules;
use crate::failure::Failure;

/// How many entries are allowed one by one; a rule takes the kernel a few microseconds.
const ENTRIES_MAX: usize = 20_000;

pub(super) fn allow_reading(rules: &mut Rules, hidden: &[PathBuf]) -> Result<(), Failure> {
    let mut left = ENTRIES_MAX;
    allow_folder(rules, Path::new("/"), hidden, &mut left)
}

fn allow_folder(
    rules: &mut Rules,
    folder: &Path,
    hidden: &[PathBuf],
    left: &mut usize,
) -> Result<(), Failure> {
    if !hidden.iter().any(|hidden| hidden.starts_with(folder)) {
        return rules.allow(folder, Rules::reading());
    }
    // Without it not even the folders on the way to the project could be listed. It holds for everything below.
    rules.allow(folder, AccessFs::ReadDir.into())?;
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries.flatten() {
        let path = entry.path();
        let Ok(kind) = entry.file_type() else { continue };
        // A link is judged by where it leads.
        if kind.is_symlink() || hidden.contains(&path) {
            continue;
        }
        if *left == 0 {
            return Ok(());
        }
        *left -= 1;
        if kind.is_dir() {
            allow_folder(rules, &path, hidden, left)?;
        } else {
            rules.allow(&path, Rules::reading())?;
        }
    }
    Ok(())
}
