//! A session opened for a turn: its log, its leases, and what a predecessor left open ended.
//!
//! Also the sweeper, which ends what dead processes left streaming, and the handle other processes and threads use to say
//! something to a running turn.

use std::sync::Arc;
use std::time::Duration;

use bowline_core::entry::{Access, Body, Entry};
use bowline_core::recover;
use bowline_core::view::View;
use tokio::sync::Notify;

use crate::clock::Clock;
use crate::store::{
    Append, AppendError, Holder, Lease, LeaseError, LeaseInfo, Scope, Store, StoreError, Taken, Writer,
};

/// A streaming message is given up after this long without activity, if no live process holds its session.
pub const STALE_MS: i64 = 5 * 60_000;
const SWEEP_EVERY: Duration = Duration::from_secs(60);

/// A session this process holds.
#[derive(Debug)]
pub struct Attached {
    pub id: String,
    pub lease: Lease,
    /// Of the work tree, if the turn can write.
    tree: Option<Lease>,
    /// The log up to now.
    pub entries: Vec<Entry>,
}

#[derive(Debug, thiserror::Error)]
pub enum AttachError {
    #[error(
        "session {session} is at work in {path} (process {}).\nWait for it, or stop it, and try again",
        .pid.map_or("unknown".to_owned(), |pid| pid.to_string())
    )]
    TreeBusy { session: String, path: String, pid: Option<i32> },
    #[error(
        "session {session} is running a turn (process {}).\nWait for it, or stop it, and try again",
        .pid.map_or("unknown".to_owned(), |pid| pid.to_string())
    )]
    SessionBusy { session: String, pid: Option<i32> },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Append(#[from] AppendError),
}

impl Attached {
    /// Takes the session's lease, and its work tree's if the turn can write; ends what was left open; reads the log.
    pub async fn attach(
        store: &Store,
        clock: &Clock,
        session: &str,
        work_tree: &str,
        access: Access,
    ) -> Result<Attached, AttachError> {
        let holder = Holder::current();
        let scope = Scope::Session(session.to_owned());
        let lease = match store.take_lease(&scope, session, &holder, clock.now_ms()).await? {
            Taken::Yes(lease) => lease,
            Taken::Held { by } => {
                return Err(AttachError::SessionBusy { session: session.to_owned(), pid: by.pid() });
            }
        };
        let mut attached = Attached { id: session.to_owned(), lease, tree: None, entries: Vec::new() };
        match attached.prepare(store, clock, work_tree, access).await {
            Ok(()) => Ok(attached),
            Err(error) => {
                // Why it failed matters more than that this did too; a lease that stays ends with its process.
                let _ = attached.give_up(store).await;
                Err(error)
            }
        }
    }

    async fn prepare(
        &mut self,
        store: &Store,
        clock: &Clock,
        work_tree: &str,
        access: Access,
    ) -> Result<(), AttachError> {
        if access == Access::Write {
            let scope = Scope::Tree(work_tree.to_owned());
            match store.take_lease(&scope, &self.id, &Holder::current(), clock.now_ms()).await? {
                Taken::Yes(tree) => self.tree = Some(tree),
                Taken::Held { by } => return Err(tree_busy(work_tree, &by)),
            }
        }
        self.entries = close_open(store, clock, &self.lease).await?;
        Ok(())
    }

    pub(crate) async fn renew(&self, store: &Store, now_ms: i64) -> Result<(), LeaseError> {
        store.renew(&self.lease, now_ms).await?;
        match &self.tree {
            Some(tree) => store.renew(tree, now_ms).await,
            None => Ok(()),
        }
    }

    pub(crate) async fn give_up(&self, store: &Store) -> Result<(), StoreError> {
        if let Some(tree) = &self.tree {
            store.give_up(tree).await?;
        }
        store.give_up(&self.lease).await
    }
}

/// Whether another session's turn works in this tree now.
pub async fn check_tree_free(store: &Store, clock: &Clock, work_tree: &str) -> Result<(), AttachError> {
    match store.lease(&Scope::Tree(work_tree.to_owned())).await? {
        Some(by) if by.is_held(clock.now_ms()) => Err(tree_busy(work_tree, &by)),
        _ => Ok(()),
    }
}

fn tree_busy(work_tree: &str, by: &LeaseInfo) -> AttachError {
    AttachError::TreeBusy { session: by.session.clone(), path: work_tree.to_owned(), pid: by.pid() }
}

/// Ends what the last holder left open, and gives back the log.
async fn close_open(store: &Store, clock: &Clock, lease: &Lease) -> Result<Vec<Entry>, AttachError> {
    let session = lease.session();
    let entries = store.log(session).await?;
    let bodies = recover::close(&entries);
    if bodies.is_empty() {
        return Ok(entries);
    }
    let turn = View::of(&entries).turn;
    let append = Append {
        session,
        writer: Writer::Holder(lease),
        at_ms: clock.now_ms(),
        turn: turn.as_deref(),
        bodies: &bodies,
    };
    store.append(&append).await?;
    Ok(store.log(session).await?)
}

/// Ends what processes that are gone left streaming. One that is alive, or on a machine we can't see, keeps its own.
pub async fn sweep(store: &Store, clock: &Clock) -> Result<usize, AttachError> {
    let mut ended = 0;
    for session in store.stale_sessions(clock.now_ms() - STALE_MS).await? {
        let scope = Scope::Session(session.clone());
        if let Taken::Yes(lease) =
            store.take_lease(&scope, &session, &Holder::current(), clock.now_ms()).await?
        {
            let closed = close_open(store, clock, &lease).await;
            store.give_up(&lease).await?;
            closed?;
            ended += 1;
        }
    }
    Ok(ended)
}

/// Sweeps now and every minute, for as long as it is polled. A database that fails now is asked again then.
pub async fn keep_swept(store: Arc<Store>, clock: Clock) {
    let mut minute = tokio::time::interval(SWEEP_EVERY);
    loop {
        minute.tick().await;
        if let Err(error) = sweep(&store, &clock).await {
            tracing::debug!(%error, "the sweep failed");
        }
    }
}

/// Says something to a session from outside its turn: an entry of an input kind, whoever runs the turn.
#[derive(Clone)]
pub struct Voice {
    store: Arc<Store>,
    session: String,
    clock: Clock,
    /// Wakes the engine, if it is in this process.
    heard: Arc<Notify>,
}

impl Voice {
    pub fn new(store: Arc<Store>, clock: Clock, session: &str) -> Voice {
        Voice { store, session: session.to_owned(), clock, heard: Arc::default() }
    }

    /// For the engine of this process.
    pub fn heard(&self) -> Arc<Notify> {
        self.heard.clone()
    }

    pub async fn say(&self, turn: Option<&str>, body: Body) -> Result<(), AppendError> {
        let append = Append {
            session: &self.session,
            writer: Writer::Outside,
            at_ms: self.clock.now_ms(),
            turn,
            bodies: &[body],
        };
        self.store.append(&append).await?;
        self.heard.notify_one();
        Ok(())
    }
}
