//! `/undo` and `/redo`: reloads the session, and offers the undone text to be sent again.

use bowline_core::entry::{Body, Entry};
use bowline_host::restore::RestoreRequest;

use super::super::written::Written;
use super::{App, Effect};
use crate::rows::Row;

/// The result of an undo or a redo.
pub(crate) struct UndoResult {
    /// What was done, for the scrollback.
    pub(crate) rows: Vec<Row>,
    /// The log, read again.
    pub(crate) entries: Vec<Entry>,
    /// The user's text that started the undone turn.
    pub(crate) text: Option<String>,
}

impl App {
    pub(super) fn undo_turn(&mut self, wanted: RestoreRequest) {
        let Some(session) = self.session.clone() else {
            self.tell("there is nothing to undo yet");
            return;
        };
        // Messages sent meanwhile wait until it is done.
        self.is_resuming = true;
        self.do_it(Effect::Undo { session, wanted });
    }

    /// Continues with the session as it is now. The scrollback stays.
    pub(super) fn turn_undone(&mut self, result: UndoResult) {
        self.turn = None;
        self.queue.clear();
        self.replay(&result.entries);
        self.transcript.notes(&result.rows);
        self.is_resuming = false;
        if let Some(text) = self.sent.take() {
            self.begin(text);
            return;
        }
        if let Some(text) = result.text.filter(|_| self.editor.text_expanded().trim().is_empty()) {
            let typed = result.entries.iter().rev().find_map(|entry| match &entry.body {
                Body::TurnStarted(turn) if turn.text == text => Some(turn.typed.clone()),
                _ => None,
            });
            self.editor.put(&Written::new(text, typed.unwrap_or_default()));
        }
    }
}
