//! Leases: one process runs a session's turn, one session writes in a work tree, and the dead hold nothing.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::process::{Child, Command};
use std::time::{Duration, Instant};

use bowline_host::store::{
    Append, AppendError, Holder, LEASE_GRACE_MS, LEASE_MS, Lease, LeaseError, LeaseInfo, Scope, Store,
    StoreError, Taken, Whereabouts, Writer,
};

use crate::store::*;

on_both!(
    a_lease_is_held_by_one,
    a_lease_given_up_is_free_and_keeps_its_epoch,
    a_lease_elsewhere_is_held_until_it_runs_out,
    a_live_process_here_is_not_robbed_for_being_late,
    a_dead_process_has_lost_its_lease,
    a_work_tree_has_one_writer,
    of_many_who_ask_at_once_one_gets_it,
    who_takes_a_lease_reads_all_its_predecessor_wrote,
);

const NOW_MS: i64 = 1_000_000;

fn session_scope() -> Scope {
    Scope::Session(SESSION.to_owned())
}

/// A process of another machine.
fn stranger() -> Holder {
    Holder::parse("other-machine 17 4711").unwrap()
}

fn yes(taken: Taken) -> Lease {
    match taken {
        Taken::Yes(lease) => lease,
        Taken::Held { by } => panic!("held by {by:?}"),
    }
}

fn held(taken: Taken) -> LeaseInfo {
    match taken {
        Taken::Yes(lease) => panic!("taken: {lease:?}"),
        Taken::Held { by } => by,
    }
}

async fn ask(store: &Store, holder: &Holder, now_ms: i64) -> Taken {
    store.take_lease(&session_scope(), SESSION, holder, now_ms).await.unwrap()
}

async fn a_lease_is_held_by_one(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = yes(ask(&store, &Holder::current(), NOW_MS).await);
    assert_eq!((lease.epoch(), lease.session()), (1, SESSION));
    let by = held(ask(&store, &stranger(), NOW_MS).await);
    assert_eq!(by.pid(), Some(i32::try_from(std::process::id()).unwrap()));
    assert_eq!((by.session.as_str(), by.epoch, by.until_ms), (SESSION, 1, NOW_MS + LEASE_MS));
    // Nor does a process get it a second time.
    held(ask(&store, &Holder::current(), NOW_MS).await);
    let none = store.take_lease(&Scope::Session("none".to_owned()), "none", &stranger(), NOW_MS).await;
    assert!(matches!(none, Err(StoreError::NoSession(_))));
}

async fn a_lease_given_up_is_free_and_keeps_its_epoch(fixture: &Fixture) {
    let store = fixture.with_session().await;
    // Even at the beginning of time, when no lease has run out yet.
    let lease = yes(ask(&store, &Holder::current(), 1).await);
    store.give_up(&lease).await.unwrap();
    let info = store.lease(&session_scope()).await.unwrap().unwrap();
    assert_eq!((info.epoch, info.until_ms), (1, 0));
    assert!(!info.is_held(1));
    assert!(matches!(store.renew(&lease, 2).await, Err(LeaseError::Lost { .. })));
    let next = yes(ask(&store, &stranger(), 3).await);
    assert_eq!(next.epoch(), 2);
    // The former holder can take nothing from the next.
    store.give_up(&lease).await.unwrap();
    assert!(store.lease(&session_scope()).await.unwrap().unwrap().is_held(3));
}

async fn a_lease_elsewhere_is_held_until_it_runs_out(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = yes(ask(&store, &stranger(), NOW_MS).await);
    held(ask(&store, &Holder::current(), NOW_MS + LEASE_MS).await);
    store.renew(&lease, NOW_MS + 10_000).await.unwrap();
    held(ask(&store, &Holder::current(), NOW_MS + LEASE_MS + 1).await);
    let mine = yes(ask(&store, &Holder::current(), NOW_MS + 10_000 + LEASE_MS + 1).await);
    assert_eq!(mine.epoch(), 2);
    let lost = store.renew(&lease, NOW_MS).await.unwrap_err();
    assert!(matches!(&lost, LeaseError::Lost { scope } if scope.ends_with(SESSION)), "{lost}");
}

async fn a_live_process_here_is_not_robbed_for_being_late(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let lease = yes(ask(&store, &Holder::current(), NOW_MS).await);
    // Late by hours on a clock that jumped forward and back is no matter once it renews.
    held(ask(&store, &stranger(), NOW_MS + LEASE_MS + 1).await);
    held(ask(&store, &stranger(), NOW_MS + LEASE_MS + LEASE_GRACE_MS).await);
    held(ask(&store, &stranger(), NOW_MS - 3_600_000).await);
    store.renew(&lease, NOW_MS + LEASE_MS + LEASE_GRACE_MS).await.unwrap();
    let end_ms = NOW_MS + 2 * (LEASE_MS + LEASE_GRACE_MS);
    held(ask(&store, &stranger(), end_ms).await);
    // Stopped for good, it must not keep the session for ever.
    assert_eq!(yes(ask(&store, &stranger(), end_ms + 1).await).epoch(), 2);
}

/// A process to hold something, ended when dropped.
struct Sleeper(Child);

