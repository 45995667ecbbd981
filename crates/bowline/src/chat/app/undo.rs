//! `/undo` and `/redo`: the session as it is afterwards, and the text that can be sent again.

use bowline_core::entry::Entry;
use bowline_host::restore::Move;

use super::{App, Effect};
use crate::rows::Row;

/// What came of it.
pub(crate) struct TakenBack {
    /// What was done, in words.
    pub(crate) rows: Vec<Row>,
    /// The log, read anew.
    pub(crate) entries: Vec<Entry>,
    /// The text that asked for what was taken back.
    pub(crate) text: Option<String>,
}

impl App {
    pub(super) fn take_back_turn(&mut self, wanted: Move) {
        let Some(session) = self.session.clone() else {
            self.tell("there is nothing to undo yet");
            return;
        };
        // What is said meanwhile waits for it.
        self.is_resuming = true;
        self.do_it(Effect::TakeBack { session, wanted });
    }

    /// What stands in the scrollback stays there; from here on the session is another.
    pub(super) fn taken_back(&mut self, taken: TakenBack) {
        self.turn = None;
        self.queue.clear();
        self.replay(&taken.entries);
        self.showing.notes(&taken.rows);
        self.is_resuming = false;
        if let Some(text) = self.sent.take() {
            self.begin(text);
            return;
        }
        if let Some(text) = taken.text.filter(|_| self.editor.text_expanded().trim().is_empty()) {
            self.editor.set(&text);
        }
    }
}
