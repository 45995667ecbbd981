//! Reading a log: from any number on, in order.
//!
//! What always holds: whoever reads in pages and folds what comes ends in the state of one who read all at once, even if
//! items complete (and their deltas go) between two pages.

use bowline_core::entry::Entry;

use super::error::StoreError;
use super::{Store, row, sql};

/// Rows of one page when a whole log is read.
pub(super) const PAGE_ROWS: i64 = 1_000;
/// Input read at once; who gets as many asks again after the last.
const INPUT_ROWS_MAX: i64 = 1_000;

impl Store {
    /// At most `limit` entries with a number above `after_seq`.
    pub async fn entries(&self, session: &str, after_seq: i64, limit: i64) -> Result<Vec<Entry>, StoreError> {
        let mut reader = self.reader().await?;
        let rows = sqlx::query(sql::ENTRIES)
            .bind(session)
            .bind(after_seq)
            .bind(limit)
            .fetch_all(&mut *reader)
            .await?;
        rows.iter().map(|row| row::entry(session, row)).collect()
    }

    /// The whole log.
    pub async fn log(&self, session: &str) -> Result<Vec<Entry>, StoreError> {
        let mut log: Vec<Entry> = Vec::new();
        loop {
            let after = log.last().map_or(0, |entry| entry.seq);
            let page = self.entries(session, after, PAGE_ROWS).await?;
            if page.is_empty() {
                return Ok(log);
            }
            log.extend(page);
        }
    }

    /// What came from outside with a number above `after_seq`: stops, answers, queued and steering messages.
    pub async fn input_after(&self, session: &str, after_seq: i64) -> Result<Vec<Entry>, StoreError> {
        let mut reader = self.reader().await?;
        let rows = sqlx::query(sql::INPUT_AFTER)
            .bind(session)
            .bind(after_seq)
            .bind(INPUT_ROWS_MAX)
            .fetch_all(&mut *reader)
            .await?;
        rows.iter().map(|row| row::entry(session, row)).collect()
    }
}
