//! The folder a session of the chat works in: the project's own, or the session's worktree once that is known.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Clone)]
pub(crate) struct Tree {
    root: PathBuf,
    /// The session that was opened or launched last, and its folder.
    known: Arc<Mutex<Option<(String, PathBuf)>>>,
}

impl Tree {
    pub(crate) fn new(root: &Path) -> Tree {
        Tree { root: root.to_owned(), known: Arc::default() }
    }

    pub(crate) fn set(&self, session: &str, folder: &str) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Some((session.to_owned(), PathBuf::from(folder)));
    }

    /// What a session works in; one that has not begun yet, in the project.
    pub(crate) fn of(&self, session: Option<&str>) -> PathBuf {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match known {
            Some((id, folder)) if session == Some(id.as_str()) => folder,
            _ => self.root.clone(),
        }
    }

    /// Whether a path is there, in the project or in the worktree.
    pub(crate) fn has(&self, path: &str) -> bool {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.root.join(path).exists() || known.is_some_and(|(_, folder)| folder.join(path).exists())
    }
}
