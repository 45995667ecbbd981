//! Input to a session from outside its turn: a stop, steering, a queued message, an answer. Each is an entry on the log,
//! whichever process runs the turn.

use std::sync::Arc;

use bowline_core::entry::Body;
use tokio::sync::Notify;

use crate::clock::Clock;
use crate::store::{Append, AppendError, Store, Writer};

/// Appends input to one session, whichever process runs its turn.
#[derive(Clone)]
pub struct SessionInput {
    store: Arc<Store>,
    session: String,
    clock: Clock,
    /// Wakes the engine, if it is in this process.
    wake: Arc<Notify>,
}

impl SessionInput {
    pub fn new(store: Arc<Store>, clock: Clock, session: &str) -> SessionInput {
        SessionInput { store, session: session.to_owned(), clock, wake: Arc::default() }
    }

    /// What wakes the engine of this process.
    pub fn wake(&self) -> Arc<Notify> {
        self.wake.clone()
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
        self.wake.notify_one();
        Ok(())
    }
}
