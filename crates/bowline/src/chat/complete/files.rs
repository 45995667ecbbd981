//! The files and folders of a project, for completion.
//!
//! As git sees them: what `.gitignore` and `.bowlineignore` name is left out, `.git` never shows up, links are not
//! followed. Names that can't be typed (not UTF-8, control characters, quotation marks) are passed over. Bounded: of a
//! folder with more entries than anybody completes, some are missing.

use std::path::Path;

use bowline_host::walk::Walk;
use ignore::DirEntry;

const ENTRIES_MAX: usize = 50_000;
/// Of them; a hidden folder of caches must not take the place of everything else.
const HIDDEN_MAX: usize = 5_000;
/// Looked at, listed or not.
const VISITED_MAX: usize = 200_000;
const DEPTH_MAX: usize = 32;

/// Relative, with `/`, folders with one at the end; in the order of their names.
pub(crate) fn files(root: &Path) -> Vec<String> {
    let walk = Walk::new(root).depth_max(Some(DEPTH_MAX)).entries_max(VISITED_MAX);
    let mut listed = Vec::new();
    let mut hidden = 0;
    for entry in walk.entries() {
        let Some(path) = path(root, &entry) else { continue };
        if super::is_hidden(&path) {
            hidden += 1;
            if hidden > HIDDEN_MAX {
                continue;
            }
        }
        listed.push(path);
        if listed.len() == ENTRIES_MAX {
            break;
        }
    }
    listed
}

fn path(root: &Path, entry: &DirEntry) -> Option<String> {
    let path = entry.path().strip_prefix(root).ok()?.to_str()?;
    if path.is_empty() || path.contains(|c: char| c.is_control() || c == '"') {
        return None;
    }
    let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
    Some(if is_folder { format!("{path}/") } else { path.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_listed_as_git_sees_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for path in ["src", "target", ".git", ".github", "private"] {
            std::fs::create_dir(root.join(path)).unwrap();
        }
        let paths = [
            "src/main.rs",
            "my file.txt",
            "target/x",
            ".git/HEAD",
            ".github/ci.yml",
            "private/key",
            "bad\u{1b}name",
            "quo\"te",
        ];
        paths.iter().for_each(|path| std::fs::write(root.join(path), "").unwrap());
        std::fs::write(root.join(".gitignore"), "target\n").unwrap();
        std::fs::write(root.join(".bowlineignore"), "private\n").unwrap();
        std::os::unix::fs::symlink(root, root.join("loop")).unwrap();
        assert_eq!(
            files(root),
            [
                ".bowlineignore",
                ".github/",
                ".github/ci.yml",
                ".gitignore",
                "loop",
                "my file.txt",
                "src/",
                "src/main.rs",
            ]
        );
        assert!(files(&root.join("missing")).is_empty());
    }
}
