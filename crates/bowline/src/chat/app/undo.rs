//! `/undo` and `/redo`: the session as it is afterwards, and the text that can be sent again.

use bowline_core::entry::Entry;
use bowline_host::restore::RestoreRequest;

use super::{App, Effect};
use crate::rows::Row;

/// What came of it.
pub(crate) struct UndoResult {
    /// What was done, in words.
    pub(crate) rows: Vec<Row>,
    /// The log, read anew.
    pub(crate) entries: Vec<Entry>,
    /// The text that asked for what was taken back.
    pub(crate) text: Option<String>,
}

impl App {
    pub(super) fn undo_turn(&mut self, wanted: RestoreRequest) {
        let Some(session) = self.session.clone() else {
            self.tell("there is nothing to undo yet");
            return;
        };
        // What is said meanwhile waits for it.
        self.is_resuming = true;
        self.do_it(Effect::Undo { session, wanted });
    }

    /// What stands in the scrollback stays there; from here on the session is another.
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
            self.editor.set(&text);
        }
    }
}
