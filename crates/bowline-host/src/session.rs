//! A session opened for a turn: its log, its leases, and what a predecessor left open ended.
//!
//! What always holds: who has an [`Attached`] is the only one that appends to the session's log, input aside.

mod fork;
mod interrupted_restore;
pub mod interrupted_rewind;
mod rename;

use bowline_checkpoint::Failure;
use bowline_core::entry::{Access, Body, Entry};
use bowline_core::recover;
use bowline_core::view::View;

use crate::clock::Clock;
use crate::snapshots::Snapshots;
use crate::store::{
    Append, AppendError, Holder, Lease, LeaseError, LeaseInfo, Scope, Store, StoreError, Taken, Writer,
};

pub(crate) use fork::fork;
pub use rename::rename;

/// A session this process holds.
#[derive(Debug)]
pub struct Attached {
    pub id: String,
    pub lease: Lease,
    /// The lease of the work tree, if the turn can write.
    tree: Option<Lease>,
    /// The log up to now.
    pub entries: Vec<Entry>,
}

#[derive(Debug, thiserror::Error)]
pub enum AttachError {
    #[error(
        "session {session} is working in {path} (process {}).\nWait for it, or stop it, and try again",
        .pid.map_or("unknown".to_owned(), |pid| pid.to_string())
    )]
    TreeBusy { session: String, path: String, pid: Option<i32> },
    #[error(
        "session {session} is running a turn (process {}).\nWait for it, or stop it, and try again",
        .pid.map_or("unknown".to_owned(), |pid| pid.to_string())
    )]
    SessionBusy { session: String, pid: Option<i32> },
    #[error(
        "a restore of session {session} was interrupted and cannot be finished: {failure}.\nFix that, and try again"
    )]
    Unsettled { session: String, failure: Failure },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Append(#[from] AppendError),
}

impl Attached {
    /// Takes the session's lease, and its work tree's if the turn can write; ends what was left open or half restored; reads
    /// the log.
    pub async fn attach(
        store: &Store,
        clock: &Clock,
        session: &str,
        snapshots: &Snapshots,
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
        match attached.prepare(store, clock, snapshots, access).await {
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
        snapshots: &Snapshots,
        access: Access,
    ) -> Result<(), AttachError> {
        if access == Access::Write {
            let work_tree = &*snapshots.root().to_string_lossy();
            let scope = Scope::Tree(work_tree.to_owned());
            match store.take_lease(&scope, &self.id, &Holder::current(), clock.now_ms()).await? {
                Taken::Yes(tree) => self.tree = Some(tree),
                Taken::Held { by } => return Err(tree_busy(work_tree, &by)),
            }
        }
        if access == Access::Write {
            let root = snapshots.root();
            interrupted_rewind::finish_interrupted_rewind(store, clock, &self.lease, root).await?;
        }
        let entries = close_open(store, clock, &self.lease).await?;
        self.entries =
            interrupted_restore::finish_interrupted_restore(store, clock, &self.lease, snapshots, entries)
                .await?;
        Ok(())
    }

    /// Appends one entry that belongs to no turn.
    pub(crate) async fn record(&self, store: &Store, clock: &Clock, body: &Body) -> Result<(), AppendError> {
        let append = Append {
            session: &self.id,
            writer: Writer::Holder(&self.lease),
            at_ms: clock.now_ms(),
            turn: None,
            bodies: std::slice::from_ref(body),
        };
        store.append(&append).await?;
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
pub(crate) async fn close_open(
    store: &Store,
    clock: &Clock,
    lease: &Lease,
) -> Result<Vec<Entry>, AttachError> {
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
