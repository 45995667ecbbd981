//! Facts about the database itself, for `bowline doctor`.

use super::error::StoreError;
use super::sessions::session;
use super::{Engine, Session, Store, sql};

/// A database that opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatabaseInfo {
    /// The version of the schema.
    pub version: i64,
    pub bytes: i64,
    pub sessions: i64,
}

impl Store {
    pub async fn about(&self) -> Result<DatabaseInfo, StoreError> {
        let mut reader = self.reader().await?;
        let version: Option<i64> = sqlx::query_scalar(sql::NEWEST_MIGRATION).fetch_one(&mut *reader).await?;
        let size = match self.engine {
            Engine::Sqlite => sql::SIZE_SQLITE,
            Engine::Postgres => sql::SIZE_POSTGRES,
        };
        let bytes: i64 = sqlx::query_scalar(size).fetch_one(&mut *reader).await?;
        let sessions: i64 = sqlx::query_scalar(sql::SESSIONS_COUNT).fetch_one(&mut *reader).await?;
        Ok(DatabaseInfo { version: version.unwrap_or(0), bytes, sessions })
    }

    /// Whether anything can be written now; what is written for it is taken back.
    pub async fn check_writable(&self) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        sqlx::query(sql::LOCK_SESSION).bind("").execute(&mut *transaction).await?;
        transaction.rollback().await?;
        Ok(())
    }

    /// Sessions whose log says that a turn runs, newest first. Whether it does, the lease says.
    pub async fn running_sessions(&self, limit: i64) -> Result<Vec<Session>, StoreError> {
        let mut reader = self.reader().await?;
        let rows = sqlx::query(sql::SESSIONS_RUNNING).bind(limit).fetch_all(&mut *reader).await?;
        Ok(rows.iter().map(session).collect::<Result<Vec<_>, _>>()?)
    }
}
