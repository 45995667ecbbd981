//! Finishes or reverts a restore that a process announced before it died, and records that on the log.

use bowline_core::entry::{Body, Entry};
use bowline_core::restore_entry::{Restoring, RestoringState};
use bowline_core::timeline::open_restoring;

use super::AttachError;
use crate::clock::Clock;
use crate::snapshots::Snapshots;
use crate::store::{Append, Lease, Store, Writer};

/// Returns the log without any restore left half done.
pub(super) async fn finish_interrupted_restore(
    store: &Store,
    clock: &Clock,
    lease: &Lease,
    snapshots: &Snapshots,
    entries: Vec<Entry>,
) -> Result<Vec<Entry>, AttachError> {
    let Some(announced) = open_restoring(&entries).cloned() else { return Ok(entries) };
    let session = lease.session();
    let is_done = snapshots
        .settle(&announced.id)
        .await
        .map_err(|failure| AttachError::Unsettled { session: session.to_owned(), failure })?;
    let body = if is_done {
        Body::Restored(Box::new(announced))
    } else {
        Body::Restoring(Box::new(Restoring { state: RestoringState::GivenUp, restored: announced }))
    };
    let append =
        Append { session, writer: Writer::Holder(lease), at_ms: clock.now_ms(), turn: None, bodies: &[body] };
    store.append(&append).await?;
    Ok(store.log(session).await?)
}
