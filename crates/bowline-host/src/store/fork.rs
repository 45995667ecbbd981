//! A copy of a session under another id: its log with the same numbers, its messages and its outputs.
//!
//! What always holds: the numbers stay, because steps name input by them, so a request made from the copy is byte for
//! byte the one made from the original; the original is only read, also while its turn runs.

use bowline_core::entry::{Body, Entry};

use super::append::{Place, allot, write_entries};
use super::error::StoreError;
use super::row::plain;
use super::sessions::SessionState;
use super::{Store, messages, sql};

/// What a copy is made of.
#[derive(Debug, Clone, Copy)]
pub struct Fork<'a> {
    pub source: &'a str,
    pub id: &'a str,
    pub title: &'a str,
    /// The source's log as it was read: what came later is not copied, nor are provisional entries.
    pub log: &'a [Entry],
    /// Entries of `turn` that end what is open in that log.
    pub closing: &'a [Body],
    pub turn: Option<&'a str>,
    /// What the copy says of itself.
    pub says: &'a Body,
    pub at_ms: i64,
}

impl Store {
    pub async fn fork_session(&self, fork: &Fork<'_>) -> Result<(), StoreError> {
        let Fork { source, id, log, at_ms, .. } = *fork;
        let through_seq = log.last().map_or(0, |entry| entry.seq);
        let state = log.iter().rev().find_map(|entry| SessionState::after(&entry.body));
        let mut transaction = self.begin().await?;
        let made = sqlx::query(sql::FORK_SESSION)
            .bind(source)
            .bind(id)
            .bind(&*plain(fork.title))
            .bind(state.unwrap_or(SessionState::Idle).word())
            .bind(at_ms)
            .bind(through_seq + 1)
            .execute(&mut *transaction)
            .await?;
        if made.rows_affected() == 0 {
            return Err(StoreError::NoSession(source.to_owned()));
        }
        sqlx::query(sql::FORK_ENTRIES)
            .bind(source)
            .bind(id)
            .bind(through_seq)
            .execute(&mut *transaction)
            .await?;
        sqlx::query(sql::FORK_OUTPUTS).bind(source).bind(id).execute(&mut *transaction).await?;
        // From the copied entries: the source's own rows may have gone on.
        messages::rebuild(&mut transaction, id).await?;
        let says = std::slice::from_ref(fork.says);
        for (turn, bodies) in [(fork.turn, fork.closing), (None, says)] {
            let seq = allot(&mut transaction, id, bodies, at_ms).await?;
            write_entries(&mut transaction, Place { session: id, at_ms, turn }, seq, bodies).await?;
        }
        transaction.commit().await?;
        Ok(())
    }
}
