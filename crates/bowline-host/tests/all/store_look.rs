//! What is told of a database, what guards did in it, and a database that is nowhere on a disk.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bowline_core::entry::{Access, Body, Stop, TurnStarted};
use bowline_core::typed::Typed;
use bowline_host::store::{MIGRATOR, Store, Then};

use crate::store::*;

on_both!(a_database_tells_of_itself, open_turns_are_listed, what_came_after_a_stop_is_told);

async fn a_database_tells_of_itself(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let about = store.about().await.unwrap();
    assert_eq!(about.version, MIGRATOR.iter().map(|migration| migration.version).max().unwrap());
    assert!(about.bytes > 10_000, "{about:?}");
    assert_eq!(about.sessions, 1);
    store.check_writable().await.unwrap();
    assert_eq!(store.session(SESSION).await.unwrap().unwrap().next_seq, 2);
}

async fn open_turns_are_listed(fixture: &Fixture) {
    let store = fixture.with_session().await;
    assert!(store.running_sessions(10).await.unwrap().is_empty());
    let lease = take(&store, SESSION).await;
    hold(&store, &lease, 5, &[run_started("m")]).await;
    let running = store.running_sessions(10).await.unwrap();
    assert_eq!(running.iter().map(|session| session.id.as_str()).collect::<Vec<_>>(), [SESSION]);
    hold(&store, &lease, 6, &[Body::TurnCompleted(turn_end(Stop::Done))]).await;
    assert!(store.running_sessions(10).await.unwrap().is_empty());
}

async fn what_came_after_a_stop_is_told(fixture: &Fixture) {
    let store = fixture.open().await;
    let turn = || {
        let (text, message) = ("go".to_owned(), "u".to_owned());
        Body::TurnStarted(TurnStarted {
            text,
            typed: Typed::nothing(),
            message,
            access: Access::Write,
            queued: None,
            check: None,
        })
    };
    let paused = || Body::TurnPaused(turn_end(Stop::Guard));
    let logs = [
        ("a", 1, vec![turn(), run_started("m"), sentinel("s"), paused(), run_started("n")]),
        ("b", 2, vec![turn(), run_started("m"), sentinel("s"), paused(), turn(), run_started("n")]),
        ("c", 3, vec![turn(), run_started("m"), sentinel("s"), paused()]),
    ];
    for (id, at_ms, bodies) in &logs {
        create_session(&store, id).await;
        let lease = take(&store, id).await;
        hold(&store, &lease, *at_ms, bodies).await;
    }
    let stops = store.guard_stops(10, |_| true).await.unwrap();
    let then: Vec<Then> = stops.iter().map(|stop| stop.then).collect();
    assert_eq!(then, [Then::Nothing, Then::NewTurn, Then::Continued], "the newest first");
    assert_eq!(store.guard_stops(2, |_| true).await.unwrap().len(), 2);
    assert!(store.guard_stops(10, |_| false).await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_in_memory_is_a_database_of_its_own() {
    let (store, other) = (Store::in_memory().await.unwrap(), Store::in_memory().await.unwrap());
    create_session(&store, SESSION).await;
    let lease = take(&store, SESSION).await;
    let mark = store.changes(SESSION).await.unwrap();
    hold(&store, &lease, 5, &every_body()).await;
    assert_ne!(store.changes(SESSION).await.unwrap(), mark);
    assert_eq!(store.log(SESSION).await.unwrap().len(), every_body().len() + 1);
    assert_eq!(other.session(SESSION).await.unwrap(), None);
    // Readers and writers at once, on connections of their own.
    let store = std::sync::Arc::new(store);
    let tasks = (0..16).map(|n| {
        let store = store.clone();
        tokio::spawn(async move {
            for _ in 0..20 {
                send(&store, SESSION, 6, &[steer(&format!("from {n}"))]).await;
                store.log(SESSION).await.unwrap();
            }
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap();
    }
    assert_eq!(store.log(SESSION).await.unwrap().len(), every_body().len() + 1 + 16 * 20);
}
