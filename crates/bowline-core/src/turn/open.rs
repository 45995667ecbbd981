//! How a run begins: a task makes a turn, *Continue* another run of the last one; and how each step begins.

use super::asking::Asking;
use super::checking::Then;
use super::compacting::{Pending, Writer};
use super::purpose::{Room, Without};
use super::{Effect, Machine, Phase};
use crate::entry::{
    Access, Body, Message, Role, RunStarted, Status, StepPurpose, StepStarted, Stop, TurnStarted,
};
use crate::limits::STEPS_LEFT_NOTED;
use crate::mode::Mode;
use crate::place::{Choice, Offered};
use crate::task;
use crate::thinking::Thinking;
use crate::typed::Typed;
use crate::view::View;
use crate::wire::Request;

/// What the user wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opening {
    Task {
        text: String,
        /// The queued text it was.
        queued: Option<String>,
        typed: Typed,
    },
    Continue {
        hint: Option<String>,
        typed: Typed,
    },
    /// The conversation is folded now, between turns.
    Compact,
}

impl Opening {
    /// A task that the user typed as a whole.
    pub fn task(text: impl Into<String>) -> Opening {
        let text = text.into();
        Opening::Task { typed: Typed::all(&text), text, queued: None }
    }

    /// *Continue*, without a hint.
    pub fn go_on() -> Opening {
        Opening::Continue { hint: None, typed: Typed::nothing() }
    }
}

const PLAN: &str = include_str!("notes/plan.md");
const STEPS_LEFT: &str = include_str!("notes/steps_left.md");
pub(super) const SUMMARISE: &str = include_str!("notes/summarise.md");

impl Machine {
    /// Begins. `view` is the same log as the user sees it.
    pub fn open(&mut self, opening: Opening, view: &View, now: i64) -> Vec<Effect> {
        self.started_ms = now;
        let run = match opening {
            Opening::Compact => {
                self.compact_between_turns(view, now);
                return std::mem::take(&mut self.effects);
            }
            Opening::Task { text, queued, typed } => {
                self.turn = self.ids.turn();
                self.changes = crate::changes::Changes::default();
                self.usage = crate::entry::Usage::default();
                let message = self.ids.message(0);
                let access = self.setup.access;
                let check = task::named_check(&typed.words(&text));
                self.record(Body::TurnStarted(TurnStarted { text, typed, message, access, queued, check }));
                self.record_message(Role::User, Status::Complete);
                (1, None, None)
            }
            Opening::Continue { hint, typed } => {
                self.turn = view.turn.clone().unwrap_or_else(|| self.ids.turn());
                let check = hint.as_deref().and_then(|hint| task::named_check(&typed.words(hint)));
                (view.runs + 1, hint, check)
            }
        };
        let (run, hint, check) = run;
        let is_hinted = hint.is_some();
        let message = self.ids.message(u32::from(is_hinted));
        let (access, edits) = (self.setup.access, self.setup.edits);
        self.record(Body::RunStarted(RunStarted { run, message, access, edits, hint, check }));
        if is_hinted {
            self.record_message(Role::User, Status::Complete);
        }
        self.message = self.record_message(Role::Assistant, Status::Streaming);
        self.next_step(None, now);
        std::mem::take(&mut self.effects)
    }

    fn record_message(&mut self, role: Role, status: Status) -> String {
        let id = self.ids.message(0);
        self.record(Body::MessageStarted { message: Message::new(&id, role, status) });
        id
    }

    /// The next step of the run, within its budget, with a guard's note if there is one.
    pub(super) fn next_step(&mut self, guards_note: Option<String>, now: i64) {
        self.move_if_due();
        self.step += 1;
        self.empty_answers = 0;
        let left = self.setup.steps_max - self.step + 1;
        let is_noted = left == STEPS_LEFT_NOTED && self.setup.steps_max > STEPS_LEFT_NOTED;
        let left = is_noted.then(|| STEPS_LEFT.trim().replace("{left}", &left.to_string()));
        let plan = (self.step == 1 && self.is_plan()).then(|| PLAN.trim().to_owned());
        let check = self.check_suggestion();
        let notes: Vec<String> = plan.into_iter().chain(guards_note).chain(check).chain(left).collect();
        let note = (!notes.is_empty()).then(|| notes.join("\n"));
        self.ask(StepPurpose::Work, note, None, now);
    }

