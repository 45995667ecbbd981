//! Moves between calling modes: what a server refuses, and what an answer shows about a model.
//!
//! A refusal moves the session within the step, since nothing of that step has happened yet. Everything else moves it between
//! two steps, so that no call is opened in one mode and answered in another. A mode that the user set is left only if the
//! server refuses it.

use super::asking::Asking;
use super::checking::Account;
use super::comparing::Due;
use super::mode_signs::Sign;
use super::{Effect, Machine, Phase};
use crate::entry::{Body, ModelRef, SentBackFor, SessionUpdated};
use crate::limits::{SIGNS_MAX, TEXT_STEPS_WITHOUT_CALL_MAX};
use crate::mode::{Binding, Mode, ModeBy, Size};
use crate::thinking::Thinking;

const NOTHING_CHANGED: &str = include_str!("notes/nothing_changed.md");

impl Machine {
    /// The server takes no tools: the same step goes on in another mode at once.
    pub(super) fn tools_refused(&mut self, now: i64) {
        // Only llama.cpp tells its progress, and it takes tools by a flag.
        let remedy = match self.setup.dialect.tells_progress {
            true => " (llama.cpp does when it is started with --jinja)",
            false => "",
        };
        let why = format!("The server takes no tools for this model{remedy}");
        self.move_to(self.setup.calling.fallback(), &why, Some(ModeBy::Refused));
        self.ask_in_new_mode(now);
    }

    /// The server has left the tools out without a word: the model answered without knowing them, and is asked again.
    pub(super) fn tools_dropped(&mut self, now: i64) {
        let why = "The server drops this model's tools without a word";
        self.move_to(self.setup.calling.fallback(), why, Some(ModeBy::Refused));
        self.ask_in_new_mode(now);
    }

    /// The server does not bind an answer to a schema: the same step goes on in text mode at once. Only the refusal is
    /// remembered: which mode suits the model is another question.
    pub(super) fn schema_refused(&mut self, now: i64) {
        self.setup.calling.binding = Binding::Refused;
        self.move_to(Mode::Text, "The server refuses to bind an answer to a schema", None);
        self.remember_unbound();
        self.ask_in_new_mode(now);
    }

    /// The server took a schema and let the model answer as it liked. The answer counts; the next step is asked otherwise.
    pub(super) fn schema_ignored(&mut self) {
        if self.setup.calling.set != Some(Mode::Constrained) {
            self.setup.calling.binding = Binding::Refused;
        }
    }

    /// The model can't think, and was asked to.
    pub(super) fn thinking_refused(&mut self, now: i64) {
        self.setup.dialect.thinking = Thinking::Auto;
        self.notice("The server says that this model does not think: it is left to its own.".to_owned());
        self.ask_anew(None, now);
    }

    /// The server could not read its own model's call: what it was is in its error.
    pub(super) fn call_unread(&mut self, raw: &str, now: i64) {
        let specs = self.conversation.payload().offered_tools();
        if let Phase::Asking(asking) = &mut self.phase {
            let Asking { assembly, text, thoughts, .. } = asking.as_mut();
            assembly.take_unread(raw, &specs);
            text.settle();
            thoughts.settle();
        }
        self.answered_whole(now);
    }

    /// Moves the session to another mode if what was seen so far is enough for it. To be called between two steps.
    pub(super) fn move_if_due(&mut self) {
        let mode = self.mode();
        let calling = self.setup.calling;
        if calling.set == Some(mode) {
            return;
        }
        match mode {
            Mode::Native => {
                let signs_max = if calling.size == Size::Small { 1 } else { SIGNS_MAX };
                let Some(sign) = self.signs.last().filter(|_| self.signs.count() >= signs_max) else {
                    return;
                };
                let (why, by) = match sign {
                    Sign::Unread => ("The server cannot read this model's calls", ModeBy::Unread),
                    Sign::Written => ("This model writes its calls into the text", ModeBy::Written),
                    Sign::Fenced => {
                        ("This model answers with code instead of changing a file", ModeBy::Fenced)
                    }
                };
                self.move_to(calling.fallback(), why, Some(by));
            }
            Mode::Text => {
                let is_enough = self.signs.text_steps_without_call() >= TEXT_STEPS_WITHOUT_CALL_MAX;
                if is_enough && calling.binding == Binding::Possible {
                    let why = "This model writes no call that can be read";
                    self.move_to(Mode::Constrained, why, Some(ModeBy::NoCall));
                }
            }
            Mode::Constrained => {
                if calling.binding == Binding::Refused {
                    self.move_to(
                        Mode::Text,
                        "The server does not bind this model's answers to a schema",
                        None,
                    );
                    self.remember_unbound();
                }
            }
        }
    }

