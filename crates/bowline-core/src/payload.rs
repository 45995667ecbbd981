//! The payload: the log folded into what the model reads.
//!
//! The form is the one strict templates accept: one system message first; user and assistant alternate; tool results
//! follow their call; a user's text after a tool result is appended to that result. Nothing in it changes from one step
//! to the next but its end, so that a local server's prompt cache is reused. Sentinels are never in it.
//!
//! What always holds: each call has exactly one result; the last message is a user's or a tool's whenever a step of a run
//! begins. The user's words open a message of the user's, or they follow a line that says they are the user's
//! (`voice.rs`); the program's own words say that they are a note.

mod offer;
mod touched_files;
mod voice;

use std::sync::Arc;

use serde_json::Value;

use crate::entry::{Access, Body, Compacted, RunStarted, SessionUpdated, StepStarted};
use crate::item::{Call, Item, ItemKind, ReasoningField};
use crate::mode::Mode;
use crate::prompts;
use crate::tools::{self, ChangeCall, ToolSpec};

pub use offer::Offer;
use offer::Shown;
pub use touched_files::Touched;
use voice::Voice;

/// What the model reads, apart from the one-off note.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Payload {
    /// The system message without what the calling mode adds to it.
    pub system: String,
    pub mode: Mode,
    pub tools: Vec<ToolSpec>,
    pub messages: Vec<Message>,
    /// What makes sense next; only constrained mode goes by it.
    pub offer: Offer,
}

impl Payload {
    /// A prompt of its own, outside the conversation: no tools, and an answer that is not bound to a schema.
    pub fn of_prompt(prompt: &str) -> Payload {
        Payload {
            system: prompts::WRITE.trim().to_owned(),
            messages: vec![Message::User { text: prompt.to_owned() }],
            ..Payload::default()
        }
    }

    /// The tools of the session's calling mode: those it was started with, and those that belong to the mode alone.
    pub(crate) fn offered_tools(&self) -> Vec<ToolSpec> {
        let has = |name: &str| self.tools.iter().any(|spec| spec.name == name);
        let is_writing = self.tools.iter().any(|spec| tools::effect(&spec.name) == tools::Effect::Writes);
        let access = if is_writing { Access::Write } else { Access::ReadOnly };
        let kept = self.tools.iter().filter(|spec| tools::is_offered(&spec.name, self.mode)).cloned();
        let more = tools::of_mode(self.mode, access)
            .into_iter()
            .filter(|spec| !has(&spec.name) && !tools::is_offered(&spec.name, Mode::Native));
        kept.chain(more).collect()
    }

    /// The approximate size of the rendered messages, without tools, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.messages.iter().map(Message::bytes).sum()
    }
}

/// One message of a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    User { text: String },
    Assistant { text: String, reasoning: Option<(ReasoningField, String)>, calls: Vec<MessageCall> },
    Tool { call: String, tool: String, text: String },
}

/// A call in an assistant's message, as later requests repeat it.
#[derive(Debug, Clone, PartialEq)]
pub struct MessageCall {
    pub id: String,
    pub tool: String,
    /// Always an object.
    pub arguments: Value,
    /// The arguments as text: the model's own if it was an object, so that the server's cache is reused.
    pub text: String,
    /// For the file ledger.
    pub touched: Touched,
}

/// The role of a message, or what stands around a call, about.
pub(crate) const MARKS_BYTES: usize = 16;

impl MessageCall {
    pub(crate) fn bytes(&self) -> usize {
        self.tool.len() + self.text.len() + MARKS_BYTES
    }
}

impl Message {
    /// As a template renders it, about. Bytes.
    pub(crate) fn bytes(&self) -> usize {
        let body = match self {
            Message::User { text } | Message::Tool { text, .. } => text.len(),
            Message::Assistant { text, reasoning, calls } => {
                let thoughts = reasoning.as_ref().map_or(0, |(_, thoughts)| thoughts.len());
                text.len() + thoughts + calls.iter().map(MessageCall::bytes).sum::<usize>()
            }
        };
        body + MARKS_BYTES
    }
}

