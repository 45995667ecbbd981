//! Sessions renamed and deleted: what each changes, and what it leaves alone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bowline_core::entry::{Body, SessionUpdated};
use bowline_host::store::{AppendError, Deleted, Holder, Location, Scope, StoreError};

use crate::store::*;

on_both!(
    a_new_title_is_an_entry_and_no_activity,
    a_title_needs_the_lease,
    a_session_at_work_is_not_deleted,
    deleting_leaves_everything_else,
);

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
