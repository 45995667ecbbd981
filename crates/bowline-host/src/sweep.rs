//! The sweeper: ends as failed what processes that are gone left streaming, at start and every minute.

use std::sync::Arc;
use std::time::Duration;

use crate::clock::Clock;
use crate::session::{AttachError, close_open};
use crate::store::{Holder, Scope, Store, Taken};

/// A streaming message is given up after this long without activity, if no live process holds its session.
pub const STALE_MS: i64 = 5 * 60_000;
const SWEEP_EVERY: Duration = Duration::from_secs(60);

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
pub async fn sweep_every_minute(store: Arc<Store>, clock: Clock) {
    let mut minute = tokio::time::interval(SWEEP_EVERY);
    loop {
        minute.tick().await;
        if let Err(error) = sweep(&store, &clock).await {
            tracing::debug!(%error, "the sweep failed");
        }
    }
}
