//! The rules that the user allowed for a project, by the project's root. They hold until the user removes them.

use sqlx::Row;

use super::error::StoreError;
use super::row::plain;
use super::{Store, sql};

/// A pattern and when it was first allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowRule {
    pub pattern: String,
    pub created_ms: i64,
}

impl Store {
    /// Adds patterns; one that is there already stays as it is.
    pub async fn allow(&self, root: &str, patterns: &[String], now_ms: i64) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        for pattern in patterns {
            sqlx::query(sql::ALLOW)
                .bind(&*plain(root))
                .bind(&*plain(pattern))
                .bind(now_ms)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// The patterns of a project, oldest first.
    pub async fn allowed(&self, root: &str) -> Result<Vec<AllowRule>, StoreError> {
        let mut reader = self.reader().await?;
        let rows = sqlx::query(sql::ALLOWED).bind(&*plain(root)).fetch_all(&mut *reader).await?;
        let allowed = |row: &sqlx::any::AnyRow| -> Result<AllowRule, sqlx::Error> {
            Ok(AllowRule { pattern: row.try_get(0)?, created_ms: row.try_get(1)? })
        };
        Ok(rows.iter().map(allowed).collect::<Result<_, _>>()?)
    }

    /// Takes a pattern back; nothing where it was not allowed.
    pub async fn disallow(&self, root: &str, pattern: &str) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        sqlx::query(sql::DISALLOW)
            .bind(&*plain(root))
            .bind(&*plain(pattern))
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }
}
