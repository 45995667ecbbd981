//! The rows of checkpoints: inserts those that a user took, finds any by id, and deletes them.
//!
//! The rows of a session's checkpoints follow from its log (`session_checkpoints.rs`); here they are only read.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::error::StoreError;
use super::row::plain;
use super::{Store, sql};

/// One row: a checkpoint without its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckpointRow {
    pub id: String,
    /// The root of its work tree.
    pub root: String,
    /// None for a checkpoint that the user took.
    pub session: Option<String>,
    /// The anchor.
    pub message: Option<String>,
    /// `before`, `after`, `restore` or `hand`.
    pub moment: String,
    pub commit: String,
    pub label: String,
    pub created_ms: i64,
}

/// How many checkpoints are listed when a prefix fits several.
const CHOICES_MAX: i64 = 8;

impl Store {
    /// Inserts a checkpoint that belongs to no session. `not_captured` is JSON.
    pub async fn insert_checkpoint(
        &self,
        checkpoint: &CheckpointRow,
        not_captured: &str,
    ) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        sqlx::query(sql::INSERT_CHECKPOINT)
            .bind(&checkpoint.id)
            .bind(&*plain(&checkpoint.root))
            .bind(&checkpoint.moment)
            .bind(&checkpoint.commit)
            .bind(&*plain(&checkpoint.label))
            .bind(&*plain(not_captured))
            .bind(checkpoint.created_ms)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// The checkpoints of a work tree, newest first.
    pub async fn tree_checkpoints(&self, root: &str, limit: i64) -> Result<Vec<CheckpointRow>, StoreError> {
        let mut reader = self.reader().await?;
        let rows = sqlx::query(sql::TREE_CHECKPOINTS)
            .bind(&*plain(root))
            .bind(limit)
            .fetch_all(&mut *reader)
            .await?;
        Ok(rows.iter().map(checkpoint_row).collect::<Result<Vec<_>, _>>()?)
    }

    /// The checkpoints of a project: of its folder, and of its sessions wherever they work. Newest first.
    pub async fn project_checkpoints(
        &self,
        project_root: &str,
        limit: i64,
    ) -> Result<Vec<CheckpointRow>, StoreError> {
        let mut reader = self.reader().await?;
        let rows = sqlx::query(sql::PROJECT_CHECKPOINTS)
            .bind(&*plain(project_root))
            .bind(limit)
            .fetch_all(&mut *reader)
            .await?;
        Ok(rows.iter().map(checkpoint_row).collect::<Result<Vec<_>, _>>()?)
    }

    /// The checkpoint with this id, or those whose ids begin with it, newest first.
    pub async fn find_checkpoints(&self, prefix: &str) -> Result<Vec<CheckpointRow>, StoreError> {
        let prefix = plain(prefix);
        let mut reader = self.reader().await?;
        let rows = sqlx::query(sql::CHECKPOINTS_BY_PREFIX)
            .bind(&*prefix)
            .bind(CHOICES_MAX)
            .fetch_all(&mut *reader)
            .await?;
        let found = rows.iter().map(checkpoint_row).collect::<Result<Vec<_>, _>>()?;
        match found.iter().find(|one| one.id == *prefix) {
            Some(exact) => Ok(vec![exact.clone()]),
            None => Ok(found),
        }
    }

    /// Deletes rows. The caller deletes the files.
    pub async fn delete_checkpoints(&self, ids: &[String]) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        for id in ids {
            sqlx::query(sql::DELETE_CHECKPOINT).bind(id).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(())
    }
}

pub(super) fn checkpoint_row(row: &AnyRow) -> Result<CheckpointRow, sqlx::Error> {
    Ok(CheckpointRow {
        id: row.try_get(0)?,
        root: row.try_get(1)?,
        session: row.try_get(2)?,
        message: row.try_get(3)?,
        moment: row.try_get(4)?,
        commit: row.try_get(5)?,
        label: row.try_get(6)?,
        created_ms: row.try_get(7)?,
    })
}
