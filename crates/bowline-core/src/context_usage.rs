//! What fills the context window: how many tokens each part of the next request has.
//!
//! A server counts whole prompts only. The parts are estimated by their bytes, with the meter its last count has calibrated,
//! so that they add up to what it would count now.

use crate::entry::{Body, Entry, Usage};
use crate::limits::COMPACT_ABOVE_PERCENT;
use crate::payload::{Conversation, MARKS_BYTES, Message};
use crate::prompts;
use crate::visible::in_force;
use crate::window::LearnedMeter;
use crate::wire;

/// What a part of the prompt is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The system prompt, bowline's own.
    Prompt,
    /// The project's instruction files.
    Instructions,
    /// Names, words and schemas of the tools.
    Tools,
    /// What was shown of the project before the first task.
    Project,
    /// The summary of what was compacted.
    Summary,
    /// The user's texts.
    User,
    /// The model's texts and thoughts.
    Model,
    /// The calls it made.
    Calls,
    /// What came of them.
    Results,
}

impl Part {
    pub const ALL: [Part; 9] = [
        Part::Prompt,
        Part::Instructions,
        Part::Tools,
        Part::Project,
        Part::Summary,
        Part::User,
        Part::Model,
        Part::Calls,
        Part::Results,
    ];

    /// For people.
    pub fn word(self) -> &'static str {
        match self {
            Part::Prompt => "prompt",
            Part::Instructions => "instructions",
            Part::Tools => "tools",
            Part::Project => "project shown",
            Part::Summary => "summary",
            Part::User => "your texts",
            Part::Model => "answers",
            Part::Calls => "calls",
            Part::Results => "results",
        }
    }
}

/// How full the context window is, in tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextUsage {
    /// Every part, in the order of [`Part::ALL`], also those of which there is nothing. They add up to `total`.
    pub parts: Vec<(Part, i64)>,
    /// The next request, less what the user will say in it.
    pub total: i64,
    pub window: i64,
    /// Kept for the answer.
    pub reserve: i64,
    /// A longer prompt is compacted first.
    pub compacts_above: i64,
    /// What the server said of the last step.
    pub last: Option<Usage>,
    /// How much of all prompts of the session the server had cached.
    pub cached_percent: Option<i64>,
}

impl ContextUsage {
    pub fn of(entries: &[Entry], window: i64, reserve: i64) -> ContextUsage {
        let mut fold = Fold::default();
        for entry in in_force(entries) {
            fold.apply(entry);
        }
        let parts = fold.tokens();
        let (usage, prompt) = (fold.usage, fold.usage.prompt());
        ContextUsage {
            total: parts.iter().map(|(_, tokens)| tokens).sum(),
            parts,
            window,
            reserve,
            compacts_above: (window - reserve) * COMPACT_ABOVE_PERCENT / 100,
            last: fold.last,
            cached_percent: (prompt > 0).then(|| usage.prompt_cached * 100 / prompt),
        }
    }

    /// How many tokens are left before the conversation is compacted.
    pub fn free(&self) -> i64 {
        (self.compacts_above - self.total).max(0)
    }
}

#[derive(Default)]
struct Fold {
    conversation: Conversation,
    meter: LearnedMeter,
    /// The size of the request that is running, for logs of older versions, which do not say it.
    sent_bytes: usize,
    shown: Option<String>,
    usage: Usage,
    last: Option<Usage>,
}

impl Fold {
    fn apply(&mut self, entry: &Entry) {
        self.conversation.apply(entry.seq, &entry.body);
        self.meter.apply(&entry.body);
        match &entry.body {
            Body::SessionStarted(started) => {
                self.shown.clone_from(&started.shown);
            }
            Body::StepStarted(step) => {
                self.sent_bytes = wire::prompt_bytes(self.conversation.payload(), step.note.as_deref());
            }
            Body::StepCompleted(step) => {
                if step.request_bytes.is_none() {
                    self.meter.learn_conversation(self.sent_bytes, step.usage);
                }
                self.usage.add(step.usage);
                self.last = Some(step.usage);
            }
            _ => {}
        }
    }

    /// Rounded so that the parts add up to the whole.
    fn tokens(&self) -> Vec<(Part, i64)> {
        let bytes = self.bytes();
        let mut before = 0;
        let mut told = 0;
        Part::ALL
            .into_iter()
            .map(|part| {
                let of_part = bytes.iter().filter(|(of, _)| *of == part).map(|(_, bytes)| bytes);
                before += of_part.sum::<usize>();
                let tokens = self.meter.tokens(before) - told;
                told += tokens;
                (part, tokens)
            })
            .collect()
    }

    /// What each piece of the payload is, and how long.
    fn bytes(&self) -> Vec<(Part, usize)> {
        let payload = self.conversation.payload();
        let system = payload.system.len();
        let instructions = prompts::instructions_of(&payload.system).map_or(0, str::len);
        let mut bytes = vec![
            (Part::Prompt, system - instructions),
            (Part::Instructions, instructions),
            (Part::Tools, wire::fixed_bytes(payload) - system),
            (Part::User, self.conversation.steering_bytes()),
        ];
        if payload.messages.is_empty() {
            bytes.push((Part::Project, self.shown.as_ref().map_or(0, String::len)));
        }
        for (at, message) in payload.messages.iter().enumerate() {
            match message {
                Message::User { text } => bytes.extend(self.user(text)),
                Message::Tool { text, .. } => {
                    let user_bytes = self.user_bytes_within(at, text);
                    bytes.push((Part::User, user_bytes));
                    bytes.push((Part::Results, text.len() - user_bytes + MARKS_BYTES));
                }
                Message::Assistant { text, reasoning, calls } => {
                    let words = text.len() + reasoning.as_ref().map_or(0, |(_, thoughts)| thoughts.len());
                    let marks = if words > 0 || calls.is_empty() { Part::Model } else { Part::Calls };
                    bytes.push((Part::Model, words));
                    bytes.push((marks, MARKS_BYTES));
                    bytes.extend(calls.iter().map(|call| (Part::Calls, call.bytes())));
                }
            }
        }
        bytes
    }

    /// A user's message begins with what was shown to the model, or with the summary, where there is one.
    fn user(&self, text: &str) -> [(Part, usize); 3] {
        let begins = |head: Option<&str>| head.filter(|head| text.starts_with(head)).map_or(0, str::len);
        let (shown, summary) = (begins(self.shown.as_deref()), begins(self.conversation.summary()));
        let rest = text.len() - shown.max(summary) + MARKS_BYTES;
        let shown = if summary > 0 { 0 } else { shown };
        [(Part::Project, shown), (Part::Summary, summary), (Part::User, rest)]
    }

    /// How many bytes of a tool's message are the user's text: a strict template accepts it nowhere else.
    fn user_bytes_within(&self, at: usize, text: &str) -> usize {
        let is_here = |(place, said): &&(usize, String)| *place == at && text.contains(said.as_str());
        let user_bytes = self.conversation.user_places().iter().filter(is_here).map(|(_, said)| said.len());
        user_bytes.sum::<usize>().min(text.len())
    }
}
