//! The text a person writes: keys go in, a text with a cursor comes out.
//!
//! Pure: no terminal, no clock, no file. What always holds: the cursor lies between two characters as a person sees them,
//! a long paste is one of them, and everything with what was pasted is never longer than `BYTES_MAX`.

mod draft;
mod layout;
#[cfg(test)]
mod tests;
mod undo;

use std::ops::Range;

use super::keys::Key;
use super::written::Written;
use draft::Draft;
pub(crate) use draft::clean;
pub(crate) use layout::Layout;
use layout::{Direction, Screen};
use undo::{Change, Run, Undo};

/// The most bytes of one message.
pub(crate) const BYTES_MAX: usize = 1024 * 1024;

/// Until somebody says otherwise.
const COLUMNS: usize = 80;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Handled {
    Yes,
    /// Not a key for an editor, or not in this place: the caller decides.
    No,
    /// Nothing was changed: the text would have become longer than `BYTES_MAX`.
    TooMuch,
}

/// What the last key did, as far as the next one goes on with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Other,
    Typed(char),
    Deleted,
    Killed,
}

/// Where what is deleted goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Removal {
    Deleted,
    Killed,
}

#[derive(Debug)]
pub(crate) struct Editor {
    draft: Draft,
    cursor: usize,
    columns: usize,
    /// The column that Up and Down try to keep.
    wanted: Option<usize>,
    killed: Draft,
    last: Last,
    undo: Undo,
}

impl Editor {
    pub(crate) fn new() -> Editor {
        Editor {
            draft: Draft::default(),
            cursor: 0,
            columns: COLUMNS,
            wanted: None,
            killed: Draft::default(),
            last: Last::Other,
            undo: Undo::default(),
        }
    }

    /// As it is shown: a long paste stands there as a few words.
    pub(crate) fn text(&self) -> &str {
        self.draft.text()
    }

    /// With everything that was pasted.
    pub(crate) fn text_expanded(&self) -> String {
        self.written().into_parts().0
    }

    /// With everything that was pasted, and what of it was typed.
    pub(crate) fn written(&self) -> Written {
        self.draft.full()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.draft.is_empty()
    }

    /// In bytes of the shown text.
    pub(crate) fn cursor(&self) -> usize {
        self.cursor
    }

    /// Another text, with the cursor at its end. What was there can be had back by undo.
    pub(crate) fn set(&mut self, text: &str) -> Handled {
        self.replace(0..self.draft.len(), text)
    }

    /// A message that comes back, in place of what is there.
    pub(crate) fn put(&mut self, message: &Written) -> Handled {
        self.settle();
        self.change(0..self.draft.len(), &Draft::written(message), Run::New)
    }

    /// Another text in this place, with the cursor behind it; folds that the range touches go whole.
    pub(crate) fn replace(&mut self, range: Range<usize>, with: &str) -> Handled {
        let range = self.draft.whole(range);
        self.settle();
        self.change(range, &Draft::plain(&clean(with)), Run::New)
    }

    /// Everything, expanded; the editor is empty afterwards, and there is nothing to undo.
    pub(crate) fn take(&mut self) -> Written {
        let full = self.draft.full();
        self.draft = Draft::default();
        self.cursor = 0;
        self.undo.forget();
        self.settle();
        full
    }

    /// Whether Enter makes a new line here: an odd number of backslashes stands before the cursor.
    pub(crate) fn is_continued(&self) -> bool {
        let before = &self.text()[..self.cursor];
        (before.len() - before.trim_end_matches('\\').len()) % 2 == 1
    }

    /// The rows around the cursor, at most so many. Up and Down go by the rows of these columns from now on.
    pub(crate) fn layout(&mut self, columns: usize, rows_max: usize) -> Layout {
        self.columns = columns;
        Screen::new(&self.draft, columns).layout(self.cursor, rows_max)
    }

    pub(crate) fn edit(&mut self, key: &Key) -> Handled {
        match key {
            Key::Char(c) => self.typed(*c),
            Key::Paste(text) => self.insert(&Draft::pasted(clean(text))),
            Key::NewLine => self.insert(&Draft::plain("\n")),
            Key::Enter if self.is_continued() => self.replace(self.cursor - 1..self.cursor, "\n"),
            Key::Backspace => self.remove(self.before(), Removal::Deleted),
            Key::EndOfInput if self.is_empty() => Handled::No,
            Key::Delete | Key::EndOfInput => self.remove(self.after(), Removal::Deleted),
            Key::DeleteWordBack => self.remove(self.word_start()..self.cursor, Removal::Killed),
            Key::DeleteWordForward => self.remove(self.cursor..self.word_end(), Removal::Killed),
            Key::KillToStart => self.remove(self.to_line_start(), Removal::Killed),
            Key::KillToEnd => self.remove(self.to_line_end(), Removal::Killed),
            Key::Yank => self.insert(&self.killed.clone()),
            Key::Undo => self.undo(),
            Key::Left => self.go(self.before().start),
            Key::Right => self.go(self.after().end),
            Key::WordLeft => self.go(self.word_start()),
            Key::WordRight => self.go(self.word_end()),
            Key::Home => self.go(self.line_start()),
            Key::End => self.go(self.line_end()),
            Key::Up => self.vertical(Direction::Up),
            Key::Down => self.vertical(Direction::Down),
            Key::Enter
            | Key::Send
            | Key::Tab
            | Key::BackTab
            | Key::Escape
            | Key::Stop
            | Key::Suspend
            | Key::Redraw
            | Key::Search
            | Key::PageUp
            | Key::PageDown => Handled::No,
        }
    }

