//! Changing files by places, in constrained mode: where, then what.
//!
//! Before a step of work the host surveys the project, and the agenda says what comes next: the program carries out what is
//! already decided, the model writes the new text of a place that is known, or it chooses a place. Each try is one call on
//! the log with one result. While the model writes, nothing is open on the log: a crash or a stop loses the try alone.

use super::asking::Asking;
use super::checking::Account;
use super::compacting::Pending;
use super::{Effect, Machine, Phase};
use crate::agenda::{Agenda, Next, Order, Reason, Showing, Tests, Try, Writing};
use crate::entry::{Access, Body, StepCompleted, StepPurpose, StepStarted, Usage};
use crate::item::{Item, ItemKind, ItemStatus};
use crate::limits::SURVEY_MS_MAX;
use crate::mode::Mode;
use crate::place::{Change, Choice, Offered, PlaceText, Survey};
use crate::rewriting::{self, Fenced};
use crate::stream::RawCall;
use crate::task;
use crate::tools::{self, ChangeCall, Comments, Doubts, Helpers};
use crate::wire::{Finish, Request};

/// What the host is looking at.
pub(super) struct Looking {
    since_ms: i64,
    at: Look,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    Project,
    Place,
}

impl Looking {
    pub(super) fn wake_at(&self) -> i64 {
        self.since_ms + SURVEY_MS_MAX
    }
}

impl Machine {
    /// Whether the files of this turn are changed by places.
    pub(super) fn is_by_places(&self) -> bool {
        let can_write = self.setup.access == Access::Write && self.access == Access::Write;
        let is_asked = self.changing.asks_for_change() || self.signs.is_change_asked();
        self.mode() == Mode::Constrained && can_write && is_asked
    }

    /// A guard has something to say. The next step may ask for the text of a place, in a prompt that has no notes.
    pub(super) fn note_for_choice(&mut self, note: String) {
        self.changing.guards_note = Some(note);
    }

    /// What waits to be said in a step of work that sends the conversation, with the step's own note behind it.
    pub(super) fn with_guards_note(&mut self, note: Option<String>) -> Option<String> {
        let notes: Vec<String> = self.changing.guards_note.take().into_iter().chain(note).collect();
        (!notes.is_empty()).then(|| notes.join("\n"))
    }

    /// A step of work is due: the project is looked at first.
    pub(super) fn survey(&mut self, pending: Pending, now: i64) {
        self.changing.pending = Some(pending);
        self.look(Look::Project, Effect::Survey(self.changing.query()), now);
    }

    fn look(&mut self, at: Look, effect: Effect, now: i64) {
        self.phase = Phase::Looking(Looking { since_ms: now, at });
        self.effects.push(effect);
    }

    /// The host did not answer in time: the step goes on without places.
    pub(super) fn tick_looking(&mut self, now: i64) {
        match &self.phase {
            Phase::Looking(looking) if now >= looking.wake_at() => match looking.at {
                Look::Project => self.surveyed(&Survey::default(), now),
                Look::Place => self.place_read(None, now),
            },
            _ => {}
        }
    }