/// Folds the log into the payload.
#[derive(Debug, Clone, Default)]
pub struct Conversation {
    payload: Arc<Payload>,
    /// What precedes the user's first text: the glimpse of the project.
    shown: Option<String>,
    /// What the user decided about changes since the last run.
    decided: Vec<String>,
    /// What the program says about the last step's calls. It waits for the next step, since a guard may still replace their
    /// results.
    held: Vec<String>,
    /// Steering that no request has carried yet, by `seq`.
    steering: Vec<(i64, String)>,
    /// Thoughts of the current step, until text or a call makes a message of them.
    thoughts: Option<(ReasoningField, String)>,
    /// Whether the last message is the current step's.
    is_step_open: bool,
    work_tree: String,
    /// What the user said, with the message it stands in.
    user_texts: Vec<(usize, String)>,
    /// The message in which the turn's task stands.
    turn_at: usize,
    /// The summary that replaces the messages that were compacted.
    summary: Option<String>,
}

/// The text of *Continue* without a hint.
pub const CONTINUE: &str = "Continue.";
/// The result of a call that no process lived to see the end of.
pub const INTERRUPTED: &str =
    "Interrupted: the call was cut off, and what it did is unknown. Look before doing it again.";

impl Conversation {
    pub fn payload(&self) -> &Payload {
        &self.payload
    }

    /// The payload for a request. It does not change when the conversation continues.
    pub fn shared(&self) -> Arc<Payload> {
        self.payload.clone()
    }

    /// What the user said, oldest first.
    pub fn user_texts(&self) -> Vec<&str> {
        self.user_texts.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// The user's texts, each with the index of its message.
    pub(crate) fn user_places(&self) -> &[(usize, String)] {
        &self.user_texts
    }

    /// The last thing the user said, where it stands before this message.
    pub fn last_user_before(&self, message: usize) -> Option<&str> {
        self.user_texts.last().filter(|(at, _)| *at < message).map(|(_, text)| text.as_str())
    }

    /// How many messages stay if the turn starts afresh: those up to its task.
    pub fn messages_up_to_task(&self) -> usize {
        self.turn_at + 1
    }

    pub fn summary(&self) -> Option<&str> {
        self.summary.as_deref()
    }

    fn change(&mut self) -> &mut Payload {
        Arc::make_mut(&mut self.payload)
    }

    /// The newest steering that waits, if any.
    pub fn steering_through(&self) -> Option<i64> {
        self.steering.last().map(|(seq, _)| *seq)
    }

    /// How many texts of the user wait for the next request.
    pub fn steering_count(&self) -> usize {
        self.steering.len()
    }

    /// How many bytes of steering wait for the next request.
    pub fn steering_bytes(&self) -> usize {
        self.steering.iter().map(|(_, text)| text.len()).sum()
    }

    /// Takes the next entry. `seq` matters for input from outside alone.
    pub fn apply(&mut self, seq: i64, body: &Body) {
        match body {
            Body::SessionStarted(started) => {
                self.change().system.clone_from(&started.prompt);
                self.change().tools.clone_from(&started.tools);
                self.change().mode = started.model.mode;
                self.shown.clone_from(&started.shown);
                self.work_tree.clone_from(&started.work_tree);
            }
            Body::Compacted(compacted) if compacted.is_fresh_start() => self.start_afresh(compacted),
            Body::Compacted(compacted) => self.compact(compacted),
            Body::SessionUpdated(SessionUpdated { model: Some(model), .. }) => {
                self.change().mode = model.mode;
            }
            Body::Change(decided) if decided.is_programs_rewind() => self.held.extend(decided.words()),
            Body::Change(decided) => self.decided.extend(decided.words()),
            Body::TurnStarted(turn) => {
                let has_contents = self.shown.as_ref().is_some_and(|shown| shown.contains("```"));
                let shown = if has_contents { Shown::Files } else { Shown::Nothing };
                self.change().offer.turn(&turn.text, shown);
                self.tell_decided();
                self.say_user(&turn.text);
                self.turn_at = self.payload.messages.len().saturating_sub(1);
            }
            Body::RunStarted(run) => self.run(run),
            Body::Input(_) => self.steering.extend(body.steering().map(|text| (seq, text.to_owned()))),
            Body::StepStarted(step) => self.open_step(step),
            Body::ItemStarted { item } => {
                if let Some(call) = &item.call {
                    self.call(item, call);
                }
            }
            Body::ItemCompleted { item } => self.complete(item),
            Body::Checked(checked) => {
                self.change().offer.checked(checked);
                self.held.extend(checked.words.clone());
            }
            _ => {}
        }
    }

    /// What became of the model's changes, before what the user says next: they are no longer as it believes.
    fn tell_decided(&mut self) {
        let held = std::mem::take(&mut self.held);
        for words in held.into_iter().chain(std::mem::take(&mut self.decided)) {
            self.put(&words, Voice::Program);
        }
    }

    fn run(&mut self, run: &RunStarted) {
        self.change().offer.run(run.access);
        self.tell_decided();
        match &run.hint {
            _ if run.run == 1 => {}
            Some(hint) => self.say_user(hint),
            // The user's word, but nothing that a summary would keep.
            None => self.put(CONTINUE, Voice::User),
        }
    }

    fn open_step(&mut self, step: &StepStarted) {
        self.change().offer.step(step);
        for answer in &step.answers {
            self.answer(&answer.item, &voice::of_tool(&answer.text));
        }
        for words in std::mem::take(&mut self.held) {
            self.put(&words, Voice::Program);
        }
        if let Some(words) = &step.sent_back {
            self.put(words, Voice::Program);
        }
        let (now, later): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.steering).into_iter().partition(|(seq, _)| *seq <= step.inputs_through);
        self.steering = later;
        for (_, text) in now {
            self.say_user(&text);
        }
        self.thoughts = None;
        self.is_step_open = false;
    }

