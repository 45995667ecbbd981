//! Creates a worktree: first its row, then its folder and branch.

use std::io::ErrorKind;
use std::path::PathBuf;

use super::git::Git;
use super::{Worktree, WorktreeError, folder};
use crate::home::Home;
use crate::project::{Project, ProjectKind};
use crate::store::Store;

/// How much of the session's id names it: more where a shorter name is taken.
const NAME_CHARS: [usize; 4] = [13, 18, 23, 36];

/// What a worktree begins from. To look for it changes nothing.
#[derive(Debug, Clone)]
pub struct Start {
    project: PathBuf,
    git: Git,
    /// The commit the project is at.
    base: String,
    /// Changes of the user's that are in no commit, and so not in the worktree.
    pub uncommitted: usize,
}

impl Start {
    /// From where `project` is, for a session of the project at `root`, which is another where this is a worktree of it.
    pub async fn find(project: &Project, root: &str) -> Result<Start, WorktreeError> {
        let shown = project.root.display().to_string();
        if project.kind == ProjectKind::Folder {
            return Err(WorktreeError::NotGit { folder: shown });
        }
        let git = Git::in_folder(&project.root);
        let what = "look at the repository";
        let top = git.line(what, &["rev-parse", "--show-toplevel"]).await?;
        if PathBuf::from(&top).canonicalize().ok().as_ref() != Some(&project.root) {
            // What is there as .git is none, and git looks further up.
            let why = format!("it takes {top} for the work tree of {shown}");
            return Err(WorktreeError::Git { what, why });
        }
        let head = ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"];
        let Some(base) = git.found(what, &head).await? else {
            return Err(WorktreeError::NoCommit { folder: shown });
        };
        let uncommitted = super::status::uncommitted(&git).await?;
        Ok(Start { project: PathBuf::from(root), git, base, uncommitted })
    }

    /// What of the project the worktree will not have, for the user.
    pub fn notice(&self) -> Option<String> {
        let left_out = "not in the worktree: it starts from the last commit";
        match self.uncommitted {
            0 => None,
            1 => Some(format!("1 uncommitted change of yours is {left_out}")),
            many => Some(format!("{many} uncommitted changes of yours are {left_out}")),
        }
    }
}

/// Creates the worktree of a session that is about to start.
pub async fn make(
    store: &Store,
    home: &Home,
    start: &Start,
    session: &str,
    now_ms: i64,
) -> Result<Worktree, WorktreeError> {
    let worktree = claim(home, start, session, now_ms).await?;
    if let Err(error) = store.add_worktree(&worktree).await {
        let _ = std::fs::remove_dir(parent(&worktree));
        return Err(error.into());
    }
    let Worktree { branch, path, base, .. } = &worktree;
    let add = ["worktree", "add", "--quiet", "-b", branch, path, base];
    if let Err(error) = start.git.text("make a worktree", &add).await {
        // Why it failed matters more than what may be left of it, which the list shows.
        let _ = remove_unused(store, &worktree).await;
        return Err(error);
    }
    Ok(worktree)
}

/// A folder and a branch that nobody has.
async fn claim(home: &Home, start: &Start, session: &str, now_ms: i64) -> Result<Worktree, WorktreeError> {
    let all = folder(home);
    let unusable = |error: std::io::Error| {
        let path = all.display().to_string();
        WorktreeError::Folder { path, why: error.to_string() }
    };
    std::fs::create_dir_all(&all).map_err(unusable)?;
    let all = all.canonicalize().map_err(unusable)?;
    let name = start.project.file_name().map_or("project".into(), |name| name.to_string_lossy());
    // A branch of that name leaves no room for any below it.
    let joint = if start.git.tip("bowline").await?.is_some() { '-' } else { '/' };
    for chars in NAME_CHARS {
        let id = session.get(..chars).unwrap_or(session);
        let branch = format!("bowline{joint}{id}");
        if start.git.tip(&branch).await?.is_some() {
            continue;
        }
        let own = all.join(id);
        let path = own.join(&*name);
        let Some(path) = path.to_str() else {
            let why = "its name is not UTF-8".to_owned();
            return Err(WorktreeError::Folder { path: path.display().to_string(), why });
        };
        match std::fs::create_dir(&own) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            made => made.map_err(unusable)?,
        }
        return Ok(Worktree {
            id: id.to_owned(),
            session: None,
            project_root: start.project.to_string_lossy().into_owned(),
            path: path.to_owned(),
            branch,
            base: start.base.clone(),
            created_ms: now_ms,
        });
    }
    let why = format!("there is something of session {session} already");
    Err(WorktreeError::Folder { path: all.display().to_string(), why })
}

/// The folder that holds it alone.
pub(super) fn parent(worktree: &Worktree) -> PathBuf {
    let path = PathBuf::from(&worktree.path);
    path.parent().map_or_else(|| path.clone(), std::path::Path::to_owned)
}

/// Removes a worktree that was only just created, and in which nothing was done.
pub(crate) async fn remove_unused(store: &Store, worktree: &Worktree) -> Result<(), WorktreeError> {
    let git = Git::in_folder(worktree.project_root.as_ref()).shared().await?;
    if std::path::Path::new(&worktree.path).exists() {
        git.text("remove a worktree", &["worktree", "remove", "--force", &worktree.path]).await?;
    }
    if git.tip(&worktree.branch).await?.is_some() {
        let name = format!("refs/heads/{}", worktree.branch);
        git.text("delete a branch", &["update-ref", "-d", &name, &worktree.base]).await?;
    }
    let _ = std::fs::remove_dir(parent(worktree));
    store.remove_worktree(&worktree.id).await?;
    Ok(())
}
