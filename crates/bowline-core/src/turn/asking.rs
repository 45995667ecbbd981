//! The stream phase: one model call, from the request to the whole answer, through silence and failure.
//!
//! A call that failed is asked again with the same bytes; what the user has already seen is not shown anew (`publish.rs`).
//! Half a call is never run.

use super::publish::Channel;
use super::purpose::{Audience, Prompt, Reading, Without};
use super::{Effect, Event, Life, Machine, Phase, Setup};
use crate::entry::{Body, Status, StepCompleted, StepPurpose, Stop, Usage};
use crate::frame::{WaitCause, Waiting};
use crate::item::ItemKind;
use crate::limits::{
    DELTA_EVERY_MS, EMPTY_RETRIES_MAX, FIRST_TOKEN_ALIVE_MS_MAX, FIRST_TOKEN_MS_MAX, LIFE_ANSWER_MS_MAX,
    SILENCE_MS_MAX, SILENCE_WORKING_MS_MAX, WHOLE_CALL_SILENCE_MS_MIN,
};
use crate::mode::Mode;
use crate::retry::{Failure, Sent, Tries, Verdict, judge};
use crate::sentinel::NoAnswer;
use crate::stream::Assembly;
use crate::thinking::Thinking;
use crate::window::Meter;
use crate::wire::{Delta, Finish, Protocol, Request};

pub(super) struct Asking {
    pub(super) purpose: StepPurpose,
    request: Request,
    /// This step's own.
    pub(super) thinking: Option<Thinking>,
    /// The size of the request, for the meter.
    pub(super) bytes: usize,
    pub(super) assembly: Assembly,
    pub(super) text: Channel,
    pub(super) thoughts: Channel,
    state: State,
    first_asked_ms: i64,
    failed: u32,
    /// Answers that said the model is being loaded, which are no failures.
    loading: u32,
    /// Whether a call ran into the length limit before.
    is_cut_by_length: bool,
    /// How often the answer was cut because it repeated itself.
    pub(super) loops: u32,
    /// Whether somebody steered, and the answer is kept as far as it came.
    is_steered: bool,
    opened_ms: i64,
    first_token_ms: Option<i64>,
    last_token_ms: i64,
    last_sign_ms: i64,
    pub(super) is_dirty: bool,
    percent: Option<i64>,
    is_queued: bool,
}

enum State {
    /// The stream of this call is open.
    Open(u64),
    /// Asked again at this time.
    Backoff(i64),
    /// The server is being asked whether it still works on this call.
    Doubting { call: u64, since_ms: i64 },
}

pub(super) const MORE_ROOM: &str = "start the server with a larger window (OLLAMA_CONTEXT_LENGTH=16384, llama-server -c 16384, \
                                    lms load --context-length 16384), then continue with: bowline run -c";
/// How far a count may be off from the prompt without its tools, to be one of a server that drops them. Percent.
const TOOLS_PERCENT_OFF_MAX: i64 = 15;
const EMPTY: &str = include_str!("notes/empty.md");

impl Asking {
    pub(super) fn new(
        purpose: StepPurpose,
        request: Request,
        thinking: Option<Thinking>,
        bytes: usize,
        now: i64,
    ) -> Asking {
        Asking {
            purpose,
            assembly: Assembly::new(request.payload.mode),
            request,
            thinking,
            bytes,
            text: Channel::new(ItemKind::Text),
            thoughts: Channel::new(ItemKind::Reasoning),
            state: State::Backoff(now),
            first_asked_ms: now,
            failed: 0,
            loading: 0,
            is_cut_by_length: false,
            loops: 0,
            is_steered: false,
            opened_ms: now,
            first_token_ms: None,
            last_token_ms: now,
            last_sign_ms: now,
            is_dirty: false,
            percent: None,
            is_queued: false,
        }
    }

    pub(super) fn reads(&self, reading: Reading) -> bool {
        self.purpose.record().reading == reading
    }

    pub(super) fn is_for(&self, audience: Audience) -> bool {
        self.purpose.record().audience == audience
    }

