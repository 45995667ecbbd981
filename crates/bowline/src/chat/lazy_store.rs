//! The chat's store, opened on first use so that the prompt appears without waiting for it.

use std::sync::Arc;

use bowline_host::home::Home;
use bowline_host::store::Store;
use tokio::sync::OnceCell;

#[derive(Clone)]
pub(crate) struct LazyStore {
    home: Home,
    /// Nothing goes to the disk.
    is_ephemeral: bool,
    store: Arc<OnceCell<Arc<Store>>>,
}

impl LazyStore {
    pub(crate) fn new(home: &Home, is_ephemeral: bool) -> LazyStore {
        LazyStore { home: home.clone(), is_ephemeral, store: Arc::default() }
    }

    pub(crate) async fn open(&self) -> Result<Arc<Store>, String> {
        let open = || async {
            let store = match self.is_ephemeral {
                true => Store::in_memory().await,
                false => Store::open(&self.home.database).await,
            };
            store.map(Arc::new).map_err(|error| error.to_string())
        };
        self.store.get_or_try_init(open).await.cloned()
    }

    /// The store in memory, if sessions are not written to the disk.
    pub(crate) async fn memory(&self) -> Option<Arc<Store>> {
        if self.is_ephemeral { self.open().await.ok() } else { None }
    }
}