    fn say_user(&mut self, text: &str) {
        self.put(text, Voice::User);
        let at = self.payload.messages.len().saturating_sub(1);
        self.user_texts.push((at, text.to_owned()));
    }

    /// Words where a strict template takes them: after a tool result or a user's text as part of it.
    fn put(&mut self, text: &str, voice: Voice) {
        self.is_step_open = false;
        match self.change().messages.last_mut() {
            Some(Message::User { text: last } | Message::Tool { text: last, .. }) => {
                last.push_str("\n\n");
                last.push_str(&voice.marked(text));
            }
            _ => {
                // The task comes last: that is what a small model goes by.
                let text = voice.opening(text);
                let shown = self.shown.take().map(|shown| format!("{shown}\n\n{text}"));
                self.change()
                    .messages
                    .push(Message::User { text: shown.unwrap_or_else(|| text.into_owned()) });
            }
        }
    }

    /// The first messages stay as they are, what follows gives way to the summary, and what the user said meanwhile stays.
    fn start_afresh(&mut self, compacted: &Compacted) {
        let kept = usize::try_from(compacted.kept).unwrap_or(0);
        self.held.clear();
        self.change().messages.truncate(kept);
        let (earlier, later): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.user_texts).into_iter().partition(|(at, _)| *at < kept);
        self.user_texts = earlier;
        self.put(&compacted.summary, Voice::Program);
        for (_, text) in later {
            self.say_user(&text);
        }
    }

    /// The head gives way to its summary, which is a user's text like any other to a template.
    fn compact(&mut self, compacted: &Compacted) {
        let folded = usize::try_from(compacted.messages).unwrap_or(0).min(self.payload.messages.len());
        self.summary = Some(compacted.summary.clone());
        self.is_step_open = false;
        let task = compacted.task.as_deref();
        let task = task.map_or(String::new(), |task| format!("\n\n{}", Voice::User.marked(task)));
        let mut text = format!("{}{task}", compacted.summary);
        let is_users =
            |first: &str| self.user_texts.iter().any(|(at, said)| *at == folded && first.starts_with(said));
        let voice = match self.payload.messages.get(folded) {
            Some(Message::User { text: first })
                if Voice::opens(first) == Voice::Program && !is_users(first) =>
            {
                Voice::Program
            }
            _ => Voice::User,
        };
        let messages = &mut self.change().messages;
        messages.drain(..folded);
        let has_first_user = match messages.first_mut() {
            Some(Message::User { text: first }) => {
                text.push_str("\n\n");
                text.push_str(&voice.marked(first));
                *first = text;
                true
            }
            _ => {
                messages.insert(0, Message::User { text });
                false
            }
        };
        let shift = if has_first_user { folded } else { folded.saturating_sub(1) };
        for (at, _) in &mut self.user_texts {
            *at = at.saturating_sub(shift);
        }
        self.turn_at = self.turn_at.saturating_sub(shift);
    }

    fn complete(&mut self, item: &Item) {
        match (&item.kind, &item.result) {
            (ItemKind::Reasoning, _) => {
                self.thoughts = item.field.map(|field| (field, item.text.clone()));
            }
            (ItemKind::Text, _) if !item.text.trim().is_empty() => {
                if let Some(Message::Assistant { text, .. }) = self.assistant() {
                    text.clone_from(&item.text);
                }
            }
            (_, Some(result)) => {
                self.answer(&item.id, &voice::of_tool(&result.text));
                if let Some(call) = &item.call {
                    let touched = Touched::of(call, result, &self.work_tree);
                    self.touch(&item.id, touched);
                    let Payload { messages, offer, .. } = self.change();
                    offer.ended(call, result, messages);
                }
            }
            _ => {}
        }
    }

    fn touch(&mut self, item: &str, touched: Touched) {
        let calls = self.change().messages.iter_mut().rev().find_map(|message| match message {
            Message::Assistant { calls, .. } => calls.iter_mut().find(|call| call.id == item),
            _ => None,
        });
        if let Some(call) = calls {
            call.touched = touched;
        }
    }

    fn answer(&mut self, item: &str, words: &str) {
        let answer = self.change().messages.iter_mut().rev().find_map(|message| match message {
            Message::Tool { call, text, .. } if call == item => Some(text),
            _ => None,
        });
        if let Some(text) = answer {
            words.clone_into(text);
        }
    }

    /// A call takes its place with a result at once, in call order; the real result replaces it when it comes.
    fn call(&mut self, item: &Item, call: &Call) {
        let message_call = MessageCall {
            id: item.id.clone(),
            tool: call.tool.clone(),
            arguments: replayed(call),
            text: own_text(call).unwrap_or_else(|| replayed(call).to_string()),
            touched: Touched::default(),
        };
        if let Some(Message::Assistant { calls, .. }) = self.assistant() {
            calls.push(message_call);
        }
        self.change().messages.push(Message::Tool {
            call: item.id.clone(),
            tool: call.tool.clone(),
            text: INTERRUPTED.to_owned(),
        });
    }

    /// The current step's message, made when there is something to put into it.
    fn assistant(&mut self) -> Option<&mut Message> {
        if !self.is_step_open {
            let reasoning = self.thoughts.take();
            // The program may make a call right after an answer in words: to a template both are one message.
            let is_answer = matches!(self.payload.messages.last(), Some(Message::Assistant { calls, .. }) if calls.is_empty());
            if !is_answer {
                self.change().messages.push(Message::Assistant {
                    text: String::new(),
                    reasoning,
                    calls: Vec::new(),
                });
            }
            self.is_step_open = true;
        }
        self.change().messages.iter_mut().rev().find(|message| matches!(message, Message::Assistant { .. }))
    }
}

/// The arguments as the model reads them again. The text of a change is left out: a small model would copy code that is
/// wrapped in JSON. The result shows what the place reads now.
fn replayed(call: &Call) -> Value {
    match ChangeCall::of(&call.arguments).filter(|_| call.tool == tools::CHANGE) {
        Some(change) => change.chosen(),
        None => call.arguments.clone(),
    }
}

/// The model's own text of its arguments, if it says the same.
fn own_text(call: &Call) -> Option<String> {
    let is_same =
        |raw: &&String| serde_json::from_str::<Value>(raw).is_ok_and(|value| value == call.arguments);
    call.raw.as_ref().filter(is_same).cloned()
}
