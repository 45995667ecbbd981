//! Finishes a rewind that the program announced before its process died or its turn was stopped, so that the log and the files agree
//! again: it takes the changes back as it was about to, or says that they stay.
//!
//! What always holds: no file is touched if the changes can't be taken back exactly; what was written already is only recorded.

use std::path::Path;

use bowline_core::change_decision::ChangeDecisions;
use bowline_core::entry::{Body, Entry};
use bowline_core::rewind_entry::OpenRewinding;
use bowline_core::view::View;

use super::AttachError;
use crate::clock::Clock;
use crate::store::{Append, Lease, Store, Writer};
use crate::toolbox::rewind;
use crate::workspace::Workspace;

/// Returns the log without any rewind left half done. Whoever asks may write the files.
pub(super) async fn finish_interrupted_rewind(
    store: &Store,
    clock: &Clock,
    lease: &Lease,
    root: &Path,
) -> Result<(), AttachError> {
    let session = lease.session();
    let entries = store.log(session).await?;
    // A folder that is gone has nothing to be finished, now.
    let Ok(workspace) = Workspace::open(root, Vec::new()) else { return Ok(()) };
    let Some(body) = settle(&workspace, &entries) else { return Ok(()) };
    let view = View::of(&entries);
    // Behind the end of its turn it stands for itself, like a decision of the user's.
    let turn = view.turn.filter(|_| view.end.is_none());
    let append = Append {
        session,
        writer: Writer::Holder(lease),
        at_ms: clock.now_ms(),
        turn: turn.as_deref(),
        bodies: &[body],
    };
    store.append(&append).await?;
    Ok(())
}

/// Takes back what was announced, and gives the entry that says so, or that the changes stay. None if nothing is open.
pub fn settle(workspace: &Workspace, entries: &[Entry]) -> Option<Body> {
    let open = OpenRewinding::of(entries)?;
    Some(match rewind(workspace, entries, &open.changes) {
        Some(decided) => Body::Change(ChangeDecisions { calls: open.calls, ..decided }),
        None => open.given_up(),
    })
}
