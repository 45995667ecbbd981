//! What must hold in every scenario, at every step: checked on each request, and whenever a turn has handed back.

use std::collections::HashMap;
use std::path::Path;

use bowline_core::entry::{Body, Entry, Role, SessionUpdated, StepPurpose};
use bowline_core::item::{ChangeState, ItemKind};
use bowline_core::limits::RETRIES_MAX;
use bowline_core::mode::Mode;
use bowline_core::outcome::Outcome;
use bowline_core::payload::{Conversation, Message, Payload};
use bowline_core::review::Review;
use bowline_core::tool_output::Grant;
use bowline_core::tools;
use bowline_core::view::{MessageView, View};
use bowline_core::window::reserve;
use bowline_core::wire::Request;
use bowline_edit::Digest;

#[derive(Default)]
pub(super) struct Checks {
    last: Option<(Mode, Vec<String>)>,
    requests: usize,
    deltas_at: Option<i64>,
    /// The last entry that was looked at for what lies between two requests.
    seen_through: i64,
}

impl Checks {
    pub(super) fn request(&mut self, request: &Request, log: &[Entry]) {
        self.requests += 1;
        // A prompt of its own is no part of the conversation.
        if own_prompt(log).is_none() {
            self.prefix(request, log);
        }
        rebuilt(request, log);
        bounded(request, log, self.requests);
    }

    /// Deltas are appended at most twenty times a second.
    pub(super) fn deltas(&mut self, bodies: &[Body], now: i64) {
        if bodies.iter().any(|body| matches!(body, Body::TextDelta { .. } | Body::ReasoningDelta { .. })) {
            let is_early = self.deltas_at.is_some_and(|last| now > last && now - last < 50);
            assert!(!is_early, "deltas appended {} ms after the last", now - self.deltas_at.unwrap());
            self.deltas_at = Some(now);
        }
    }

    /// A call is on the log, without a result, before it runs.
    pub(super) fn tool(&self, item: &str, grant: Grant, log: &[Entry]) {
        let is_of = |entry: &&Entry| entry.body.item() == Some(item);
        let last = log.iter().rev().find(is_of).map(|entry| entry.body.kind());
        assert_eq!(last, Some("item.started"), "{item} runs before it is stored, or after its end");
        saved(item, grant, log);
    }

    /// What lies between two requests of the conversation counts, too. A folded conversation is another one to the server. A
    /// step with a prompt of its own counts as a request that sends the conversation: what the user said before it stands in
    /// the last message, and what follows leaves that message as it is.
    fn prefix(&mut self, request: &Request, log: &[Entry]) {
        let mut conversation = Conversation::default();
        for entry in log {
            conversation.apply(entry.seq, &entry.body);
            match &entry.body {
                _ if entry.seq <= self.seen_through => {}
                Body::Compacted(_) => self.last = None,
                Body::StepStarted(step)
                    if matches!(step.purpose, StepPurpose::Write | StepPurpose::Program) =>
                {
                    let payload = conversation.shared();
                    // What the model said last is not whole yet: a call may join it.
                    if !matches!(payload.messages.last(), Some(Message::Assistant { .. })) {
                        self.extends(&Request { payload, ..request.clone() });
                    }
                }
                _ => {}
            }
        }
        self.seen_through = log.last().map_or(0, |entry| entry.seq);
        self.extends(request);
    }

    /// Each piece of the last request is the first of this one, byte for byte. The last message alone may have grown: by
    /// what the user said after a step that left nothing behind.
    fn extends(&mut self, request: &Request) {
        let pieces = request.stable_pieces();
        let mode = request.payload.mode;
        // Another mode is another conversation to the server.
        if let Some((_, last)) = self.last.as_ref().filter(|(before, _)| *before == mode) {
            let (end, body) = last.split_last().unwrap();
            assert_eq!(body, &pieces[..body.len()], "the head of a request changed");
            let now = &pieces[body.len()];
            // Only where nothing was said since: a message that others follow stays as it was sent.
            let is_grown = pieces.len() == last.len() && now.starts_with(end.trim_end_matches(['"', '}']));
            assert!(now == end || is_grown, "the last message changed:\n{end}\n{now}");
        }
        self.last = Some((mode, pieces));
    }

    /// Nothing is open, and every call has exactly one result, also in what a client pieced together.
    pub(super) fn at_rest(&self, log: &[Entry], all: &[Entry]) {
        let view = View::of(log);
        assert_eq!(view.streaming().count(), 0, "a message is left streaming");
        assert_eq!(view.running().count(), 0, "an item is left running");
        assert!(view.end.is_some(), "the turn has no end");
        let is_mute = |message: &MessageView| message.message.role == Role::User && message.text.is_empty();
        assert!(!view.messages.iter().any(is_mute), "a user's message has lost its text");
        assert_eq!(View::of(all), view, "a replay of all entries ends in another state");
        let mut results: HashMap<&str, usize> = HashMap::new();
        for entry in log {
            match &entry.body {
                Body::ItemStarted { item } => {
                    assert_eq!(results.insert(&item.id, 0), None, "an item started twice");
                }
                Body::ItemCompleted { item } => *results.get_mut(item.id.as_str()).unwrap() += 1,
                _ => {}
            }
        }
        assert!(results.values().all(|count| *count == 1), "items without exactly one end: {results:?}");
    }

