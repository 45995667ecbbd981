//! What the model has seen of each file in this session: which lines, of which content, and how often an edit missed.
//!
//! It is no table: within a turn it is kept as the tools run, and for earlier turns it is folded from the log, which has the
//! lines that were shown but not the content. There a file counts as it was seen if nobody has written it since.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bowline_core::entry::{Body, Entry};
use bowline_core::item::Item;
use bowline_core::outcome::Outcome;
use bowline_core::visible::visible;

use crate::glimpse;
use crate::tools::seen_lines;
use crate::workspace::Hash;

/// Files by the path the model reads.
#[derive(Debug, Default)]
pub struct SeenFiles {
    files: Mutex<HashMap<String, SeenFile>>,
}

#[derive(Debug)]
struct SeenFile {
    held: Held,
    /// In order, apart from each other.
    lines: Vec<RangeInclusive<usize>>,
    /// How many lines there were.
    total: usize,
    misses: usize,
}

/// What the file held when it was seen.
#[derive(Debug, Clone, Copy)]
enum Held {
    Content(Hash),
    /// Whatever the file held at this time, in milliseconds.
    At(i64),
}

/// Lines that were shown as they are, and how many the file had.
pub(crate) type ShownLines = (RangeInclusive<usize>, usize);

/// What the model knows of a file as it is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    Nothing,
    /// It saw another content.
    Changed,
    Part,
    Whole,
}

/// What the model knows of a file that a call wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrote {
    Part,
    Whole,
}

impl SeenFiles {
    /// What the model has seen in the session's earlier turns.
    pub fn of(entries: &[Entry]) -> SeenFiles {
        let seen = SeenFiles::default();
        for entry in visible(entries) {
            match &entry.body {
                Body::SessionStarted(started) => {
                    for path in started.shown.iter().flat_map(|shown| glimpse::shown_files(shown)) {
                        seen.note(path, Held::At(entry.at_ms), Some((1..=1, 1)));
                    }
                }
                Body::ItemCompleted { item } => seen.recall(item, entry.at_ms),
                _ => {}
            }
        }
        seen
    }

    fn recall(&self, item: &Item, at_ms: i64) {
        let Some(result) = item.result.as_ref().filter(|result| result.outcome == Outcome::Success) else {
            return;
        };
        let tool = item.call.as_ref().map(|call| call.tool.as_str());
        if tool == Some("view_file")
            && let Some((path, shown)) = seen_lines(&result.text)
        {
            // Of a result that was cut nobody knows any more which lines were in it.
            self.note(path, Held::At(at_ms), shown.filter(|_| result.output.is_none()));
        }
        for edit in &result.edits {
            let is_whole = tool == Some("write_file") || edit.rung == "created" || self.is_whole(&edit.path);
            self.rewrite(&edit.path, Held::At(at_ms), if is_whole { Wrote::Whole } else { Wrote::Part });
        }
    }

    /// Lines of a file were shown; none where it is not known which.
    pub(crate) fn viewed(&self, path: &str, hash: Hash, shown: Option<ShownLines>) {
        self.note(path, Held::Content(hash), shown);
    }

    /// A call wrote a file.
    pub(crate) fn wrote(&self, path: &str, after: Hash, how: Wrote) {
        self.rewrite(path, Held::Content(after), how);
    }

    /// An edit of this file missed: how often by now, since one landed.
    pub(crate) fn missed(&self, path: &str) -> usize {
        let mut files = self.files();
        let sight = files.entry(path.to_owned()).or_insert_with(|| SeenFile::new(Held::At(i64::MIN)));
        sight.misses += 1;
        sight.misses
    }

    /// What the model knows of a file that holds this now and was last written then.
    pub(crate) fn known(&self, path: &str, hash: Hash, written_ms: Option<i64>) -> Known {
        let files = self.files();
        let Some(sight) = files.get(path) else { return Known::Nothing };
        let is_same = match sight.held {
            Held::Content(held) => held == hash,
            Held::At(i64::MIN) => return Known::Nothing,
            Held::At(at_ms) => written_ms.is_some_and(|written_ms| written_ms <= at_ms),
        };
        match (is_same, sight.is_whole()) {
            (false, _) => Known::Changed,
            (true, true) => Known::Whole,
            (true, false) => Known::Part,
        }
    }