    /// An answer without a call ends the turn, unless the user plainly asks for a change and no file was changed, or the answer stands
    /// in for the change, as code in a fence or as a claim that it was made: then it is sent back, once in a turn and once more when
    /// the model gets an answer form that it can't miss.
    pub(super) fn answered_without_call(&mut self, now: i64) {
        if self.awaits_comparison() {
            return self.compare_files(Due::Answer);
        }
        let before = self.mode();
        let is_unread = match before {
            Mode::Native => false,
            Mode::Text => true,
            Mode::Constrained => self.setup.calling.binding == Binding::Refused,
        };
        let is_instead = self.signs.has_fence() || self.signs.has_claim() || is_unread;
        let is_asked = is_instead || self.signs.is_plainly_asked() && !self.signs.is_refused();
        let is_call_missing = self.signs.is_change_due() && is_asked;
        self.move_if_due();
        let is_bound_now = before == Mode::Text && self.mode() == Mode::Constrained;
        let is_sent_back = is_call_missing && (is_bound_now || !self.signs.is_sent_back());
        if is_sent_back && self.step < self.setup.steps_max {
            self.sent_back = Some((NOTHING_CHANGED.trim().to_owned(), SentBackFor::NoChange));
            self.next_step(None, now);
        } else {
            self.end_checked(Account::Model, now);
        }
    }

    fn asked_thinking(&self) -> Option<Thinking> {
        match &self.phase {
            Phase::Asking(asking) => asking.thinking,
            _ => None,
        }
    }

    /// The same step in the mode the session has moved to. Where files are changed by places from now on, the project is
    /// looked at first, unless the user has already seen a part of the answer: that part must be gone on from.
    fn ask_in_new_mode(&mut self, now: i64) {
        let thinking = self.asked_thinking();
        match &self.phase {
            Phase::Asking(asking) if self.is_by_places() && !asking.is_shown() => {
                let (purpose, note) = (asking.purpose, asking.note());
                self.phase = Phase::Idle;
                self.ask(purpose, note, thinking, now);
            }
            _ => self.ask_anew(thinking, now),
        }
    }

    /// Records the move, tells the user in one line, and remembers it for the model's next sessions where `by` says why.
    fn move_to(&mut self, mode: Mode, why: &str, by: Option<ModeBy>) {
        let Some(mut model) = self.model.clone() else { return };
        model.mode = mode;
        let what = match mode {
            Mode::Native => "the model is given tools from now on (native mode)",
            Mode::Text => "calls are read from the model's text from now on (text mode)",
            Mode::Constrained => "the model's answers are bound to a schema from now on (constrained mode)",
        };
        let notice = Some(format!("{why}: {what}."));
        let updated = SessionUpdated { title: None, model: Some(model.clone()), notice };
        self.record(Body::SessionUpdated(updated));
        if let Some(by) = by {
            self.effects.push(Effect::Remember { model: Box::new(ModelRef { mode, ..model }), by });
        }
    }

    fn remember_unbound(&mut self) {
        if let Some(model) = self.model.clone() {
            self.effects.push(Effect::RememberUnbound { model: Box::new(model) });
        }
    }

    pub(super) fn notice(&mut self, notice: String) {
        self.record(Body::SessionUpdated(SessionUpdated { title: None, model: None, notice: Some(notice) }));
    }

    /// Asks again in the same step with the current request. What was shown of an answer is reused, as in any other retry.
    fn ask_anew(&mut self, thinking: Option<Thinking>, now: i64) {
        let Phase::Asking(asking) = &self.phase else { return };
        let (request, bytes) = match asking.own_request(&self.setup) {
            Some(own) => own,
            None => self.request(asking.note(), thinking),
        };
        if let Some(reason) = self.overflow(bytes) {
            self.too_long(reason, now);
            return;
        }
        let Phase::Asking(asking) = &mut self.phase else { return };
        asking.instead(request, thinking, bytes, now);
        self.call_model(now);
    }
}
