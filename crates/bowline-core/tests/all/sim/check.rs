//! What must hold in every session, whatever was played: checked at every effect, and whenever a turn has handed back.

use std::collections::{HashMap, HashSet};

use bowline_core::checkpoint::Moment;
use bowline_core::entry::{Access, Answer, Body, Entry, Role, Scope, StepPurpose, StepStarted};
use bowline_core::limits::{EMPTY_RETRIES_MAX, FIRST_TOKEN_ALIVE_MS_MAX, RETRIES_MAX};
use bowline_core::mode::Mode;
use bowline_core::payload::{Conversation, Message, Payload};
use bowline_core::retry::Failure;
use bowline_core::tool_output::Grant;
use bowline_core::tools::ToolCall;
use bowline_core::turn::{Event, Setup};
use bowline_core::view::{MessageView, View};
use bowline_core::wire::{Delta, Dialect, Request};

use super::project::pattern_of;
use super::{Cast, ends};

/// Effects of one session; one that needs more does not end.
pub(super) const EFFECTS_MAX: usize = 50_000;
/// Model calls of one step: its retries, and a quarter of an hour of "loading".
const TRIES_MAX: usize = RETRIES_MAX as usize + 40;
/// What one model call, call or question may take, all waits included.
const WAIT_MS_MAX: i64 = 2 * FIRST_TOKEN_ALIVE_MS_MAX;
/// How much later than due a deadline may be noticed.
const LATE_MS_MAX: i64 = 500;

/// Of so many requests the server gets the fifth whole, where it is watched lightly: most sessions have one.
const LOOKED_AT_EVERY: usize = 16;
/// The rest of a request that says nothing: the server only needs one to answer.
const BRIEF: &str = "\"messages\":[{\"role\":\"user\",\"content\":\"\"}],\"stream\":true}";

/// How closely a session is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Watch {
    /// Everything, at every effect.
    Closely,
    /// What costs little: thousands of sessions are about something else.
    Lightly,
}

pub(super) struct Checks {
    watch: Watch,
    /// Every entry ever appended, also those a completed item replaced.
    all: Vec<Entry>,
    /// The log so far, folded as it grew.
    conversation: Conversation,
    note: Option<String>,
    /// The whole prompt of the step, where it does not send the conversation.
    prompt: Option<String>,
    /// All notes there ever were, as they stand in a body.
    notes: HashSet<String>,
    last: Option<(Mode, Vec<String>)>,
    /// Of the last request.
    dialect: Option<Dialect>,
    /// Sentinels on the log, as they stand on the wire.
    sentinels: Vec<String>,
    items: HashMap<String, Stage>,
    allowed: HashSet<String>,
    /// What was asked of each call, and what was allowed for longer.
    asked: HashMap<String, String>,
    always: HashSet<String>,
    /// Calls that run, and whether they may write.
    running: HashMap<String, bool>,
    /// Whether the run has a checkpoint before it; none as long as it has not tried.
    saved: Option<bool>,
    deltas_at: Option<i64>,
    /// Of the process that runs.
    opened_ms: i64,
    model_calls: usize,
    steps: usize,
    /// What each step of the budget has started.
    by_number: HashMap<i64, Begun>,
    waits: usize,
    last_call: u64,
    is_answered: bool,
}

/// What one step of the budget has started so far.
#[derive(Debug, Default)]
struct Begun {
    purposes: Vec<StepPurpose>,
    /// Moves to another calling mode.
    moves: usize,
    /// Times that the conversation was folded, by the model or by code.
    folds: usize,
}

/// How far a call has come on the log.
#[derive(Debug, PartialEq, Eq)]
enum Stage {
    Started,
    Completed,
}

impl Checks {
    pub(super) fn new(watch: Watch) -> Checks {
        Checks {
            watch,
            all: Vec::new(),
            conversation: Conversation::default(),
            note: None,
            prompt: None,
            dialect: None,
            notes: HashSet::new(),
            last: None,
            sentinels: Vec::new(),
            items: HashMap::new(),
            allowed: HashSet::new(),
            asked: HashMap::new(),
            always: HashSet::new(),
            running: HashMap::new(),
            saved: None,
            deltas_at: None,
            opened_ms: 0,
            model_calls: 0,
            steps: 0,
            by_number: HashMap::new(),
            waits: 0,
            last_call: 0,
            is_answered: false,
        }
    }

