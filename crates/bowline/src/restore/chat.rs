//! Undo, redo and diff for the chat: rows for its scrollback, and the text that can be sent again.

use bowline_host::restore::{CheckpointUse, RestoreOptions, RestoreRequest, SessionRestore};
use bowline_host::store::Store;

use super::render::{self, Reader, Tense};
use super::{NO_CHANGE, about, session_restore, which};
use crate::diff_files;
use crate::rows::Row;
use crate::settings::Settings;

/// The most rows of a diff in the scrollback.
const DIFF_ROWS_MAX: usize = 400;

/// Undoes or redoes a turn.
pub(crate) async fn undo_or_redo(
    store: &Store,
    settings: &Settings,
    session: &str,
    (wanted, keeps): (&RestoreRequest, CheckpointUse),
) -> Result<(Vec<Row>, Option<String>), String> {
    let session = store.session(session).await.map_err(|error| error.to_string())?;
    let session = session.ok_or("there is nothing to undo yet")?;
    let own = session_restore(store, settings, &session);
    let keeps = if keeps == CheckpointUse::Nothing { keeps } else { own.keeps };
    let done = SessionRestore { keeps, ..own }.carry_out(wanted, RestoreOptions::default()).await;
    let done = done.map_err(|error| error.to_string())?;
    Ok((render::done(&done, Tense::Done, Reader::Chat), done.text))
}

/// What a turn did to the files.
pub(crate) async fn diff_rows(
    store: &Store,
    settings: &Settings,
    session: &str,
    turn: &str,
    columns: usize,
) -> Result<Vec<Row>, String> {
    let which = which(turn).map_err(|refusal| refusal.words)?;
    let session = store.session(session).await.map_err(|error| error.to_string())?;
    let session = session.ok_or("there is no turn yet: no file was changed")?;
    let shown =
        session_restore(store, settings, &session).diff(&which).await.map_err(|error| error.to_string())?;
    let Some(shown) = shown else { return Ok(vec![Row::dim(NO_CHANGE)]) };
    let mut rows: Vec<Row> = about(&shown).lines().map(Row::dim).collect();
    let mut drawn = diff_files::rows(&String::from_utf8_lossy(&shown.diff), columns);
    let more = drawn.len().saturating_sub(DIFF_ROWS_MAX);
    drawn.truncate(DIFF_ROWS_MAX);
    rows.append(&mut drawn);
    if more > 0 {
        rows.push(Row::dim(&format!("… {more} more rows: bowline diff {}", shown.turn)));
    }
    Ok(rows)
}
