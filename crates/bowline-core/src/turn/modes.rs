//! Moves between calling modes: a server that refuses tools, a server that can't read its own model's calls, a native model
//! that writes its calls into the text.

use super::asking::Asking;
use super::judged::{UNREAD, WRITTEN};
use super::{Effect, Machine, Phase};
use crate::entry::{Body, ModelRef, SessionUpdated};
use crate::limits::CALLS_UNREAD_MAX;
use crate::mode::{Mode, ModeBy};
use crate::thinking::Thinking;

impl Machine {
    /// Counts the calls of earlier runs that did not come as they should, an answer once.
    pub(super) fn count_odd(&mut self, body: &Body) {
        match body {
            Body::StepStarted(_) => self.is_odd_step = false,
            Body::ItemStarted { item } if !self.is_odd_step => {
                let first = item.call.as_ref().and_then(|call| call.repairs.first()).map(String::as_str);
                self.written += u32::from(first == Some(WRITTEN));
                self.unread += u32::from(first == Some(UNREAD));
                self.is_odd_step = matches!(first, Some(WRITTEN | UNREAD));
            }
            _ => {}
        }
    }

    /// The server takes no tools: the same step goes on in text mode at once.
    pub(super) fn tools_refused(&mut self, now: i64) {
        // Only llama.cpp tells its progress, and it takes tools by a flag.
        let remedy = match self.setup.dialect.tells_progress {
            true => " (llama.cpp does when it is started with --jinja)",
            false => "",
        };
        self.move_to(
            Mode::Text,
            &format!(
                "The server takes no tools for this model{remedy}: they are described in the prompt from now on (text mode)."
            ),
        );
        let thinking = self.asked_thinking();
        self.ask_anew(thinking, now);
    }

    /// The server has left the tools out without a word: the answer was given blindly, and is asked for again.
    pub(super) fn tools_dropped(&mut self, now: i64) {
        self.move_to(
            Mode::Text,
            "The server drops this model's tools without a word: they are described in the prompt from now on (text mode).",
        );
        let thinking = self.asked_thinking();
        self.ask_anew(thinking, now);
    }

    /// The model can't think, and was asked to.
    pub(super) fn thinking_refused(&mut self, now: i64) {
        self.setup.dialect.thinking = Thinking::Auto;
        self.notice("The server says that this model does not think: it is left to its own.".to_owned());
        self.ask_anew(None, now);
    }

    /// The server could not read its own model's call: what it was is in its error.
    pub(super) fn call_unread(&mut self, raw: &str, now: i64) {
        let specs = self.conversation.payload().tools.clone();
        if let Phase::Asking(asking) = &mut self.phase {
            let Asking { assembly, text, thoughts, .. } = asking.as_mut();
            assembly.take_unread(raw, &specs);
            text.settle();
            thoughts.settle();
        }
        self.unread += 1;
        if self.unread >= CALLS_UNREAD_MAX && self.conversation.payload().mode == Mode::Native {
            self.move_to(
                Mode::Text,
                "The server could not read this model's calls twice: they are read from its text from now on (text mode).",
            );
        }
        self.answered_whole(now);
    }

    /// A native model wrote its calls into the text: after the second time it is asked in text mode, from its next session
    /// on. In this one the calls go on being lifted, since a change would have the whole prompt read again.
    pub(super) fn calls_written(&mut self) {
        if self.conversation.payload().mode != Mode::Native {
            return;
        }
        self.written += 1;
        if self.written == CALLS_UNREAD_MAX {
            self.remember(Mode::Text, ModeBy::Written);
            self.notice(
                "This model writes its calls into the text: from its next session on it is asked that way (text mode)."
                    .to_owned(),
            );
        }
    }

    fn asked_thinking(&self) -> Option<Thinking> {
        match &self.phase {
            Phase::Asking(asking) => asking.thinking,
            _ => None,
        }
    }

    fn move_to(&mut self, mode: Mode, notice: &str) {
        let Some(mut model) = self.model.clone() else { return };
        model.mode = mode;
        let notice = Some(notice.to_owned());
        self.record(Body::SessionUpdated(SessionUpdated { title: None, model: Some(model), notice }));
        self.remember(mode, ModeBy::Refused);
    }

    fn remember(&mut self, mode: Mode, by: ModeBy) {
        if let Some(model) = self.model.clone() {
            self.effects.push(Effect::Remember { model: Box::new(ModelRef { mode, ..model }), by });
        }
    }

    pub(super) fn notice(&mut self, notice: String) {
        self.record(Body::SessionUpdated(SessionUpdated { title: None, model: None, notice: Some(notice) }));
    }

    /// The same step with the request it has now; what was shown of an answer is taken over like in any other retry.
    fn ask_anew(&mut self, thinking: Option<Thinking>, now: i64) {
        let Phase::Asking(asking) = &self.phase else { return };
        let (request, bytes) = self.request(asking.note(), thinking);
        if let Some(reason) = self.overflow(bytes) {
            self.too_long(reason, now);
            return;
        }
        let Phase::Asking(asking) = &mut self.phase else { return };
        asking.instead(request, thinking, bytes, now);
        self.call_model(now);
    }
}