    /// A process begins.
    pub(super) fn open(&mut self, now: i64) {
        self.running.clear();
        self.by_number.clear();
        (self.opened_ms, self.model_calls, self.steps, self.waits) = (now, 0, 0, 0);
    }

    /// An entry written as text and read back is the same.
    pub(super) fn stored(&self, body: Body) -> Body {
        if self.watch == Watch::Lightly {
            return body;
        }
        let text = body.to_json().to_string();
        let value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let stored = Body::from_json(body.kind(), 1, value).unwrap();
        assert_eq!(stored, body, "an entry read back differs");
        stored
    }

    pub(super) fn appended(&mut self, entry: &Entry) {
        if self.watch == Watch::Closely {
            self.conversation.apply(entry.seq, &entry.body);
            self.all.push(entry.clone());
        }
        match &entry.body {
            Body::StepStarted(step) => {
                self.note.clone_from(&step.note);
                self.prompt.clone_from(&step.prompt);
                self.count_step(step);
                if is_own(step.purpose) && self.watch == Watch::Closely {
                    self.unsent();
                }
                // What the program does itself needs no answer.
                self.is_answered |= step.purpose == StepPurpose::Program;
                self.notes.extend(step.note.as_deref().map(quoted));
            }
            Body::SessionUpdated(updated) if updated.model.is_some() => {
                self.begun().moves += 1;
            }
            Body::RunStarted(_) => self.saved = None,
            Body::Checkpoint(checkpoint) if checkpoint.moment == Moment::Before => {
                assert_eq!(self.saved, None, "two checkpoints before one run");
                self.saved = Some(checkpoint.commit.is_some());
            }
            Body::Compacted(_) => {
                self.begun().folds += 1;
                // A folded conversation is another one to the server.
                self.last = None;
            }
            Body::Sentinel(sentinel) => {
                self.sentinels.push(serde_json::to_string(&sentinel.sentinel).unwrap());
            }
            Body::ItemStarted { item } => {
                let before = self.items.insert(item.id.clone(), Stage::Started);
                assert_eq!(before, None, "{} started twice", item.id);
            }
            Body::ItemCompleted { item } => {
                let before = self.items.insert(item.id.clone(), Stage::Completed);
                assert_eq!(before, Some(Stage::Started), "{} has no one end", item.id);
                self.running.remove(&item.id);
            }
            Body::PermissionAsked(asked) => {
                self.running.remove(&asked.item);
                self.asked.insert(asked.item.clone(), asked.pattern.clone());
                self.waits += 1;
            }
            Body::PermissionAnswered(answered) => {
                let pattern = self.asked.remove(&answered.item);
                if answered.answer == Answer::Yes {
                    self.allowed.insert(answered.item.clone());
                    self.always.extend(pattern.filter(|_| answered.scope != Scope::Once));
                }
            }
            _ => {}
        }
    }

    pub(super) fn event(&mut self, event: &Event) {
        // A server that could not read a call quotes it in its error: that is the whole answer.
        let is_unread =
            |text: &str| text.contains("error parsing tool call") || text.contains("Failed to parse input");
        self.is_answered |= match event {
            Event::Ended { call } => *call == self.last_call,
            // A stream is closed by us where its code fence is complete.
            Event::Deltas { call, .. } if self.prompt.is_some() => *call == self.last_call,
            Event::Failed { call, failure: Failure::Status { body, .. } } => {
                *call == self.last_call && is_unread(body)
            }
            Event::Deltas { call, deltas } => {
                let is_quoted = |delta: &Delta| matches!(delta, Delta::Error(error) if is_unread(error));
                *call == self.last_call && deltas.iter().any(is_quoted)
            }
            _ => false,
        };
    }

    /// Deltas are appended at most twenty times a second.
    pub(super) fn deltas(&mut self, bodies: &[Body], now: i64) {
        if bodies.iter().any(|body| matches!(body, Body::TextDelta { .. } | Body::ReasoningDelta { .. })) {
            let is_early = self.deltas_at.is_some_and(|last| now > last && now - last < 50);
            assert!(!is_early, "deltas appended {} ms after the last", now - self.deltas_at.unwrap());
            self.deltas_at = Some(now);
        }
    }

