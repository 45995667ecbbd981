//! The tool phase: the calls of one step, each to exactly one outcome.
//!
//! Calls that only read run side by side; a writing call waits for all before it, and all after it wait for it. Identical
//! reads of one step run once. Outcomes are kept per call, in call order, whatever order they finish in.

use super::checking::Then;
use super::guards::Ended;
use super::{Effect, Machine, Phase};
use crate::entry::{Answer, Body, PermissionAnswered, PermissionAsked, Scope};
use crate::guard::doom::{self, CallFingerprint, Doom, call_of};
use crate::guard::{Seen, Weight};
use crate::item::{Call, CallResult, Item, ItemKind, ItemStatus};
use crate::limits::LOOP_PAUSE_MS;
use crate::outcome::Outcome;
use crate::payload::INTERRUPTED;
use crate::stream::RawCall;
use crate::tool_output::{Grant, Question, ToolDone, ToolOutput};
use crate::tools::{self, ChangeCall, ToolCall};

pub(super) struct Calls(Vec<Open>);

/// One call of the step.
pub(super) struct Open {
    item: Item,
    /// What is to be run; none where the call was refused before it could be.
    call: Option<ToolCall>,
    state: State,
    /// Whether it asks for the same as one before it.
    is_copy: bool,
    /// Whether the user said no to it, or nobody could be asked.
    is_declined: bool,
    /// What the model is told of its arguments, after the result.
    note: Option<String>,
    started_ms: i64,
}

impl Open {
    pub(super) fn new(item: Item, call: Option<ToolCall>, note: Option<String>, now: i64) -> Open {
        let state = State::Waiting;
        Open { item, call, state, is_copy: false, is_declined: false, note, started_ms: now }
    }

    /// A result with the note. A call that was cut off has more to say than what became of its arguments.
    fn noted(&self, output: &ToolOutput) -> String {
        match &self.note {
            Some(note) if output.outcome != Outcome::Interrupted => format!("{}\n\n{note}", output.text),
            _ => output.text.clone(),
        }
    }

    /// A result without the note, which no guard looks at: the same call with other extra arguments is the same call.
    fn bare<'a>(&self, text: &'a str) -> &'a str {
        let note = self.note.as_ref().map(|note| format!("\n\n{note}"));
        note.and_then(|note| text.strip_suffix(&note)).unwrap_or(text)
    }
}

enum State {
    Waiting,
    /// A command of a loop: the world gets some time to move.
    Paused(i64),
    Running,
    /// A question stands.
    Asked(Question),
    /// Answered by the call at this place, which asks for the same.
    SameAs(usize),
    Done,
}

const NOT_RUN: &str = "Not run: the turn was stopped first.";

impl Calls {
    /// The file of the first edit among them.
    pub(super) fn first_edited_path(&self) -> Option<String> {
        let edit = self.0.iter().find(|open| open.item.kind == ItemKind::Edit)?;
        edit.item.call.as_ref()?.arguments.get("path")?.as_str().map(str::to_owned)
    }
}

impl Machine {
    /// All calls are on the log before the first one runs.
    pub(super) fn open_calls(&mut self, raw: &[RawCall], is_cut_by_length: bool, now: i64) {
        let mut calls: Vec<Open> = Vec::new();
        for (n, raw) in raw.iter().enumerate() {
            let (open, refused) = self.open_call(raw, is_cut_by_length, n, now);
            self.record(Body::ItemStarted { item: open.item.clone() });
            calls.push(open);
            if let (Some(output), Some(open)) = (refused, calls.last_mut()) {
                self.complete_call(open, output, now);
            }
        }
        for at in 0..calls.len() {
            if let Some(first) = first_same(&calls, at)
                && let Some(open) = calls.get_mut(at)
            {
                open.state = State::SameAs(first);
                open.is_copy = true;
            }
        }
        self.phase = Phase::Calls(Box::new(Calls(calls)));
        self.run_calls(now);
    }

