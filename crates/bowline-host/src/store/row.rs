//! Rows as values: an entry read back, and text made fit to be stored outside of JSON.

use std::borrow::Cow;

use bowline_core::entry::{Body, Entry, UnreadableEntry};
use serde_json::Value;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::error::StoreError;

/// Text for a column of its own. PostgreSQL refuses U+0000 in TEXT, so it is shown as what it is, a character that cannot
/// be shown. Bodies need none of this: JSON writes it as an escape.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', "\u{fffd}")) } else { Cow::Borrowed(text) }
}

/// An entry from the columns `seq, kind, version, at_ms, turn, body`.
pub(super) fn entry(session: &str, row: &AnyRow) -> Result<Entry, StoreError> {
    let kind: String = row.try_get(1)?;
    let version: i64 = row.try_get(2)?;
    let body = body(&kind, version, row.try_get(5)?)?;
    Ok(Entry {
        session: session.to_owned(),
        seq: row.try_get(0)?,
        at_ms: row.try_get(3)?,
        turn: row.try_get(4)?,
        body,
    })
}

/// A body from its text.
pub(super) fn body(kind: &str, version: i64, text: &str) -> Result<Body, UnreadableEntry> {
    let unreadable =
        |error: serde_json::Error| UnreadableEntry { kind: kind.to_owned(), version, why: error.to_string() };
    let value: Value = serde_json::from_str(text).map_err(unreadable)?;
    Body::from_json(kind, version, value)
}
