//! Checkpoints as rows, and what a restore leaves of a session's messages: both follow from the log, in its transaction.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use bowline_core::checkpoint::{Checkpoint, Moment};
use bowline_core::entry::{Access, Body, Role, RunStarted, Status, TurnStarted};
use bowline_core::restore_entry::{RestoreKind, Restored};
use bowline_core::typed::Typed;
use bowline_host::store::{SessionState, Store};

use crate::store::*;

on_both!(
    a_row_follows_from_each_checkpoint,
    a_failed_append_leaves_no_row,
    rows_go_with_their_session,
    messages_that_were_undone_are_gone_and_come_back,
    what_was_undone_is_not_found,
);

/// The entries of a turn of one run, which wrote something.
fn turn(n: i64, text: &str) -> Vec<Body> {
    let (asked, answer) = (format!("u{n}"), format!("a{n}"));
    let (access, edits) = (Access::Write, bowline_core::entry::ReviewMode::Auto);
    vec![
        Body::TurnStarted(TurnStarted {
            text: text.to_owned(),
            typed: Typed::nothing(),
            message: asked.clone(),
            access,
            queued: None,
            check: None,
        }),
        Body::MessageStarted { message: message(&asked, Role::User, Status::Complete) },
        Body::RunStarted(RunStarted {
            run: 1,
            message: answer.clone(),
            access,
            edits,
            hint: None,
            check: None,
        }),
        Body::MessageStarted { message: message(&answer, Role::Assistant, Status::Streaming) },
        Body::Checkpoint(checkpoint(&format!("k{n}"), Moment::Before, &answer)),
        Body::Checkpoint(checkpoint(&format!("l{n}"), Moment::After, &answer)),
        Body::MessageCompleted { message: message(&answer, Role::Assistant, Status::Complete) },
        Body::TurnPaused(turn_end(bowline_core::entry::Stop::Guard)),
    ]
}

async fn ids(store: &Store) -> Vec<String> {
    store.messages(SESSION).await.unwrap().into_iter().map(|row| row.id).collect()
}

/// Every time is the same.
const AT_MS: i64 = 2_000;

async fn a_row_follows_from_each_checkpoint(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = take(&store, SESSION).await;
    hold(&store, &lease, AT_MS, &turn(1, "Mend it.")).await;
    let failed =
        Checkpoint { commit: None, error: Some("full".to_owned()), ..checkpoint("k2", Moment::Before, "a1") };
    let undo = Body::Restored(Box::new(restored("k1", "a1")));
    // One that is settled twice is there once.
    hold(&store, &lease, AT_MS, &[Body::Checkpoint(failed), undo.clone(), undo]).await;
    let rows = store.session_checkpoints(SESSION).await.unwrap();
    let told: Vec<String> = rows
        .iter()
        .map(|row| {
            let message = row.message.as_deref().unwrap_or("none");
            format!("{} {} {message} {} {}", row.id, row.moment, row.commit, row.label)
        })
        .collect();
    let expected = [
        "k1 before a1 commit of k1 Mend\u{fffd} it.",
        "l1 after a1 commit of l1 Mend\u{fffd} it.",
        "u-k1 restore none commit of now before an undo",
    ];
    assert_eq!(told, expected);
    assert!(rows.iter().all(|row| row.root == ROOT && row.session.as_deref() == Some(SESSION)));
    assert_eq!(store.tree_checkpoints(ROOT, 10).await.unwrap().len(), 3);
    assert_eq!(store.find_checkpoints("u-").await.unwrap(), [rows[2].clone()]);
}

async fn a_failed_append_leaves_no_row(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = take(&store, SESSION).await;
    store.give_up(&lease).await.unwrap();
    let writer = bowline_host::store::Writer::Holder(&lease);
    let bodies = turn(1, "Mend it.");
    let append =
        bowline_host::store::Append { session: SESSION, writer, at_ms: 1, turn: None, bodies: &bodies };
    assert!(store.append(&append).await.is_err());
    assert_eq!(store.session_checkpoints(SESSION).await.unwrap(), []);
}

async fn rows_go_with_their_session(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = take(&store, SESSION).await;
    hold(&store, &lease, AT_MS, &turn(1, "Mend it.")).await;
    store.delete_session(SESSION).await.unwrap();
    assert_eq!(store.tree_checkpoints(ROOT, 10).await.unwrap(), []);
}

async fn messages_that_were_undone_are_gone_and_come_back(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = take(&store, SESSION).await;
    for n in 1..=2 {
        hold(&store, &lease, AT_MS, &turn(n, "Mend it.")).await;
    }
    assert_eq!(ids(&store).await, ["u1", "a1", "u2", "a2"]);
    assert_eq!(store.session(SESSION).await.unwrap().unwrap().state, SessionState::Paused);
    let seq = hold(&store, &lease, AT_MS, &[Body::Restored(Box::new(restored("k2", "a2")))]).await[0];
    assert_eq!(ids(&store).await, ["u1", "a1", "u2"], "what was asked stays");
    assert_eq!(store.session(SESSION).await.unwrap().unwrap().state, SessionState::Idle);
    hold(&store, &lease, AT_MS, &turn(3, "Otherwise.")).await;
    assert_eq!(ids(&store).await, ["u1", "a1", "u3", "a3"], "until something else is");
    store.rebuild_messages(SESSION).await.unwrap();
    assert_eq!(ids(&store).await, ["u1", "a1", "u3", "a3"]);
    let back = Restored {
        kind: RestoreKind::Restore,
        undoes: Some(seq),
        message: None,
        undo_checkpoint: "u-back".to_owned(),
        ..restored("u-k2", "a2")
    };
    hold(&store, &lease, AT_MS, &[Body::Restored(Box::new(back))]).await;
    assert_eq!(ids(&store).await, ["u1", "a1", "u2", "a2"]);
}

async fn what_was_undone_is_not_found(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = take(&store, SESSION).await;
    for (n, text) in [(1, "Mend the first."), (2, "Break the second.")] {
        hold(&store, &lease, AT_MS, &turn(n, text)).await;
        hold(&store, &lease, AT_MS, &[item_completed(&format!("i{n}"), &format!("answer {n}"))]).await;
    }
    let found = async |words: &str| store.search(None, &[words.to_owned()], 10).await.unwrap().len();
    assert_eq!((found("answer 1").await, found("answer 2").await), (1, 1));
    hold(&store, &lease, AT_MS, &[Body::Restored(Box::new(restored("k2", "a2")))]).await;
    assert_eq!((found("answer 1").await, found("answer 2").await, found("second").await), (1, 0, 1));
    hold(&store, &lease, AT_MS, &turn(3, "Otherwise.")).await;
    assert_eq!((found("second").await, found("otherwise").await), (0, 1));
}
