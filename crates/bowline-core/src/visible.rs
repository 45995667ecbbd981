//! The visible entries: what is left of a log when what was restored is taken into account.
//!
//! Every fold goes over these; only ids are counted over all entries. A `restored` entry cuts the list at its anchor and is
//! appended; one that undoes another puts the list back as it stood just before that one, and is appended. Nothing is ever
//! removed from the log, so each of them can be undone. Order is the log's alone, never a time.
//!
//! The user's text that asked for a turn that was taken back stays, to be sent again, until the next turn or run begins. No
//! model reads it: see [`in_force`]. Texts that wait in the queue were never part of a turn, and stay as well.

use std::collections::{BTreeMap, BTreeSet};

use crate::entry::{Body, Entry};
use crate::restore_entry::Restored;

/// What a user sees.
pub fn visible(entries: &[Entry]) -> Vec<&Entry> {
    if !is_any_restored(entries) {
        return entries.iter().collect();
    }
    Lists::of(entries).now()
}

/// The visible entries without the texts of undone turns: what a model may know.
pub fn in_force(entries: &[Entry]) -> Vec<&Entry> {
    if !is_any_restored(entries) {
        return entries.iter().collect();
    }
    let mut lists = Lists::of(entries);
    lists.drop_request();
    lists.now()
}

fn is_any_restored(entries: &[Entry]) -> bool {
    entries.iter().any(|entry| matches!(entry.body, Body::Restored(_)))
}

/// A list of entries, by its last one. Lists share what they have in common.
pub(crate) type List = Option<usize>;

struct Node {
    /// The entry's place in the log.
    at: usize,
    below: List,
}

/// The list as it is, and as it stood around each `restored` entry.
pub(crate) struct Lists<'e> {
    entries: &'e [Entry],
    nodes: Vec<Node>,
    top: List,
    /// By `seq`: just before, and with it.
    around: BTreeMap<i64, (List, List)>,
    /// Queued texts a turn was made of.
    sent: BTreeSet<&'e str>,
}

impl<'e> Lists<'e> {
    pub(crate) fn of(entries: &'e [Entry]) -> Lists<'e> {
        let mut lists = Lists {
            entries,
            nodes: Vec::with_capacity(entries.len()),
            top: None,
            around: BTreeMap::new(),
            sent: BTreeSet::new(),
        };
        for (at, entry) in entries.iter().enumerate() {
            lists.apply(at, entry);
        }
        lists
    }

    fn apply(&mut self, at: usize, entry: &'e Entry) {
        match &entry.body {
            Body::TurnStarted(turn) => {
                self.sent.extend(turn.queued.as_deref());
                self.drop_request();
            }
            Body::RunStarted(run) if run.run > 1 => self.drop_request(),
            Body::Restored(restored) => {
                let before = self.top;
                if let Some(goal) = self.goal(restored) {
                    self.top = goal;
                    self.keep_queued(before);
                }
                self.push(at);
                self.around.insert(entry.seq, (before, self.top));
                return;
            }
            _ => {}
        }
        self.push(at);
    }

    fn push(&mut self, at: usize) {
        self.nodes.push(Node { at, below: self.top });
        self.top = Some(self.nodes.len() - 1);
    }

    /// Where a restore leads to; none where it leaves the conversation as it is.
    pub(crate) fn goal(&self, restored: &Restored) -> Option<List> {
        if !restored.what.has_conversation() {
            return None;
        }
        match (restored.undoes, &restored.message) {
            (Some(seq), _) => self.before(seq),
            (None, Some(message)) => self.cut(message),
            (None, None) => None,
        }
    }

    /// As it stood just before the `restored` entry of this `seq`, be that visible or not.
    pub(crate) fn before(&self, seq: i64) -> Option<List> {
        self.around.get(&seq).map(|(before, _)| *before)
    }

    /// Below the anchor; where an earlier restore has taken that back already, as that one left it.
    pub(crate) fn cut(&self, anchor: &str) -> Option<List> {
        let begins = |entry: &Entry| matches!(&entry.body, Body::RunStarted(run) if run.message == anchor);
        if let Some((node, _)) = self.walk(self.top).find(|(_, entry)| begins(entry)) {
            return Some(node.below);
        }
        let again = |entry: &Entry| match &entry.body {
            Body::Restored(restored) => {
                let is_cut = restored.what.has_conversation() && restored.undoes.is_none();
                is_cut && restored.message.as_deref() == Some(anchor)
            }
            _ => false,
        };
        let (_, entry) = self.walk(self.top).find(|(_, entry)| again(entry))?;
        self.around.get(&entry.seq).map(|(_, after)| *after)
    }

    /// Puts texts that wait in the queue on top, where the list has lost them.
    fn keep_queued(&mut self, before: List) {
        let places = |list: List| -> Vec<usize> {
            let is_waiting = |entry: &Entry| match &entry.body {
                Body::Queued(queued) => !self.sent.contains(queued.id.as_str()),
                _ => false,
            };
            self.walk(list).filter(|(_, entry)| is_waiting(entry)).map(|(node, _)| node.at).collect()
        };
        let kept: BTreeSet<usize> = places(self.top).into_iter().collect();
        let mut lost = places(before);
        lost.retain(|at| !kept.contains(at));
        lost.into_iter().rev().for_each(|at| self.push(at));
    }

    /// The text that asked for what was taken back goes.
    fn drop_request(&mut self) {
        let mut above = Vec::new();
        let mut is_restored = false;
        let mut asked = None;
        for (node, entry) in self.walk(self.top) {
            match &entry.body {
                Body::RunStarted(_) => break,
                Body::TurnStarted(turn) => {
                    asked = Some((turn.message.as_str(), node.below));
                    break;
                }
                Body::Restored(_) => is_restored = true,
                _ => {}
            }
            above.push(node.at);
        }
        let Some((message, below)) = asked.filter(|_| is_restored) else { return };
        self.top = below;
        for at in above.into_iter().rev() {
            let is_asking = self.entries.get(at).is_some_and(
                |entry| matches!(&entry.body, Body::MessageStarted { message: begun } if begun.id == message),
            );
            if !is_asking {
                self.push(at);
            }
        }
    }

    fn walk(&self, list: List) -> impl Iterator<Item = (&Node, &'e Entry)> {
        let mut next = list;
        std::iter::from_fn(move || {
            let node = self.nodes.get(next?)?;
            next = node.below;
            Some((node, self.entries.get(node.at)?))
        })
    }

    /// The list as it is now.
    pub(crate) fn now(&self) -> Vec<&'e Entry> {
        self.list(self.top)
    }

    /// In the order of the log.
    pub(crate) fn list(&self, list: List) -> Vec<&'e Entry> {
        let mut entries: Vec<&Entry> = self.walk(list).map(|(_, entry)| entry).collect();
        entries.reverse();
        entries
    }
}
