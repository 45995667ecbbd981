//! What the log of a session says about how its model's server counts: a fold, so that a new turn, a process that goes on
//! after a crash and a resumed session count as well as the one before.
//!
//! It decides whether a server has dropped part of a prompt, too. That needs the log: some servers count only what they had
//! not cached, and their figures are as small as those of a server that drops the beginning.

use super::Meter;
use crate::entry::{Body, SessionUpdated, StepPurpose, Usage};
use crate::limits::SEEN_PERCENT_MIN;

/// A server that leaves out what it had cached has counted about the new part of a prompt.
const NEW_PART_PERCENT: std::ops::RangeInclusive<i64> = 60..=150;
/// What templates add to a new part, which counts where the part is short. Tokens.
const NEW_PART_MARKS: i64 = 32;

/// A meter and what it was learned from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LearnedMeter {
    meter: Meter,
    model: String,
    /// What the step that is running is for.
    purpose: Option<StepPurpose>,
    /// Whether the server has counted a prompt of the conversation.
    knows_conversation: bool,
    /// Whether it has counted any.
    is_counted: bool,
    /// The size of the last prompt of the conversation that was counted. Bytes.
    last_bytes: Option<usize>,
    /// Whether the server counts what it had cached; none as long as that can't be told.
    counts_cached: Option<bool>,
}

impl LearnedMeter {
    pub fn apply(&mut self, body: &Body) {
        match body {
            Body::SessionStarted(started) => self.use_model(&started.model.model),
            Body::SessionUpdated(SessionUpdated { model: Some(model), .. }) => self.use_model(&model.model),
            Body::StepStarted(step) => self.purpose = Some(step.purpose),
            Body::StepCompleted(step) => {
                match step.request_bytes.and_then(|bytes| usize::try_from(bytes).ok()) {
                    Some(bytes) => self.learn(bytes, step.usage),
                    // Older logs do not say how long the prompt was.
                    None => self.is_counted |= step.usage.prompt() > 0,
                }
            }
            _ => {}
        }
    }

    /// Learns from a log that does not say how long prompts were: only those of the conversation can be made again.
    pub(crate) fn learn_conversation(&mut self, bytes: usize, usage: Usage) {
        if !self.purpose.is_some_and(StepPurpose::has_own_prompt) && usage.prompt() > 0 {
            self.learn(bytes, usage);
        }
    }

    /// Another model counts otherwise.
    fn use_model(&mut self, model: &str) {
        if model != self.model {
            *self = LearnedMeter { model: model.to_owned(), ..LearnedMeter::default() };
        }
    }

    fn learn(&mut self, bytes: usize, usage: Usage) {
        let is_own = self.purpose.is_some_and(StepPurpose::has_own_prompt);
        let is_short = self.is_short(bytes, usage);
        if !is_own {
            self.learn_cached(bytes, usage);
        }
        // A short prompt of its own is mostly the template's marks: it teaches only as long as nothing else has.
        let is_teaching =
            !is_short && self.counts_cached != Some(false) && !(is_own && self.knows_conversation);
        if is_teaching {
            self.meter.learn(bytes, usage);
        }
        self.is_counted = true;
        if !is_own {
            self.knows_conversation |= is_teaching;
            self.last_bytes = Some(bytes);
        }
    }

    /// Where most of a prompt was in the last one, its figures say whether the server counts what it had cached.
    fn learn_cached(&mut self, bytes: usize, usage: Usage) {
        let new = self.last_bytes.and_then(|last| bytes.checked_sub(last));
        let is_mostly_cached = new.is_some_and(|new| new * 2 < bytes);
        if usage.prompt_cached > 0 {
            self.counts_cached = Some(true);
        } else if is_mostly_cached && self.counts_cached.is_none() {
            let counts_cached = !self.is_short(bytes, usage);
            if counts_cached || self.is_new_part(bytes, usage) {
                self.counts_cached = Some(counts_cached);
            }
        }
    }

    /// Whether the server counted much less than was sent.
    pub fn is_short(&self, bytes: usize, usage: Usage) -> bool {
        usage.prompt() > 0 && usage.prompt() * 100 < self.tokens(bytes) * SEEN_PERCENT_MIN
    }

    fn is_new_part(&self, bytes: usize, usage: Usage) -> bool {
        let new = self.last_bytes.and_then(|last| bytes.checked_sub(last));
        new.is_some_and(|new| {
            let (new, read) = (self.tokens(new), usage.prompt());
            let (least, most) = (new * NEW_PART_PERCENT.start() / 100, new * NEW_PART_PERCENT.end() / 100);
            (least..=most + NEW_PART_MARKS).contains(&read)
        })
    }

    /// Whether the server has dropped part of a prompt, as far as its figures tell.
    pub fn is_dropped(&self, bytes: usize, usage: Usage, purpose: StepPurpose) -> bool {
        if !self.is_short(bytes, usage) {
            return false;
        }
        let counts_cached = if usage.prompt_cached > 0 { Some(true) } else { self.counts_cached };
        match counts_cached {
            // Nothing was cached before the first prompt.
            _ if !self.is_counted => true,
            // What such a prompt has in common with others may be cached, and it is short.
            _ if purpose.has_own_prompt() => false,
            Some(counts_cached) => counts_cached,
            None => self.last_bytes.is_some_and(|last| bytes >= last) && !self.is_new_part(bytes, usage),
        }
    }

    /// Whether the server has counted a prompt of this model before.
    pub fn is_counted(&self) -> bool {
        self.is_counted
    }

    pub fn meter(&self) -> Meter {
        self.meter
    }

    pub fn tokens(&self, bytes: usize) -> i64 {
        self.meter.tokens(bytes)
    }
}