    /// The model call that is in the air.
    pub(super) fn open_call(&self) -> Option<u64> {
        match self.state {
            State::Open(call) | State::Doubting { call, .. } => Some(call),
            State::Backoff(_) => None,
        }
    }

    pub(super) fn wake_at(&self, setup: &Setup, appended_ms: i64) -> i64 {
        match self.state {
            State::Backoff(until) => until,
            State::Doubting { since_ms, .. } => since_ms + LIFE_ANSWER_MS_MAX,
            State::Open(_) => {
                let silent = self.silent_at(setup);
                if self.is_dirty { silent.min(appended_ms + DELTA_EVERY_MS) } else { silent }
            }
        }
    }

    /// When the silence has lasted too long.
    fn silent_at(&self, setup: &Setup) -> i64 {
        if self.first_token_ms.is_none() {
            let alive = self.opened_ms + FIRST_TOKEN_ALIVE_MS_MAX;
            return (self.last_sign_ms + FIRST_TOKEN_MS_MAX).min(alive);
        }
        let silence =
            if setup.dialect.protocol.sends_whole_calls() { setup.whole_call_ms() } else { SILENCE_MS_MAX };
        (self.last_sign_ms + silence).min(self.last_token_ms + SILENCE_WORKING_MS_MAX)
    }

    /// Ready to be asked again: nothing received, what was shown remembered.
    fn again(&mut self, until: i64) {
        self.assembly = Assembly::new(self.request.payload.mode);
        self.text.replay();
        self.thoughts.replay();
        self.state = State::Backoff(until);
        self.percent = None;
    }

    /// Asked with this request from now on.
    pub(super) fn instead(&mut self, request: Request, thinking: Option<Thinking>, bytes: usize, now: i64) {
        (self.request, self.thinking, self.bytes) = (request, thinking, bytes);
        self.again(now);
    }

    /// Whether clients have any of its answer.
    pub(super) fn is_shown(&self) -> bool {
        self.text.is_started() || self.thoughts.is_started()
    }

    /// What clients have of its answer, to be gone on from.
    pub(super) fn into_shown(mut self) -> (Channel, Channel) {
        self.text.replay();
        self.thoughts.replay();
        (self.text, self.thoughts)
    }

    /// Goes on from what clients have of an earlier answer.
    pub(super) fn shown(mut self, (text, thoughts): (Channel, Channel)) -> Asking {
        (self.text, self.thoughts) = (text, thoughts);
        self
    }

    /// Sends the request again with a higher temperature, so that the answer is less likely to be the same.
    pub(super) fn hotter(&mut self, now: i64) {
        self.request.dialect.sampling = self.request.dialect.sampling.raised();
        self.again(now);
    }

    /// Its stream is closed, and nothing will be asked again.
    pub(super) fn closed(&mut self, now: i64) {
        self.state = State::Backoff(now);
    }

    fn sent(&self) -> Sent {
        Sent {
            has_tools: self.request.payload.mode == Mode::Native && !self.request.payload.tools.is_empty(),
            has_thinking: self.request.dialect.thinking != Thinking::Auto,
            has_schema: self.request.payload.mode == Mode::Constrained,
        }
    }

    /// Its request with what is known of the model by now, where it does not send the conversation.
    pub(super) fn own_request(&self, setup: &Setup) -> Option<(Request, usize)> {
        let is_own = self.purpose.record().prompt == Prompt::Own;
        is_own.then(|| {
            let mut request = self.request.clone();
            request.dialect.thinking = setup.dialect.thinking;
            (request, self.bytes)
        })
    }

    /// The one-off note of its request.
    pub(super) fn note(&self) -> Option<String> {
        self.request.note.clone()
    }

    /// What the server told, with its times filled in by ours where it told none. A stream that we closed ourselves may
    /// have told nothing: then its tokens are estimated, too.
    fn usage(&self, meter: Meter, now: i64) -> Usage {
        let mut usage = self.assembly.usage();
        if usage.prompt() == 0 && self.purpose.record().prompt == Prompt::Own {
            usage.prompt_new = meter.tokens(self.bytes);
            usage.output = meter.tokens(self.assembly.text().len());
        }
        if usage.prefill_ms == 0 && usage.decode_ms == 0 {
            let first = self.first_token_ms.unwrap_or(now);
            usage.prefill_ms = first - self.opened_ms;
            usage.decode_ms = now - first;
        }
        usage
    }
}

