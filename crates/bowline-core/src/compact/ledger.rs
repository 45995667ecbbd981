//! The file ledger: which files a conversation has read and changed, through any number of compactions.
//!
//! It has no table and no column: it is derived from the calls so far, merged with the lists in the earlier summary, sorted,
//! and lives on as text in the new one.
//!
//! What always holds: a list has whole paths only. Where it is too long for its room, the number of paths that were left
//! out stands below it, in a form that is never taken for a path, and grows with each compaction that leaves out more.

use std::collections::BTreeMap;

use crate::entry::Access;
use crate::limits::LISTS_PERCENT_MAX;
use crate::payload::{Conversation, Message};

const READ: &str = "## Files Read";
const MODIFIED: &str = "## Files Modified";
/// What the line with the number of paths takes at most. Bytes.
const MORE_BYTES_MAX: usize = "\n(and 18446744073709551615 more)".len();

/// How a path came into a list. Where there is no room for all, those that come first stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    /// A call that is folded now.
    Compacted,
    /// The earlier summary.
    Earlier,
    /// A call that stays in the conversation. It is derived again at the next compaction.
    Kept,
}

/// Paths in order, and how many more were left out before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct List {
    paths: BTreeMap<String, Source>,
    left_out: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ledger {
    read: List,
    modified: List,
}

impl Ledger {
    /// The ledger of all calls so far and of the earlier summary, when so many messages are compacted.
    pub fn of(conversation: &Conversation, messages: usize) -> Ledger {
        let mut ledger = conversation.summary().map(Ledger::listed).unwrap_or_default();
        for (at, message) in conversation.payload().messages.iter().enumerate() {
            let Message::Assistant { calls, .. } = message else { continue };
            let source = if at < messages { Source::Compacted } else { Source::Kept };
            for call in calls {
                ledger.read.extend(call.touched.read.iter(), source);
                ledger.modified.extend(call.touched.modified.iter(), source);
            }
        }
        ledger
    }

    /// The lists of a summary.
    fn listed(summary: &str) -> Ledger {
        Ledger { read: List::of(summary, READ), modified: List::of(summary, MODIFIED) }
    }

    /// As they stand in the prompt and in the summary, in at most so many bytes; what was modified comes first. A session that
    /// can't write has nothing modified.
    pub fn sections(&self, access: Access, bytes_max: usize) -> String {
        let empty = READ.len() + MORE_BYTES_MAX;
        let modified = (access == Access::Write)
            .then(|| self.modified.section(MODIFIED, bytes_max.saturating_sub(empty + 2)));
        let taken = modified.as_ref().map_or(0, |section| section.len() + 2);
        let read = self.read.section(READ, bytes_max.saturating_sub(taken));
        modified.into_iter().chain([read]).collect::<Vec<_>>().join("\n\n")
    }

    /// A summary with these lists at its end, whatever the model made of them. Where both are too long for `bytes_max`, the
    /// lists get their share of it, and the words are cut at their end.
    pub fn enforced(&self, text: &str, access: Access, bytes_max: usize) -> String {
        let share = bytes_max * LISTS_PERCENT_MAX / 100;
        let left = bytes_max.saturating_sub(text.len() + 2);
        let sections = self.sections(access, share.max(left));
        let text = super::cut(text, bytes_max.saturating_sub(sections.len()));
        format!("{}\n\n{sections}", text.trim_end())
    }
}

impl List {
    fn extend<'p>(&mut self, paths: impl Iterator<Item = &'p String>, source: Source) {
        self.paths.extend(paths.map(|path| (path.clone(), source)));
    }

    /// The list below a heading of a summary. A path that an earlier version cut ends in ` …` and is none.
    fn of(summary: &str, heading: &str) -> List {
        let lines = summary.lines().skip_while(|line| line.trim() != heading).skip(1);
        let own: Vec<&str> = lines.take_while(|line| !line.starts_with("## ")).collect();
        let paths =
            own.iter().filter_map(|line| line.strip_prefix("- ")).filter(|path| !path.ends_with(" …"));
        List {
            paths: paths.map(|path| (path.to_owned(), Source::Earlier)).collect(),
            left_out: own.iter().find_map(|line| number(line)).unwrap_or_default(),
        }
    }

    fn section(&self, heading: &str, bytes_max: usize) -> String {
        let bytes = |path: &String| "\n- ".len() + path.len();
        let whole: usize = self.paths.keys().map(bytes).sum();
        let more = if self.left_out > 0 { MORE_BYTES_MAX } else { 0 };
        let mut kept: Vec<&String> = self.paths.keys().collect();
        let mut left_out = self.left_out;
        if heading.len() + whole + more > bytes_max {
            let mut room = bytes_max.saturating_sub(heading.len() + MORE_BYTES_MAX);
            let mut paths: Vec<(&String, Source)> =
                self.paths.iter().map(|(path, source)| (path, *source)).collect();
            paths.sort_by_key(|(_, source)| *source);
            kept.clear();
            for (path, source) in paths {
                match room.checked_sub(bytes(path)) {
                    Some(rest) => {
                        room = rest;
                        kept.push(path);
                    }
                    None => left_out += u64::from(source != Source::Kept),
                }
            }
            kept.sort();
        }
        let paths: String = kept.into_iter().map(|path| format!("\n- {path}")).collect();
        let more = if left_out > 0 { format!("\n(and {left_out} more)") } else { String::new() };
        format!("{heading}{paths}{more}")
    }
}

/// The number in `(and 12 more)`.
fn number(line: &str) -> Option<u64> {
    line.strip_prefix("(and ")?.strip_suffix(" more)")?.parse().ok()
}

/// A summary without its lists.
pub(super) fn without_lists(text: &str) -> String {
    let mut is_list = false;
    let mut kept = Vec::new();
    for line in text.lines() {
        let heading = line.trim();
        if heading.starts_with("## ") || heading.starts_with("# ") {
            is_list = heading == READ || heading == MODIFIED;
        }
        if !is_list {
            kept.push(line);
        }
    }
    kept.join("\n").trim().to_owned()
}