    /// A change that the program has put together; `refused` says why it is not even tried.
    pub(super) fn open_composed(&mut self, change: &ChangeCall, refused: Option<String>, now: i64) {
        let call = ToolCall::Change(change.clone());
        let item = Item {
            id: self.ids.item(),
            message: self.message.clone(),
            kind: tools::kind(call.name()),
            status: ItemStatus::Running,
            title: call.title(),
            text: String::new(),
            field: None,
            call: Some(Call {
                tool: call.name().to_owned(),
                arguments: change.arguments(),
                raw: None,
                repairs: Vec::new(),
            }),
            result: None,
        };
        let mut open = Open::new(item, Some(call), None, now);
        self.record(Body::ItemStarted { item: open.item.clone() });
        if let Some(why) = refused {
            self.complete_call(&mut open, ToolOutput::new(Outcome::ExecError, why), now);
        }
        self.phase = Phase::Calls(Box::new(Calls(vec![open])));
        self.run_calls(now);
    }

    /// Starts what may start; goes on with the run when all have ended.
    pub(super) fn run_calls(&mut self, now: i64) {
        let awaits_checkpoint = self.awaits_checkpoint();
        let awaits_baseline = self.awaits_baseline();
        let Phase::Calls(calls) = &mut self.phase else { return };
        let (mut runs, mut is_waiting, mut is_check_due) = (Vec::new(), false, false);
        for at in 0..calls.0.len() {
            if !may_start(&calls.0, at, now) {
                continue;
            }
            if let Some(open) = calls.0.get_mut(at)
                && is_looping(&self.doom, open, &self.work_tree)
            {
                open.state = State::Paused(now + LOOP_PAUSE_MS);
                continue;
            }
            if awaits_checkpoint && calls.0.get(at).is_some_and(is_write) {
                is_waiting = true;
                continue;
            }
            if awaits_baseline && calls.0.get(at).is_some_and(|open| open.item.kind == ItemKind::Edit) {
                is_check_due = true;
                continue;
            }
            if let Some(Open { item, call: Some(call), state, started_ms, .. }) = calls.0.get_mut(at) {
                *state = State::Running;
                *started_ms = now;
                runs.push((item.id.clone(), call.clone()));
            }
        }
        for (item, call) in runs {
            let grant = if self.checkpoints.is_failed() { Grant::Unsaved } else { Grant::Inside };
            self.effects.push(Effect::RunTool { item, call, grant });
        }
        if is_waiting {
            self.take_checkpoint_before();
        }
        if is_check_due && !is_waiting {
            if let Phase::Calls(calls) = std::mem::replace(&mut self.phase, Phase::Idle) {
                self.check_before(Then::Calls(calls), now);
            }
            return;
        }
        let Phase::Calls(calls) = &self.phase else { return };
        if calls.0.iter().all(|open| matches!(open.state, State::Done)) {
            let ended: Vec<Ended> = calls.0.iter().filter_map(|open| ended(open, &self.work_tree)).collect();
            self.phase = Phase::Idle;
            self.check_after(ended, now);
        }
    }

    pub(super) fn tool_done(&mut self, item: &str, done: ToolDone, now: i64) {
        // News of a call that does not run is ignored, whatever is under way by now.
        let is_it = |open: &Open| open.item.id == item && matches!(open.state, State::Running);
        if !matches!(&self.phase, Phase::Calls(calls) if calls.0.iter().any(is_it)) {
            return;
        }
        match done {
            ToolDone::Output(output) => self.call_ended(item, &output, now),
            ToolDone::Ask(question) => self.question(item, &question, now),
        }
    }