    fn typed(&mut self, c: char) -> Handled {
        if c.is_control() && c != '\t' {
            return Handled::No;
        }
        // A run ends where the next word begins.
        let run = match self.last {
            Last::Typed(before) if c.is_whitespace() || !before.is_whitespace() => Run::Same,
            _ => Run::New,
        };
        self.settle();
        let handled = self.change(self.cursor..self.cursor, &Draft::plain(c.encode_utf8(&mut [0; 4])), run);
        self.last = Last::Typed(c);
        handled
    }

    fn insert(&mut self, draft: &Draft) -> Handled {
        self.settle();
        self.change(self.cursor..self.cursor, draft, Run::New)
    }

    fn remove(&mut self, range: Range<usize>, removal: Removal) -> Handled {
        let last = self.last;
        self.settle();
        if range.is_empty() {
            return Handled::Yes;
        }
        let is_back = range.end == self.cursor;
        let removed = self.draft.slice(range.clone());
        let run = match removal {
            Removal::Deleted if last == Last::Deleted => Run::Same,
            _ => Run::New,
        };
        let handled = self.change(range, &Draft::default(), run);
        if removal == Removal::Deleted {
            self.last = Last::Deleted;
            return handled;
        }
        // What is killed in one go comes back in one piece.
        match last {
            Last::Killed if is_back => {
                self.killed.replace(0..0, &removed);
            }
            Last::Killed => self.killed.append(&removed),
            _ => self.killed = removed,
        }
        self.last = Last::Killed;
        handled
    }

    fn change(&mut self, range: Range<usize>, with: &Draft, run: Run) -> Handled {
        let removed = self.draft.slice(range.clone());
        if removed.is_empty() && with.is_empty() {
            return Handled::Yes;
        }
        if self.draft.full_len() - removed.full_len() + with.full_len() > BYTES_MAX {
            return Handled::TooMuch;
        }
        self.draft.replace(range.clone(), with);
        let change = Change { at: range.start, removed, inserted: with.len(), cursor: self.cursor };
        self.undo.record(change, run);
        // What was typed may have become one with what stands behind it.
        self.cursor = self.draft.place(range.start + with.len());
        Handled::Yes
    }

    fn undo(&mut self) -> Handled {
        self.settle();
        if let Some(change) = self.undo.last() {
            self.draft.replace(change.at..change.at + change.inserted, &change.removed);
            self.cursor = change.cursor;
        }
        Handled::Yes
    }

    fn go(&mut self, place: usize) -> Handled {
        self.settle();
        self.cursor = place;
        Handled::Yes
    }

    fn vertical(&mut self, direction: Direction) -> Handled {
        let screen = Screen::new(&self.draft, self.columns);
        let wanted = self.wanted.unwrap_or_else(|| screen.column_of(self.cursor));
        let Some(place) = screen.vertical(self.cursor, wanted, direction) else { return Handled::No };
        self.go(place);
        self.wanted = Some(wanted);
        Handled::Yes
    }

    /// Runs of typing, of deleting and of going up or down end here.
    fn settle(&mut self) {
        self.wanted = None;
        self.last = Last::Other;
    }

    fn before(&self) -> Range<usize> {
        self.draft.previous(self.cursor).unwrap_or(self.cursor)..self.cursor
    }

    fn after(&self) -> Range<usize> {
        self.cursor..self.draft.next(self.cursor).unwrap_or(self.cursor)
    }

    fn line_start(&self) -> usize {
        self.text()[..self.cursor].rfind('\n').map_or(0, |at| at + 1)
    }

    fn line_end(&self) -> usize {
        self.text()[self.cursor..].find('\n').map_or(self.draft.len(), |at| self.cursor + at)
    }

    /// At the start already, the line break before it.
    fn to_line_start(&self) -> Range<usize> {
        let start = self.line_start();
        if start == self.cursor { self.before() } else { start..self.cursor }
    }

    fn to_line_end(&self) -> Range<usize> {
        let end = self.line_end();
        if end == self.cursor { self.after() } else { self.cursor..end }
    }

    fn word_start(&self) -> usize {
        let mut at = self.cursor;
        let mut kind = Kind::Blank;
        while let Some(previous) = self.draft.previous(at) {
            let this = self.kind(previous);
            if kind != Kind::Blank && (this != kind || this == Kind::Fold) {
                break;
            }
            (at, kind) = (previous, this);
        }
        at
    }

    fn word_end(&self) -> usize {
        let mut at = self.cursor;
        let mut kind = Kind::Blank;
        while let Some(next) = self.draft.next(at) {
            let this = self.kind(at);
            if kind != Kind::Blank && (this != kind || this == Kind::Fold) {
                break;
            }
            (at, kind) = (next, this);
        }
        at
    }

    fn kind(&self, at: usize) -> Kind {
        match self.text()[at..].chars().next() {
            _ if self.draft.is_fold(at) => Kind::Fold,
            Some(c) if c.is_whitespace() => Kind::Blank,
            Some(c) if c.is_alphanumeric() || c == '_' => Kind::Word,
            _ => Kind::Mark,
        }
    }
}

/// What a word is made of: characters of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Blank,
    Word,
    Mark,
    /// A word by itself.
    Fold,
}