    pub(super) fn surveyed(&mut self, survey: &Survey, now: i64) {
        if !matches!(self.phase, Phase::Looking(Looking { at: Look::Project, .. })) {
            return;
        }
        self.phase = Phase::Idle;
        self.changing.note_added(survey);
        let before = self.changing.before.get_or_insert_with(|| survey.clone());
        let all = self.changing.said.join("\n\n");
        let next = Agenda {
            wording: &task::read(&all),
            message: &all,
            words: &task::words(&all),
            tests: if task::asks_for_tests(&all) { Tests::Wanted } else { Tests::LeftAlone },
            now: survey,
            before,
            tries: &self.changing.tries,
            proposed: self.changing.proposed,
            samples: self.setup.checks.samples,
            failed_output: self.changing.failed_output.as_ref(),
            began_green: self.checks.began_green(),
            corrected: &self.changing.corrected,
        }
        .next();
        match next {
            Next::CarryOut(order) => {
                self.changing.is_correction = false;
                self.carry_out(order, None, now);
            }
            _ if self.checks.is_green_after_red() && self.can_finish() => {
                self.end_checked(Account::Program, now);
            }
            Next::Spare(order, text) => {
                self.changing.is_correction = false;
                self.carry_out(order, Some(text), now);
            }
            Next::Correct(corrected) => {
                let order = Order { place: corrected.place.clone(), change: Change::Rewrite, to: None };
                let text = corrected.text.clone();
                self.changing.corrected.push(corrected);
                self.changing.is_correction = true;
                self.carry_out(order, Some(text), now);
            }
            Next::Write(writing) => {
                self.changing.proposed += usize::from(!writing.is_second());
                self.write(writing, now);
            }
            Next::Finish if self.can_finish() => self.end_checked(Account::Program, now),
            Next::Finish => self.choose(Vec::new(), Choice::Free, now),
            Next::Choose(offered, choice) => self.choose(offered, choice, now),
        }
    }

    /// Whether nothing is left for the model: what the user said meanwhile, or a command that was red before the change.
    fn can_finish(&self) -> bool {
        let offer = &self.conversation.payload().offer;
        let has_landed = self.changing.tries.iter().any(Try::has_landed);
        // A text that was refused behind one that landed is not waited for.
        let is_done = offer.can_answer() || has_landed && !offer.is_red();
        // What the check said last has to be answered first.
        self.conversation.steering_through().is_none() && self.sent_back.is_none() && is_done
    }

    /// The model chooses a place, or another action.
    fn choose(&mut self, offered: Vec<Offered>, choice: Choice, now: i64) {
        let Some(pending) = self.changing.pending.take() else { return };
        self.ask_now(pending, offered, choice, now);
    }

    /// The place is known: its text is read, then the model is asked for the new one.
    pub(super) fn write(&mut self, writing: Writing, now: i64) {
        let Order { place, change, .. } = writing.order.clone();
        let effect = Effect::ReadPlace { place, change };
        self.changing.is_repair =
            writing.reason.is_failure() || writing.is_second() && self.changing.is_repair;
        self.changing.is_correction = false;
        self.changing.writing = Some(writing);
        self.look(Look::Place, effect, now);
    }

    pub(super) fn place_read(&mut self, text: Option<PlaceText>, now: i64) {
        if !matches!(self.phase, Phase::Looking(Looking { at: Look::Place, .. })) {
            return;
        }
        self.phase = Phase::Idle;
        let Some(writing) = self.changing.writing.clone() else { return };
        let order = &writing.order;
        let Some(text) = text else {
            // Every try belongs to a step, also one that asks nobody.
            let started = self.step_started(StepPurpose::Program);
            self.record(Body::StepStarted(started));
            self.record_program_step_end();
            return self.open_change(order, Err("The place could not be read."), now);
        };
        self.changing.place_text.clone_from(&text.text);
        if let Some(decided) = rewriting::decided(&writing, &text.text, &self.changing.said.join("\n\n")) {
            let started = self.step_started(StepPurpose::Program);
            self.record(Body::StepStarted(started));
            self.record_program_step_end();
            return self.open_change(order, Ok(decided), now);
        }
        let prompt = rewriting::prompt(&self.changing.task(), &writing, &text, &self.changing.done());
        let started = StepStarted { prompt: Some(prompt.clone()), ..self.step_started(StepPurpose::Write) };
        self.record(Body::StepStarted(started));
        let request = self.write_request(&prompt, &writing, &text);
        let bytes = request.prompt_bytes();
        if self.overflow(bytes).is_some() {
            self.record_program_step_end();
            return self.open_change(order, Err("The place is too long for the context window."), now);
        }
        self.phase = Phase::Asking(Box::new(Asking::new(StepPurpose::Write, request, None, bytes, now)));
        self.call_model(now);
    }

