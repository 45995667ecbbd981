//! The changes of a session and how each stands: the log folded.
//!
//! A change is what one call did to one file, numbered in the order of the log: `c1`, `c2`. In auto mode it is applied when
//! it is made; in review mode it waits, hunk by hunk, until somebody applies or rejects it. What was applied can be taken
//! back, newest first.

use bowline_edit::Patch;

use crate::change_decision::{ChangeDecision, ChangeDecisions};
use crate::entry::{Body, Entry, ReviewMode};
use crate::item::{Call, ChangeState, FileEdit};
use crate::turn::Opening;
use crate::visible::visible;

/// The fold.
#[derive(Debug, Clone, Default)]
pub struct Review {
    pub changes: Vec<ChangeView>,
}

/// One change.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeView {
    pub id: String,
    pub turn: Option<String>,
    pub at_ms: i64,
    /// The call that made it.
    pub call: Option<Call>,
    pub edit: FileEdit,
    /// How each of its hunks stands; one where it is not kept what they are.
    pub hunks: Vec<ChangeState>,
    /// What it did to the file when it was applied, at once or hunk by hunk, each with the `seq` of the entry that says so.
    pub landed: Vec<(i64, Patch)>,
}

impl ChangeView {
    /// Pending as long as a hunk is; applied if one is.
    pub fn state(&self) -> ChangeState {
        let states = [ChangeState::Pending, ChangeState::Applied, ChangeState::Rewound];
        states.into_iter().find(|state| self.hunks.contains(state)).unwrap_or(ChangeState::Rejected)
    }

    /// Its hunks that wait, counted from 0.
    pub fn pending(&self) -> Vec<usize> {
        (0..self.hunks.len()).filter(|at| self.hunks[*at] == ChangeState::Pending).collect()
    }

    /// Whether it made the file.
    pub fn is_new_file(&self) -> bool {
        self.edit.patch.as_ref().is_some_and(|patch| patch.before.is_none())
    }

    /// Where a hunk begins, and the first line of text that came with it, else of what went.
    pub fn quote(&self, hunk: usize) -> (i64, String) {
        let Some(hunk) = self.edit.patch.as_ref().and_then(|patch| patch.hunks.get(hunk)) else {
            return (1, String::new());
        };
        let first = |text: &[u8]| {
            let text = String::from_utf8_lossy(text);
            text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
        };
        let quote = first(&hunk.new).or_else(|| first(&hunk.old)).unwrap_or_default();
        (i64::try_from(hunk.line).unwrap_or(i64::MAX), quote.replace('`', "'"))
    }

    fn decide(&mut self, seq: i64, state: ChangeState, decided: &ChangeDecision) {
        let is_meant = |at: usize| {
            decided.hunks.is_empty() || decided.hunks.iter().any(|hunk| usize::try_from(*hunk) == Ok(at + 1))
        };
        let open = match state {
            ChangeState::Rewound => ChangeState::Applied,
            _ => ChangeState::Pending,
        };
        for (at, hunk) in self.hunks.iter_mut().enumerate() {
            if *hunk == open && is_meant(at) {
                *hunk = state;
            }
        }
        match state {
            ChangeState::Applied => self.landed.extend(decided.patch.clone().map(|patch| (seq, patch))),
            ChangeState::Rewound => self.landed.clear(),
            ChangeState::Pending | ChangeState::Rejected => {}
        }
    }
}

/// The id of a session's change by its number, counted from 1 in the order of the log.
pub(crate) fn change_id(number: usize) -> String {
    format!("c{number}")
}

/// How many changes an entry leaves waiting.
pub fn queued(body: &Body) -> i64 {
    let Body::ItemCompleted { item } = body else { return 0 };
    let edits = item.result.iter().flat_map(|result| &result.edits);
    i64::try_from(edits.filter(|edit| edit.state == ChangeState::Pending).count()).unwrap_or(i64::MAX)
}

/// What becomes of the edits of the next run: a session in which changes wait stays in review mode until somebody has
/// decided about them, and a run that goes on keeps the mode it was in.
pub fn next_mode(entries: &[Entry], asked: ReviewMode, opening: &Opening) -> ReviewMode {
    let last = visible(entries).into_iter().rev().find_map(|entry| match &entry.body {
        Body::RunStarted(run) => Some(run.edits),
        _ => None,
    });
    let is_kept = matches!(opening, Opening::Continue { .. }) && last == Some(ReviewMode::Review);
    if is_kept || Review::of(entries).pending().next().is_some() { ReviewMode::Review } else { asked }
}

impl Review {
    pub fn of(entries: &[Entry]) -> Review {
        let mut review = Review::default();
        for entry in visible(entries) {
            review.apply(entry);
        }
        review
    }

    pub fn apply(&mut self, entry: &Entry) {
        match &entry.body {
            Body::ItemCompleted { item } => {
                for edit in item.result.iter().flat_map(|result| &result.edits) {
                    self.changes.push(ChangeView {
                        id: change_id(self.changes.len() + 1),
                        turn: entry.turn.clone(),
                        at_ms: entry.at_ms,
                        call: item.call.clone(),
                        hunks: vec![
                            edit.state;
                            edit.patch.as_ref().map_or(1, |patch| patch.hunks.len()).max(1)
                        ],
                        landed: match (edit.state, &edit.patch) {
                            (ChangeState::Applied, Some(patch)) => vec![(entry.seq, patch.clone())],
                            _ => Vec::new(),
                        },
                        edit: edit.clone(),
                    });
                }
            }
            Body::Change(ChangeDecisions { state, changes, .. }) => {
                for decided in changes {
                    if let Some(change) = self.changes.iter_mut().find(|change| change.id == decided.id) {
                        change.decide(entry.seq, *state, decided);
                    }
                }
            }
            _ => {}
        }
    }

    pub fn pending(&self) -> impl Iterator<Item = &ChangeView> {
        self.changes.iter().filter(|change| change.state() == ChangeState::Pending)
    }
}