impl Setup {
    fn learn_speed(&mut self, usage: Usage) {
        if usage.output > 0 && usage.decode_ms > 0 {
            self.tokens_per_s = Some(usage.output as f64 * 1000.0 / usage.decode_ms as f64);
        }
    }

    /// How long a server that sends whole calls may write on one in silence: its reserve at half the speed it has shown.
    fn whole_call_ms(&self) -> i64 {
        match self.tokens_per_s {
            Some(speed) if speed > 0.0 => {
                let ms = self.dialect.reserve as f64 / (speed / 2.0) * 1000.0;
                (ms as i64).clamp(WHOLE_CALL_SILENCE_MS_MIN, SILENCE_WORKING_MS_MAX)
            }
            _ => SILENCE_WORKING_MS_MAX,
        }
    }
}

impl Machine {
    pub(super) fn call_model(&mut self, now: i64) {
        let Phase::Asking(asking) = &mut self.phase else { return };
        self.model_calls += 1;
        let call = self.model_calls;
        asking.state = State::Open(call);
        (asking.opened_ms, asking.last_token_ms, asking.last_sign_ms) = (now, now, now);
        asking.first_token_ms = None;
        let request = Box::new(asking.request.clone());
        self.effects.push(Effect::CallModel { call, request });
        self.effects.push(show(WaitCause::Prompt, None, now));
    }

    /// The open model call, if `call` is it: news of a closed one is ignored.
    fn asking(&mut self, call: u64) -> Option<&mut Asking> {
        match &mut self.phase {
            Phase::Asking(asking) if asking.open_call() == Some(call) => Some(asking),
            _ => None,
        }
    }

    pub(super) fn deltas(&mut self, call: u64, deltas: Vec<Delta>, now: i64) {
        let Some(asking) = self.asking(call) else { return };
        asking.state = State::Open(call);
        asking.last_sign_ms = now;
        let is_queued = deltas.contains(&Delta::Queued);
        let was_queued = std::mem::replace(&mut asking.is_queued, is_queued);
        for delta in deltas {
            if asking.assembly.push(delta) {
                asking.first_token_ms.get_or_insert(now);
                asking.last_token_ms = now;
                asking.is_dirty = true;
            }
        }
        let opened_ms = asking.opened_ms;
        if is_queued && !was_queued {
            self.effects.push(show(WaitCause::Slot, None, opened_ms));
            return;
        }
        if was_queued && !is_queued {
            self.effects.push(show(WaitCause::Prompt, None, now));
        }
        let Some(asking) = self.asking(call) else { return };
        let percent = asking.assembly.percent();
        if percent != asking.percent && asking.first_token_ms.is_none() {
            asking.percent = percent;
            self.effects.push(show(WaitCause::Prompt, percent, opened_ms));
        }
        self.publish_if_due(now);
        let error = self.asking(call).and_then(|asking| asking.assembly.error().map(str::to_owned));
        if let Some(message) = error {
            self.effects.push(Effect::CloseModel { call });
            self.failed(call, &Failure::Message { message }, now);
        } else if self.is_fence_closed() {
            self.effects.push(Effect::CloseModel { call });
            self.settled(now);
        } else {
            self.look_for_loop(call, now);
        }
    }

    pub(super) fn ended(&mut self, call: u64, now: i64) {
        let Some(asking) = self.asking(call) else { return };
        asking.assembly.close();
        if asking.reads(Reading::Calls) && asking.assembly.finish() != Some(Finish::Ended) {
            asking.assembly.take_cut_call();
        }
        let is_cut_in_call = asking.assembly.is_call_open();
        match asking.assembly.finish() {
            None if is_cut_in_call => {
                let why = "the answer ended in the middle of a call".to_owned();
                self.failed(call, &Failure::Cut { why }, now);
            }
            Some(Finish::Length) if is_cut_in_call && !asking.is_cut_by_length => {
                asking.is_cut_by_length = true;
                asking.again(now);
                self.call_model(now);
            }
            _ if self.are_tools_unseen() => self.tools_dropped(now),
            _ => self.settled(now),
        }
    }

