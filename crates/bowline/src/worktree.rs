//! `bowline worktree`: the worktrees of sessions, listed and removed.

use std::path::Path;

use bowline_host::clock::Clock;
use bowline_host::home::Home;
use bowline_host::store::{Scope, Store};
use bowline_host::worktree::{
    NotRemoved, Removal, RemoveMode, Removed, Worktree, WorktreeError, WorktreeStatus, worktree_status,
};
use serde_json::{Value, json};

use crate::args::{self, WorktreeCommand};
use crate::exit::{Exit, Refusal};
use crate::output::{eprint_line, print_line};
use crate::paint::{one_line, tame};
use crate::print::json_line;
use crate::sessions::{failed, open, root};

/// The columns of a path. A cut path is of little use, so this is generous.
const PATH_COLUMNS: usize = 4096;
const TITLE_COLUMNS: usize = 60;

pub(crate) async fn worktree(args: args::Worktree) -> Exit {
    let done = match args.command {
        WorktreeCommand::List { is_all, is_json, folder } => list(is_all, is_json, &folder).await,
        WorktreeCommand::Remove { ids, is_forced } => {
            remove(&ids, if is_forced { RemoveMode::Force } else { RemoveMode::Careful }).await
        }
    };
    match done {
        Ok(()) => Exit::Done,
        Err(refusal) => {
            eprint_line(&format!("bowline: {}", tame(&refusal.words)));
            refusal.exit
        }
    }
}

/// The worktree that a session works in, in one line.
pub(crate) fn describe(worktree: &Worktree) -> String {
    format!("working in {}, on branch {}", one_line(&worktree.path, PATH_COLUMNS), worktree.branch)
}

/// One worktree with everything that the list shows about it.
struct WorktreeRow {
    worktree: Worktree,
    title: Option<String>,
    /// A turn runs in it.
    is_running: bool,
    status: Result<WorktreeStatus, WorktreeError>,
}

impl WorktreeRow {
    async fn of(store: &Store, worktree: Worktree, now_ms: i64) -> Result<WorktreeRow, Refusal> {
        let session = match &worktree.session {
            Some(id) => store.session(id).await.map_err(failed)?,
            None => None,
        };
        let mut is_running = false;
        let of_session = worktree.session.clone().map(Scope::Session);
        for scope in [Some(Scope::Tree(worktree.path.clone())), of_session].into_iter().flatten() {
            let lease = store.lease(&scope).await.map_err(failed)?;
            is_running |= lease.is_some_and(|lease| lease.is_held(now_ms));
        }
        let status = worktree_status(&worktree).await;
        Ok(WorktreeRow { worktree, title: session.map(|session| session.title), is_running, status })
    }

    fn line(&self) -> String {
        let state = match &self.status {
            Err(error) => one_line(&error.to_string(), PATH_COLUMNS),
            Ok(WorktreeStatus { is_there: false, .. }) => "gone".to_owned(),
            Ok(status) => {
                let counted = |count: usize, word: &str| (count > 0).then(|| format!("{count} {word}"));
                let parts = [counted(status.uncommitted, "uncommitted"), counted(status.ahead, "ahead")];
                let parts: Vec<String> = parts.into_iter().flatten().collect();
                if parts.is_empty() { "clean".to_owned() } else { parts.join(", ") }
            }
        };
        let running = if self.is_running { " · a turn is running" } else { "" };
        let title =
            self.title.as_deref().map_or("no session".to_owned(), |title| one_line(title, TITLE_COLUMNS));
        let Worktree { id, branch, path, .. } = &self.worktree;
        format!("{id}  {state}{running}  {title}\n  {branch}  {}", one_line(path, PATH_COLUMNS))
    }