    /// A client that has the log up to any number, and reads the rest later, ends in the same state.
    pub(super) fn replays(&self, log: &[Entry], all: &[Entry]) {
        let view = View::of(log);
        for seq in 0..all.len() {
            let mut replayed = View::of(&all[..seq]);
            let from = all.get(seq).map_or(i64::MAX, |entry| entry.seq);
            log.iter().filter(|entry| entry.seq >= from).for_each(|entry| replayed.apply(entry));
            assert_eq!(replayed, view, "a replay from entry {seq} ends in another state");
        }
    }
}

/// The whole prompt of the last step, where it does not send the conversation.
fn own_prompt(log: &[Entry]) -> Option<&str> {
    let step = log.iter().rev().find_map(|entry| match &entry.body {
        Body::StepStarted(step) => Some(step),
        _ => None,
    });
    step.and_then(|step| step.prompt.as_deref())
}

/// The request can be rebuilt from the log alone.
fn rebuilt(request: &Request, log: &[Entry]) {
    let mut conversation = Conversation::default();
    let mut note = None;
    for entry in log {
        conversation.apply(entry.seq, &entry.body);
        if let Body::StepStarted(step) = &entry.body {
            note.clone_from(&step.note);
        }
    }
    match own_prompt(log) {
        Some(prompt) => {
            assert_eq!(Payload::of_prompt(prompt), *request.payload, "the log gives another prompt");
        }
        None => assert_eq!(conversation.payload(), &*request.payload, "the log gives another request"),
    }
    assert_eq!(note, request.note, "the log gives another note");
    // Where the model spoke last, the note is what the user says.
    let is_due = matches!(request.payload.messages.last(), Some(Message::User { .. } | Message::Tool { .. }));
    assert!(is_due || note.is_some(), "a request that ends with the model's own words");
}

/// Never more than the window less its reserve, by the server's own count of what it read. Never more model calls than a step's retries, its empty
/// answers and a quarter of an hour of "loading" can make.
fn bounded(request: &Request, log: &[Entry], requests: usize) {
    let mut window = request.dialect.window;
    for entry in log {
        match &entry.body {
            Body::SessionStarted(started) => window = started.model.window,
            Body::SessionUpdated(SessionUpdated { model: Some(model), .. }) => window = model.window,
            Body::StepCompleted(step) => {
                let (tokens, room) = (step.usage.prompt(), window - reserve(window));
                assert!(tokens <= room, "a request of {tokens} tokens in a room of {room}");
            }
            _ => {}
        }
    }
    let steps = log.iter().filter(|entry| matches!(entry.body, Body::StepStarted(_))).count();
    let tries = usize::try_from(RETRIES_MAX).unwrap() + 40;
    assert!(requests <= steps * tries, "{requests} requests in {steps} steps");
}

/// What writes runs only in a run that has its checkpoint, or has asked.
fn saved(item: &str, grant: Grant, log: &[Entry]) {
    let is_it = |entry: &&Entry| entry.body.item() == Some(item);
    let tool = log.iter().rev().find(is_it).and_then(|entry| match &entry.body {
        Body::ItemStarted { item } => item.call.as_ref().map(|call| call.tool.clone()),
        _ => None,
    });
    if tool.is_none_or(|tool| tools::effect(&tool) == tools::Effect::Reads) {
        return;
    }
    let of_run = log.iter().rev().take_while(|entry| !matches!(entry.body, Body::RunStarted(_)));
    let taken: Vec<bool> = of_run
        .filter_map(|entry| match &entry.body {
            Body::Checkpoint(checkpoint) => Some(checkpoint.commit.is_some()),
            _ => None,
        })
        .collect();
    assert_eq!(taken.len(), 1, "{item} writes, and its run has {} checkpoints", taken.len());
    assert!(taken[0] || grant != Grant::Inside, "{item} writes unasked, and nothing holds what it changes");
}

/// The files hold what the log says of the changes, where nothing but edits and the program's own rewinds touched them.
pub(super) fn agrees(log: &[Entry], root: &Path) {
    let is_other = |entry: &Entry| match &entry.body {
        Body::ItemCompleted { item } => {
            let is_interrupted =
                item.result.as_ref().is_some_and(|result| result.outcome == Outcome::Interrupted);
            item.kind == ItemKind::Command || is_interrupted
        }
        Body::Change(decided) => !decided.is_programs_rewind(),
        _ => false,
    };
    if log.iter().any(is_other) {
        return;
    }
    let mut files: HashMap<String, Option<Digest>> = HashMap::new();
    for change in Review::of(log).changes {
        let Some(patch) = &change.edit.patch else { return };
        let holds = files.entry(change.edit.path.clone()).or_insert(patch.before);
        match change.state() {
            ChangeState::Applied => *holds = Some(patch.after),
            ChangeState::Rewound => {}
            ChangeState::Pending | ChangeState::Rejected => return,
        }
    }
    for (path, holds) in files {
        let is = std::fs::read(root.join(&path)).ok().map(|bytes| Digest::of(&bytes));
        assert_eq!(is, holds, "{path} is not what the log says");
    }
}
