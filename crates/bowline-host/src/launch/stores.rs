//! Where a session is kept, and what is remembered from earlier ones.

use std::sync::Arc;

use crate::store::{Location, OpenError, Store};

/// The same database twice, but for a session that is not kept.
pub(super) struct Stores {
    /// The session's.
    pub(super) store: Arc<Store>,
    /// For the model used last, what is known of it, and who works in the tree. Only read where it is not the session's.
    pub(super) earlier: Arc<Store>,
}

impl Stores {
    /// A session that is not kept lives in this process's memory: unlike a temporary file it leaves nothing behind even
    /// if the process is killed, and there is nothing to remove after a signal.
    pub(super) async fn open(
        database: &Location,
        is_ephemeral: bool,
        memory: Option<Arc<Store>>,
    ) -> Result<Stores, OpenError> {
        if !is_ephemeral {
            let store = Arc::new(Store::open(database).await?);
            return Ok(Stores { earlier: store.clone(), store });
        }
        let store = match memory {
            Some(store) => store,
            None => Arc::new(Store::in_memory().await?),
        };
        // To open a database is to make it, and this run is to leave nothing.
        let is_there = match database {
            Location::Sqlite(path) => path.exists(),
            Location::Postgres(_) => true,
        };
        let earlier = if is_there { Arc::new(Store::open(database).await?) } else { store.clone() };
        Ok(Stores { store, earlier })
    }
}
