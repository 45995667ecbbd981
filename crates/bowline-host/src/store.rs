//! The store: sessions, their logs and leases, and what is remembered per model, in one SQLite file or in PostgreSQL.
//!
//! One struct, one SQL text (`sql.rs`) and one set of migrations for both engines. It keeps what it is given and decides
//! nothing about a turn; it reads no clock either: every operation that needs the time is told it.
//!
//! What always holds: a log is only appended to, but for the provisional entries that an item's completion replaces; the
//! tables beside it change in the transaction of the entries they follow from; what a process appends as the holder of a
//! lease is refused once the lease is another's.

mod allow_rules;
mod append;
mod checkpoints;
mod delete;
mod error;
mod fork;
mod guard_stops;
mod holder;
mod info;
mod lease;
mod location;
mod messages;
mod notes;
mod open;
mod outputs;
mod read;
mod row;
mod search;
mod session_checkpoints;
mod sessions;
pub mod sql;
mod trust;
mod worktrees;

use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, AnyPool, Transaction};
use tokio::sync::Mutex;

pub use allow_rules::AllowRule;
pub use append::{Append, NewSession, Writer};
pub use checkpoints::CheckpointRow;
pub use delete::Deleted;
pub use error::{AppendError, LeaseError, OpenError, StoreError};
pub use fork::Fork;
pub use guard_stops::{GuardStop, Then};
pub use holder::{Holder, Whereabouts};
pub use info::DatabaseInfo;
pub use lease::{LEASE_GRACE_MS, LEASE_MS, Lease, LeaseInfo, Scope, Taken};
pub use location::Location;
pub use messages::MessageRow;
pub use notes::{ExamNote, ModelNote};
pub use open::MIGRATOR;
pub use search::{Hit, Place};
pub use sessions::{Found, Session, SessionState};
pub use trust::Decision;
pub use worktrees::Worktree;

/// An open database. Cheap to share behind an `Arc`.
#[derive(Debug)]
pub struct Store {
    engine: Engine,
    /// One connection on SQLite, where only one can write at a time anyway.
    writers: AnyPool,
    readers: AnyPool,
    /// The connection the database was opened with. It writes nothing afterwards: on SQLite its `data_version` is
    /// compared over time, and only others' writes change that.
    watcher: Mutex<Option<AnyConnection>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Engine {
    Sqlite,
    Postgres,
}

impl Store {
    /// A transaction that may write.
    async fn begin(&self) -> Result<Transaction<'static, Any>, sqlx::Error> {
        let statement = match self.engine {
            Engine::Sqlite => sql::BEGIN_SQLITE,
            Engine::Postgres => sql::BEGIN_POSTGRES,
        };
        match self.writers.begin_with(statement).await {
            // SQLite ended a transaction by itself, as it does on a full disk, and the driver, which did not notice,
            // believes the connection to be inside of it for ever.
            Err(sqlx::Error::InvalidSavePointStatement) => {
                self.writers.acquire().await?.close().await?;
                self.writers.begin_with(statement).await
            }
            begun => begun,
        }
    }

    async fn reader(&self) -> Result<PoolConnection<Any>, sqlx::Error> {
        self.readers.acquire().await
    }

    /// A mark that differs from the last one whenever something may have been appended to the session since, for those
    /// who poll. It may differ for nothing (on SQLite any write to the file changes it), so look at the log then.
    pub async fn changes(&self, session: &str) -> Result<i64, StoreError> {
        let mut watcher = self.watcher.lock().await;
        // Taken out and put back, so that one that failed is not used again.
        let mut connection = match watcher.take() {
            Some(connection) => connection,
            None => self.reader().await?.detach(),
        };
        let mark: Option<i64> = match self.engine {
            Engine::Sqlite => {
                sqlx::query_scalar(sql::DATA_VERSION_SQLITE).fetch_optional(&mut connection).await?
            }
            Engine::Postgres => {
                sqlx::query_scalar(sql::NEXT_SEQ).bind(session).fetch_optional(&mut connection).await?
            }
        };
        *watcher = Some(connection);
        Ok(mark.unwrap_or(0))
    }

    /// Closes every connection; on SQLite the last one to close folds the write-ahead log into the file.
    pub async fn close(&self) {
        if let Some(watcher) = self.watcher.lock().await.take() {
            // A failure to close changes nothing that was committed.
            let _ = sqlx::Connection::close(watcher).await;
        }
        self.readers.close().await;
        self.writers.close().await;
    }
}

#[cfg(test)]
mod tests {
    use bowline_core::entry::{Body, Input};
    use bowline_core::typed::Typed;
    use sqlx::Executor;

    use super::*;

    #[tokio::test]
    async fn a_full_disk_is_said_to_be_full_and_loses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&Location::Sqlite(folder.path().join("bowline.db"))).await.unwrap();
        let input = |text: String| Body::Input(Input::steer(text, Typed::nothing(), "terminal"));
        let new = NewSession { id: "s", project_root: "/p", work_tree: "/p", title: "t", model: "m" };
        store.create_session(&new, &input("first".to_owned()), 1).await.unwrap();
        // SQLite refuses to grow past this many pages as it does when the disk has no more.
        store.writers.execute("PRAGMA max_page_count = 1").await.unwrap();
        let bodies = [input("second".to_owned()), input("x".repeat(100_000))];
        let append = Append { session: "s", writer: Writer::Outside, at_ms: 2, turn: None, bodies: &bodies };
        let error = store.append(&append).await.unwrap_err();
        assert!(matches!(error, AppendError::Store(StoreError::Full)), "{error}");
        assert_eq!(store.log("s").await.unwrap().len(), 1);
        // With room again (the limit went with its connection) the same store goes on.
        assert_eq!(store.append(&append).await.unwrap(), [2, 3]);
    }
}