    fn json(&self) -> Value {
        let Worktree { id, session, project_root, path, branch, base, created_ms } = &self.worktree;
        let status = self.status.as_ref().ok();
        json!({
            "id": id,
            "session": session,
            "title": self.title,
            "project": project_root,
            "path": path,
            "branch": branch,
            "base": base,
            "created_ms": created_ms,
            "is_there": status.map(|status| status.is_there),
            "is_running": self.is_running,
            "uncommitted": status.map(|status| status.uncommitted),
            "ahead": status.map(|status| status.ahead),
            "unmerged": status.map(|status| status.unmerged),
            "error": self.status.as_ref().err().map(ToString::to_string),
        })
    }
}

async fn list(is_all: bool, is_json: bool, folder: &Path) -> Result<(), Refusal> {
    let root = if is_all { None } else { Some(root(folder)?) };
    let store = open().await?;
    let worktrees = store.worktrees(root.as_deref()).await.map_err(failed)?;
    if worktrees.is_empty() && !is_json {
        eprint_line("no worktrees: bowline run --worktree \"task\" creates one");
    }
    let now_ms = Clock::start().now_ms();
    for worktree in worktrees {
        let shown = WorktreeRow::of(&store, worktree, now_ms).await?;
        if is_json { json_line(&shown.json()) } else { print_line(&shown.line()) }
    }
    Ok(())
}

async fn find(store: &Store, id: &str) -> Result<Worktree, Refusal> {
    let mut found = store.find_worktrees(id).await.map_err(failed)?;
    let usage = |words: String| Err(Refusal::new(Exit::Usage, words));
    match found.len() {
        1 => Ok(found.remove(0)),
        0 => usage(format!("there is no worktree {id}: see bowline worktree list --all")),
        _ => {
            let ids: Vec<&str> = found.iter().map(|worktree| worktree.id.as_str()).collect();
            usage(format!("{id} matches several worktrees:\n  {}\nType more of the id", ids.join("\n  ")))
        }
    }
}

async fn remove(ids: &[String], manner: RemoveMode) -> Result<(), Refusal> {
    let home = Home::find(|name| std::env::var_os(name)).map_err(failed)?;
    let (store, clock) = (open().await?, Clock::start());
    let mut worktrees: Vec<Worktree> = Vec::new();
    for id in ids {
        let worktree = find(&store, id).await?;
        if worktrees.iter().all(|known| known.id != worktree.id) {
            worktrees.push(worktree);
        }
    }
    // Either all of them can be removed, or none is.
    let mut removals: Vec<(Worktree, Removal)> = Vec::new();
    for worktree in worktrees {
        match Removal::prepare(&store, &clock, &home, worktree.clone(), manner).await {
            Ok(removal) => removals.push((worktree, removal)),
            Err(error) => {
                for (_, removal) in removals {
                    removal.give_up(&store).await;
                }
                return Err(refusal(&error));
            }
        }
    }
    let mut removals = removals.into_iter();
    for (worktree, removal) in removals.by_ref() {
        match removal.carry_out(&store, &clock, &home).await {
            Ok(removed) => tell_removed(&worktree, &removed),
            Err(error) => {
                for (_, removal) in removals {
                    removal.give_up(&store).await;
                }
                return Err(refusal(&error));
            }
        }
    }
    Ok(())
}

fn tell_removed(worktree: &Worktree, removed: &Removed) {
    print_line(&format!("removed {}  {}", worktree.id, one_line(&worktree.path, PATH_COLUMNS)));
    if let Some(checkpoint) = &removed.checkpoint {
        let again = one_line(removed.again.as_deref().unwrap_or_default(), PATH_COLUMNS);
        print_line(&format!("  checkpoint {checkpoint} holds its changes. To restore them: {again}"));
    }
    for branch in &removed.kept {
        print_line(&format!("  branch {branch} is kept: its commits exist nowhere else"));
    }
}

fn refusal(error: &NotRemoved) -> Refusal {
    let exit = match error {
        NotRemoved::Checkpoint { .. } | NotRemoved::Store(_) => Exit::Failed,
        _ => Exit::NotEdited,
    };
    Refusal::new(exit, error)
}
