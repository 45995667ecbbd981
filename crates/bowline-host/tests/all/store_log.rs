//! The log: what is appended is read back, numbered, by those who may, and a reader can begin anywhere.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::sync::Arc;

use bowline_core::entry::{Body, Entry, Status};
use bowline_core::item::{ItemKind, ItemStatus};
use bowline_host::store::{Append, AppendError, Scope, StoreError, Writer};

use crate::store::*;

on_both!(
    entries_are_read_back_as_written,
    an_append_is_all_or_nothing,
    only_the_holder_writes_and_only_in_its_epoch,
    from_outside_comes_input_only,
    input_is_found_apart,
    completion_deletes_what_was_provisional,
    a_replay_from_any_number_ends_in_the_same_state,
    numbers_have_no_duplicates_and_no_disorder,
    a_zero_character_survives,
    large_bodies_survive,
    the_mark_of_changes_moves,
);

async fn entries_are_read_back_as_written(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = take(&store, SESSION).await;
    // Each in an append of its own, then all at once: the form of the append must not matter.
    let bodies: Vec<Body> = every_body().into_iter().filter(|body| !body.is_provisional()).collect();
    for (body, at_ms) in bodies.iter().zip(2_000..) {
        hold(&store, &lease, at_ms, std::slice::from_ref(body)).await;
    }
    let seqs = hold(&store, &lease, 3_000, &bodies).await;
    let log = store.log(SESSION).await.unwrap();
    let read: Vec<&Body> = log.iter().map(|entry| &entry.body).collect();
    let first = first();
    let written: Vec<&Body> = std::iter::once(&first).chain(&bodies).chain(&bodies).collect();
    assert_eq!(read, written);
    let last = log.last().unwrap();
    assert_eq!((last.seq, last.at_ms, last.turn.as_deref()), (*seqs.last().unwrap(), 3_000, Some("turn-1")));
    assert_eq!((log[0].seq, log[0].turn.as_deref(), log[0].session.as_str()), (1, None, SESSION));
    assert_eq!(store.entries(SESSION, 3, 2).await.unwrap(), log[3..5].to_vec());
    assert_eq!(store.entries(SESSION, last.seq, 10).await.unwrap(), Vec::new());
}

async fn an_append_is_all_or_nothing(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let append =
        Append { session: "none", writer: Writer::Outside, at_ms: 1, turn: None, bodies: &[steer("a")] };
    let refused = store.append(&append).await.unwrap_err();
    assert!(matches!(refused, AppendError::Store(StoreError::NoSession(id)) if id == "none"));
    let bodies = [steer("a"), started("message-1")];
    let append = Append { session: SESSION, writer: Writer::Outside, at_ms: 1, turn: None, bodies: &bodies };
    assert!(store.append(&append).await.is_err());
    assert_eq!(store.log(SESSION).await.unwrap().len(), 1);
    // A number that was not used is given out again.
    assert_eq!(send(&store, SESSION, 5, &[steer("b"), steer("c")]).await, vec![2, 3]);
    assert_eq!(send(&store, SESSION, 5, &[]).await, Vec::<i64>::new());
}

async fn only_the_holder_writes_and_only_in_its_epoch(fixture: &Fixture) {
    let store = fixture.with_session().await;
    create_session(&store, "other").await;
    let append = |lease, session| {
        let store = &store;
        async move {
            let append = Append {
                session,
                writer: Writer::Holder(lease),
                at_ms: 9,
                turn: None,
                bodies: &[delta("i", "a")],
            };
            store.append(&append).await
        }
    };
    let former = take(&store, SESSION).await;
    append(&former, SESSION).await.unwrap();
    // Another session's lease is no right to write here.
    assert!(matches!(append(&former, "other").await, Err(AppendError::LeaseLost { .. })));
    store.give_up(&former).await.unwrap();
    assert!(matches!(append(&former, SESSION).await, Err(AppendError::LeaseLost { .. })));
    // The same process again, one epoch later: the former lease stays lost.
    let latter = take(&store, SESSION).await;
    assert_eq!(latter.epoch(), former.epoch() + 1);
    append(&latter, SESSION).await.unwrap();
    let refused = append(&former, SESSION).await.unwrap_err();
    assert!(matches!(&refused, AppendError::LeaseLost { session } if session == SESSION), "{refused}");
    assert_eq!(store.log(SESSION).await.unwrap().len(), 3);
}