    /// The outcome of a call, and of those that asked for the same.
    fn call_ended(&mut self, item: &str, output: &ToolOutput, now: i64) {
        let Phase::Calls(mut calls) = std::mem::replace(&mut self.phase, Phase::Idle) else { return };
        let at = calls.0.iter().position(|open| open.item.id == item);
        let is_declined = calls.0.iter().any(|open| open.item.id == item && open.is_declined);
        for (n, open) in calls.0.iter_mut().enumerate() {
            let is_it = Some(n) == at && !matches!(open.state, State::Done);
            if is_it || matches!(open.state, State::SameAs(first) if Some(first) == at) {
                open.is_declined = is_declined;
                self.complete_call(open, output.clone(), now);
            }
        }
        self.phase = Phase::Calls(calls);
        self.run_calls(now);
    }

    /// The rules want somebody asked: an answer of this session, a standing one, or a question that waits for its entry.
    fn question(&mut self, item: &str, question: &Question, now: i64) {
        let Phase::Calls(calls) = &mut self.phase else { return };
        let Some(open) = calls.0.iter_mut().find(|open| open.item.id == item) else { return };
        // What nothing holds is asked about each time: no pattern stands for it, and none that was allowed covers it.
        let mut question = question.clone();
        if self.checkpoints.is_failed() && is_write(open) {
            question = Question { pattern: String::new(), also: Vec::new(), ..question };
        }
        open.state = State::Asked(question.clone());
        if self.allowed.cover(&question) {
            return self.granted(item, now);
        }
        let tool = open.item.call.as_ref().map(|call| call.tool.clone()).unwrap_or_default();
        let Question { what, pattern, also } = question.clone();
        self.record(Body::PermissionAsked(PermissionAsked {
            item: item.to_owned(),
            tool,
            what,
            pattern,
            also,
        }));
        if let Some(answer) = self.standing_answer() {
            let by = if answer == Answer::Yes { "--yes" } else { "nobody" };
            if answer == Answer::No {
                self.denied.push(refusal(&question));
            }
            let answered = PermissionAnswered {
                item: item.to_owned(),
                answer,
                scope: Scope::Once,
                reason: (answer == Answer::No).then(|| "nobody could be asked".to_owned()),
                by: by.to_owned(),
            };
            self.record(Body::PermissionAnswered(answered.clone()));
            self.answered(&answered, now);
        }
    }

    /// The first answer counts; later ones find no question.
    pub(super) fn answered(&mut self, answered: &PermissionAnswered, now: i64) {
        let Phase::Calls(calls) = &mut self.phase else { return };
        let Some(open) = calls.0.iter_mut().find(|open| open.item.id == answered.item) else { return };
        let State::Asked(question) = &open.state else { return };
        match answered.answer {
            Answer::Yes => {
                if answered.scope == Scope::Project {
                    let patterns: Vec<String> = question.patterns().cloned().collect();
                    if !patterns.is_empty() {
                        self.effects.push(Effect::KeepAllowed { patterns });
                    }
                }
                self.granted(&answered.item, now);
            }
            Answer::No => {
                let what = question.what.clone();
                open.is_declined = true;
                // The time until somebody answered is not the call's.
                open.started_ms = now;
                let reason = answered.reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
                let text = format!("Refused{reason}: {what}. Go on without it.");
                self.call_ended(&answered.item, &ToolOutput::new(Outcome::PermissionDenied, text), now);
            }
        }
    }

    /// Runs a call that was asked about.
    fn granted(&mut self, item: &str, now: i64) {
        let Phase::Calls(calls) = &mut self.phase else { return };
        let open = calls.0.iter_mut().find(|open| open.item.id == item);
        if let Some(Open { call: Some(call), state, started_ms, .. }) = open {
            *state = State::Running;
            *started_ms = now;
            let (item, call) = (item.to_owned(), call.clone());
            self.effects.push(Effect::RunTool { item, call, grant: Grant::Outside });
        }
    }

    fn complete_call(&mut self, open: &mut Open, output: ToolOutput, now: i64) {
        open.state = State::Done;
        open.item.status = match output.outcome {
            Outcome::Success | Outcome::NoResult => ItemStatus::Complete,
            Outcome::Interrupted => ItemStatus::Cancelled,
            _ => ItemStatus::Failed,
        };
        open.item.result = Some(CallResult {
            outcome: output.outcome,
            text: open.noted(&output),
            duration_ms: now - open.started_ms,
            edits: output.edits,
            output: output.output,
            exit_code: output.exit_code,
        });
        self.record(Body::ItemCompleted { item: open.item.clone() });
    }

