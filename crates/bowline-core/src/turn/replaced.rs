//! Texts that had been held back because they lost something of the old body, and that were applied after all since nothing better
//! came. The account of the turn says what each of them lost. A fold over the log.

use crate::entry::Body;
use crate::item::Item;
use crate::outcome::Outcome;
use crate::place::Place;
use crate::tools::{self, ChangeCall, Doubts};

/// How the reason of a refusal begins that says what a text has lost.
const LOSS: &str = ": the new text ";

#[derive(Debug, Default)]
pub(super) struct Replaced {
    /// What was held back: the place, the text, and what it lost.
    held_back: Vec<(Place, String, String)>,
    /// What was applied after all: the call, the place, and what was lost.
    applied: Vec<(String, Place, String)>,
}

impl Replaced {
    pub(super) fn apply(&mut self, body: &Body) {
        match body {
            Body::TurnStarted(_) => *self = Replaced::default(),
            Body::ItemCompleted { item } => self.completed(item),
            Body::Change(decided) if decided.is_programs_rewind() => {
                self.applied.retain(|(call, ..)| !decided.calls.contains(call));
            }
            _ => {}
        }
    }

    fn completed(&mut self, item: &Item) {
        let (Some(call), Some(result)) = (&item.call, &item.result) else { return };
        let change = ChangeCall::of(&call.arguments).filter(|_| call.tool == tools::CHANGE);
        let Some(ChangeCall { place, text: Some(text), doubts, .. }) = change else { return };
        if result.outcome == Outcome::Success {
            // A later text of the same place stands in its stead.
            self.applied.retain(|(_, other, _)| *other != place);
            let is_it = |held: &&(Place, String, String)| held.0 == place && held.1 == text;
            let held = self.held_back.iter().rev().find(is_it).filter(|_| doubts == Doubts::Accept);
            self.applied.extend(held.map(|(_, _, loss)| (item.id.clone(), place, loss.clone())));
        } else if let Some(loss) = loss(&result.text) {
            self.held_back.push((place, text, loss.to_owned()));
        }
    }

    /// One sentence for each place whose body was replaced.
    pub(super) fn sentences(&self) -> impl Iterator<Item = String> {
        self.applied.iter().map(|(_, place, loss)| {
            let name = place.name.as_deref().unwrap_or(&place.path);
            format!("The body of `{name}` was replaced: it {loss}.")
        })
    }
}

/// What a text has lost that was held back: "no longer calls `load`".
fn loss(refusal: &str) -> Option<&str> {
    let line = refusal.lines().next().filter(|line| line.starts_with(tools::HELD_BACK))?;
    line.split_once(LOSS).map(|(_, loss)| loss.trim_end_matches('.'))
}
