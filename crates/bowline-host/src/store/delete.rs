//! Deleting a session for good: its log, its messages, its outputs and its leases, and nothing else.
//!
//! What always holds: a session whose turn runs is not deleted. The session's row is locked before the lease is looked at,
//! as everybody does who takes a lease, so no turn can begin in between.

use super::error::StoreError;
use super::lease::{self, LeaseInfo, Scope};
use super::{Engine, Store, sql};

/// What came of a deletion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deleted {
    Yes,
    /// Its turn runs.
    Held {
        by: LeaseInfo,
    },
}

impl Store {
    /// Deletes a session that nobody works in, so that its text can't be found in the database's file either.
    pub async fn delete_idle_session(&self, id: &str, now_ms: i64) -> Result<Deleted, StoreError> {
        let mut transaction = self.begin().await?;
        if self.engine == Engine::Sqlite {
            sqlx::query(sql::OVERWRITE_SQLITE).execute(&mut *transaction).await?;
        }
        let locked = sqlx::query(sql::LOCK_SESSION).bind(id).execute(&mut *transaction).await?;
        if locked.rows_affected() == 0 {
            return Err(StoreError::NoSession(id.to_owned()));
        }
        let scope = Scope::Session(id.to_owned()).text();
        let lease = lease::find(&mut transaction, &scope).await?;
        if let Some(by) = lease.filter(|lease| lease.is_held(now_ms)) {
            return Ok(Deleted::Held { by });
        }
        sqlx::query(sql::DELETE_SESSION).bind(id).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(Deleted::Yes)
    }

    /// Lets go of what earlier writes left beside the database. Others that read at this moment are waited for, and keep
    /// it from being complete if they stay: then the next one does it.
    pub async fn forget_deleted(&self) -> Result<(), StoreError> {
        if self.engine == Engine::Sqlite {
            let mut writer = self.writers.acquire().await?;
            sqlx::query(sql::FOLD_WAL_SQLITE).execute(&mut *writer).await?;
        }
        Ok(())
    }
}
