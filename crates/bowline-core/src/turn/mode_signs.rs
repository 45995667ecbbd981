//! Collects signs that a calling mode does not suit the model: failed native calls, and steps in text mode without a call.
//!
//! A fold over entries, so that a session that goes on after a crash knows what its predecessor saw. It decides nothing:
//! what follows from a sign is decided in `modes.rs`. A change of the mode resets the count.

use serde_json::Value;

use super::claims::claims_change;
use super::validate::{UNREADABLE_FOR_SERVER, WRITTEN_AS_TEXT};
use crate::entry::{Access, Answer, Body, RunStarted, SentBackFor, SessionUpdated, StepPurpose, StepStarted};
use crate::item::{Item, ItemKind};
use crate::mode::Mode;
use crate::outcome::Outcome;
use crate::task::{asks_for_change, forbids_change, may_ask_for_change, says_what_to_change};

/// One sign that native calling does not work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// The server could not read its model's call.
    Unread,
    /// A call had to be extracted from the text.
    Written,
    /// Code came in a fence, in a turn that asked for a change.
    Fenced,
}

/// What a step has left on the log so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Step {
    /// Whether the model is to work in it, and not to write a summary.
    is_work: bool,
    has_text: bool,
    has_fence: bool,
    /// Whether the answer says that something was changed.
    has_claim: bool,
    has_call: bool,
    is_complete: bool,
}

#[derive(Debug, Default)]
pub(super) struct Signs {
    mode: Mode,
    /// The signs of earlier steps since the mode changed.
    count: u32,
    last: Option<Sign>,
    text_steps_without_call: u32,
    step: Step,
    /// Whether what the user said in this turn asks for a change.
    is_change_asked: bool,
    /// Whether the turn's message says what is to be changed: "Do it" does not.
    is_plainly_asked: bool,
    /// Whether that leaves open what is asked for.
    is_change_possible: bool,
    is_read_only: bool,
    /// Whether something was changed in this turn: a file, or whatever a command did that somebody approved.
    is_changed: bool,
    /// Whether a command ran that may have changed a file, and nobody has looked since.
    may_be_changed: bool,
    /// Calls of this turn that somebody approved.
    approved: Vec<String>,
    is_sent_back: bool,
    /// Whether a call of this turn was refused: then the answer says why nothing was changed.
    is_refused: bool,
}

impl Signs {
    pub(super) fn apply(&mut self, body: &Body) {
        match body {
            Body::SessionStarted(started) => self.mode = started.model.mode,
            Body::SessionUpdated(SessionUpdated { model: Some(model), .. }) if model.mode != self.mode => {
                self.mode = model.mode;
                (self.count, self.last, self.text_steps_without_call) = (0, None, 0);
                // What a complete step showed, it showed of the other mode.
                self.step.is_work &= !self.step.is_complete;
            }
            Body::TurnStarted(turn) => {
                self.close_step();
                self.is_change_asked = asks_for_change(&turn.text);
                self.is_plainly_asked = says_what_to_change(&turn.text);
                self.is_change_possible = may_ask_for_change(&turn.text);
                (self.is_changed, self.is_sent_back, self.text_steps_without_call) = (false, false, 0);
                (self.is_refused, self.may_be_changed) = (false, false);
                self.approved.clear();
            }
            Body::RunStarted(RunStarted { access, hint, .. }) => {
                self.is_read_only = *access == Access::ReadOnly;
                self.say(hint.as_deref());
            }
            Body::Input(_) => self.say(body.steering()),
            Body::PermissionAnswered(answered) if answered.answer == Answer::Yes => {
                self.approved.push(answered.item.clone());
            }
            Body::StepStarted(step) => self.open_step(step),
            Body::ItemStarted { item } => self.call(item),
            Body::ItemCompleted { item } => self.complete(item),
            Body::StepCompleted(_) => self.step.is_complete = true,
            _ => {}
        }
    }

    /// What the user says in the middle of a turn: it may ask for a change, and the last word counts where it forbids one.
    fn say(&mut self, text: Option<&str>) {
        let Some(text) = text else { return };
        self.is_change_asked = (self.is_change_asked || asks_for_change(text)) && !forbids_change(text);
        self.is_change_possible &= may_ask_for_change(text);
    }

    fn open_step(&mut self, step: &StepStarted) {
        self.close_step();
        self.step = Step { is_work: step.purpose == StepPurpose::Work, ..Step::default() };
        self.is_sent_back |=
            step.sent_back_for.map_or(step.sent_back.is_some(), |why| why == SentBackFor::NoChange);
    }

    /// What an answer without a call shows is counted when no call can follow it any more.
    fn close_step(&mut self) {
        self.count += u32::from(self.is_fence());
        self.text_steps_without_call += u32::from(self.is_text_without_call());
        if self.is_fence() {
            self.last = Some(Sign::Fenced);
        }
        self.step = Step::default();
    }

