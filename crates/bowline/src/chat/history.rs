//! What was sent before, for Up, Down and Ctrl-R.
//!
//! It lives in memory and, where it can, in one file of JSON, a line for each message, that all chats of a user share. What
//! always holds: history is never in the way. A file that can't be read or written is no error, a line that makes no sense
//! is passed over, and two programs that add at once both keep their line.

mod file;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use super::editor::clean;
use super::written::Written;

/// Longer texts are not kept.
const TEXT_BYTES_MAX: usize = 64 * 1024;

/// Past either bound the oldest are forgotten.
const ENTRIES_MAX: usize = 1000;
const BYTES_MAX: usize = 1024 * 1024;

#[derive(Debug)]
pub(crate) struct History {
    /// None: in memory only.
    path: Option<PathBuf>,
    /// The oldest first.
    entries: Vec<Written>,
    browsing: Option<Browsing>,
}

#[derive(Debug)]
struct Browsing {
    /// What was typed before; only texts that begin with it are shown.
    draft: Written,
    at: usize,
}

impl History {
    pub(crate) fn load(path: &Path) -> History {
        let entries = file::read(path).unwrap_or_default();
        let mut history = History { path: Some(path.to_owned()), entries, browsing: None };
        history.trim();
        history
    }

    /// For a chat that leaves nothing behind.
    pub(crate) fn in_memory() -> History {
        History { path: None, entries: Vec::new(), browsing: None }
    }

    /// Ends browsing. A blank text, a very long one and the last one again are not kept.
    pub(crate) fn add(&mut self, message: &Written) {
        self.browsing = None;
        let message = message.map(clean);
        let text = message.text();
        if text.trim().is_empty() || text.len() > TEXT_BYTES_MAX || self.entries.last() == Some(&message) {
            return;
        }
        if let Some(path) = &self.path {
            // History is a convenience: what can't be written is known until the chat ends.
            let _ = file::append(path, &message);
        }
        self.entries.push(message);
        self.trim();
    }

    /// The next message to show on Up; None if there is none. `shown` is what stands in the editor, all of it: if that isn't
    /// what came from here last, browsing begins anew with it as the draft.
    pub(crate) fn older(&mut self, shown: &Written) -> Option<Written> {
        if !self.is_shown(shown) {
            self.browsing = Some(Browsing { draft: shown.clone(), at: self.entries.len() });
        }
        let browsing = self.browsing.as_mut()?;
        let found = self.entries[..browsing.at]
            .iter()
            .rposition(|entry| entry.text().starts_with(browsing.draft.text()) && entry != shown);
        match found {
            Some(at) => browsing.at = at,
            None if browsing.at == self.entries.len() => self.browsing = None,
            None => {}
        }
        found.and_then(|at| self.entries.get(at).cloned())
    }

    /// The next message to show on Down, at the end the draft; None if `shown` didn't come from here.
    pub(crate) fn newer(&mut self, shown: &Written) -> Option<Written> {
        if !self.is_shown(shown) {
            self.browsing = None;
        }
        let browsing = self.browsing.as_mut()?;
        let mut newer = self.entries.iter().enumerate().skip(browsing.at + 1);
        let found =
            newer.find(|(_, entry)| entry.text().starts_with(browsing.draft.text()) && *entry != shown);
        if let Some((at, entry)) = found {
            browsing.at = at;
            return Some(entry.clone());
        }
        self.browsing.take().map(|browsing| browsing.draft)
    }

    /// The newest message that holds all the words, or an older one: `skip` says how many different ones are passed over.
    /// Capitals count if there are any among the words.
    pub(crate) fn search(&self, words: &str, skip: usize) -> Option<&Written> {
        let has_capitals = words.chars().any(char::is_uppercase);
        let words: Vec<&str> = words.split_whitespace().collect();
        let holds_all = |entry: &&Written| match has_capitals {
            true => words.iter().all(|word| entry.text().contains(word)),
            false => {
                let entry = entry.text().to_lowercase();
                words.iter().all(|word| entry.contains(word))
            }
        };
        if words.is_empty() {
            return None;
        }
        let mut seen: Vec<&Written> = Vec::new();
        for entry in self.entries.iter().rev().filter(holds_all) {
            if seen.contains(&entry) {
                continue;
            }
            if seen.len() == skip {
                return Some(entry);
            }
            seen.push(entry);
        }
        None
    }

    fn is_shown(&self, shown: &Written) -> bool {
        let at = self.browsing.as_ref().map(|browsing| browsing.at);
        at.and_then(|at| self.entries.get(at)).is_some_and(|entry| entry == shown)
    }

    fn trim(&mut self) {
        let kept = newest(self.entries.iter().map(|entry| entry.text().len()), ENTRIES_MAX, BYTES_MAX);
        self.entries.drain(..self.entries.len() - kept);
    }
}

/// How many of the newest stay within both bounds, by the bytes of each.
fn newest(lengths: impl DoubleEndedIterator<Item = usize>, entries_max: usize, bytes_max: usize) -> usize {
    let mut bytes = 0;
    let newest = lengths.rev().take(entries_max);
    newest
        .take_while(|length| {
            bytes += length;
            bytes <= bytes_max
        })
        .count()
}
