//! What a model in constrained mode may choose next. Not offered are: the tool whose last call brought nothing, a view of what
//! is already shown, tools that write in a read-only turn, and an answer before anything was done, right after an edit that
//! failed, or before a failed command was run again.
//!
//! A fold, like the rest of the payload. Small models end too soon (a false "done" ended 7 of 12 failures) and repeat
//! themselves: what is not offered can't be chosen.

use super::Message;
use crate::check::{CheckMoment, Checked};
use crate::entry::{Access, SentBackFor, StepPurpose, StepStarted};
use crate::item::{Call, CallResult, ItemKind};
use crate::outcome::Outcome;
use crate::place::Offered;
use crate::task;
use crate::tools;

/// How many calls are required before an answer is offered again: enough to look, and to try again.
const CALLS_BEFORE_FINISH: u32 = 3;

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
    fruitless_tool: Option<String>,
    /// Whether a call of this turn succeeded.
    has_successful_call: bool,
    /// Whether the last command ended non-zero.
    is_red: bool,
    /// How many more calls are required before an answer is offered: after an edit that failed, and after one that was meant
    /// to fix a failing command. Without this a small model would claim to be done.
    calls_before_finish: u32,
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
    /// The offer after a successful call.
    pub fn after_success() -> Offer {
        Offer { has_successful_call: true, ..Offer::default() }
    }

    /// An offer with these places to choose from.
    pub fn of_places(places: Vec<Offered>) -> Offer {
        Offer { places, ..Offer::default() }
    }

    /// Whether a call of this tool may be chosen.
    pub fn has(&self, tool: &str) -> bool {
        let is_refused = self.is_read_only && tools::effect(tool) == tools::Effect::Writes;
        let is_possible = tool != tools::CHANGE || !self.places.is_empty();
        let is_beside = self.is_places_only && tool != tools::CHANGE;
        !self.is_answer_only
            && !is_refused
            && !is_beside
            && is_possible
            && self.fruitless_tool.as_deref() != Some(tool)
    }

    /// The places that can be chosen now.
    pub fn places(&self) -> &[Offered] {
        &self.places
    }

    /// Whether the last command ended non-zero.
    pub fn is_red(&self) -> bool {
        self.is_red
    }

    pub fn can_answer(&self) -> bool {
        let is_due = self.has_successful_call || self.is_shown_question;
        (is_due && self.calls_before_finish == 0 && !self.is_places_only) || self.is_answer_only
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
        // What the check said is for the model to mend before it may answer again.
        if step.sent_back_for == Some(SentBackFor::Check) {
            self.calls_before_finish = CALLS_BEFORE_FINISH;
        }
        // An answer that was sent back was not the answer to a question.
        self.is_shown_question &= step.sent_back.is_none();
    }

    /// The program has run the check.
    pub(super) fn checked(&mut self, checked: &Checked) {
        if checked.moment != CheckMoment::Before {
            self.is_red = checked.is_red();
            self.calls_before_finish = 0;
        }
    }

    /// A call has ended; `messages` is the conversation with its result.
    pub(super) fn ended(&mut self, call: &Call, result: &CallResult, messages: &[Message]) {
        let is_success = result.outcome == Outcome::Success;
        let is_edit = tools::kind(&call.tool) == ItemKind::Edit;
        let is_news = if is_edit { !result.edits.is_empty() } else { !is_shown(call, result, messages) };
        self.has_successful_call |= is_success;
        let is_command = tools::kind(&call.tool) == ItemKind::Command;
        self.calls_before_finish = match (is_edit, is_success) {
            // Where nothing can be written, it never will.
            (true, false) if self.is_read_only => 0,
            // It has to land.
            (true, false) => CALLS_BEFORE_FINISH,
            // What was red is to be run again.
            (true, true) if self.is_red => CALLS_BEFORE_FINISH,
            (true, true) => 0,
            (false, _) if is_command => 0,
            (false, _) => self.calls_before_finish.saturating_sub(1),
        };
        if is_command {
            self.is_red = result.exit_code.is_some_and(|code| code != 0);
        }
        // Which places are offered after a change that failed is for the agenda to say.
        let is_fruitless = (!is_success || !is_news) && call.tool != tools::CHANGE;
        self.fruitless_tool = is_fruitless.then(|| call.tool.clone());
    }
}

/// Whether the same call had the same result before.
fn is_shown(call: &Call, result: &CallResult, messages: &[Message]) -> bool {
    let is_same_result = |id: &str| {
        messages.iter()
            .any(|message| matches!(message, Message::Tool { call, text, .. } if call == id && *text == result.text))
    };
    let calls = messages.iter().flat_map(|message| match message {
        Message::Assistant { calls, .. } => calls.as_slice(),
        _ => &[],
    });
    let same = |earlier: &&super::MessageCall| {
        earlier.tool == call.tool && earlier.arguments == call.arguments && is_same_result(&earlier.id)
    };
    // Its own is one of them.
    calls.filter(same).count() > 1
}
