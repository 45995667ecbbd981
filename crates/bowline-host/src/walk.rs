//! The one walk through a project's files.
//!
//! What `.gitignore` and `.bowlineignore` name is left out, `.git` never shows up, links are not followed, and the order is
//! always the same. An entry that cannot be read, for want of permission say, is passed over. Every walk is bounded.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use ignore::{DirEntry, WalkBuilder};

use crate::workspace::Workspace;

/// Files and folders of one walk, unless the caller wants fewer.
const ENTRIES_MAX: usize = 200_000;
/// A project's own rules for what bowline does not look at, in the form of `.gitignore`.
const IGNORE_FILE: &str = ".bowlineignore";

/// What happens to files whose names begin with a dot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hidden {
    Listed,
    LeftOut,
}

/// What happens to files that `.gitignore` or `.bowlineignore` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ignored {
    Listed,
    LeftOut,
}

type Keep = Box<dyn Fn(&DirEntry) -> bool + Send + Sync>;

/// A walk to be made.
pub struct Walk {
    from: PathBuf,
    hidden: Hidden,
    ignored: Ignored,
    depth_max: Option<usize>,
    entries_max: usize,
    keep: Option<Keep>,
}

impl Walk {
    /// Everything below a folder, or the file itself.
    pub fn new(from: &Path) -> Walk {
        Walk {
            from: from.to_owned(),
            hidden: Hidden::Listed,
            ignored: Ignored::LeftOut,
            depth_max: None,
            entries_max: ENTRIES_MAX,
            keep: None,
        }
    }

    /// The same without what no tool may see: `.git` and bowline's own folders.
    pub fn of(workspace: &Workspace, from: &Path) -> Walk {
        let workspace = workspace.clone();
        Walk::new(from).keeping(move |entry| !workspace.is_forbidden(entry.path()))
    }

    pub fn hidden(self, hidden: Hidden) -> Walk {
        Walk { hidden, ..self }
    }

    pub fn ignored(self, ignored: Ignored) -> Walk {
        Walk { ignored, ..self }
    }

    pub fn depth_max(self, depth_max: Option<usize>) -> Walk {
        Walk { depth_max, ..self }
    }

    /// Ends after so many files and folders.
    pub fn entries_max(self, entries_max: usize) -> Walk {
        Walk { entries_max, ..self }
    }

    /// Neither lists nor enters what `keep` says no to.
    pub fn keeping(self, keep: impl Fn(&DirEntry) -> bool + Send + Sync + 'static) -> Walk {
        Walk { keep: Some(Box::new(keep)), ..self }
    }

    pub fn entries(self) -> impl Iterator<Item = DirEntry> {
        let keep = self.keep;
        let is_git = |entry: &DirEntry| entry.file_name() == OsStr::new(".git");
        let mut builder = WalkBuilder::new(&self.from);
        builder
            .standard_filters(self.ignored == Ignored::LeftOut)
            .hidden(self.hidden == Hidden::LeftOut)
            .require_git(false)
            .follow_links(false)
            .max_depth(self.depth_max)
            .sort_by_file_name(Ord::cmp)
            .filter_entry(move |entry| {
                entry.depth() == 0 || (!is_git(entry) && keep.as_ref().is_none_or(|keep| keep(entry)))
            });
        if self.ignored == Ignored::LeftOut {
            // Rules above a folder that is in no repository are not about it.
            builder.parents(self.from.ancestors().any(|folder| folder.join(".git").exists()));
            builder.add_custom_ignore_filename(IGNORE_FILE);
        }
        builder.build().take(self.entries_max).flatten()
    }
}

pub fn is_file(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(walk: Walk, root: &Path) -> Vec<String> {
        let paths = walk.entries().filter(is_file).map(DirEntry::into_path);
        paths.map(|path| path.strip_prefix(root).unwrap().to_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn a_project_is_walked_as_git_sees_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for path in ["src/main.rs", "target/x", ".git/HEAD", ".github/ci.yml", "private/key", "b.txt"] {
            std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            std::fs::write(root.join(path), "").unwrap();
        }
        std::fs::write(root.join(".gitignore"), "target\n").unwrap();
        std::fs::write(root.join(".bowlineignore"), "private\n").unwrap();
        std::os::unix::fs::symlink(root, root.join("loop")).unwrap();
        let all = [".bowlineignore", ".github/ci.yml", ".gitignore", "b.txt", "src/main.rs"];
        assert_eq!(listed(Walk::new(root), root), all);
        assert_eq!(listed(Walk::new(root).hidden(Hidden::LeftOut), root), ["b.txt", "src/main.rs"]);
        assert_eq!(listed(Walk::new(root).depth_max(Some(1)).hidden(Hidden::LeftOut), root), ["b.txt"]);
        let ignored = listed(Walk::new(root).ignored(Ignored::Listed), root);
        assert!(ignored.contains(&"target/x".to_owned()) && ignored.contains(&"private/key".to_owned()));
        assert!(!ignored.iter().any(|path| path.starts_with(".git/")));
        assert_eq!(listed(Walk::new(root).entries_max(1), root).len(), 0);
    }
}