async fn from_outside_comes_input_only(fixture: &Fixture) {
    let store = fixture.with_session().await;
    for body in every_body() {
        let bodies = std::slice::from_ref(&body);
        let append = Append { session: SESSION, writer: Writer::Outside, at_ms: 5, turn: None, bodies };
        match store.append(&append).await {
            Ok(_) => assert!(body.is_input(), "{} was let in", body.kind()),
            Err(AppendError::NotInput { kind }) => {
                assert!(!body.is_input(), "{kind} was refused");
                assert_eq!(kind, body.kind());
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(store.log(SESSION).await.unwrap().len(), 4);
}

async fn input_is_found_apart(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = take(&store, SESSION).await;
    hold(&store, &lease, 5, &every_body()).await;
    let log = store.log(SESSION).await.unwrap();
    let input: Vec<Entry> = log.iter().filter(|entry| entry.body.is_input()).cloned().collect();
    assert_eq!(input.len(), 3);
    assert_eq!(store.input_after(SESSION, 0).await.unwrap(), input);
    assert_eq!(store.input_after(SESSION, input[0].seq).await.unwrap(), input[1..].to_vec());
}

async fn completion_deletes_what_was_provisional(fixture: &Fixture) {
    let store = fixture.with_session().await;
    create_session(&store, "other").await;
    let lease = take(&store, SESSION).await;
    let other = take(&store, "other").await;
    let reasoning = Body::ReasoningDelta { item: "a".to_owned(), text: "hm".to_owned() };
    hold(&store, &other, 5, &[delta("a", "mine")]).await;
    hold(
        &store,
        &lease,
        5,
        &[item_started("a"), delta("a", "x"), delta("b", "y"), updated("a", "xx"), reasoning],
    )
    .await;
    // One append may hold the last delta and the completion.
    hold(&store, &lease, 6, &[delta("a", "z"), item_completed("a", "xxz")]).await;
    let kinds = |log: Vec<Entry>| log.iter().map(|entry| (entry.seq, entry.body.kind())).collect::<Vec<_>>();
    let left = [(1, "session.started"), (2, "item.started"), (4, "text.delta"), (8, "item.completed")];
    assert_eq!(kinds(store.log(SESSION).await.unwrap()), left);
    assert_eq!(kinds(store.log("other").await.unwrap()), [(1, "session.started"), (2, "text.delta")]);
}

/// A reader's idea of the items: what it has, and whether that is final.
#[derive(Debug, Clone, Default, PartialEq)]
struct Items {
    read_through: i64,
    items: BTreeMap<String, (String, bool)>,
}

impl Items {
    fn read(&mut self, entries: &[Entry]) {
        for entry in entries {
            assert!(entry.seq > self.read_through, "numbers increase");
            self.read_through = entry.seq;
            let Some(id) = entry.body.item() else { continue };
            let item = self.items.entry(id.to_owned()).or_default();
            match &entry.body {
                Body::TextDelta { text, .. } => item.0.push_str(text),
                Body::ItemUpdated { item: change } => item.0.clone_from(&change.text),
                Body::ItemCompleted { item: whole } => *item = (whole.text.clone(), true),
                _ => {}
            }
        }
    }
}

async fn a_replay_from_any_number_ends_in_the_same_state(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = take(&store, SESSION).await;
    let appends = [
        vec![started("m"), item_started("a")],
        vec![delta("a", "one ")],
        vec![delta("a", "two "), item_started("b"), delta("b", "three ")],
        vec![updated("b", "four "), delta("b", "five")],
        vec![delta("a", "six"), item_completed("a", "one two six")],
        vec![delta("b", "!"), item_started("c"), delta("c", "open")],
        vec![item_completed("b", "four five!"), completed("m", Status::Complete)],
    ];
    let mut readers = vec![Items::default()];
    for (bodies, at_ms) in appends.iter().zip(2_000..) {
        hold(&store, &lease, at_ms, bodies).await;
        // One reader stops here, having read everything; another stops at every number before.
        let log = store.log(SESSION).await.unwrap();
        for stop in 1..=log.len() {
            let mut reader = Items::default();
            reader.read(&log[..stop]);
            readers.push(reader);
        }
    }
    let mut whole = Items::default();
    whole.read(&store.log(SESSION).await.unwrap());
    assert_eq!(whole.items["a"], ("one two six".to_owned(), true));
    assert_eq!(whole.items["c"], ("open".to_owned(), false));
    for mut reader in readers {
        let before = reader.clone();
        reader.read(&store.entries(SESSION, reader.read_through, 1_000).await.unwrap());
        assert_eq!(reader, whole, "from {before:?}");
    }
}

async fn numbers_have_no_duplicates_and_no_disorder(fixture: &Fixture) {
    const WRITERS: usize = 8;
    const APPENDS: usize = 25;
    let store = fixture.with_session().await;
    let lease = Arc::new(take(&store, SESSION).await);
    let mut tasks = Vec::new();
    for writer in 0..WRITERS {
        // A store each, as processes have; one of them is the holder.
        let store = fixture.open().await;
        let lease = Arc::clone(&lease);
        tasks.push(tokio::spawn(async move {
            let mut seqs = Vec::new();
            for turn in 0..APPENDS {
                let bodies: Vec<Body> =
                    (0..=turn % 3).map(|index| steer(&format!("{writer} {turn} {index}"))).collect();
                seqs.extend(if writer == 0 {
                    hold(&store, &lease, 5, &bodies).await
                } else {
                    send(&store, SESSION, 5, &bodies).await
                });
            }
            store.close().await;
            seqs
        }));
    }
    let mut all = Vec::new();
    for task in tasks {
        let seqs = task.await.unwrap();
        assert!(seqs.is_sorted_by(|a, b| a < b), "one writer's numbers increase");
        all.extend(seqs);
    }
    all.sort_unstable();
    let expected: Vec<i64> = (2..).take(all.len()).collect();
    assert_eq!(all, expected);
    let log = store.log(SESSION).await.unwrap();
    assert_eq!(log.iter().map(|entry| entry.seq).skip(1).collect::<Vec<_>>(), expected);
    // Within one append the numbers stand in the order of its entries.
    let texts: Vec<String> = log
        .iter()
        .filter_map(|entry| if let Body::Input(input) = &entry.body { input.text.clone() } else { None })
        .collect();
    for pair in texts.windows(2) {
        let (before, index) = pair[1].rsplit_once(' ').unwrap();
        if index != "0" {
            assert_eq!(pair[0].rsplit_once(' ').unwrap().0, before);
        }
    }
}

async fn a_zero_character_survives(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = take(&store, SESSION).await;
    let text = "before\0after \u{1} \\u0000 \u{10ffff}";
    hold(&store, &lease, 5, &[delta("a", text), steer(text)]).await;
    assert_eq!(store.log(SESSION).await.unwrap()[1].body, delta("a", text));
    store.put_output(SESSION, "out", text, 5).await.unwrap();
    assert_eq!(store.output(SESSION, "out").await.unwrap().as_deref(), Some(text));
    let title =
        bowline_core::entry::SessionUpdated { title: Some("a\0b".to_owned()), model: None, notice: None };
    hold(&store, &lease, 6, &[Body::SessionUpdated(title)]).await;
    assert_eq!(store.session(SESSION).await.unwrap().unwrap().title, "a\u{fffd}b");
}

async fn large_bodies_survive(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = take(&store, SESSION).await;
    let text = "ä\"\n\0".repeat(1 << 18);
    let body = Body::ItemCompleted { item: item("a", ItemKind::Text, ItemStatus::Complete, &text) };
    hold(&store, &lease, 5, &[body.clone(), body.clone()]).await;
    assert_eq!(store.log(SESSION).await.unwrap()[2].body, body);
    store.put_output(SESSION, "out", &text, 5).await.unwrap();
    assert_eq!(store.output(SESSION, "out").await.unwrap(), Some(text));
}

async fn the_mark_of_changes_moves(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let elsewhere = fixture.open().await;
    let before = store.changes(SESSION).await.unwrap();
    assert_eq!(store.changes(SESSION).await.unwrap(), before, "nothing happened");
    send(&elsewhere, SESSION, 5, &[steer("left")]).await;
    let after = store.changes(SESSION).await.unwrap();
    assert_ne!(after, before, "another process appended");
    send(&store, SESSION, 5, &[steer("right")]).await;
    assert_ne!(store.changes(SESSION).await.unwrap(), after, "this process appended");
    let lease = store.lease(&Scope::Session(SESSION.to_owned())).await.unwrap();
    assert_eq!(lease, None);
}
