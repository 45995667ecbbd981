//! The files of the repository as git sees them: those it tracks and those it would add, never what it ignores. Everything
//! is read once, at the start.

use super::Finding;
use crate::command::{output_of, root};
use anyhow::{Context, Result};
use std::process::Command;

pub(crate) struct Tree {
    files: Vec<File>,
}

pub(crate) struct File {
    /// From the root of the repository, with `/`.
    pub(crate) path: String,
    /// `None` for what is not text.
    pub(crate) text: Option<String>,
}

impl Tree {
    pub(crate) fn read() -> Result<Self> {
        let root = root();
        let listing = output_of(
            Command::new("git")
                .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
                .current_dir(&root),
        )?;
        let mut files = Vec::new();
        for path in listing.split('\0').filter(|path| !path.is_empty()) {
            let place = root.join(path);
            // A file may be deleted and not yet committed as such; a submodule or a link to a folder is no file of ours.
            if !place.is_file() {
                continue;
            }
            let bytes = std::fs::read(&place).with_context(|| format!("{path} cannot be read"))?;
            files.push(File { path: path.to_owned(), text: String::from_utf8(bytes).ok() });
        }
        files.sort_by(|left, right| left.path.cmp(&right.path));
        files.dedup_by(|left, right| left.path == right.path);
        Ok(Self { files })
    }

    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let files = files
            .iter()
            .map(|(path, text)| File { path: (*path).to_owned(), text: Some((*text).to_owned()) });
        Self { files: files.collect() }
    }

    pub(crate) fn files(&self) -> &[File] {
        &self.files
    }

    /// The Rust sources with their text.
    pub(crate) fn rust(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts().filter(|(path, _)| path.ends_with(".rs"))
    }

    /// All that is text.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|file| Some((file.path.as_str(), file.text.as_deref()?)))
    }

    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.texts().find(|(own, _)| *own == path).map(|(_, text)| text)
    }

    /// Whether the path is a file, or a folder with files in it.
    pub(crate) fn contains(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        path.is_empty() || self.files.iter().any(|file| file.path == path || file.path.starts_with(&folder))
    }

    /// The first line, from 1, of a file for which the test holds; 1 if there is none.
    pub(crate) fn line_of(&self, path: &str, test: impl Fn(&str) -> bool) -> usize {
        let lines = self.text(path).unwrap_or_default().lines();
        lines.zip(1..).find(|(line, _)| test(line)).map_or(1, |(_, number)| number)
    }

    /// A finding at the place in `Cargo.lock` that locks a package.
    pub(crate) fn locked(&self, name: &str, version: &str, what: String) -> Finding {
        let lock = self.text(super::manifests::LOCK).unwrap_or_default();
        let (name, version) = (format!("name = \"{name}\""), format!("version = \"{version}\""));
        let lines: Vec<&str> = lock.lines().collect();
        let place = lines.windows(2).position(|pair| pair[0] == name && pair[1] == version);
        Finding::new(super::manifests::LOCK, place.unwrap_or(0) + 1, what)
    }
}

/// Whether a path belongs to tests, where other limits hold.
pub(crate) fn is_test(path: &str) -> bool {
    path.split('/').any(|folder| folder == "tests")
}
