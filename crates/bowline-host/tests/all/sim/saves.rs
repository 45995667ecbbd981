//! Checkpoints of a played project, in memory: whole copies of its files. Equal files are one commit.

use std::path::{Path, PathBuf};

use bowline_core::checkpoint::{Captured, Compared, Taken, is_leftover};
use bowline_core::entry::Change;
use bowline_host::check_run::files_state;
use bowline_host::tools::file_edit;

/// All files and what they hold.
pub(super) type Files = Vec<(PathBuf, Vec<u8>)>;

#[derive(Default)]
pub(super) struct Saves {
    commits: Vec<Files>,
    taken: usize,
}

impl Saves {
    /// `why`: it fails.
    pub(super) fn take(
        &mut self,
        root: &Path,
        files: Files,
        since: Option<&str>,
        why: Option<&str>,
    ) -> Taken {
        self.taken += 1;
        let id = format!("k{}", self.taken);
        if let Some(why) = why {
            return Taken { id, captured: Err(why.to_owned()) };
        }
        let at = self.commits.iter().position(|known| *known == files).unwrap_or(self.commits.len());
        if at == self.commits.len() {
            self.commits.push(files);
        }
        let before = since.map(|since| &self.commits[since[1..].parse::<usize>().unwrap()]);
        let changes = before.map_or_else(Vec::new, |before| changes(root, before, &self.commits[at]));
        Taken { id, captured: Ok(Captured { commit: format!("c{at}"), changes, ..Captured::default() }) }
    }

    pub(super) fn compare(&self, root: &Path, files: &Files, since: &str) -> Compared {
        let before = &self.commits[since[1..].parse::<usize>().unwrap()];
        let paths = changes(root, before, files).into_iter().map(|change| change.path);
        let paths: Vec<String> = paths.filter(|path| !is_leftover(path)).collect();
        let state = files_state(root, &paths);
        Compared { paths, state }
    }
}

fn changes(root: &Path, before: &Files, after: &Files) -> Vec<Change> {
    let find = |files: &Files, path: &Path| {
        files.iter().find(|(other, _)| other == path).map(|(_, bytes)| bytes.clone())
    };
    let mut paths: Vec<&PathBuf> = before.iter().chain(after).map(|(path, _)| path).collect();
    paths.sort();
    paths.dedup();
    let change = |path: &PathBuf| {
        let (old, new) = (find(before, path), find(after, path));
        let shown = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        let edit = file_edit(&shown, old.as_deref(), new.as_deref().unwrap_or_default(), "checkpoint");
        (old != new).then_some(Change { path: shown, added: edit.added, removed: edit.removed })
    };
    paths.into_iter().filter_map(change).collect()
}
