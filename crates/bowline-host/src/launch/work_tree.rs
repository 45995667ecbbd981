//! Where a session works: the project it belongs to, and the folder its tools see.
//!
//! That folder is the project's own, or a worktree that was created for the session. Finding it changes nothing. A worktree
//! is created only after every other reason to refuse was checked.

use std::path::{Path, PathBuf};

use bowline_core::entry::Access;
use shell_words::quote;
use uuid::Uuid;

use super::{LaunchError, Order};
use crate::clock::Clock;
use crate::home::Home;
use crate::project::{NoProject, Project};
use crate::session::check_tree_free;
use crate::store::{Session, Store};
use crate::workspace::Workspace;
use crate::worktree::{self, Start, Worktree, WorktreeError};

pub(super) struct SessionFolder {
    /// The id for a session that starts here.
    pub(super) id: String,
    /// The project's root.
    pub(super) root: String,
    /// What the tools see: absolute, without links.
    pub(super) tree: PathBuf,
    /// The folder in the work tree that corresponds to the user's current one.
    pub(super) folder: PathBuf,
    /// The worktree it is, if it is one of ours.
    pub(super) worktree: Option<Worktree>,
    /// What the user should know.
    pub(super) notices: Vec<String>,
    /// Where a worktree will start from, if one is to be created.
    start: Option<Start>,
}

impl SessionFolder {
    pub(super) async fn find(
        store: &Store,
        order: &Order,
        project: &Project,
        known: Option<&Session>,
    ) -> Result<SessionFolder, LaunchError> {
        let worktree = match known {
            Some(session) => of_session(store, order, session).await?,
            None => store.worktree_at(&project.root.to_string_lossy()).await?,
        };
        let (root, tree) = match (known, &worktree) {
            (Some(session), _) => (session.project_root.clone(), PathBuf::from(&session.work_tree)),
            (None, Some(worktree)) => (worktree.project_root.clone(), project.root.clone()),
            (None, None) => (project.root.to_string_lossy().into_owned(), project.root.clone()),
        };
        let start = match known {
            None if order.is_worktree => Some(Start::find(project, &root).await?),
            _ => None,
        };
        let notices = start.as_ref().and_then(Start::notice).into_iter().collect();
        let folder = below(&order.folder, project, &tree);
        Ok(SessionFolder { id: Uuid::now_v7().to_string(), root, tree, folder, worktree, notices, start })
    }

    /// Who writes needs a folder that can be written, and that nobody else writes in.
    pub(super) async fn check_writing(
        &self,
        order: &Order,
        project: &Project,
        earlier: &Store,
        clock: &Clock,
    ) -> Result<(), LaunchError> {
        if order.turn_access() == Access::Write && self.start.is_none() {
            Project { root: self.tree.clone(), kind: project.kind }.check_writable()?;
            if order.is_ephemeral {
                // Its own lease is seen by nobody; those of others count for it all the same.
                check_tree_free(earlier, clock, &self.work_tree()).await?;
            }
        }
        Ok(())
    }

    /// Creates the worktree, if the session is to have one.
    pub(super) async fn make(&mut self, store: &Store, home: &Home, now_ms: i64) -> Result<(), LaunchError> {
        let Some(start) = &self.start else { return Ok(()) };
        let made = worktree::make(store, home, start, &self.id, now_ms).await?;
        let tree = PathBuf::from(&made.path);
        let inside = self.folder.strip_prefix(&self.tree).unwrap_or(Path::new(""));
        self.folder =
            Some(tree.join(inside)).filter(|folder| folder.is_dir()).unwrap_or_else(|| tree.clone());
        if tree.join(".gitmodules").exists() {
            self.notices.push(
                "submodules are empty in the worktree: git submodule update --init fills them".to_owned(),
            );
        }
        self.tree = tree;
        self.worktree = Some(made);
        Ok(())
    }

    /// The session has begun: the worktree that was made for it is its own.
    pub(super) async fn own(&mut self, store: &Store) -> Result<(), LaunchError> {
        if let (Some(_), Some(made)) = (&self.start, &mut self.worktree) {
            store.own_worktree(&made.id, &self.id).await?;
            made.session = Some(self.id.clone());
        }
        Ok(())
    }

    /// The session did not begin: nothing was done in the worktree yet, and it goes.
    pub(super) async fn remove_unused(&self, store: &Store) {
        if let (Some(_), Some(made)) = (&self.start, &self.worktree) {
            // Why there is no session matters more; the list shows what is left.
            let _ = worktree::remove_unused(store, made).await;
        }
    }

    pub(super) fn work_tree(&self) -> String {
        self.tree.to_string_lossy().into_owned()
    }

    pub(super) fn workspace(&self, home: &Home) -> Result<Workspace, LaunchError> {
        let unusable = |error: std::io::Error| NoProject::Unusable {
            folder: self.tree.display().to_string(),
            why: error.to_string(),
        };
        Ok(Workspace::open(&self.tree, home.forbidden()).map_err(unusable)?)
    }
}

/// The same folder in the tree, or its top.
fn below(folder: &Path, project: &Project, tree: &Path) -> PathBuf {
    let folder = folder.canonicalize().unwrap_or_else(|_| project.root.clone());
    let inside = folder.strip_prefix(&project.root).unwrap_or(Path::new(""));
    Some(tree.join(inside)).filter(|folder| folder.is_dir()).unwrap_or_else(|| tree.to_owned())
}

/// The worktree a session works in, which must be there.
async fn of_session(
    store: &Store,
    order: &Order,
    session: &Session,
) -> Result<Option<Worktree>, LaunchError> {
    let id = session.id.clone();
    if session.work_tree == session.project_root {
        return match order.is_worktree {
            true => Err(WorktreeError::NotNew { session: id, folder: session.project_root.clone() }.into()),
            false => Ok(None),
        };
    }
    if order.is_fork {
        return Err(WorktreeError::Forked { session: id }.into());
    }
    let worktree = store.worktree_at(&session.work_tree).await?;
    if worktree::is_there(Path::new(&session.work_tree)) {
        return Ok(worktree);
    }
    let next = match worktree {
        Some(Worktree { project_root, path, branch, .. }) => format!(
            "git -C {} worktree add -f {} {branch} recreates it without its uncommitted changes",
            quote(&project_root),
            quote(&path)
        ),
        None => format!(
            "It was removed. bowline sessions show {id} shows the conversation; bowline run --worktree \"task\" starts a new session"
        ),
    };
    Err(WorktreeError::Gone { session: id, path: session.work_tree.clone(), next }.into())
}
