//! Another title for a session.
//!
//! Only who holds a session appends to its log, so the lease is taken for a moment. A session whose turn runs is not
//! renamed: its process would have to be asked to, and the title can wait.

use bowline_core::entry::Access;

use super::{AttachError, Attached};
use crate::clock::Clock;
use crate::snapshots::Snapshots;
use crate::store::{Session, Store};

pub async fn rename(
    store: &Store,
    clock: &Clock,
    session: &Session,
    snapshots: &Snapshots,
    title: &str,
) -> Result<(), AttachError> {
    let attached = Attached::attach(store, clock, &session.id, snapshots, Access::ReadOnly).await?;
    let renamed = store.rename(&attached.lease, title, clock.now_ms()).await;
    attached.give_up(store).await?;
    renamed?;
    Ok(())
}