    /// The model has said all it will.
    fn settled(&mut self, now: i64) {
        if let Phase::Asking(asking) = &mut self.phase {
            asking.text.settle();
            asking.thoughts.settle();
        }
        self.answered_whole(now);
    }

    /// Whether the answer's figures say that the tools never reached the prompt: a template without a place for them drops
    /// them in silence.
    fn are_tools_unseen(&self) -> bool {
        let Phase::Asking(asking) = &self.phase else { return false };
        let tools = asking.request.tool_bytes();
        let usage = asking.assembly.usage();
        if tools == 0 || !self.meter.is_dropped(asking.bytes, usage, asking.purpose) {
            return false;
        }
        let others = asking.bytes.saturating_sub(tools);
        if !self.meter.is_counted() {
            return !self.meter.is_short(others, usage);
        }
        // A server that has read them before can have been started anew between two turns. The meter has learned by now, so
        // that the figures tell the tools from the beginning of the conversation.
        let (sent, read) = (self.meter.tokens(others), usage.prompt());
        self.step == 1 && (sent - read).abs() * 100 <= sent * TOOLS_PERCENT_OFF_MAX
    }

    pub(super) fn failed(&mut self, call: u64, failure: &Failure, now: i64) {
        let is_between = self.is_between;
        let Some(asking) = self.asking(call) else { return };
        asking.state = State::Backoff(now);
        // Between turns nothing waits for the answer, so the server gets its retries.
        if let (Without::GoesOn(go_on), false) = (asking.purpose.record().failed, is_between) {
            return go_on(self, now);
        }
        let tries =
            Tries { failed: asking.failed, loading: asking.loading, since_ms: now - asking.first_asked_ms };
        match judge(failure, tries, asking.sent()) {
            Verdict::Again { after_ms, cause } => {
                let is_loading = cause == WaitCause::Load;
                *(if is_loading { &mut asking.loading } else { &mut asking.failed }) += 1;
                asking.again(now + after_ms);
                let since_ms = if is_loading { asking.first_asked_ms } else { now };
                self.effects.push(show(cause, None, since_ms));
            }
            // Nothing waits for it, so that the server had its chances; now code does it.
            _ if is_between => self.apply_compaction(None, now),
            Verdict::TooLong { .. } if asking.purpose.record().prompt == Prompt::Own => {
                self.nothing_written(now);
            }
            Verdict::TooLong { reason, window } => self.prompt_refused(reason, window, now),
            Verdict::ToolsRefused => self.tools_refused(now),
            Verdict::SchemaRefused => self.schema_refused(now),
            Verdict::ThinkingRefused => self.thinking_refused(now),
            Verdict::Unread { raw } => self.call_unread(&raw, now),
            Verdict::GiveUp { reason, hint } => self.finish(Stop::Failed, Some(reason), Some(hint), now),
        }
    }

    pub(super) fn life(&mut self, call: u64, life: Life, now: i64) {
        let Some(asking) = self.asking(call) else { return };
        if !matches!(asking.state, State::Doubting { .. }) {
            return;
        }
        let waited_ms = now - asking.last_token_ms;
        let bound =
            if asking.first_token_ms.is_none() { FIRST_TOKEN_ALIVE_MS_MAX } else { SILENCE_WORKING_MS_MAX };
        if life == Life::Working && waited_ms < bound {
            asking.state = State::Open(call);
            asking.last_sign_ms = now;
            return;
        }
        self.effects.push(Effect::CloseModel { call });
        self.failed(call, &Failure::Silent { waited_ms }, now);
    }