    /// The run ends in the middle: what has no outcome yet is interrupted.
    pub(super) fn interrupt(&mut self, calls: Calls, now: i64) {
        for mut open in calls.0 {
            if !matches!(open.state, State::Done) {
                let text = if matches!(open.state, State::Running) { INTERRUPTED } else { NOT_RUN };
                self.complete_call(&mut open, ToolOutput::new(Outcome::Interrupted, text), now);
            }
        }
    }
}

/// What was refused because nobody could be asked, and what would have let it pass.
fn refusal(question: &Question) -> String {
    let flags: Vec<String> =
        question.patterns().map(|pattern| format!("--allow '{}'", pattern.replace('\'', "'\\''"))).collect();
    let flags = if flags.is_empty() { "--yes".to_owned() } else { flags.join(" ") };
    format!("{}: {flags} would allow it", question.what)
}

/// A call as guards see it.
fn ended(open: &Open, work_tree: &str) -> Option<Ended> {
    let (call, result) = (open.item.call.as_ref()?, open.item.result.as_ref()?);
    let is_change = !result.edits.is_empty();
    let weight = match (open.is_declined, is_change) {
        (true, _) => Weight::Declined,
        (false, true) => Weight::Changed,
        (false, false) => Weight::Plain,
    };
    let seen = doom::Seen {
        tool: &call.tool,
        arguments: &call.arguments,
        result: open.bare(&result.text),
        exit_code: result.exit_code,
        duration_ms: result.duration_ms,
        is_change,
    };
    Some(Ended {
        item: open.item.id.clone(),
        text: result.text.clone(),
        seen: Seen { outcome: result.outcome, weight },
        // An identical read of the same step counts once.
        fingerprint: (!open.is_copy).then(|| CallFingerprint::of(&seen, work_tree)),
    })
}

/// Whether it is a command of a loop, about to be run once more without having waited.
fn is_looping(doom: &Doom, open: &Open, work_tree: &str) -> bool {
    let is_waiting = matches!(open.state, State::Waiting);
    let is_command = open.item.kind == ItemKind::Command;
    let call = open.item.call.as_ref().filter(|_| is_waiting && is_command);
    call.is_some_and(|call| doom.is_looping(&call_of(&call.tool, &call.arguments, work_tree)))
}

impl Calls {
    /// When the first paused command is due.
    pub(super) fn wake_at(&self) -> Option<i64> {
        let until = |open: &Open| match open.state {
            State::Paused(until) => Some(until),
            _ => None,
        };
        self.0.iter().filter_map(until).min()
    }
}

fn is_write(open: &Open) -> bool {
    open.item.call.as_ref().is_some_and(|call| tools::effect(&call.tool) == tools::Effect::Writes)
}

/// A read may start when no write before it is open; a write when nothing before it is.
fn may_start(calls: &[Open], at: usize, now: i64) -> bool {
    let Some(open) = calls.get(at) else { return false };
    let is_due = match open.state {
        State::Waiting => true,
        State::Paused(until) => now >= until,
        _ => false,
    };
    let mut before = calls.iter().take(at).filter(|open| !matches!(open.state, State::Done));
    is_due && if is_write(open) { before.next().is_none() } else { !before.any(is_write) }
}

/// An earlier read of this step that asks for the same, with no write between.
fn first_same(calls: &[Open], at: usize) -> Option<usize> {
    let open = calls.get(at).filter(|open| open.call.is_some() && !is_write(open))?;
    let since = calls.iter().take(at).rposition(is_write).map_or(0, |write| write + 1);
    let same = calls.iter().take(at).skip(since).position(|other| other.call == open.call)?;
    Some(since + same)
}