    /// A short prompt of its own, at temperature 0 and a little warmer the second time.
    fn write_request(&self, prompt: &str, writing: &Writing, place: &PlaceText) -> Request {
        let mut dialect = self.setup.dialect.clone();
        dialect.sampling = dialect.exact();
        let warmer =
            usize::from(writing.is_second()).max(writing.warmth) + usize::from(self.checks.is_fresh_start);
        for _ in 0..warmer {
            dialect.sampling = dialect.sampling.raised();
        }
        let tokens = self.meter.tokens(place.text.len());
        dialect.reserve = dialect.reserve.min(WRITE_TOKENS_MIN + tokens * WRITE_TOKENS_FACTOR);
        let payload = std::sync::Arc::new(crate::payload::Payload::of_prompt(prompt));
        Request { dialect, payload, note: None }
    }

    /// Whether the answer under way has all that is wanted of it.
    pub(super) fn is_fence_closed(&self) -> bool {
        match &self.phase {
            Phase::Asking(asking) if asking.purpose == StepPurpose::Write => {
                matches!(rewriting::fenced(asking.assembly.text()), Fenced::Closed(_))
            }
            _ => false,
        }
    }

    /// The model has written its text.
    pub(super) fn text_written(&mut self, asking: &Asking, now: i64) {
        let Some(writing) = self.changing.writing.clone() else { return };
        let answer = asking.assembly.text();
        let is_cut = asking.assembly.finish() == Some(Finish::Length)
            && !matches!(rewriting::fenced(answer), Fenced::Closed(_));
        let code = rewriting::code(answer);
        let text = match (is_cut, code.trim().is_empty()) {
            (true, _) => Err("The new text was cut off by the length limit."),
            (false, true) => Err("The answer had no code."),
            _ if !rewriting::keeps_signature(&writing, &self.changing.place_text, code) => {
                Err("The parameters and the type of the result have to stay as they are.")
            }
            _ if !rewriting::can_avoid_crash(&writing, &self.changing.place_text, code) => {
                Err("It would crash again: everything up to the line that crashes is the same.")
            }
            _ if rewriting::adds_crash(&writing, &self.changing.task(), &self.changing.place_text, code) => {
                Err("It would still crash: return a value instead of ending with an error.")
            }
            (false, false) => Ok(rewriting::whole(&writing, &self.changing.place_text, code)),
        };
        self.open_change(&writing.order, text, now);
    }

    /// There will be no text: that is a try like any other.
    pub(super) fn nothing_written(&mut self, now: i64) {
        let Some(Writing { order, .. }) = self.changing.writing.clone() else { return };
        self.open_change(&order, Err("The model repeated itself instead of writing the text."), now);
    }

    /// The program carries out what needs no model, or applies a text that was held back.
    fn carry_out(&mut self, order: Order, spare: Option<String>, now: i64) {
        self.changing.is_repair &= spare.is_some();
        self.changing.proposed += 1;
        let started = self.step_started(StepPurpose::Program);
        self.record(Body::StepStarted(started));
        self.record_program_step_end();
        let doubts = if spare.is_some() { Doubts::Accept } else { Doubts::default() };
        let wording = task::read(&self.changing.said.join("\n\n"));
        let is_wide = order.change == Change::Rename && wording.renames_in_comments;
        let comments = if is_wide { Comments::All } else { Comments::default() };
        let is_deep = order.change == Change::Remove && wording.removes_helpers;
        let helpers = if is_deep { Helpers::Removed } else { Helpers::default() };
        let call = ChangeCall {
            text: spare,
            doubts,
            comments,
            helpers,
            ..ChangeCall::new(order.place, order.change, order.to)
        };
        self.open_composed(&call, None, now);
    }

