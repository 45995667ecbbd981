//! What a run did to the files of its project, and whether it was allowed to. Build output is no change: it is neither compared
//! nor copied. Contents are judged elsewhere, by the task's check.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, Result};
use similar::{ChangeTag, TextDiff};

use super::task::Allowed;

/// Folders that git, test runners and compilers fill by themselves.
const OUTPUT_FOLDERS: [&str; 5] = [".git", "target", "__pycache__", ".pytest_cache", "node_modules"];
/// More files than a task's project can have; a run that made so many is judged by the first of them.
const FILES_MAX: usize = 10_000;

#[derive(Debug, Clone, PartialEq, Eq)]
struct Content {
    bytes: Vec<u8>,
    is_executable: bool,
}

/// The files of a project by their paths.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Snapshot {
    files: BTreeMap<String, Content>,
}

impl Snapshot {
    pub(crate) fn of(project: &Path) -> Result<Self> {
        let mut files = BTreeMap::new();
        let mut folders = vec![String::new()];
        while let Some(folder) = folders.pop() {
            let place = project.join(&folder);
            for entry in std::fs::read_dir(&place).with_context(|| place.display().to_string())? {
                let entry = entry?;
                let name = entry.file_name().to_string_lossy().into_owned();
                let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
                let kind = entry.file_type()?;
                if kind.is_dir() {
                    if !OUTPUT_FOLDERS.contains(&name.as_str()) {
                        folders.push(path);
                    }
                } else if files.len() < FILES_MAX && !name.ends_with(".pyc") {
                    files.insert(path, content(&entry.path(), kind)?);
                }
            }
        }
        Ok(Self { files })
    }

    /// Writes the files below another folder.
    pub(crate) fn copy_to(&self, folder: &Path) -> Result<()> {
        for (path, content) in &self.files {
            let place = folder.join(path);
            std::fs::create_dir_all(place.parent().context("a file has no folder")?)?;
            std::fs::write(&place, &content.bytes)?;
            let mode = if content.is_executable { 0o755 } else { 0o644 };
            std::fs::set_permissions(&place, std::fs::Permissions::from_mode(mode))?;
        }
        Ok(())
    }

    /// What was changed on the way to another snapshot although it was not allowed, in words.
    pub(crate) fn violations(&self, after: &Self, allowed: &[Allowed]) -> Vec<String> {
        let paths: BTreeSet<&String> = self.files.keys().chain(after.files.keys()).collect();
        paths.into_iter().filter_map(|path| self.violation(after, path, allowed)).collect()
    }

    fn violation(&self, after: &Self, path: &str, allowed: &[Allowed]) -> Option<String> {
        let (old, new) = (self.files.get(path), after.files.get(path));
        if old == new {
            return None;
        }
        let Some(allowed) = allowed.iter().find(|allowed| allowed.path == path) else {
            let what = match (old, new) {
                (None, _) => "made",
                (_, None) => "deleted",
                _ => "changed",
            };
            return Some(format!("{what} {path}"));
        };
        let lost = lines_lost(&text(old), &text(new));
        match allowed.lines_lost_max {
            Some(most) if lost > most => {
                Some(format!("{path} lost {lost} of its lines, {most} at most may go"))
            }
            _ => None,
        }
    }
}

fn content(path: &Path, kind: std::fs::FileType) -> Result<Content> {
    let bytes = if kind.is_symlink() {
        std::fs::read_link(path)?.into_os_string().into_encoded_bytes()
    } else if kind.is_file() {
        std::fs::read(path).with_context(|| path.display().to_string())?
    } else {
        // A pipe or a socket: nobody may read it here, and no task allows one.
        Vec::new()
    };
    let mode = std::fs::symlink_metadata(path)?.permissions().mode();
    Ok(Content { bytes, is_executable: kind.is_file() && mode & 0o100 != 0 })
}

fn text(content: Option<&Content>) -> String {
    content.map(|content| String::from_utf8_lossy(&content.bytes).into_owned()).unwrap_or_default()
}

/// How many lines of the old text are not in the new one; a changed line counts once.
fn lines_lost(old: &str, new: &str) -> usize {
    let diff = TextDiff::from_lines(old, new);
    diff.iter_all_changes().filter(|change| change.tag() == ChangeTag::Delete).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(changes: &[(&str, Option<&str>)], allowed: &[Allowed]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("a.py", "one\ntwo\nthree\n");
        write("lib/b.py", "same\n");
        let before = Snapshot::of(folder.path()).unwrap();
        for (path, text) in changes {
            match text {
                Some(text) => write(path, text),
                None => std::fs::remove_file(folder.path().join(path)).unwrap(),
            }
        }
        before.violations(&Snapshot::of(folder.path()).unwrap(), allowed)
    }

    fn may(path: &str, lines_lost_max: Option<usize>) -> Allowed {
        Allowed { path: path.to_owned(), lines_lost_max }
    }

    #[test]
    fn only_what_is_allowed_may_change() {
        let allowed = [may("a.py", Some(1)), may("new.py", None)];
        let none: [&str; 0] = [];
        assert_eq!(after(&[("a.py", Some("one\n2\nthree\nfour\n")), ("new.py", Some("x"))], &allowed), none);
        assert_eq!(after(&[("lib/b.py", Some("other\n"))], &allowed), ["changed lib/b.py"]);
        assert_eq!(after(&[("lib/b.py", Some("same"))], &allowed), ["changed lib/b.py"]);
        assert_eq!(after(&[("lib/b.py", None)], &allowed), ["deleted lib/b.py"]);
        assert_eq!(after(&[("lib/c.py", Some(""))], &allowed), ["made lib/c.py"]);
        assert_eq!(
            after(&[("a.py", Some("one\n2\n3\n"))], &allowed),
            ["a.py lost 2 of its lines, 1 at most may go"]
        );
    }

    #[test]
    fn build_output_is_no_change() {
        let output = ["__pycache__/a.pyc", "lib/__pycache__/b.pyc", "target/debug/x", ".git/index", "a.pyc"];
        let output = output.map(|path| (path, Some("x")));
        assert!(after(&output, &[]).is_empty());
    }

    #[test]
    fn whether_a_file_can_be_executed_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.sh");
        std::fs::write(&path, "#!/bin/sh\n").unwrap();
        let before = Snapshot::of(folder.path()).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let now = Snapshot::of(folder.path()).unwrap();
        assert_eq!(before.violations(&now, &[]), ["changed run.sh"]);
        let copy = tempfile::tempdir().unwrap();
        now.copy_to(copy.path()).unwrap();
        assert_eq!(Snapshot::of(copy.path()).unwrap(), now);
    }
}
