//! What processes that are gone left: turns without an end, files that were never renamed; and worktrees nobody has.

use std::path::Path;

use bowline_host::leftovers;
use bowline_host::store::{Scope, Session, Store, StoreError, Worktree};
use bowline_host::worktree::is_there;

use super::Scene;
use super::finding::Finding;
use crate::run::short;

const CHECK: &str = "leftovers";
/// Sessions that are looked at.
const SESSIONS_MAX: i64 = 200;
/// How many are named.
const SHOWN_MAX: usize = 5;

pub(super) async fn open_turns(scene: &Scene) -> Vec<Finding> {
    let Some(store) = scene.store() else { return Vec::new() };
    let left = match left_open(store, scene.now_ms).await {
        Ok(left) => left,
        Err(error) => return vec![Finding::failure(CHECK, &error)],
    };
    if left.is_empty() {
        return vec![Finding::ok(CHECK, "no turn was left open")];
    }
    let line = |session: &Session| {
        let what = format!(
            "the turn of session {} in {} was interrupted: {}",
            short(&session.id),
            session.project_root,
            session.title
        );
        let next = format!("bowline run -C {} -s {} resumes it", session.project_root, short(&session.id));
        Finding::warning(CHECK, what, next)
    };
    let mut findings: Vec<Finding> = left.iter().take(SHOWN_MAX).map(line).collect();
    if left.len() > SHOWN_MAX {
        let what = format!("{} more turns were interrupted", left.len() - SHOWN_MAX);
        findings.push(Finding::warning(CHECK, what, "bowline sessions list --all shows them as running"));
    }
    findings
}

/// Sessions whose log has a turn open that no process runs.
async fn left_open(store: &Store, now_ms: i64) -> Result<Vec<Session>, StoreError> {
    let mut left = Vec::new();
    for session in store.running_sessions(SESSIONS_MAX).await? {
        let lease = store.lease(&Scope::Session(session.id.clone())).await?;
        if !lease.is_some_and(|lease| lease.is_held(now_ms)) {
            left.push(session);
        }
    }
    Ok(left)
}

/// Worktrees that are gone, and those that no session is left of.
pub(super) async fn worktrees(scene: &Scene) -> Vec<Finding> {
    let Some(store) = scene.store() else { return Vec::new() };
    let worktrees = match store.worktrees(None).await {
        Ok(worktrees) => worktrees,
        Err(error) => return vec![Finding::failure(CHECK, &error)],
    };
    let finding = |worktree: &Worktree| {
        let Worktree { id, session, path, .. } = worktree;
        if !is_there(Path::new(path)) {
            let what = format!("the worktree {path} is gone");
            return Some(Finding::warning(CHECK, what, format!("bowline worktree remove {id} forgets it")));
        }
        let next = format!("check it, and remove it: bowline worktree remove {id}");
        let what = || format!("the worktree {path} belongs to no session any more");
        session.is_none().then(|| Finding::warning(CHECK, what(), next))
    };
    let found: Vec<Finding> = worktrees.iter().filter_map(finding).collect();
    let more = found.len().saturating_sub(SHOWN_MAX);
    let mut findings: Vec<Finding> = found.into_iter().take(SHOWN_MAX).collect();
    if more > 0 {
        let what = format!("{more} more worktrees are gone or belong to no session");
        findings.push(Finding::warning(CHECK, what, "bowline worktree list --all shows them"));
    }
    findings
}

pub(super) fn temporary_files(scene: &Scene) -> Vec<Finding> {
    let Ok(project) = &scene.project else { return Vec::new() };
    let warn = |path: std::path::PathBuf| {
        let what =
            format!("{} was meant to replace another file, but its process was killed", path.display());
        Finding::warning(CHECK, what, "check whether you need it, and delete it")
    };
    leftovers::temporary_files(&project.root).into_iter().map(warn).collect()
}
