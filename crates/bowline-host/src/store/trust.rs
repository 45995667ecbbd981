//! Which projects' files the user trusts: by path and by the hash of what stood in them, so that a change asks again.

use sqlx::Row;

use super::error::StoreError;
use super::row::plain;
use super::{Store, sql};

/// What the user said about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Trusted,
    Refused,
}

impl Store {
    /// What the user said about this content of this file; none where nobody was asked, or it has changed since.
    pub async fn decision(&self, path: &str, hash: &str) -> Result<Option<Decision>, StoreError> {
        let mut reader = self.reader().await?;
        let row =
            sqlx::query(sql::DECISION).bind(&*plain(path)).bind(hash).fetch_optional(&mut *reader).await?;
        let Some(row) = row else { return Ok(None) };
        let is_trusted: i64 = row.try_get(0)?;
        Ok(Some(if is_trusted == 1 { Decision::Trusted } else { Decision::Refused }))
    }

    /// Remembers it, in place of what was said before of the file.
    pub async fn decide(
        &self,
        path: &str,
        hash: &str,
        decision: Decision,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        sqlx::query(sql::DECIDE)
            .bind(&*plain(path))
            .bind(hash)
            .bind(i64::from(decision == Decision::Trusted))
            .bind(now_ms)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Forgets what was said of a file; false where nothing was.
    pub async fn forget_decision(&self, path: &str) -> Result<bool, StoreError> {
        let mut transaction = self.begin().await?;
        let done = sqlx::query(sql::FORGET_DECISION).bind(&*plain(path)).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(done.rows_affected() > 0)
    }
}