    /// A call as it is opened. An answer counts once, however many calls are in it.
    fn call(&mut self, item: &Item) {
        let Some(call) = &item.call else { return };
        let sign = match call.repairs.first().map(String::as_str) {
            Some(WRITTEN_AS_TEXT) => Some(Sign::Written),
            Some(UNREADABLE_FOR_SERVER) => Some(Sign::Unread),
            _ => None,
        };
        if let Some(sign) = sign.filter(|_| !self.step.has_call) {
            self.count += 1;
            self.last = Some(sign);
        }
        self.step.has_call = true;
        self.text_steps_without_call = 0;
    }

    fn complete(&mut self, item: &Item) {
        if item.kind == ItemKind::Text {
            self.step.has_text |= !item.text.trim().is_empty();
            self.step.has_fence |= has_fence(&item.text);
            self.step.has_claim |= claims_change(&item.text);
            // The model took the message for a request, though nothing was done: it knows more ways to ask than the rules do.
            let is_false = self.step.is_work && !self.has_changes() && self.step.has_claim;
            self.is_change_asked |= is_false && self.is_change_possible;
        }
        if let (Some(call), Some(result)) = (&item.call, &item.result) {
            self.is_refused |= result.outcome == Outcome::PermissionDenied;
            let command = call.arguments.get("command").and_then(Value::as_str);
            let may_change = result.outcome == Outcome::Success && !command.is_none_or(only_looks);
            // What the rules allow by themselves changes files of the project or nothing.
            let is_approved = self.approved.contains(&item.id);
            self.is_changed |= may_change && is_approved || !result.edits.is_empty();
            self.may_be_changed |= may_change;
        }
    }

    /// Signs since the mode last changed.
    pub(super) fn count(&self) -> u32 {
        self.count + u32::from(self.is_fence())
    }

    pub(super) fn last(&self) -> Option<Sign> {
        if self.is_fence() { Some(Sign::Fenced) } else { self.last }
    }

    /// Steps in a row of this turn, in text mode, that were to bring a change and brought no call.
    pub(super) fn text_steps_without_call(&self) -> u32 {
        self.text_steps_without_call + u32::from(self.is_text_without_call())
    }

    /// Whether an answer was sent back in this turn.
    pub(super) fn is_sent_back(&self) -> bool {
        self.is_sent_back
    }

    /// Whether the user asks for a change, by the message or by how the model understood it.
    pub(super) fn is_change_asked(&self) -> bool {
        self.is_change_asked
    }

    /// Whether the last answer has code in a fence.
    pub(super) fn has_fence(&self) -> bool {
        self.step.has_fence
    }

    /// Whether the last answer claims a change.
    pub(super) fn has_claim(&self) -> bool {
        self.step.has_claim
    }

    /// Whether the message that began the turn says itself what is to be changed.
    pub(super) fn is_plainly_asked(&self) -> bool {
        self.is_plainly_asked
    }

    /// Whether a call of this turn was refused.
    pub(super) fn is_refused(&self) -> bool {
        self.is_refused
    }

    /// Whether the turn asks for a change, may make one, and has made none.
    pub(super) fn is_change_due(&self) -> bool {
        self.is_change_asked && !self.has_changes() && !self.is_read_only
    }

    /// Whether something depends on what commands did to the files: a change was asked for or is claimed, and no edit made one.
    pub(super) fn is_change_uncertain(&self) -> bool {
        !self.is_changed && (self.is_change_asked || self.step.has_claim)
    }

    fn has_changes(&self) -> bool {
        self.is_changed || self.may_be_changed
    }

    /// Somebody has looked whether the turn has changed files.
    pub(super) fn files_compared(&mut self, is_changed: bool) {
        self.is_changed |= is_changed;
        self.may_be_changed = false;
        let is_false = self.step.is_work && !self.is_changed && self.step.has_claim;
        self.is_change_asked |= is_false && self.is_change_possible;
    }

    fn is_fence(&self) -> bool {
        self.is_answer() && self.mode == Mode::Native && self.is_change_due() && self.step.has_fence
    }

    fn is_text_without_call(&self) -> bool {
        self.is_answer() && self.mode == Mode::Text && self.is_change_due()
    }

    /// Whether the step was an answer in words.
    fn is_answer(&self) -> bool {
        self.step.is_work && self.step.is_complete && self.step.has_text && !self.step.has_call
    }
}

/// Whether a command plainly changes nothing. What is not certain may have made the change that was asked for.
pub(super) fn only_looks(command: &str) -> bool {
    const LOOKING: [&str; 10] = ["cat", "ls", "head", "tail", "wc", "grep", "rg", "nl", "tree", "pwd"];
    let is_plain = !command.contains(['>', '<', '|', ';', '&', '$', '`', '\n', '(']);
    let program = command.split_whitespace().next().unwrap_or_default();
    is_plain && LOOKING.contains(&program)
}

/// Whether a text has code in a fence: an opening line and at least one line in it.
fn has_fence(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start);
    lines.any(|line| line.starts_with("```") || line.starts_with("~~~"))
        && lines.next().is_some_and(|line| !line.starts_with("```") && !line.starts_with("~~~"))
}
