//! What a process that was killed may have left in a work tree: a file that was to replace another and never did.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::walk::Walk;
use crate::workspace::{TEMPORARY_PREFIX, TEMPORARY_SUFFIX};

/// A younger one may be being written at this moment.
const AGE_MIN: Duration = Duration::from_secs(10 * 60);
/// Entries of the tree that are looked at: a look must end soon in a tree of any size.
const ENTRIES_MAX: usize = 200_000;
/// Found at most.
const FOUND_MAX: usize = 20;

/// Temporary files of ours below `root` that nobody will rename any more. What git ignores is not looked through.
pub fn temporary_files(root: &Path) -> Vec<PathBuf> {
    let now = SystemTime::now();
    let files = Walk::new(root).entries_max(ENTRIES_MAX).entries().filter(|entry| {
        let name = entry.file_name().to_string_lossy();
        let is_ours = name.starts_with(TEMPORARY_PREFIX) && name.ends_with(TEMPORARY_SUFFIX);
        let changed = || entry.metadata().ok().filter(std::fs::Metadata::is_file)?.modified().ok();
        is_ours && changed().is_some_and(|at| now.duration_since(at).is_ok_and(|age| age >= AGE_MIN))
    });
    files.map(ignore::DirEntry::into_path).take(FOUND_MAX).collect()
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn old_files_of_ours_are_found_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("src");
        std::fs::create_dir(&below).unwrap();
        let long_ago = SystemTime::now() - AGE_MIN * 2;
        for (name, changed) in [
            (".bowline-abc.tmp", Some(long_ago)),
            (".bowline-new.tmp", None),
            ("bowline-x.tmp", Some(long_ago)),
            (".bowline-y.txt", Some(long_ago)),
        ] {
            let file = File::create(below.join(name)).unwrap();
            if let Some(at) = changed {
                file.set_modified(at).unwrap();
            }
        }
        assert_eq!(temporary_files(folder.path()), [below.join(".bowline-abc.tmp")]);
    }
}
