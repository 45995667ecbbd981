//! Sessions renamed, copied and deleted: what each changes, and what it leaves alone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bowline_core::entry::{Body, SessionUpdated, Status};
use bowline_core::recover;
use bowline_host::store::{
    AppendError, Deleted, Fork, Holder, Location, Scope, SessionState, Store, StoreError, Taken,
};

use crate::store::*;

on_both!(
    a_new_title_is_an_entry_and_no_activity,
    a_title_needs_the_lease,
    a_session_at_work_is_not_deleted,
    deleting_leaves_everything_else,
    a_fork_is_a_copy_without_what_is_provisional,
    a_fork_ends_what_is_open_in_the_copy_alone,
);

const COPY: &str = "0190a000-0000-7000-8000-000000000002";

async fn a_new_title_is_an_entry_and_no_activity(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = take(&store, SESSION).await;
    assert_eq!(store.rename(&lease, "Another\0 title", 9_000).await.unwrap(), 2);
    let session = store.session(SESSION).await.unwrap().unwrap();
    assert_eq!(
        (session.title.as_str(), session.next_seq, session.active_ms),
        ("Another\u{fffd} title", 3, 1_000)
    );
    let last = store.log(SESSION).await.unwrap().pop().unwrap();
    let due = SessionUpdated { title: Some("Another\0 title".to_owned()), model: None, notice: None };
    assert_eq!((last.seq, last.at_ms, last.body), (2, 9_000, Body::SessionUpdated(due)));
    assert_eq!(hold(&store, &lease, 9_001, &[started("m")]).await, [3]);
}

async fn a_title_needs_the_lease(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = take(&store, SESSION).await;
    store.give_up(&lease).await.unwrap();
    let refused = store.rename(&lease, "late", 9_000).await;
    assert!(matches!(refused, Err(AppendError::LeaseLost { .. })), "{refused:?}");
    let session = store.session(SESSION).await.unwrap().unwrap();
    assert_eq!((session.title.as_str(), session.next_seq), ("rename", 2));
}

async fn a_session_at_work_is_not_deleted(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = take(&store, SESSION).await;
    let Deleted::Held { by } = store.delete_idle_session(SESSION, 2_000).await.unwrap() else {
        panic!("deleted at work")
    };
    assert_eq!((by.session.as_str(), by.pid()), (SESSION, Some(Holder::current().pid())));
    assert_eq!(store.log(SESSION).await.unwrap().len(), 1);
    store.give_up(&lease).await.unwrap();
    assert_eq!(store.delete_idle_session(SESSION, 2_000).await.unwrap(), Deleted::Yes);
    assert!(matches!(store.delete_idle_session(SESSION, 2_000).await, Err(StoreError::NoSession(_))));
    assert!(matches!(
        store.take_lease(&Scope::Session(SESSION.to_owned()), SESSION, &Holder::current(), 2_000).await,
        Err(StoreError::NoSession(_))
    ));
}

async fn deleting_leaves_everything_else(fixture: &Fixture) {
    let store = fixture.with_session().await;
    create_session(&store, "other").await;
    for session in [SESSION, "other"] {
        let lease = take(&store, session).await;
        let secret = format!("what only {session} says, {}", "x".repeat(9_000));
        hold(&store, &lease, 5, &[item_started("item00001"), item_completed("item00001", &secret)]).await;
        store.put_output(session, "a", &secret, 5).await.unwrap();
        store.give_up(&lease).await.unwrap();
    }
    let before = (store.log("other").await.unwrap(), store.messages("other").await.unwrap());
    assert_eq!(store.delete_idle_session(SESSION, 9_000).await.unwrap(), Deleted::Yes);
    store.forget_deleted().await.unwrap();
    assert_eq!((store.log("other").await.unwrap(), store.messages("other").await.unwrap()), before);
    assert!(store.output("other", "a").await.unwrap().is_some());
    assert_eq!(store.output(SESSION, "a").await.unwrap(), None);
    // On SQLite it can't be read from the files either.
    if let Location::Sqlite(path) = &fixture.location {
        let holds = |secret: &str| {
            let files = std::fs::read_dir(path.parent().unwrap()).unwrap();
            let mut bytes = files.map(|file| std::fs::read(file.unwrap().path()).unwrap());
            bytes.any(|bytes| bytes.windows(secret.len()).any(|window| window == secret.as_bytes()))
        };
        assert!(holds("what only other says"));
        assert!(!holds(&format!("what only {SESSION} says")));
    }
}