    fn record_program_step_end(&mut self) {
        let usage = Usage::default();
        let step =
            StepCompleted { message: self.message.clone(), step: self.step, usage, request_bytes: None };
        self.record(Body::StepCompleted(step));
    }

    /// The choice in an answer, where it is one of those that were offered.
    pub(super) fn choice(&self, calls: &[RawCall]) -> Option<ChangeCall> {
        let [call] = calls else { return None };
        let arguments = serde_json::from_str(&call.arguments).ok()?;
        let offered = self.conversation.payload().offer.places();
        tools::chosen(&arguments, offered).filter(|_| call.name == tools::CHANGE && !offered.is_empty())
    }

    /// The model chose a place in its answer.
    pub(super) fn chosen(&mut self, call: &ChangeCall, now: i64) {
        (self.changing.is_repair, self.changing.is_correction) = (false, false);
        let ChangeCall { place, change, to, .. } = call.clone();
        if change.needs_text() {
            let order = Order { place, change, to };
            self.write(Writing::new(order, Showing::Text, Reason::Task), now);
        } else {
            self.open_composed(call, None, now);
        }
    }

    fn open_change(&mut self, order: &Order, text: Result<String, &str>, now: i64) {
        self.changing.writing = None;
        let refused = text.as_ref().err().map(|why| (*why).to_owned());
        let Order { place, change, to } = order.clone();
        let call = ChangeCall { text: text.ok(), ..ChangeCall::new(place, change, to) };
        self.open_composed(&call, refused, now);
    }

    /// Records the program's own account of a turn that it knows to be done.
    pub(super) fn record_account(&mut self) {
        let mut text = account(&self.changing.tries);
        for sentence in self.replaced.sentences() {
            text.push_str(&format!(" {sentence}"));
        }
        if let Some(last) = &self.checks.last {
            text.push_str(&format!(" {}.", last.sentence()));
        }
        let item = Item {
            id: self.ids.item(),
            message: self.message.clone(),
            kind: ItemKind::Text,
            status: ItemStatus::Running,
            title: String::new(),
            text: String::new(),
            field: None,
            call: None,
            result: None,
        };
        let started = self.step_started(StepPurpose::Program);
        self.record(Body::StepStarted(started));
        self.record(Body::ItemStarted { item: item.clone() });
        self.record(Body::ItemCompleted {
            item: Item { status: ItemStatus::Complete, text: text.clone(), ..item },
        });
        self.record_program_step_end();
        self.text = text;
    }
}

/// Tokens for the new text of a place: so many, and so many times what it has now.
const WRITE_TOKENS_MIN: i64 = 400;
const WRITE_TOKENS_FACTOR: i64 = 2;

/// What was changed, one sentence for each place, and which places were tried in vain.
fn account(tries: &[Try]) -> String {
    let named = |order: &Order| {
        let name = order.place.name.as_deref().map_or(String::new(), |name| format!("`{name}` in "));
        format!("{name}{}", order.place.path)
    };
    let sentence = |made: &Try| {
        let Order { place, change, to } = &made.order;
        let (name, to) = (named(&made.order), to.as_deref().unwrap_or_default());
        match change {
            _ if !made.has_landed() => format!("{name} could not be changed."),
            Change::Rewrite => format!("Changed {name}."),
            Change::AddAfter => format!("Added code to {}.", place.path),
            Change::Remove => format!("Removed {name}."),
            Change::Rename => format!("Renamed {name} to `{to}`."),
            Change::Create => format!("Created {}.", place.path),
        }
    };
    let has_landed = |order: &Order| tries.iter().any(|made| made.has_landed() && made.order == *order);
    let told = tries.iter().filter(|made| made.has_landed() || !has_landed(&made.order));
    let mut sentences: Vec<String> = Vec::new();
    for sentence in told.map(sentence) {
        if !sentences.contains(&sentence) {
            sentences.push(sentence);
        }
    }
    sentences.join(" ")
}