    /// Whether the model has tools that this turn will refuse.
    fn is_plan(&self) -> bool {
        self.setup.access == Access::ReadOnly && self.access == Access::Write
    }

    /// One model call of the current step, with thinking of its own if it has any.
    pub(super) fn ask(
        &mut self,
        purpose: StepPurpose,
        note: Option<String>,
        thinking: Option<Thinking>,
        now: i64,
    ) {
        let is_due = purpose.record().room == Room::IsMade && self.compacted_step != Some(self.step);
        if is_due && self.is_crowded(note.as_deref()) {
            self.compact(Pending { purpose, note, thinking }, Writer::Model, now);
            return;
        }
        let pending = Pending { purpose, note, thinking };
        if purpose == StepPurpose::Work && self.is_by_places() {
            // What fails says where to look: the check comes before the first place is chosen.
            if self.awaits_baseline() {
                return self.check_before(Then::Survey(pending), now);
            }
            self.survey(pending, now);
        } else {
            self.ask_now(pending, Vec::new(), Choice::Free, now);
        }
    }

    /// Asks the model without a survey of the project first.
    pub(super) fn ask_now(&mut self, pending: Pending, offered: Vec<Offered>, choice: Choice, now: i64) {
        let Pending { purpose, note, thinking } = pending;
        let note = if purpose == StepPurpose::Work { self.with_guards_note(note) } else { note };
        let inputs_through = self.conversation.steering_through().unwrap_or(0);
        // What steers is a message of the user's like any other, from the moment the model reads it.
        for _ in 0..self.conversation.steering_count() {
            self.record_message(Role::User, Status::Complete);
        }
        let note_sent = note.clone();
        let started = StepStarted {
            note,
            inputs_through,
            thinking,
            answers: std::mem::take(&mut self.answers),
            offered,
            choice,
            ..self.step_started(purpose)
        };
        self.record(Body::StepStarted(started));
        self.send(purpose, note_sent, thinking, now);
    }

    /// A step with nothing beyond its purpose and what the program says to the last answer.
    pub(super) fn step_started(&mut self, purpose: StepPurpose) -> StepStarted {
        let (sent_back, sent_back_for) = self.sent_back.take().unzip();
        StepStarted { sent_back, sent_back_for, ..StepStarted::new(&self.message, self.step, purpose) }
    }

    /// The request as the log has it now, if there is room for it.
    fn send(&mut self, purpose: StepPurpose, note: Option<String>, thinking: Option<Thinking>, now: i64) {
        let (request, bytes) = self.request(note, thinking);
        if let Some(reason) = self.overflow(bytes) {
            return match purpose.record().failed {
                Without::GoesOn(go_on) => go_on(self, now),
                Without::TurnStops => self.hand_back_limit(reason, now),
            };
        }
        let asking = Asking::new(purpose, request, thinking, bytes, now);
        let asking = match self.unfinished_answer.take() {
            Some(unfinished_answer) => asking.shown(*unfinished_answer),
            None => asking,
        };
        self.phase = Phase::Asking(Box::new(asking));
        self.call_model(now);
    }

    pub(super) fn request(&self, note: Option<String>, thinking: Option<Thinking>) -> (Request, usize) {
        let payload = self.conversation.shared();
        let mut dialect = self.setup.dialect.clone();
        dialect.thinking = thinking.unwrap_or(dialect.thinking);
        if payload.mode == Mode::Constrained {
            dialect.sampling = dialect.exact();
        }
        if self.checks.is_fresh_start {
            dialect.sampling = dialect.sampling.raised();
        }
        let request = Request { dialect, payload, note };
        let bytes = request.prompt_bytes();
        (request, bytes)
    }

    /// Why a request of so many bytes can't be sent, if it can't.
    pub(super) fn overflow(&self, bytes: usize) -> Option<String> {
        let room = self.setup.dialect.window - self.setup.dialect.reserve;
        let tokens = self.meter.tokens(bytes);
        (tokens > room).then(|| {
            format!(
                "The conversation has grown to about {tokens} tokens, and the window of {} leaves {room} for it.",
                self.setup.dialect.window
            )
        })
    }

    fn hand_back_limit(&mut self, reason: String, now: i64) {
        let hint = "start the server with a larger window, or begin a new session with a smaller task";
        self.finish(Stop::Limit, Some(reason), Some(hint.to_owned()), now);
    }

    pub(super) fn too_long(&mut self, reason: String, now: i64) {
        self.hand_back_limit(reason, now);
    }
}
