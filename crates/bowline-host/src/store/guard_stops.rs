//! How often guards stopped a turn in the stored sessions, and what the user did next.

use bowline_core::entry::{Body, ENTRY_VERSION};
use bowline_core::sentinel::Sentinel;
use sqlx::Row;

use super::error::StoreError;
use super::row::body;
use super::{Store, sql};

/// A sentinel of a session, and what came next in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardStop {
    pub sentinel: Sentinel,
    pub then: Then,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// The turn went on: *Continue*.
    Continued,
    /// A new turn.
    NewTurn,
    Nothing,
}

impl Store {
    /// The newest sentinels that `is_wanted`, out of the newest `limit`. Each costs one look by key.
    pub async fn guard_stops(
        &self,
        limit: i64,
        is_wanted: impl Fn(&Sentinel) -> bool,
    ) -> Result<Vec<GuardStop>, StoreError> {
        let mut reader = self.reader().await?;
        let rows = sqlx::query(sql::SENTINELS).bind(limit).fetch_all(&mut *reader).await?;
        let mut stops = Vec::new();
        for row in rows {
            let (session, seq): (String, i64) = (row.try_get(0)?, row.try_get(1)?);
            let entry = body("sentinel", ENTRY_VERSION, row.try_get(2)?)?;
            let Body::Sentinel(entry) = entry else { continue };
            if !is_wanted(&entry.sentinel) {
                continue;
            }
            let next: Option<String> = sqlx::query_scalar(sql::BEGUN_AFTER)
                .bind(session)
                .bind(seq)
                .fetch_optional(&mut *reader)
                .await?;
            let then = match next.as_deref() {
                Some("run.started") => Then::Continued,
                Some(_) => Then::NewTurn,
                None => Then::Nothing,
            };
            stops.push(GuardStop { sentinel: entry.sentinel, then });
        }
        Ok(stops)
    }
}
