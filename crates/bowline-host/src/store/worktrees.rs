//! The worktrees of sessions: where each is, on which branch, and whose it is.
//!
//! What always holds: a row comes before its folder and goes after it, so that no worktree is forgotten, whatever dies in
//! between; and it outlives its session, since what is in it may be nowhere else.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::error::StoreError;
use super::row::plain;
use super::{Store, sql};

/// A worktree bowline made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worktree {
    /// The beginning of its first session's id, where that was free.
    pub id: String,
    /// None where the session was deleted, or never began.
    pub session: Option<String>,
    pub project_root: String,
    /// Absolute, without links.
    pub path: String,
    /// Without `refs/heads/`.
    pub branch: String,
    /// The commit it began from.
    pub base: String,
    pub created_ms: i64,
}

/// Offered where the start of an id fits several.
const CHOICES_MAX: i64 = 8;

impl Store {
    pub async fn add_worktree(&self, worktree: &Worktree) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        sqlx::query(sql::ADD_WORKTREE)
            .bind(&worktree.id)
            .bind(worktree.session.as_deref())
            .bind(&*plain(&worktree.project_root))
            .bind(&*plain(&worktree.path))
            .bind(&worktree.branch)
            .bind(&worktree.base)
            .bind(worktree.created_ms)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// From now on it is this session's.
    pub async fn own_worktree(&self, id: &str, session: &str) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        sqlx::query(sql::OWN_WORKTREE).bind(id).bind(session).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Those of a project, or of all, newest first. For the path of a worktree it is that one.
    pub async fn worktrees(&self, project_root: Option<&str>) -> Result<Vec<Worktree>, StoreError> {
        let mut reader = self.reader().await?;
        let query = match project_root {
            Some(root) => sqlx::query(sql::WORKTREES_OF_PROJECT).bind(plain(root).into_owned()),
            None => sqlx::query(sql::WORKTREES),
        };
        let rows = query.fetch_all(&mut *reader).await?;
        Ok(rows.iter().map(worktree).collect::<Result<Vec<_>, _>>()?)
    }

    /// The worktree that is at this path.
    pub async fn worktree_at(&self, path: &str) -> Result<Option<Worktree>, StoreError> {
        self.one_worktree(sql::WORKTREE_AT, path).await
    }

    pub async fn worktree_of(&self, session: &str) -> Result<Option<Worktree>, StoreError> {
        self.one_worktree(sql::WORKTREE_OF_SESSION, session).await
    }

    async fn one_worktree(&self, statement: &'static str, key: &str) -> Result<Option<Worktree>, StoreError> {
        let mut reader = self.reader().await?;
        let row = sqlx::query(statement).bind(&*plain(key)).fetch_optional(&mut *reader).await?;
        Ok(row.as_ref().map(worktree).transpose()?)
    }

    /// Those whose id, or whose session's id, begins so; the one whose id it is, if there is one.
    pub async fn find_worktrees(&self, prefix: &str) -> Result<Vec<Worktree>, StoreError> {
        let prefix = plain(prefix);
        if prefix.is_empty() {
            return Ok(Vec::new());
        }
        let mut reader = self.reader().await?;
        let rows = sqlx::query(sql::WORKTREES_BY_PREFIX)
            .bind(&*prefix)
            .bind(CHOICES_MAX)
            .fetch_all(&mut *reader)
            .await?;
        let mut found = rows.iter().map(worktree).collect::<Result<Vec<_>, _>>()?;
        if let Some(at) = found.iter().position(|found| found.id == *prefix) {
            return Ok(vec![found.swap_remove(at)]);
        }
        Ok(found)
    }

    /// Forgets one; its checkpoints stay.
    pub async fn remove_worktree(&self, id: &str) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        sqlx::query(sql::DELETE_WORKTREE).bind(id).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(())
    }
}

fn worktree(row: &AnyRow) -> Result<Worktree, sqlx::Error> {
    Ok(Worktree {
        id: row.try_get(0)?,
        session: row.try_get(1)?,
        project_root: row.try_get(2)?,
        path: row.try_get(3)?,
        branch: row.try_get(4)?,
        base: row.try_get(5)?,
        created_ms: row.try_get(6)?,
    })
}
