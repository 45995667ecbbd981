//! What makes sense next, for a model that is bound to a schema: not the last vain call again, no view of what is shown,
//! nothing that writes in a turn that only reads, no end before anything was done, right after an edit that failed, or before a red command was run again.
//!
//! A fold, like the rest of the payload. Small models end too soon (a false "done" ended 7 of 12 failures) and repeat
//! themselves: what is not offered can't be chosen.

use super::Said;
use crate::entry::{Access, StepPurpose, StepStarted};
use crate::item::{Call, CallResult, ItemKind};
use crate::outcome::Outcome;
use crate::place::Offered;
use crate::task;
use crate::tools;

/// Enough to look, and to try again.
const OWED_CALLS: u32 = 3;

/// What stands before the first message of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    Nothing,
    /// The project's files with their contents.
    Files,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Offer {
    /// The tool whose last call brought nothing.
    vain: Option<String>,
    /// Whether a call of this turn succeeded.
    is_begun: bool,
    /// Whether the last command ended non-zero.
    is_red: bool,
    /// Calls to come before an end is offered again: after an edit that failed, and after one that was to mend a command.
    /// A small model would call it done.
    owed: u32,
    /// The places that `change` can be chosen for.
    places: Vec<Offered>,
    /// Whether only those places can be chosen.
    is_places_only: bool,
    /// Whether the turn asks nothing but a question about files that the model has been shown.
    is_shown_question: bool,
    /// Whether only words are wanted.
    is_answer_only: bool,
    is_read_only: bool,
}

impl Offer {
    /// After a call that succeeded.
    pub fn begun() -> Offer {
        Offer { is_begun: true, ..Offer::default() }
    }

    /// With these places to choose from.
    pub fn of_places(places: Vec<Offered>) -> Offer {
        Offer { places, ..Offer::default() }
    }

    /// Whether a call of this tool may be chosen.
    pub fn has(&self, tool: &str) -> bool {
        let is_refused = self.is_read_only && tools::effect(tool) == tools::Effect::Writes;
        let is_possible = tool != tools::CHANGE || !self.places.is_empty();
        let is_beside = self.is_places_only && tool != tools::CHANGE;
        !self.is_answer_only && !is_refused && !is_beside && is_possible && self.vain.as_deref() != Some(tool)
    }

    /// The places that can be chosen now.
    pub fn places(&self) -> &[Offered] {
        &self.places
    }

    pub fn can_answer(&self) -> bool {
        let is_due = self.is_begun || self.is_shown_question;
        (is_due && self.owed == 0 && !self.is_places_only) || self.is_answer_only
    }

    /// A turn begins; `shown` says whether the files it may be about stand before it.
    pub(super) fn turn(&mut self, text: &str, shown: Shown) {
        let is_shown_question = shown == Shown::Files && !task::asks_for_change(text);
        *self = Offer { is_shown_question, ..Offer::default() };
    }

    pub(super) fn run(&mut self, access: Access) {
        self.is_read_only = access == Access::ReadOnly;
    }

    pub(super) fn step(&mut self, step: &StepStarted) {
        self.is_answer_only = matches!(step.purpose, StepPurpose::Summary | StepPurpose::Compaction);
        self.places.clone_from(&step.offered);
        self.is_places_only = !step.choice.is_free();
    }

    /// A call has ended; `said` is the conversation with its result.
    pub(super) fn ended(&mut self, call: &Call, result: &CallResult, said: &[Said]) {
        let is_success = result.outcome == Outcome::Success;
        let is_edit = tools::kind(&call.tool) == ItemKind::Edit;
        let is_news = if is_edit { !result.edits.is_empty() } else { !is_shown(call, result, said) };
        self.is_begun |= is_success;
        let is_command = tools::kind(&call.tool) == ItemKind::Command;
        self.owed = match (is_edit, is_success) {
            // Where nothing can be written, it never will.
            (true, false) if self.is_read_only => 0,
            // It has to land.
            (true, false) => OWED_CALLS,
            // What was red is to be run again.
            (true, true) if self.is_red => OWED_CALLS,
            (true, true) => 0,
            (false, _) if is_command => 0,
            (false, _) => self.owed.saturating_sub(1),
        };
        if is_command {
            self.is_red = result.exit_code.is_some_and(|code| code != 0);
        }
        // Which places are offered after a change that failed is for the agenda to say.
        let is_fruitless = (!is_success || !is_news) && call.tool != tools::CHANGE;
        self.vain = is_fruitless.then(|| call.tool.clone());
    }
}

/// Whether the same call had the same result before.
fn is_shown(call: &Call, result: &CallResult, said: &[Said]) -> bool {
    let is_same_result = |id: &str| {
        said.iter()
            .any(|said| matches!(said, Said::Tool { call, text, .. } if call == id && *text == result.text))
    };
    let calls = said.iter().flat_map(|said| match said {
        Said::Assistant { calls, .. } => calls.as_slice(),
        _ => &[],
    });
    let same = |said: &&super::SaidCall| {
        said.tool == call.tool && said.arguments == call.arguments && is_same_result(&said.id)
    };
    // Its own is one of them.
    calls.filter(same).count() > 1
}