    /// A call runs when it is on the log without a result, the answer it stands in is whole, nothing it must wait for
    /// runs, and the user let it.
    pub(super) fn tool(&mut self, item: &str, call: &ToolCall, grant: Grant, setup: &Setup) {
        assert_eq!(
            self.items.get(item),
            Some(&Stage::Started),
            "{item} runs before it is stored, or after its end"
        );
        assert!(self.is_answered, "{item} runs, and the answer was cut");
        let is_write = matches!(
            call,
            ToolCall::EditFile { .. }
                | ToolCall::WriteFile { .. }
                | ToolCall::RunCommand { .. }
                | ToolCall::Change(_)
        );
        assert!(!is_write || setup.access == Access::Write, "{item} writes in a read-only turn");
        if is_write && setup.takes_checkpoints {
            let saved = self.saved.expect("a call that writes runs before the checkpoint");
            assert!(
                saved || grant != Grant::Inside,
                "{item} writes unasked, and nothing holds what it changes"
            );
        }
        if grant == Grant::Outside {
            // It ran into a question first.
            self.running.remove(item);
        }
        let is_alone = self.running.is_empty();
        let beside_write = self.running.values().any(|is_write| *is_write);
        assert!(is_alone || !(is_write || beside_write), "{item} runs beside {:?}", self.running);
        let is_allowed = self.allowed.contains(item) || self.always.contains(&pattern_of(call));
        assert!(grant != Grant::Outside || is_allowed, "{item} runs outside, unasked");
        self.running.insert(item.to_owned(), is_write);
        self.waits += 1;
    }

    /// Gives the bytes the server gets.
    pub(super) fn request<C: Cast>(&mut self, call: u64, request: &Request, cast: &C) -> Vec<u8> {
        self.model_calls += 1;
        (self.last_call, self.is_answered) = (call, false);
        assert!(self.running.is_empty(), "the model is asked while calls run: {:?}", self.running);
        assert!(
            self.model_calls <= self.steps * TRIES_MAX,
            "{} requests in {} steps",
            self.model_calls,
            self.steps
        );
        // Where the model spoke last, the note is what the user says.
        let is_due =
            matches!(request.payload.messages.last(), Some(Message::User { .. } | Message::Tool { .. }));
        assert!(is_due || request.note.is_some(), "a request that ends with the model's own words");
        if self.watch == Watch::Lightly && self.model_calls % LOOKED_AT_EVERY != 5 {
            let text = format!("{{\"model\":\"{}\",{BRIEF}", request.dialect.model);
            return text.into_bytes();
        }
        let body = request.body();
        if self.watch == Watch::Closely {
            assert_eq!(self.note, request.note, "the log gives another note");
            match &self.prompt {
                Some(prompt) => {
                    let own = Payload::of_prompt(prompt);
                    assert_eq!(own, *request.payload, "the log gives another prompt");
                }
                None => {
                    let conversation = self.conversation.payload();
                    assert_eq!(conversation, &*request.payload, "the log gives another request");
                    self.dialect = Some(request.dialect.clone());
                    self.prefix(request);
                }
            }
            ends::plain(request);
            self.no_sentinel(&body, cast);
            self.notes_once(&body);
        }
        body
    }

    /// A step with a prompt of its own counts as a request that sends the conversation: what the user said before it stands in
    /// the last message, and what follows leaves that message as it is.
    fn unsent(&mut self) {
        // What the model said last is not whole yet: a call may join it.
        let is_whole =
            !matches!(self.conversation.payload().messages.last(), Some(Message::Assistant { .. }));
        if let (true, Some(dialect)) = (is_whole, self.dialect.clone()) {
            self.prefix(&Request { dialect, payload: self.conversation.shared(), note: None });
        }
    }

    /// Each piece of the last request is the first of this one, byte for byte. The last message alone may have grown: by
    /// what the user said after a step that left nothing behind.
    fn prefix(&mut self, request: &Request) {
        let pieces = request.stable_pieces();
        let mode = request.payload.mode;
        // Another mode is another conversation to the server.
        if let Some((_, last)) = self.last.as_ref().filter(|(before, _)| *before == mode) {
            let (end, body) = last.split_last().unwrap();
            assert!(pieces.len() >= last.len(), "a request is shorter than the last one");
            assert_eq!(body, &pieces[..body.len()], "the head of a request changed");
            let now = &pieces[body.len()];
            // Only where nothing was said since: a message that others follow stays as it was sent.
            let is_last_still = pieces.len() == last.len();
            let is_grown = is_last_still && now.starts_with(end.trim_end_matches(['"', '}']));
            assert!(now == end || is_grown, "the last message changed:\n{end}\n{now}");
        }
        self.last = Some((mode, pieces));
    }