async fn fork(store: &Store, closing: &[Body]) -> Result<(), StoreError> {
    let log = store.log(SESSION).await.unwrap();
    let says = SessionUpdated { title: Some("rename (fork)".to_owned()), ..SessionUpdated::default() };
    let fork = Fork {
        source: SESSION,
        id: COPY,
        title: "rename (fork)",
        log: &log,
        closing,
        turn: Some("turn-1"),
        says: &Body::SessionUpdated(says),
        at_ms: 9_000,
    };
    store.fork_session(&fork).await
}

async fn a_fork_is_a_copy_without_what_is_provisional(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = take(&store, SESSION).await;
    hold(&store, &lease, 5_000, &every_body()).await;
    store.put_output(SESSION, "a", "kept\0", 5).await.unwrap();
    let source = store.log(SESSION).await.unwrap();
    let row = store.session(SESSION).await.unwrap();
    fork(&store, &[]).await.unwrap();
    assert_eq!(store.log(SESSION).await.unwrap(), source, "the source changed");
    assert_eq!(store.session(SESSION).await.unwrap(), row);
    let mut copy = store.log(COPY).await.unwrap();
    let says = copy.pop().unwrap();
    assert_eq!((says.body.kind(), says.turn, says.at_ms), ("session.updated", None, 9_000));
    assert!(says.seq > source.last().unwrap().seq);
    let due: Vec<_> = source
        .iter()
        .filter(|entry| !entry.body.is_provisional())
        .map(|entry| (entry.seq, entry.at_ms, entry.turn.clone(), entry.body.clone()))
        .collect();
    let copied: Vec<_> =
        copy.into_iter().map(|entry| (entry.seq, entry.at_ms, entry.turn, entry.body)).collect();
    assert_eq!(copied, due);
    assert_eq!(store.messages(COPY).await.unwrap(), store.messages(SESSION).await.unwrap());
    assert_eq!(store.output(COPY, "a").await.unwrap().as_deref(), Some("kept\0"));
    let session = store.session(COPY).await.unwrap().unwrap();
    assert_eq!((session.title.as_str(), session.state), ("rename (fork)", SessionState::Failed));
    assert_eq!((session.project_root.as_str(), session.created_ms, session.active_ms), (ROOT, 9_000, 9_000));
    assert_eq!(session.next_seq, says.seq + 1);
    // The copy goes on by itself, and its lease is its own.
    let Taken::Yes(own) =
        store.take_lease(&Scope::Session(COPY.to_owned()), COPY, &Holder::current(), 1_000).await.unwrap()
    else {
        panic!("the copy is held")
    };
    assert_eq!(hold(&store, &own, 9_001, &[started("m9")]).await, [says.seq + 1]);
    assert_eq!(store.delete_idle_session(COPY, 9_000_000).await.unwrap(), Deleted::Yes);
    assert_eq!(store.log(SESSION).await.unwrap(), source);
    let refused = Fork { source: "none", ..empty(&says.body) };
    assert!(matches!(store.fork_session(&refused).await, Err(StoreError::NoSession(_))));
}

fn empty(says: &Body) -> Fork<'_> {
    Fork { source: SESSION, id: COPY, title: "", log: &[], closing: &[], turn: None, says, at_ms: 1 }
}

async fn a_fork_ends_what_is_open_in_the_copy_alone(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = take(&store, SESSION).await;
    let open = [run_started("message-1"), started("message-1"), item_started("item00001")];
    hold(&store, &lease, 5_000, &open).await;
    hold(&store, &lease, 5_001, &[delta("item00001", "so far, "), delta("item00001", "so good")]).await;
    let closing = recover::close(&store.log(SESSION).await.unwrap());
    fork(&store, &closing).await.unwrap();
    let copy = store.log(COPY).await.unwrap();
    let whole = copy.iter().find_map(|entry| match &entry.body {
        Body::ItemCompleted { item } => Some(item.text.as_str()),
        _ => None,
    });
    assert_eq!(whole, Some("so far, so good"));
    assert!(copy.iter().all(|entry| !entry.body.is_provisional()));
    assert_eq!(store.messages(COPY).await.unwrap()[0].status, Status::Failed);
    assert_eq!(store.messages(SESSION).await.unwrap()[0].status, Status::Streaming);
    // The original's turn goes on.
    hold(&store, &lease, 5_002, &[delta("item00001", "!"), item_completed("item00001", "all of it")]).await;
    assert_eq!(store.session(SESSION).await.unwrap().unwrap().state, SessionState::Running);
}
