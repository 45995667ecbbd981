//! The rows of a session's checkpoints. They follow from its log, and are written in the transaction of the entry.

use bowline_core::checkpoint::{Checkpoint, Moment};
use bowline_core::entry::Body;
use bowline_core::restore_entry::Restored;
use sqlx::{Any, Transaction};

use super::append::Place;
use super::checkpoints::{CheckpointRow, checkpoint_row};
use super::error::StoreError;
use super::row::plain;
use super::{Store, sql};

/// A row, but for what the session's row knows.
struct New<'a> {
    id: &'a str,
    message: Option<&'a str>,
    moment: &'a str,
    commit: &'a str,
    label: &'a str,
    /// As JSON.
    not_captured: String,
}

impl<'a> New<'a> {
    /// What an entry says was kept, if it does.
    fn of(body: &'a Body) -> Option<New<'a>> {
        match body {
            Body::Checkpoint(checkpoint) => New::taken(checkpoint),
            Body::Restored(restored) => New::undo(restored),
            _ => None,
        }
    }

    fn taken(checkpoint: &'a Checkpoint) -> Option<New<'a>> {
        Some(New {
            id: &checkpoint.id,
            message: Some(&checkpoint.message),
            moment: match checkpoint.moment {
                Moment::Before => "before",
                Moment::After => "after",
            },
            commit: checkpoint.commit.as_deref()?,
            label: &checkpoint.label,
            not_captured: serde_json::to_string(&checkpoint.not_captured).unwrap_or_else(|_| "[]".to_owned()),
        })
    }

    fn undo(restored: &'a Restored) -> Option<New<'a>> {
        Some(New {
            id: &restored.undo_checkpoint,
            message: None,
            moment: "restore",
            commit: restored.undo_commit.as_deref()?,
            label: restored.kind.before(),
            not_captured: "[]".to_owned(),
        })
    }
}

/// Writes the row that follows from an entry, if one does.
pub(super) async fn follow(
    transaction: &mut Transaction<'static, Any>,
    place: Place<'_>,
    body: &Body,
) -> Result<(), sqlx::Error> {
    let Some(new) = New::of(body) else { return Ok(()) };
    sqlx::query(sql::ADD_CHECKPOINT)
        .bind(new.id)
        .bind(place.session)
        .bind(new.message)
        .bind(new.moment)
        .bind(new.commit)
        .bind(&*plain(new.label))
        .bind(&*plain(&new.not_captured))
        .bind(place.at_ms)
        .execute(&mut **transaction)
        .await?;
    Ok(())
}

impl Store {
    /// Those of a session in the order they were taken, visible or not.
    pub async fn session_checkpoints(&self, session: &str) -> Result<Vec<CheckpointRow>, StoreError> {
        let mut reader = self.reader().await?;
        let rows = sqlx::query(sql::SESSION_CHECKPOINTS).bind(session).fetch_all(&mut *reader).await?;
        Ok(rows.iter().map(checkpoint_row).collect::<Result<Vec<_>, _>>()?)
    }
}
