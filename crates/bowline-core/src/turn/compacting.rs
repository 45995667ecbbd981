//! Making room: before a step whose prompt is crowded, after a server refused one as too long, and when the user wants it.
//!
//! One more model call, which extends the session's own prefix and whose words are not for the user, writes the summary;
//! where it can't, code does. Once a step: what is still too long then stops the turn.

use super::asking::{Asking, MORE_ROOM};
use super::{Allocated, Effect, Machine, Phase};
use crate::changes::Changes;
use crate::compact::{self, Extent, Room};
use crate::entry::{
    Body, Compacted, CompactedBy, ModelRef, Role, SessionUpdated, StepPurpose, StepStarted, Stop, Usage,
};
use crate::limits::{COMPACTED_TOKENS_MIN, WINDOW_MIN};
use crate::thinking::Thinking;
use crate::view::{MessageView, View};
use crate::window::reserve;

/// What was to be asked before room had to be made.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pending {
    pub(super) purpose: StepPurpose,
    pub(super) note: Option<String>,
    pub(super) thinking: Option<Thinking>,
}

/// Who is to write the summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Writer {
    Model,
    /// The server would refuse this prompt too.
    Code,
}

impl Machine {
    fn room(&self) -> Room<'_> {
        Room { dialect: &self.setup.dialect, meter: self.meter.meter() }
    }

    /// Whether the next request would be too full, with what waits to be said in it.
    pub(super) fn is_crowded(&self, note: Option<&str>) -> bool {
        let (request, bytes) = self.request(note.map(str::to_owned), None);
        let is_compactable = request.payload.messages.len() > 1;
        is_compactable && self.room().is_crowded(bytes + self.conversation.steering_bytes())
    }

    /// Folds the conversation, then goes on with what was to be asked.
    pub(super) fn compact(&mut self, pending: Pending, writer: Writer, now: i64) {
        self.pending = Some(pending);
        self.compacted_step = Some(self.step);
        self.ask_summary(writer, now);
    }

    /// Folds the conversation although there is room, and hands back. The last turn and its end stay as they are, whatever
    /// comes of it.
    pub(super) fn compact_between_turns(&mut self, view: &View, now: i64) {
        self.is_between = true;
        self.turn = view.turn.clone().unwrap_or_default();
        let is_answer = |view: &&MessageView| view.message.role == Role::Assistant;
        let last = view.messages.iter().rev().find(is_answer);
        self.message = last.map_or(String::new(), |view| view.message.id.clone());
        self.changes = Changes::default();
        self.usage = Usage::default();
        let bytes = compact::compactable_bytes(self.conversation.payload());
        let tokens = self.meter.tokens(bytes);
        if tokens < COMPACTED_TOKENS_MIN {
            let reason = format!(
                "There is nothing to compact: everything before the last step has only about {tokens} tokens."
            );
            self.finish(Stop::Done, Some(reason), None, now);
        } else {
            self.ask_summary(Writer::Model, now);
        }
    }

    fn ask_summary(&mut self, writer: Writer, now: i64) {
        let note = compact::prompt(&self.conversation, self.room(), self.access);
        let thinking = Some(Thinking::Off);
        let (request, bytes) = self.request(Some(note.clone()), thinking);
        if writer == Writer::Code || self.overflow(bytes).is_some() {
            self.apply_compaction(None, now);
            return;
        }
        let started = StepStarted {
            note: Some(note),
            thinking,
            ..StepStarted::new(&self.message, self.step, StepPurpose::Compaction)
        };
        self.record(Body::StepStarted(started));
        // With the purpose on the log, a bound answer can only be words.
        let request = crate::wire::Request { payload: self.conversation.shared(), ..request };
        let asking = Asking::new(StepPurpose::Compaction, request, thinking, bytes, now);
        self.phase = Phase::Asking(Box::new(asking));
        self.call_model(now);
    }

    /// The summary is there, or will not come.
    pub(super) fn apply_compaction(&mut self, text: Option<&str>, now: i64) {
        self.phase = Phase::Idle;
        let (request, bytes_before) = self.request(None, None);
        let fixed_bytes = bytes_before.saturating_sub(request.payload.bytes());
        let text = text.filter(|text| !text.trim().is_empty());
        let extent = if self.is_between { Extent::Most } else { Extent::Least };
        let compaction =
            compact::compact(&self.conversation, text, fixed_bytes, self.room(), self.access, extent);
        let Some(compaction) = compaction else {
            let tokens = self.room().tokens();
            let reason = format!(
                "The conversation could not be compacted to half of the {tokens} tokens that the window leaves for it."
            );
            self.too_long(reason, now);
            return;
        };
        let tokens_before = self.meter.tokens(bytes_before);
        if self.is_between && compaction.tokens_after >= tokens_before {
            let reason =
                "Nothing was compacted: the summary would be longer than the messages that it replaces.";
            self.finish(Stop::Done, Some(reason.to_owned()), None, now);
            return;
        }
        self.record(Body::Compacted(Compacted {
            summary: compaction.summary,
            messages: i64::try_from(compaction.messages).unwrap_or(i64::MAX),
            task: compaction.task,
            tokens_before,
            tokens_after: compaction.tokens_after,
            by: if text.is_some() { CompactedBy::Model } else { CompactedBy::Code },
            kept: 0,
        }));
        self.doom.forget();
        match self.pending.take() {
            Some(Pending { purpose, note, thinking }) => self.ask(purpose, note, thinking, now),
            None => self.finish(Stop::Done, None, None, now),
        }
    }

    /// The server refused the prompt: it is compacted and sent again, once a step. What the refusal tells of the window is
    /// believed and remembered; one that tells nothing (Ollama's) still says that there is less than was sent.
    pub(super) fn prompt_refused(&mut self, reason: String, window: Option<i64>, now: i64) {
        let Phase::Asking(asking) = std::mem::replace(&mut self.phase, Phase::Idle) else { return };
        let pending = Pending { purpose: asking.purpose, note: asking.note(), thinking: asking.thinking };
        let sent = self.meter.tokens(asking.bytes);
        self.unfinished_answer = Some(Box::new(asking.into_shown()));
        let window = window.or(Some(sent).filter(|sent| *sent >= WINDOW_MIN));
        if let Some(window) = window.filter(|window| *window > 0 && *window < self.setup.dialect.window) {
            self.learn_window(window);
        }
        if self.compacted_step == Some(self.step) || self.setup.dialect.window < WINDOW_MIN {
            self.too_long(reason, now);
        } else {
            self.compact(pending, Writer::Code, now);
        }
    }

    /// The last net, under every request: a server that silently drops the head of a prompt reports that it read less than it
    /// got.
    pub(super) fn dropped(&self, asking: &Asking, usage: Usage) -> Option<String> {
        let (sent, read) = (self.meter.tokens(asking.bytes), usage.prompt());
        self.meter.is_dropped(asking.bytes, usage, asking.purpose).then(|| {
            format!(
                "The server dropped part of the prompt: it read {read} tokens of about {sent} that were sent."
            )
        })
    }

    /// What an Ollama has really given the model. One that lies on the CPU whole has no card to fit into.
    pub(super) fn allocated(&mut self, allocated: Allocated, now: i64) {
        if let Some(window) = allocated.window.filter(|window| *window < self.setup.dialect.window) {
            self.learn_window(window);
        }
        let percent = allocated.card_percent.filter(|percent| (1..100).contains(percent));
        if let Some(percent) = percent.filter(|_| !std::mem::replace(&mut self.is_card_told, true)) {
            let less = self.setup.dialect.window / 2;
            self.notice(format!(
                "{} % of the model runs on the CPU; a smaller window may fit (--window {less}).",
                100 - percent
            ));
        }
        if self.setup.dialect.window < WINDOW_MIN {
            let reason = format!(
                "The server has allocated a window of {} tokens, and a turn needs {WINDOW_MIN}.",
                self.setup.dialect.window
            );
            self.finish(Stop::Limit, Some(reason), Some(MORE_ROOM.to_owned()), now);
        }
    }

    /// The server has allocated less than it said.
    pub(super) fn learn_window(&mut self, window: i64) {
        let reported_window = std::mem::replace(&mut self.setup.dialect.window, window);
        self.setup.dialect.reserve = reserve(window).min(self.setup.dialect.reserve);
        let Some(model) = self.model.clone() else { return };
        let model = ModelRef { window, ..model };
        let notice = Some(format!("The server has a window of {window} tokens, not of {reported_window}."));
        self.record(Body::SessionUpdated(SessionUpdated { title: None, model: Some(model.clone()), notice }));
        self.effects.push(Effect::RememberWindow { model: Box::new(model), reported_window });
    }
}
