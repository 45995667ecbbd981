//! Worktrees as rows: found by project, path, session and the start of an id; they outlive their sessions.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bowline_host::store::{CheckpointRow, NewSession, Store, Worktree};
use sqlx::Row as _;

use crate::store::*;

on_both!(
    a_worktree_is_found_by_all_its_names,
    it_outlives_its_session_and_its_checkpoints_outlive_it,
    sessions_are_found_from_their_worktree,
);

const PATH: &str = "/data/worktrees/0190a000-0000/project";

fn worktree(id: &str, path: &str, created_ms: i64) -> Worktree {
    Worktree {
        id: id.to_owned(),
        session: None,
        project_root: ROOT.to_owned(),
        path: path.to_owned(),
        branch: format!("bowline/{id}"),
        base: "b".repeat(40),
        created_ms,
    }
}

async fn ids(store: &Store, prefix: &str) -> Vec<String> {
    store.find_worktrees(prefix).await.unwrap().into_iter().map(|found| found.id).collect()
}

async fn a_worktree_is_found_by_all_its_names(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let first = worktree("0190a000-0000", PATH, 5);
    let other =
        Worktree { project_root: "/elsewhere".to_owned(), ..worktree("0190b", "/data/o'dd\u{1b}日", 6) };
    store.add_worktree(&first).await.unwrap();
    store.add_worktree(&other).await.unwrap();
    assert_eq!(store.worktree_at(PATH).await.unwrap(), Some(first.clone()));
    assert_eq!(store.worktree_at("/data").await.unwrap(), None);
    assert_eq!(store.worktree_at(&other.path).await.unwrap(), Some(other.clone()));
    assert_eq!(store.worktree_of(SESSION).await.unwrap(), None);
    store.own_worktree(&first.id, SESSION).await.unwrap();
    let first = Worktree { session: Some(SESSION.to_owned()), ..first };
    assert_eq!(store.worktree_of(SESSION).await.unwrap(), Some(first.clone()));
    assert_eq!(store.worktrees(Some(ROOT)).await.unwrap(), std::slice::from_ref(&first));
    assert_eq!(store.worktrees(Some(PATH)).await.unwrap(), std::slice::from_ref(&first));
    assert_eq!(store.worktrees(None).await.unwrap(), [other.clone(), first.clone()]);

    assert_eq!(ids(&store, "0190").await, [other.id.as_str(), &first.id]);
    assert_eq!(ids(&store, "0190b").await, [other.id.as_str()]);
    assert_eq!(ids(&store, "0190a").await, [first.id.as_str()]);
    assert_eq!(ids(&store, SESSION).await, [first.id.as_str()], "by its session");
    assert!(ids(&store, "").await.is_empty() && ids(&store, "%").await.is_empty());
    // The whole of one id, though another begins so.
    store.add_worktree(&worktree("0190", "/data/short", 7)).await.unwrap();
    assert_eq!(ids(&store, "0190").await, ["0190"]);
    // A path is one worktree's.
    assert!(store.add_worktree(&worktree("another", PATH, 8)).await.is_err());
    store.remove_worktree("0190").await.unwrap();
    assert_eq!(store.worktrees(None).await.unwrap().len(), 2);
}

async fn it_outlives_its_session_and_its_checkpoints_outlive_it(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let first = worktree("0190a", PATH, 5);
    store.add_worktree(&first).await.unwrap();
    store.own_worktree(&first.id, SESSION).await.unwrap();
    let commit = "c".repeat(40);
    let kept = CheckpointRow {
        id: "k0123456789".to_owned(),
        root: PATH.to_owned(),
        session: None,
        message: None,
        moment: "hand".to_owned(),
        commit: commit.clone(),
        label: "by hand".to_owned(),
        created_ms: 9,
    };
    store.insert_checkpoint(&kept, "[]").await.unwrap();
    store.delete_session(SESSION).await.unwrap();
    assert_eq!(store.worktrees(None).await.unwrap(), std::slice::from_ref(&first), "without its session");
    let raw = fixture.raw().await;
    let row = || async {
        let row = sqlx::query("SELECT root, worktree_id, moment, commit_sha FROM checkpoints");
        let row = row.fetch_one(&raw).await.unwrap();
        let text = |at: usize| row.get::<String, _>(at);
        (text(0), row.get::<Option<String>, _>(1), text(2), text(3))
    };
    let (root, moment) = (PATH.to_owned(), "hand".to_owned());
    assert_eq!(row().await, (root.clone(), Some(first.id.clone()), moment.clone(), commit.clone()));
    store.remove_worktree(&first.id).await.unwrap();
    assert!(store.worktrees(None).await.unwrap().is_empty());
    assert_eq!(row().await, (root, None, moment, commit));
    raw.close().await;
}

async fn sessions_are_found_from_their_worktree(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let id = "0190a000-0000-7000-8000-000000000002";
    let new = NewSession { id, project_root: ROOT, work_tree: PATH, title: "apart", model: "m" };
    store.create_session(&new, &first(), 500).await.unwrap();
    let found = |root: &'static str| {
        let store = &store;
        async move {
            let sessions = store.sessions_of(Some(root), 9).await.unwrap();
            let below = store.sessions_below(Some(root), None, 9).await.unwrap();
            assert_eq!(sessions, below);
            sessions.into_iter().map(|session| session.id).collect::<Vec<_>>()
        }
    };
    assert_eq!(found(ROOT).await, [SESSION, id]);
    assert_eq!(found(PATH).await, [id]);
    assert_eq!(store.last_session(PATH).await.unwrap().unwrap().id, id);
    assert!(found("/data").await.is_empty());
}
