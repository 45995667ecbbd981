//! Appending to a log: the one way entries come to be.
//!
//! An append is one transaction: the numbers, the entries, the deletion of what a completed item replaces, and the rows
//! of `messages`, `checkpoints` and `sessions` that follow from them. What always holds: the numbers of one session are consecutive in
//! the order of commits, and nothing is appended by a process whose lease is gone.

use bowline_core::entry::{Body, ENTRY_VERSION, SessionUpdated};
use sqlx::{Any, Transaction};
use uuid::Uuid;

use super::error::{AppendError, StoreError};
use super::lease::{self, Lease};
use super::row::plain;
use super::sessions::SessionState;
use super::{Store, messages, session_checkpoints, sql};

/// Entries to append to one session's log, all of them or none.
#[derive(Debug, Clone, Copy)]
pub struct Append<'a> {
    pub session: &'a str,
    pub writer: Writer<'a>,
    pub at_ms: i64,
    pub turn: Option<&'a str>,
    pub bodies: &'a [Body],
}

/// Who appends.
#[derive(Debug, Clone, Copy)]
pub enum Writer<'a> {
    /// The process that runs the turn.
    Holder(&'a Lease),
    /// Anybody else: input only.
    Outside,
}

/// What a session begins with.
#[derive(Debug, Clone, Copy)]
pub struct NewSession<'a> {
    pub id: &'a str,
    pub project_root: &'a str,
    pub work_tree: &'a str,
    pub title: &'a str,
    pub model: &'a str,
}

impl Store {
    /// Makes a session with its first entry, and its project where that is new. Gives the entry's number.
    pub async fn create_session(
        &self,
        new: &NewSession<'_>,
        first: &Body,
        at_ms: i64,
    ) -> Result<i64, StoreError> {
        let root = plain(new.project_root);
        let mut transaction = self.begin().await?;
        sqlx::query(sql::ADD_PROJECT)
            .bind(Uuid::now_v7().to_string())
            .bind(&*root)
            .bind(at_ms)
            .execute(&mut *transaction)
            .await?;
        let project: String =
            sqlx::query_scalar(sql::PROJECT_ID).bind(&*root).fetch_one(&mut *transaction).await?;
        sqlx::query(sql::ADD_SESSION)
            .bind(new.id)
            .bind(project)
            .bind(&*plain(new.title))
            .bind(&*plain(new.work_tree))
            .bind(&*plain(new.model))
            .bind(at_ms)
            .execute(&mut *transaction)
            .await?;
        let bodies = std::slice::from_ref(first);
        let seq = allot(&mut transaction, new.id, bodies, at_ms).await?;
        let place = Place { session: new.id, at_ms, turn: None };
        write_entries(&mut transaction, place, seq, bodies).await?;
        transaction.commit().await?;
        Ok(seq)
    }

    /// Appends the entries and gives their numbers.
    pub async fn append(&self, append: &Append<'_>) -> Result<Vec<i64>, AppendError> {
        let Append { session, writer, at_ms, turn, bodies } = *append;
        if matches!(writer, Writer::Outside)
            && let Some(body) = bodies.iter().find(|body| !body.is_input())
        {
            return Err(AppendError::NotInput { kind: body.kind() });
        }
        if bodies.is_empty() {
            return Ok(Vec::new());
        }
        let mut transaction = self.begin().await?;
        // The session's row is locked first, then the lease looked at: whoever takes the lease locks the same row, so
        // the lease cannot change hands between this look and the commit.
        let first = allot(&mut transaction, session, bodies, at_ms).await?;
        if let Writer::Holder(lease) = writer
            && !(lease.is_of_session(session) && lease::is_mine(&mut transaction, lease).await?)
        {
            return Err(AppendError::LeaseLost { session: session.to_owned() });
        }
        write_entries(&mut transaction, Place { session, at_ms, turn }, first, bodies).await?;
        transaction.commit().await?;
        Ok((first..).take(bodies.len()).collect())
    }

