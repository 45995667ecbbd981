//! Keys: to the open question, to the menu, to the search, to the editor, in this order; and what they mean where none of
//! these takes them.

use bowline_core::entry::Body;

use super::super::completion::Taken;
use super::super::editor::Handled;
use super::super::keys::Key;
use super::super::questions::Reply;
use super::super::written::Written;
use super::submit::When;
use super::{App, Effect};
use crate::exit::Exit;

/// Looking for an earlier message.
#[derive(Debug, Default)]
pub(crate) struct Search {
    pub(crate) words: String,
    /// Matches that were passed over.
    skipped: usize,
    pub(crate) found: Option<Written>,
}

impl App {
    pub(super) fn key(&mut self, key: Key, now_ms: i64) {
        if key != Key::Stop {
            self.is_leaving = false;
        }
        let is_listening = self.questions.is_listening(self.editor.is_empty(), self.typed_ms, now_ms);
        if is_listening {
            match self.questions.key(&key, now_ms) {
                Reply::Answered(answered) => {
                    let turn = self.turn.clone();
                    self.do_it(Effect::Say { turn, body: Box::new(Body::PermissionAnswered(answered)) });
                    return;
                }
                Reply::Taken => return,
                Reply::Elsewhere => {}
            }
        }
        if self.search.is_some() && self.search_key(&key) {
            return;
        }
        match self.completion.key(&key, &mut self.editor) {
            Taken::No => {}
            Taken::Moved => return,
            Taken::Chosen => return self.complete(),
        }
        match key {
            Key::Stop => self.interrupt(),
            Key::Escape => self.escape(),
            Key::EndOfInput if self.editor.is_empty() => self.leave(Exit::Done),
            Key::Suspend => self.do_it(Effect::Suspend),
            Key::Redraw => self.do_it(Effect::Redraw),
            Key::Search => self.search = Some(Search::default()),
            Key::Send => self.submit(When::Now, now_ms),
            Key::Enter if self.editor.is_continued() => self.edit(&key, now_ms),
            Key::Enter => self.submit(When::InTurn, now_ms),
            key => self.edit(&key, now_ms),
        }
    }

    fn edit(&mut self, key: &Key, now_ms: i64) {
        match (self.editor.edit(key), key) {
            (Handled::TooMuch, _) => {
                self.warn(
                    "that is more than 1 MiB: put it into a file of the project and name the file with @",
                );
            }
            (Handled::No, Key::Up) if self.editor.is_empty() && self.unqueue() => {}
            (Handled::No, Key::Up) => {
                if let Some(message) = self.history.older(&self.editor.written()) {
                    self.editor.put(&message);
                }
            }
            (Handled::No, Key::Down) => {
                if let Some(message) = self.history.newer(&self.editor.written()) {
                    self.editor.put(&message);
                }
            }
            (Handled::No, _) => {}
            (Handled::Yes, key) => {
                // Moving about says nothing about a sentence that is being written.
                if matches!(key, Key::Char(_) | Key::Paste(_) | Key::NewLine | Key::Backspace) {
                    self.typed_ms = now_ms;
                }
                self.complete();
            }
        }
    }

    /// What could stand at the cursor, after every change.
    fn complete(&mut self) {
        if self.completion.update(&self.editor, &self.models, &self.sessions) {
            self.do_it(Effect::ListFiles);
        }
    }

    /// True if the key was for the search.
    fn search_key(&mut self, key: &Key) -> bool {
        let Some(search) = &mut self.search else { return false };
        match key {
            Key::Char(c) => search.words.push(*c),
            Key::Backspace => {
                search.words.pop();
            }
            Key::Search => search.skipped += usize::from(search.found.is_some()),
            Key::Escape | Key::Stop => {
                self.search = None;
                return true;
            }
            _ => {
                if let Some(found) = self.search.take().and_then(|search| search.found) {
                    self.editor.put(&found);
                }
                // Enter takes what was found and does not send it; other keys go on from there.
                return *key == Key::Enter;
            }
        }
        if !matches!(key, Key::Search) {
            search.skipped = 0;
        }
        let words = search.words.clone();
        search.found = match words.is_empty() {
            true => None,
            false => self.history.search(&words, search.skipped).cloned().or(search.found.take()),
        };
        true
    }

    fn escape(&mut self) {
        if self.sent.is_some() && !self.is_running() {
            self.return_unsent_text();
        } else if !self.stop() {
            self.completion.close();
        }
    }

    /// Ctrl-C: what runs is stopped, what is typed is dropped; twice, with nothing between, leaves.
    pub(super) fn interrupt(&mut self) {
        if self.is_leaving || self.is_stopping() {
            self.leave(Exit::Interrupted);
        } else if self.shell.is_some() {
            self.do_it(Effect::EndShell);
        } else if self.stop() {
            // The status line says so.
        } else if self.editor.is_empty() {
            self.is_leaving = true;
        } else {
            self.history.add(&self.editor.written());
            self.editor.take();
            self.completion.close();
        }
    }

    fn leave(&mut self, exit: Exit) {
        // Ctrl-C twice at rest is a way to say goodbye.
        let exit = if self.is_running() { exit } else { Exit::Done };
        self.do_it(Effect::Leave(exit));
    }
}