impl Sleeper {
    fn start() -> (Sleeper, Holder) {
        let child = Command::new("sleep").arg("1000").spawn().unwrap();
        let holder = Holder::of_process(i32::try_from(child.id()).unwrap()).unwrap();
        (Sleeper(child), holder)
    }
}

impl Drop for Sleeper {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits for a process that was killed to end; nobody waits for it, so it stays as a zombie.
fn wait_until_gone(holder: &Holder) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while holder.whereabouts() != Whereabouts::Gone {
        assert!(Instant::now() < deadline, "it does not end");
        std::thread::yield_now();
    }
}

async fn a_dead_process_has_lost_its_lease(fixture: &Fixture) {
    let store = fixture.with_session().await;
    let (mut sleeper, holder) = Sleeper::start();
    assert!(holder.is_alive());
    yes(ask(&store, &holder, NOW_MS).await);
    held(ask(&store, &Holder::current(), NOW_MS + 1).await);
    sleeper.0.kill().unwrap();
    wait_until_gone(&holder);
    assert!(!holder.is_alive());
    let mine = yes(ask(&store, &Holder::current(), NOW_MS + 2).await);
    assert_eq!(mine.epoch(), 2);
    sleeper.0.wait().unwrap();
    assert_eq!(holder.whereabouts(), Whereabouts::Gone);
    assert_eq!(Holder::of_process(holder.pid()), None);
}

async fn a_work_tree_has_one_writer(fixture: &Fixture) {
    let store = fixture.with_session().await;
    create_session(&store, "other").await;
    let tree = Scope::Tree(ROOT.to_owned());
    let lease = yes(store.take_lease(&tree, SESSION, &Holder::current(), NOW_MS).await.unwrap());
    let by = held(store.take_lease(&tree, "other", &Holder::current(), NOW_MS).await.unwrap());
    assert_eq!(by.session, SESSION, "the second is told which session works there");
    let elsewhere = Scope::Tree("/home/ann/worktree".to_owned());
    yes(store.take_lease(&elsewhere, "other", &Holder::current(), NOW_MS).await.unwrap());
    store.give_up(&lease).await.unwrap();
    let other = yes(store.take_lease(&tree, "other", &Holder::current(), NOW_MS).await.unwrap());
    assert_eq!(other.epoch(), 2);
    // A session that is deleted holds nothing, and its lease is nobody else's.
    store.delete_session("other").await.unwrap();
    let again = yes(store.take_lease(&tree, SESSION, &Holder::current(), NOW_MS).await.unwrap());
    assert!(matches!(store.renew(&other, NOW_MS).await, Err(LeaseError::Lost { .. })));
    store.renew(&again, NOW_MS).await.unwrap();
}

async fn of_many_who_ask_at_once_one_gets_it(fixture: &Fixture) {
    const ASKERS: usize = 8;
    let store = fixture.with_session().await;
    let mut tasks = Vec::new();
    for asker in 0..ASKERS {
        let id = format!("asker-{asker}");
        create_session(&store, &id).await;
        let store = fixture.open().await;
        tasks.push(tokio::spawn(async move {
            // By the tree, which no session's row guards.
            let tree = Scope::Tree(ROOT.to_owned());
            let mine = store.take_lease(&tree, &id, &Holder::current(), NOW_MS).await.unwrap();
            let shared =
                store.take_lease(&session_scope(), SESSION, &Holder::current(), NOW_MS).await.unwrap();
            store.close().await;
            [mine, shared]
        }));
    }
    let mut taken = [0, 0];
    for task in tasks {
        for (count, outcome) in taken.iter_mut().zip(task.await.unwrap()) {
            *count += i32::from(matches!(outcome, Taken::Yes(_)));
        }
    }
    assert_eq!(taken, [1, 1]);
}

async fn who_takes_a_lease_reads_all_its_predecessor_wrote(fixture: &Fixture) {
    const ROUNDS: usize = 10;
    let store = fixture.with_session().await;
    let mut now_ms = NOW_MS;
    for _ in 0..ROUNDS {
        now_ms += 2 * LEASE_MS;
        let former = yes(ask(&store, &stranger(), now_ms).await);
        let writer = fixture.open().await;
        let (wrote, mut first_written) = tokio::sync::mpsc::unbounded_channel();
        let writing = tokio::spawn(async move {
            loop {
                let bodies = [delta("a", "x"), delta("b", "y")];
                let append = Append {
                    session: SESSION,
                    writer: Writer::Holder(&former),
                    at_ms: now_ms,
                    turn: None,
                    bodies: &bodies,
                };
                match writer.append(&append).await {
                    Ok(_) => wrote.send(()).unwrap_or_default(),
                    Err(AppendError::LeaseLost { .. }) => break writer.close().await,
                    Err(other) => panic!("{other}"),
                }
            }
        });
        first_written.recv().await.unwrap();
        now_ms += LEASE_MS + 1;
        let mine = yes(ask(&store, &stranger(), now_ms).await);
        let read = store.log(SESSION).await.unwrap();
        writing.await.unwrap();
        assert_eq!(
            store.log(SESSION).await.unwrap().len(),
            read.len(),
            "an append came after the lease was lost"
        );
        store.give_up(&mine).await.unwrap();
    }
}