    /// Gives a session another title, by an entry like any other.
    pub async fn rename(&self, lease: &Lease, title: &str, at_ms: i64) -> Result<i64, AppendError> {
        let session = lease.session();
        let updated = SessionUpdated { title: Some(title.to_owned()), ..SessionUpdated::default() };
        let bodies = [Body::SessionUpdated(updated)];
        let mut transaction = self.begin().await?;
        let next: Option<i64> = sqlx::query_scalar(sql::ALLOT_QUIETLY)
            .bind(session)
            .bind(1_i64)
            .fetch_optional(&mut *transaction)
            .await?;
        let seq = next.ok_or_else(|| StoreError::NoSession(session.to_owned()))? - 1;
        if !(lease.is_of_session(session) && lease::is_mine(&mut transaction, lease).await?) {
            return Err(AppendError::LeaseLost { session: session.to_owned() });
        }
        write_entries(&mut transaction, Place { session, at_ms, turn: None }, seq, &bodies).await?;
        transaction.commit().await?;
        Ok(seq)
    }
}

/// Reserves one number per body and gives the first.
pub(super) async fn allot(
    transaction: &mut Transaction<'static, Any>,
    session: &str,
    bodies: &[Body],
    at_ms: i64,
) -> Result<i64, StoreError> {
    let count = i64::try_from(bodies.len()).unwrap_or(i64::MAX);
    let next: Option<i64> = sqlx::query_scalar(sql::ALLOT)
        .bind(session)
        .bind(count)
        .bind(at_ms)
        .fetch_optional(&mut **transaction)
        .await?;
    next.map(|next| next - count).ok_or_else(|| StoreError::NoSession(session.to_owned()))
}

/// What the entries of one append share.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) session: &'a str,
    pub(super) at_ms: i64,
    pub(super) turn: Option<&'a str>,
}

pub(super) async fn write_entries(
    transaction: &mut Transaction<'static, Any>,
    place: Place<'_>,
    first: i64,
    bodies: &[Body],
) -> Result<(), StoreError> {
    for (seq, body) in (first..).zip(bodies) {
        sqlx::query(sql::ADD_ENTRY)
            .bind(place.session)
            .bind(seq)
            .bind(body.kind())
            .bind(body.part())
            .bind(body.item())
            .bind(ENTRY_VERSION)
            .bind(place.at_ms)
            .bind(place.turn)
            .bind(body.to_json().to_string())
            .execute(&mut **transaction)
            .await?;
        if let Body::ItemCompleted { item } = body {
            sqlx::query(sql::DELETE_PROVISIONAL)
                .bind(place.session)
                .bind(&item.id)
                .bind(seq)
                .execute(&mut **transaction)
                .await?;
        }
        if let Some(message) = body.message() {
            messages::put(transaction, place.session, &message, seq, place.at_ms).await?;
        }
        follow_session(transaction, place.session, body).await?;
        session_checkpoints::follow(transaction, place, body).await?;
    }
    // Once for all: they share one time.
    if bodies.iter().any(messages::is_sign_of_life) {
        sqlx::query(sql::TOUCH_STREAMING)
            .bind(place.session)
            .bind(place.at_ms)
            .execute(&mut **transaction)
            .await?;
    }
    if bodies.iter().any(messages::may_hide) {
        messages::hide(transaction, place.session).await?;
    }
    Ok(())
}

/// What an entry changes in its session's row.
async fn follow_session(
    transaction: &mut Transaction<'static, Any>,
    session: &str,
    body: &Body,
) -> Result<(), sqlx::Error> {
    if let Some(state) = SessionState::after(body) {
        sqlx::query(sql::SET_STATE).bind(session).bind(state.word()).execute(&mut **transaction).await?;
    }
    let Body::SessionUpdated(updated) = body else { return Ok(()) };
    if let Some(title) = &updated.title {
        sqlx::query(sql::SET_TITLE).bind(session).bind(&*plain(title)).execute(&mut **transaction).await?;
    }
    if let Some(model) = &updated.model {
        sqlx::query(sql::SET_MODEL)
            .bind(session)
            .bind(&*plain(&model.model))
            .execute(&mut **transaction)
            .await?;
    }
    Ok(())
}
