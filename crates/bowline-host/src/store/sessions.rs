//! Sessions as they are listed and found: the rows beside the logs.

use bowline_core::entry::Body;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::error::StoreError;
use super::row::plain;
use super::{Store, sql};

/// A session without its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    pub id: String,
    pub project_root: String,
    pub work_tree: String,
    pub title: String,
    pub state: SessionState,
    /// `server/name`.
    pub model: String,
    pub created_ms: i64,
    pub active_ms: i64,
    /// The number its next entry gets.
    pub next_seq: i64,
}

/// How its last turn stands. `Running` says what the log says: whether a process still runs it, the lease does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionState {
    Idle,
    Running,
    Paused,
    Failed,
}

impl SessionState {
    /// The word on the wire and in the store.
    pub fn word(self) -> &'static str {
        match self {
            SessionState::Idle => "idle",
            SessionState::Running => "running",
            SessionState::Paused => "paused",
            SessionState::Failed => "failed",
        }
    }

    fn of_word(word: &str) -> SessionState {
        match word {
            "running" => SessionState::Running,
            "paused" => SessionState::Paused,
            "failed" => SessionState::Failed,
            _ => SessionState::Idle,
        }
    }

    /// The state an entry leads to, if it changes it.
    pub(super) fn after(body: &Body) -> Option<SessionState> {
        match body {
            Body::RunStarted(_) => Some(SessionState::Running),
            Body::TurnCompleted(_) => Some(SessionState::Idle),
            Body::TurnPaused(_) => Some(SessionState::Paused),
            Body::TurnFailed(_) => Some(SessionState::Failed),
            Body::Restored(restored) if restored.what.has_conversation() => Some(SessionState::Idle),
            _ => None,
        }
    }
}

/// What an id, or the beginning of one, stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    Nothing,
    One(Session),
    /// Several begin so: the newest of them, to choose from.
    Several(Vec<Session>),
}

/// Sessions offered when a prefix fits several.
const CHOICES_MAX: i64 = 8;

impl Store {
    pub async fn session(&self, id: &str) -> Result<Option<Session>, StoreError> {
        let mut reader = self.reader().await?;
        let row = sqlx::query(sql::SESSION).bind(id).fetch_optional(&mut *reader).await?;
        Ok(row.as_ref().map(session).transpose()?)
    }

    /// The session with this id, or the only one whose id begins so.
    pub async fn find_session(&self, prefix: &str) -> Result<Found, StoreError> {
        let prefix = plain(prefix);
        if prefix.is_empty() {
            return Ok(Found::Nothing);
        }
        if let Some(session) = self.session(&prefix).await? {
            return Ok(Found::One(session));
        }
        let mut reader = self.reader().await?;
        let rows = sqlx::query(sql::SESSIONS_BY_PREFIX)
            .bind(&*prefix)
            .bind(CHOICES_MAX)
            .fetch_all(&mut *reader)
            .await?;
        let mut found = rows.iter().map(session).collect::<Result<Vec<_>, _>>()?;
        Ok(match found.len() {
            0 => Found::Nothing,
            1 => Found::One(found.remove(0)),
            _ => Found::Several(found),
        })
    }

    /// The sessions of a project, or of all, newest first.
    pub async fn sessions_of(
        &self,
        project_root: Option<&str>,
        limit: i64,
    ) -> Result<Vec<Session>, StoreError> {
        let mut reader = self.reader().await?;
        let query = match project_root {
            Some(root) => sqlx::query(sql::SESSIONS_OF_PROJECT).bind(plain(root).into_owned()),
            None => sqlx::query(sql::SESSIONS),
        };
        let rows = query.bind(limit).fetch_all(&mut *reader).await?;
        Ok(rows.iter().map(session).collect::<Result<Vec<_>, _>>()?)
    }

    /// The sessions below `below` in the same order, for those who go through all of them.
    pub async fn sessions_below(
        &self,
        project_root: Option<&str>,
        below: Option<&Session>,
        limit: i64,
    ) -> Result<Vec<Session>, StoreError> {
        let (active_ms, id) = below.map_or((i64::MAX, ""), |below| (below.active_ms, &below.id));
        let mut reader = self.reader().await?;
        let rows = sqlx::query(sql::SESSIONS_BELOW)
            .bind(active_ms)
            .bind(id)
            .bind(plain(project_root.unwrap_or_default()).into_owned())
            .bind(limit)
            .fetch_all(&mut *reader)
            .await?;
        Ok(rows.iter().map(session).collect::<Result<Vec<_>, _>>()?)
    }

    /// The project's session that was active last.
    pub async fn last_session(&self, project_root: &str) -> Result<Option<Session>, StoreError> {
        Ok(self.sessions_of(Some(project_root), 1).await?.pop())
    }

    /// The model that session used.
    pub async fn last_model(&self, project_root: &str) -> Result<Option<String>, StoreError> {
        Ok(self.last_session(project_root).await?.map(|session| session.model))
    }

    /// Deletes a session with its log, its messages, its outputs and its leases.
    pub async fn delete_session(&self, id: &str) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        let deleted = sqlx::query(sql::DELETE_SESSION).bind(id).execute(&mut *transaction).await?;
        if deleted.rows_affected() == 0 {
            return Err(StoreError::NoSession(id.to_owned()));
        }
        transaction.commit().await?;
        Ok(())
    }
}

pub(super) fn session(row: &AnyRow) -> Result<Session, sqlx::Error> {
    Ok(Session {
        id: row.try_get(0)?,
        project_root: row.try_get(1)?,
        work_tree: row.try_get(2)?,
        title: row.try_get(3)?,
        state: SessionState::of_word(row.try_get(4)?),
        model: row.try_get(5)?,
        created_ms: row.try_get(6)?,
        active_ms: row.try_get(7)?,
        next_seq: row.try_get(8)?,
    })
}
