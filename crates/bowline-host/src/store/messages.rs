//! The `messages` table: which messages of a session are visible and how each stands, so that nobody folds a log to know.
//!
//! It follows from the entries alone: each append keeps it in its own transaction, and [`Store::rebuild_messages`] makes
//! it anew. What always holds: both give the same rows, also after deltas were deleted, because the completion that
//! deletes them is itself a sign of life.

use std::collections::BTreeMap;

use bowline_core::entry::{Body, Entry, Message, Role, Status};
use bowline_core::visible::visible;
use sqlx::any::AnyRow;
use sqlx::{Any, Row, Transaction};

use super::error::StoreError;
use super::read::PAGE_ROWS;
use super::{Store, row, sql};

/// Sessions the sweeper is given at once; the next sweep finds the rest.
const STALE_SESSIONS_MAX: i64 = 1_000;

/// One message as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageRow {
    pub id: String,
    pub role: Role,
    pub status: Status,
    pub first_seq: i64,
    /// When its run last gave a sign of life, while it streamed.
    pub touched_ms: i64,
}

/// Whether an entry shows that the run is alive: all but what comes from outside.
pub(super) fn is_sign_of_life(body: &Body) -> bool {
    !body.is_input()
}

pub(super) async fn put(
    transaction: &mut Transaction<'static, Any>,
    session: &str,
    message: &Message,
    seq: i64,
    at_ms: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query(sql::PUT_MESSAGE)
        .bind(session)
        .bind(&message.id)
        .bind(message.role.word())
        .bind(message.status.word())
        .bind(seq)
        .bind(at_ms)
        .execute(&mut **transaction)
        .await?;
    Ok(())
}

/// Whether messages may be gone after this entry: it takes some back, or takes the place of one that was.
pub(super) fn may_hide(body: &Body) -> bool {
    match body {
        Body::Restored(_) | Body::TurnStarted(_) => true,
        Body::RunStarted(run) => run.run > 1,
        _ => false,
    }
}

/// Leaves only the messages that are visible, where anything was ever restored.
pub(super) async fn hide(
    transaction: &mut Transaction<'static, Any>,
    session: &str,
) -> Result<(), StoreError> {
    let restored: i64 =
        sqlx::query_scalar(sql::RESTORED_COUNT).bind(session).fetch_one(&mut **transaction).await?;
    if restored > 0 { rebuild(transaction, session).await } else { Ok(()) }
}

/// Makes the messages of a session whose row is locked anew from its visible entries.
pub(super) async fn rebuild(
    transaction: &mut Transaction<'static, Any>,
    session: &str,
) -> Result<(), StoreError> {
    let mut log: Vec<Entry> = Vec::new();
    loop {
        let rows = sqlx::query(sql::ENTRIES)
            .bind(session)
            .bind(log.last().map_or(0, |entry| entry.seq))
            .bind(PAGE_ROWS)
            .fetch_all(&mut **transaction)
            .await?;
        if rows.is_empty() {
            break;
        }
        for row in &rows {
            log.push(row::entry(session, row)?);
        }
    }
    let mut fold = MessageFold::default();
    visible(&log).into_iter().for_each(|entry| fold.push(entry));
    sqlx::query(sql::DELETE_MESSAGES).bind(session).execute(&mut **transaction).await?;
    for row in fold.rows.into_values() {
        let message = Message::new(row.id, row.role, row.status);
        put(transaction, session, &message, row.first_seq, row.touched_ms).await?;
    }
    Ok(())
}

impl Store {
    /// The session's messages in the order they began.
    pub async fn messages(&self, session: &str) -> Result<Vec<MessageRow>, StoreError> {
        let mut reader = self.reader().await?;
        let rows = sqlx::query(sql::MESSAGES).bind(session).fetch_all(&mut *reader).await?;
        rows.iter().map(message_row).collect()
    }

    /// Makes the session's messages anew from its log.
    pub async fn rebuild_messages(&self, session: &str) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        let locked = sqlx::query(sql::LOCK_SESSION).bind(session).execute(&mut *transaction).await?;
        if locked.rows_affected() == 0 {
            return Err(StoreError::NoSession(session.to_owned()));
        }
        rebuild(&mut transaction, session).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Sessions with a message that streams and has had no sign of life since `before_ms`, longest silent first. Whether
    /// a live process holds one is the lease's to say.
    pub async fn stale_sessions(&self, before_ms: i64) -> Result<Vec<String>, StoreError> {
        let mut reader = self.reader().await?;
        let sessions = sqlx::query_scalar(sql::STALE_SESSIONS)
            .bind(before_ms)
            .bind(STALE_SESSIONS_MAX)
            .fetch_all(&mut *reader)
            .await?;
        Ok(sessions)
    }
}

/// The rows that entries lead to.
#[derive(Default)]
struct MessageFold {
    rows: BTreeMap<String, MessageRow>,
}

impl MessageFold {
    fn push(&mut self, entry: &Entry) {
        if let Some(message) = entry.body.message() {
            let row = self.rows.entry(message.id.clone()).or_insert_with(|| MessageRow {
                id: message.id,
                role: message.role,
                status: message.status,
                first_seq: entry.seq,
                touched_ms: entry.at_ms,
            });
            row.status = message.status;
            row.touched_ms = entry.at_ms;
        }
        if is_sign_of_life(&entry.body) {
            for row in self.rows.values_mut().filter(|row| row.status == Status::Streaming) {
                row.touched_ms = entry.at_ms;
            }
        }
    }
}

fn message_row(row: &AnyRow) -> Result<MessageRow, StoreError> {
    // The words come from lookup tables, so no other can stand there.
    let role = match row.try_get::<&str, _>(1)? {
        "user" => Role::User,
        "system" => Role::System,
        _ => Role::Assistant,
    };
    let status = match row.try_get::<&str, _>(2)? {
        "streaming" => Status::Streaming,
        "complete" => Status::Complete,
        "cancelled" => Status::Cancelled,
        _ => Status::Failed,
    };
    Ok(MessageRow {
        id: row.try_get(0)?,
        role,
        status,
        first_seq: row.try_get(3)?,
        touched_ms: row.try_get(4)?,
    })
}