    fn no_sentinel<C: Cast>(&self, body: &[u8], cast: &C) {
        let body = std::str::from_utf8(body).unwrap();
        for sentinel in self.sentinels.iter().filter(|sentinel| !cast.has_said(sentinel)) {
            let is_in = body.contains(sentinel) || body.contains(&quoted(sentinel));
            assert!(!is_in, "a sentinel is in a request: {sentinel}");
        }
    }

    /// A note is in its own request, once, and in no other.
    fn notes_once(&self, body: &[u8]) {
        let body = std::str::from_utf8(body).unwrap();
        let now = self.note.as_deref().map(quoted);
        for note in &self.notes {
            let due = usize::from(now.as_ref().is_some_and(|now| now.contains(note.as_str())));
            assert_eq!(
                body.matches(note.as_str()).count(),
                due,
                "a note in other requests than its own: {note}"
            );
        }
    }

    /// The run kept its budgets.
    pub(super) fn handed_back(&self, setup: &Setup, now: i64) {
        let took_ms = now - self.opened_ms;
        if let Some(ms) = setup.time_ms_max {
            assert!(took_ms <= ms + LATE_MS_MAX, "{took_ms} ms in a budget of {ms}");
        }
        let waits = i64::try_from(self.model_calls + self.waits + 1).unwrap();
        assert!(took_ms <= waits * WAIT_MS_MAX, "{took_ms} ms for {waits} waits");
        let last = self.by_number.keys().max().copied().unwrap_or(0);
        assert!(last <= setup.steps_max, "step {last} in a budget of {}", setup.steps_max);
    }

    /// The last step of the budget that has begun.
    fn begun(&mut self) -> &mut Begun {
        let last = self.by_number.keys().max().copied().unwrap_or(0);
        self.by_number.entry(last).or_default()
    }

    /// What one step of the budget may start: one step of work, and another one after each empty answer, after a compaction
    /// and after a move to another calling mode; one step that writes the text of the place that was chosen, or in which the
    /// program acts itself; one compaction; one summary.
    fn count_step(&mut self, step: &StepStarted) {
        self.steps += 1;
        let begun = self.by_number.entry(step.step).or_default();
        begun.purposes.push(step.purpose);
        let count = |is_it: fn(StepPurpose) -> bool| begun.purposes.iter().filter(|it| is_it(**it)).count();
        let work_max = 1 + EMPTY_RETRIES_MAX as usize + begun.folds + begun.moves;
        let is_bounded = count(|it| it == StepPurpose::Work) <= work_max
            && count(is_own) <= 1
            && count(|it| it == StepPurpose::Compaction) <= 1
            && begun.folds <= 1
            && count(|it| it == StepPurpose::Summary) <= 1;
        assert!(is_bounded, "step {} of the budget: {begun:?}", step.step);
    }

    /// Nothing is open, every call has exactly one result, and the log alone gives all of it.
    pub(super) fn at_rest(&self, log: &[Entry]) {
        let view = View::of(log);
        assert_eq!(view.streaming().count(), 0, "a message is left streaming");
        assert_eq!(view.running().count(), 0, "an item is left running");
        assert!(view.end.is_some(), "the turn has no end");
        assert!(self.items.values().all(|stage| *stage == Stage::Completed), "items without an end");
        if self.watch == Watch::Lightly {
            return;
        }
        ends::check(log);
        let is_mute = |message: &MessageView| message.message.role == Role::User && message.text.is_empty();
        assert!(!view.messages.iter().any(is_mute), "a user's message has lost its text");
        assert_eq!(View::of(&self.all), view, "a replay of all entries ends in another state");
        let mut conversation = Conversation::default();
        for entry in log {
            conversation.apply(entry.seq, &entry.body);
        }
        assert_eq!(
            conversation.payload(),
            self.conversation.payload(),
            "the stored log gives another payload"
        );
    }
}

/// Whether a step does not send the conversation.
fn is_own(purpose: StepPurpose) -> bool {
    matches!(purpose, StepPurpose::Write | StepPurpose::Program)
}

/// As it stands inside a JSON text.
fn quoted(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap();
    quoted[1..quoted.len() - 1].to_owned()
}
