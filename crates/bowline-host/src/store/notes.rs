//! What is remembered per model, across sessions and projects: its calling mode and what decided it, whether its server binds
//! an answer to a schema, its thinking, its window, the card of its exam.
//!
//! A model is its full name as the user writes it (`server/name`) and the address it was found at. What always holds: a
//! mode stands beside what decided it, and what was seen last counts, in a turn or in an exam. Words that are no mode, reason or
//! level are refused by the database.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::error::StoreError;
use super::row::plain;
use super::{Store, sql};

/// What is remembered of one model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelNote {
    /// `native`, `text` or `constrained`.
    pub mode: Option<String>,
    /// What decided the mode: a word of [`ModeBy`](bowline_core::mode::ModeBy).
    pub mode_by: Option<String>,
    /// `auto`, `off`, `low` or `high`.
    pub thinking: Option<String>,
    /// Tokens that were really seen, and what the server told at that time.
    pub window: Option<i64>,
    pub reported_window: Option<i64>,
    /// The exam, as JSON.
    pub card: Option<String>,
    pub changed_ms: i64,
    /// Whether the server refused or ignored a schema that an answer was to be bound to.
    pub is_unbound: bool,
}

/// What an exam found.
#[derive(Debug, Clone, Copy)]
pub struct ExamNote<'a> {
    pub mode: Option<&'a str>,
    pub thinking: Option<&'a str>,
    pub window: Option<i64>,
    /// What the server told.
    pub reported_window: i64,
    /// JSON.
    pub card: &'a str,
    /// Whether the server refused to bind an answer to a schema.
    pub is_unbound: bool,
}

impl Store {
    pub async fn model_note(&self, model: &str, base_url: &str) -> Result<Option<ModelNote>, StoreError> {
        let mut reader = self.reader().await?;
        let row = sqlx::query(sql::MODEL_NOTE)
            .bind(&*plain(model))
            .bind(&*plain(base_url))
            .fetch_optional(&mut *reader)
            .await?;
        Ok(row.as_ref().map(note).transpose()?)
    }

    /// Remembers a mode and what decided it, and leaves the rest.
    pub async fn note_mode(
        &self,
        model: &str,
        base_url: &str,
        mode: &str,
        by: &str,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        sqlx::query(sql::NOTE_MODE)
            .bind(&*plain(model))
            .bind(&*plain(base_url))
            .bind(mode)
            .bind(by)
            .bind(now_ms)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Remembers that the server does not bind this model's answers to a schema, and leaves the rest.
    pub async fn note_unbound(&self, model: &str, base_url: &str, now_ms: i64) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        sqlx::query(sql::NOTE_UNBOUND)
            .bind(&*plain(model))
            .bind(&*plain(base_url))
            .bind(now_ms)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Remembers what a server really has, where it told more, and leaves the rest.
    pub async fn note_window(
        &self,
        model: &str,
        base_url: &str,
        window: i64,
        reported_window: i64,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        sqlx::query(sql::NOTE_WINDOW)
            .bind(&*plain(model))
            .bind(&*plain(base_url))
            .bind(window)
            .bind(reported_window)
            .bind(now_ms)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Remembers an exam in place of all that was known.
    pub async fn note_exam(
        &self,
        model: &str,
        base_url: &str,
        exam: &ExamNote<'_>,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        sqlx::query(sql::NOTE_EXAM)
            .bind(&*plain(model))
            .bind(&*plain(base_url))
            .bind(exam.mode)
            .bind(exam.mode.map(|_| "exam"))
            .bind(exam.thinking)
            .bind(exam.window)
            .bind(exam.reported_window)
            .bind(&*plain(exam.card))
            .bind(i64::from(exam.is_unbound))
            .bind(now_ms)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Forgets all that is remembered of a model; nothing where there is nothing.
    pub async fn forget_model(&self, model: &str, base_url: &str) -> Result<(), StoreError> {
        let mut transaction = self.begin().await?;
        sqlx::query(sql::FORGET_MODEL)
            .bind(&*plain(model))
            .bind(&*plain(base_url))
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }
}

fn note(row: &AnyRow) -> Result<ModelNote, sqlx::Error> {
    Ok(ModelNote {
        mode: row.try_get(0)?,
        mode_by: row.try_get(1)?,
        thinking: row.try_get(2)?,
        window: row.try_get(3)?,
        reported_window: row.try_get(4)?,
        card: row.try_get(5)?,
        changed_ms: row.try_get(6)?,
        is_unbound: row.try_get::<Option<i64>, _>(7)?.is_some_and(|unbound| unbound != 0),
    })
}