    pub(super) fn tick_asking(&mut self, now: i64) {
        let Phase::Asking(asking) = &mut self.phase else { return };
        match asking.state {
            State::Backoff(until) if now >= until => self.call_model(now),
            State::Doubting { call, since_ms } if now >= since_ms + LIFE_ANSWER_MS_MAX => {
                self.take(Event::Life { call, life: Life::Gone }, now);
            }
            State::Open(call) if now >= asking.silent_at(&self.setup) => {
                asking.state = State::Doubting { call, since_ms: now };
                self.effects.push(Effect::AskLife { call });
            }
            State::Open(_) => self.publish_if_due(now),
            _ => {}
        }
    }

    /// Somebody steers: in pure text the answer is cut and kept; anywhere else the text waits for the next step.
    pub(super) fn steered(&mut self, now: i64) {
        let Phase::Asking(asking) = &mut self.phase else { return };
        if !asking.reads(Reading::Calls) || !asking.assembly.is_pure_text() {
            return;
        }
        asking.is_steered = true;
        if let Some(call) = asking.open_call() {
            self.effects.push(Effect::CloseModel { call });
        }
        self.answered_whole(now);
    }

    /// The answer is whole: its items are completed, and what follows is decided.
    pub(super) fn answered_whole(&mut self, now: i64) {
        let Phase::Asking(mut asking) = std::mem::replace(&mut self.phase, Phase::Idle) else { return };
        asking.assembly.close();
        // What was cut, by the length limit or by steering, may be half a call: that is not for us to finish.
        let is_cut = asking.is_steered || asking.assembly.finish() == Some(Finish::Length);
        if asking.reads(Reading::Calls) && !is_cut {
            asking.assembly.lift(&self.conversation.payload().offered_tools());
        }
        if asking.purpose == StepPurpose::Work && !is_cut && asking.assembly.is_unbound() {
            self.schema_ignored();
        }
        if asking.is_for(Audience::User) {
            self.complete_answer(&mut asking, Status::Complete);
        }
        let usage = asking.usage(self.meter.meter(), now);
        self.usage.add(usage);
        let dropped = self.dropped(&asking, usage);
        self.setup.learn_speed(usage);
        // What was estimated teaches nothing.
        let is_counted = asking.assembly.usage().prompt() > 0;
        let request_bytes = i64::try_from(asking.bytes).ok().filter(|_| is_counted);
        let step = StepCompleted { message: self.message.clone(), step: self.step, usage, request_bytes };
        self.record(Body::StepCompleted(step));
        if let Some(reason) = dropped {
            self.finish(Stop::Limit, Some(reason), Some(MORE_ROOM.to_owned()), now);
            return;
        }
        if self.setup.dialect.protocol == Protocol::Ollama
            && !std::mem::replace(&mut self.is_allocation_asked, true)
        {
            self.effects.push(Effect::AskAllocated);
        }
        (asking.purpose.record().answered)(self, &asking, now);
    }

    /// The answer to a step of work: its calls are run; without calls it is the turn's answer.
    pub(super) fn work_answered(&mut self, asking: &Asking, now: i64) {
        if let Some(choice) = self.choice(asking.assembly.calls()) {
            self.chosen(&choice, now);
        } else if !asking.assembly.calls().is_empty() {
            let length_cut = asking.assembly.finish() == Some(Finish::Length);
            self.open_calls(asking.assembly.calls(), length_cut, now);
        } else if asking.assembly.text().trim().is_empty() {
            let is_thought = !asking.assembly.reasoning().trim().is_empty();
            self.answered_nothing(if is_thought { NoAnswer::Reasoning } else { NoAnswer::Empty }, now);
        } else if self.conversation.steering_through().is_some() {
            self.go_on(None, now);
        } else {
            self.answered_without_call(now);
        }
    }

    fn answered_nothing(&mut self, why: NoAnswer, now: i64) {
        if self.empty_answers >= EMPTY_RETRIES_MAX {
            self.no_answer(why, now);
            return;
        }
        self.empty_answers += 1;
        self.ask(StepPurpose::Work, Some(EMPTY.trim().to_owned()), Some(Thinking::Off), now);
    }
}

fn show(cause: WaitCause, percent: Option<i64>, since_ms: i64) -> Effect {
    Effect::Show(Waiting { cause, percent, since_ms })
}
