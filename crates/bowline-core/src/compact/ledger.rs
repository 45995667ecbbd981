//! The file ledger: which files a conversation has read and changed, through any number of compactions.
//!
//! It has no table and no column: it is derived from the calls that are folded, merged with the lists in the earlier
//! summary, sorted, and lives on as text in the new one.

use std::collections::BTreeSet;

use crate::entry::Access;
use crate::payload::{Conversation, Said};

const READ: &str = "## Files Read";
const MODIFIED: &str = "## Files Modified";

/// Paths, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ledger {
    read: BTreeSet<String>,
    modified: BTreeSet<String>,
}

impl Ledger {
    /// Of all calls so far, and of the earlier summary.
    pub fn of(conversation: &Conversation) -> Ledger {
        let mut ledger = conversation.summary().map(Ledger::listed).unwrap_or_default();
        let calls = conversation.payload().said.iter().flat_map(|said| match said {
            Said::Assistant { calls, .. } => calls.as_slice(),
            _ => &[],
        });
        for call in calls {
            ledger.read.extend(call.touched.read.clone());
            ledger.modified.extend(call.touched.modified.iter().cloned());
        }
        ledger
    }

    /// The lists of a summary.
    fn listed(summary: &str) -> Ledger {
        let list = |heading: &str| {
            let lines = summary.lines().skip_while(|line| line.trim() != heading).skip(1);
            let own = lines.take_while(|line| !line.starts_with("## "));
            own.filter_map(|line| line.strip_prefix("- ")).map(str::to_owned).collect()
        };
        Ledger { read: list(READ), modified: list(MODIFIED) }
    }

    /// As they stand in the prompt and in the summary. A session that can't write has nothing modified.
    pub fn sections(&self, access: Access) -> String {
        let list = |heading: &str, paths: &BTreeSet<String>| {
            let paths: String = paths.iter().map(|path| format!("\n- {path}")).collect();
            format!("{heading}{paths}")
        };
        let modified = (access == Access::Write).then(|| list(MODIFIED, &self.modified));
        [Some(list(READ, &self.read)), modified].into_iter().flatten().collect::<Vec<_>>().join("\n\n")
    }

    /// A summary with these lists at its end, whatever the model made of them. Longer than `bytes_max` the oldest words
    /// give way, not the lists; of lists that are too long themselves a beginning stays.
    pub fn enforced(&self, text: &str, access: Access, bytes_max: usize) -> String {
        let sections = super::cut(&self.sections(access), bytes_max);
        let text = super::cut(text, bytes_max.saturating_sub(sections.len()));
        format!("{}\n\n{sections}", text.trim_end())
    }
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