    fn note(&self, path: &str, held: Held, shown: Option<ShownLines>) {
        let mut files = self.files();
        let sight = files.entry(path.to_owned()).or_insert_with(|| SeenFile::new(held));
        let is_same = match (sight.held, held) {
            (Held::Content(before), Held::Content(now)) => before == now,
            // What was shown before is held against what is shown now by its length alone.
            _ => shown.as_ref().is_some_and(|(_, total)| *total == sight.total),
        };
        if !is_same {
            sight.lines.clear();
        }
        sight.held = held;
        if let Some((lines, total)) = shown {
            sight.total = total;
            sight.add(lines);
        }
    }

    fn rewrite(&self, path: &str, held: Held, how: Wrote) {
        let mut files = self.files();
        let sight = files.entry(path.to_owned()).or_insert_with(|| SeenFile::new(held));
        // The numbers of lines that were shown no longer hold.
        *sight = SeenFile::new(held);
        if how == Wrote::Whole {
            (sight.lines, sight.total) = (vec![1..=1], 1);
        }
    }

    fn is_whole(&self, path: &str) -> bool {
        self.files().get(path).is_some_and(SeenFile::is_whole)
    }

    fn files(&self) -> MutexGuard<'_, HashMap<String, SeenFile>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SeenFile {
    fn new(held: Held) -> SeenFile {
        SeenFile { held, lines: Vec::new(), total: 0, misses: 0 }
    }

    fn is_whole(&self) -> bool {
        matches!(self.lines.as_slice(), [all] if *all.start() <= 1 && *all.end() >= self.total)
    }

    fn add(&mut self, lines: RangeInclusive<usize>) {
        self.lines.push(lines);
        self.lines.sort_by_key(|lines| *lines.start());
        let mut merged: Vec<RangeInclusive<usize>> = Vec::new();
        for lines in self.lines.drain(..) {
            match merged.last_mut() {
                Some(last) if *lines.start() <= last.end() + 1 => {
                    *last = *last.start()..=*last.end().max(lines.end());
                }
                _ => merged.push(lines),
            }
        }
        self.lines = merged;
    }
}

#[cfg(test)]
mod tests {
    use super::{Known, SeenFiles, Wrote};
    use crate::workspace::Hash;

    #[test]
    fn a_file_seen_in_pieces_is_seen_whole() {
        let (seen, hash) = (SeenFiles::default(), Hash::of(b"x"));
        seen.viewed("a", hash, Some((1..=200, 500)));
        seen.viewed("a", hash, Some((401..=500, 500)));
        assert_eq!(seen.known("a", hash, None), Known::Part);
        seen.viewed("a", hash, Some((150..=400, 500)));
        assert_eq!(seen.known("a", hash, None), Known::Whole);
        assert_eq!(seen.known("a", Hash::of(b"y"), None), Known::Changed);
        // What was seen of another content is not seen.
        seen.viewed("a", Hash::of(b"y"), Some((1..=200, 500)));
        assert_eq!(seen.known("a", Hash::of(b"y"), None), Known::Part);
    }

    #[test]
    fn who_wrote_a_file_knows_it() {
        let seen = SeenFiles::default();
        seen.wrote("a", Hash::of(b"1"), Wrote::Whole);
        assert_eq!(seen.known("a", Hash::of(b"1"), None), Known::Whole);
        seen.wrote("b", Hash::of(b"1"), Wrote::Part);
        assert_eq!(seen.known("b", Hash::of(b"1"), None), Known::Part);
        assert_eq!(seen.known("c", Hash::of(b"1"), None), Known::Nothing);
    }

    #[test]
    fn misses_are_counted_until_one_lands() {
        let seen = SeenFiles::default();
        assert_eq!((seen.missed("a"), seen.missed("b"), seen.missed("a")), (1, 1, 2));
        assert_eq!(seen.known("a", Hash::of(b"1"), Some(0)), Known::Nothing);
        seen.wrote("a", Hash::of(b"1"), Wrote::Part);
        assert_eq!(seen.missed("a"), 1);
    }
}
