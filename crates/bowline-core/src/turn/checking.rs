//! Runs the project's check at its three moments, and decides what follows from red and green.
//!
//! A small machine beside the turn: a check runs while nothing else of the turn does, and the turn goes on from where it was.
//! What always holds: a result is sent back to the model at most [`CHECK_SENT_BACK_MAX`] times in a run and only after a
//! change, so that the check can't keep a turn going for ever; read-only turns, review mode and turns whose checkpoint failed
//! run no check.

use serde_json::json;

use super::calls::Calls;
use super::compacting::Pending;
use super::comparing::Due;
use super::guards::Ended;
use super::{Effect, Machine, Phase};
use crate::check::{CheckAccount, CheckEnd, CheckMoment, CheckRequest, CheckResult, CheckSource, Checked};
use crate::entry::{Access, Body, ReviewMode, SentBackFor, Stop};
use crate::guard::doom::{self, CallFingerprint};
use crate::guard::{Seen, Weight};
use crate::limits::{CHECK_BASELINE_MS_MAX, CHECK_GRACE_MS, CHECK_MS_MAX, CHECK_SAMPLES};
use crate::mode::Mode;
use crate::outcome::Outcome;
use crate::place::is_document_path;

const SENT_BACK: &str = include_str!("notes/check_failed.md");
const VERIFY: &str = include_str!("notes/verify.md");
const SUGGESTED: &str = include_str!("notes/check_suggested.md");

/// Whether and when the program runs the check itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckPolicy {
    pub runs: CheckRuns,
    /// The command of `--check` or of the settings.
    pub command: Option<(String, CheckSource)>,
    pub time_ms_max: i64,
    /// Further texts of a place that are asked for while the check is red, each of another kind. With 0 no text is taken back.
    pub samples: usize,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CheckRuns {
    /// Before the first edit, after each step that changed files, and before the end.
    Auto,
    /// Only before the end.
    End,
    #[default]
    Off,
}

impl Default for CheckPolicy {
    fn default() -> CheckPolicy {
        CheckPolicy {
            runs: CheckRuns::default(),
            command: None,
            time_ms_max: CHECK_MS_MAX,
            samples: CHECK_SAMPLES,
        }
    }
}

/// A check that is due or under way, and where the turn goes on.
pub(super) struct Running {
    moment: CheckMoment,
    since_ms: i64,
    time_ms_max: i64,
    state: State,
    then: Then,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    AwaitsCheckpoint,
    First,
    /// The first result contradicted an earlier one.
    Again,
}

/// Where the turn goes on.
pub(super) enum Then {
    /// The calls of the step, whose first edit waits.
    Calls(Box<Calls>),
    /// The step that changes files by places.
    Survey(Pending),
    /// The guards, after a step that changed files.
    Guards(Vec<Ended>),
    /// The end of the turn.
    End(Account),
    /// Another attempt at the task, from the files as they are.
    FreshStart,
}

/// Who has the last word of the turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Account {
    /// The model has answered.
    Model,
    /// The program says what it did.
    Program,
}

impl Running {
    /// A checkpoint has a limit of its own.
    pub(super) fn wake_at(&self) -> i64 {
        match self.state {
            State::AwaitsCheckpoint => i64::MAX,
            State::First | State::Again => self.since_ms + self.time_ms_max + CHECK_GRACE_MS,
        }
    }

    /// The calls that wait for it.
    pub(super) fn into_calls(self) -> Option<Box<Calls>> {
        match self.then {
            Then::Calls(calls) => Some(calls),
            _ => None,
        }
    }
}

impl Machine {
    /// Whether this turn is checked at all, as far as is known.
    pub(super) fn is_checked(&self) -> bool {
        let can_write = self.setup.access == Access::Write && self.access == Access::Write;
        let policy = &self.setup.checks;
        let command = self.check_command();
        let is_given_up = command.is_some_and(|(command, _)| self.checks.is_unfinished(&command));
        policy.runs != CheckRuns::Off
            && !self.checks.is_forbidden
            && can_write
            && self.setup.edits == ReviewMode::Auto
            && !self.checkpoints.is_failed()
            && !self.checks.is_unknown
            && !is_given_up
    }

    /// The command, as far as it is known without a look at the project.
    fn check_command(&self) -> Option<(String, CheckSource)> {
        let named = self.checks.named().filter(|_| self.checks.refused.is_none());
        let named = named.map(|command| (command.to_owned(), CheckSource::Message));
        self.setup.checks.command.clone().or(named).or_else(|| self.checks.known())
    }

    /// Whether an edit has to wait for the result before it.
    pub(super) fn awaits_baseline(&self) -> bool {
        let is_auto = self.setup.checks.runs == CheckRuns::Auto;
        is_auto && self.checks.awaits_baseline() && self.is_checked()
    }

    /// Runs the check before the first edit of the run. A checkpoint comes first: a check may write files.
    pub(super) fn check_before(&mut self, then: Then, now: i64) {
        let (moment, time_ms_max) = (CheckMoment::Before, CHECK_BASELINE_MS_MAX);
        let state = if self.awaits_checkpoint() { State::AwaitsCheckpoint } else { State::First };
        self.checks.settle_baseline();
        if let Then::Calls(calls) = &then {
            self.checks.near = calls.first_edited_path();
        }
        self.phase = Phase::Checking(Box::new(Running { moment, since_ms: now, time_ms_max, state, then }));
        match state {
            State::AwaitsCheckpoint => self.take_checkpoint_before(),
            State::First | State::Again => self.send_check(moment, time_ms_max),
        }
    }

    /// The checkpoint that a check waited for has been taken, or failed.
    pub(super) fn check_after_checkpoint(&mut self, now: i64) {
        let Phase::Checking(running) = &mut self.phase else { return };
        if running.state != State::AwaitsCheckpoint {
            return;
        }
        (running.state, running.since_ms) = (State::First, now);
        let (moment, time_ms_max) = (running.moment, running.time_ms_max);
        if self.is_checked() {
            self.send_check(moment, time_ms_max);
        } else {
            self.resume(None, now);
        }
    }

    /// All calls of a step have ended: if they changed files, a quick check is run before the model goes on.
    pub(super) fn check_after(&mut self, ended: Vec<Ended>, now: i64) {
        let is_due = self.setup.checks.runs == CheckRuns::Auto
            && self.checks.is_stale
            && self.checks.is_quick()
            && self.is_checked();
        if is_due {
            self.start_check(CheckMoment::After, Then::Guards(ended), now);
        } else {
            self.guard(&ended, now);
        }
    }

    /// The turn is about to end as done: what it changed is checked first.
    pub(super) fn end_checked(&mut self, account: Account, now: i64) {
        if self.awaits_comparison() {
            return self.compare_files(Due::End(account));
        }
        let is_due = self.checks.first_changed.is_some() && self.is_checked();
        if is_due && (self.checks.is_stale || self.checks.last.is_none()) {
            self.start_check(CheckMoment::End, Then::End(account), now);
        } else {
            self.conclude(account, now);
        }
    }

    fn start_check(&mut self, moment: CheckMoment, then: Then, now: i64) {
        let time_ms_max = self.setup.checks.time_ms_max;
        let state = State::First;
        self.phase = Phase::Checking(Box::new(Running { moment, since_ms: now, time_ms_max, state, then }));
        self.send_check(moment, time_ms_max);
    }

    fn send_check(&mut self, moment: CheckMoment, time_ms_max: i64) {
        let request = CheckRequest {
            moment,
            command: self.check_command(),
            near: self.checks.first_changed.clone().or_else(|| self.checks.near.clone()),
            known: self.known_check(moment).map(|known| known.command.clone()),
            unfinished: self.checks.unfinished().to_vec(),
            files: self.checks.files(self.changes.list().into_iter().map(|change| change.path)),
            time_ms_max,
        };
        self.effects.push(Effect::RunCheck(Box::new(request)));
    }

    /// What the check said of these very files at the end of an earlier run.
    fn known_check(&self, moment: CheckMoment) -> Option<&Checked> {
        self.checks.known_result.before_run().filter(|_| moment == CheckMoment::Before)
    }

    /// The host did not answer in time: the turn goes on without a result.
    pub(super) fn tick_checking(&mut self, now: i64) {
        let Phase::Checking(running) = &self.phase else { return };
        if now >= running.wake_at() {
            self.checks.is_unknown = true;
            self.resume(None, now);
        }
    }

    /// What came of a check.
    pub(super) fn check_ended(&mut self, end: CheckEnd, now: i64) {
        let Phase::Checking(running) = &mut self.phase else { return };
        let (moment, state) = (running.moment, running.state);
        match end {
            // Which files will be changed is not known before the first edit: there may be a check nearer to them.
            CheckEnd::Unknown => {
                self.checks.is_unknown = moment != CheckMoment::Before;
                self.resume(None, now);
            }
            CheckEnd::NotAllowed { command, source: CheckSource::Message }
                if self.checks.refused.is_none() =>
            {
                let time_ms_max = running.time_ms_max;
                // The project may have another one that is allowed.
                self.checks.refused = Some(command);
                self.send_check(moment, time_ms_max);
            }
            CheckEnd::NotAllowed { command, source } => {
                if source != CheckSource::Project {
                    self.notice(format!("The permission rules deny the check `{command}`: it was not run."));
                }
                self.checks.is_unknown = true;
                self.resume(None, now);
            }
            CheckEnd::Known { source, state } => {
                let known = self.known_check(moment).cloned();
                let known = known.map(|known| Checked {
                    moment,
                    source,
                    state,
                    words: None,
                    is_known: true,
                    ..known
                });
                if let Some(known) = &known {
                    self.record(Body::Checked(Box::new(known.clone())));
                }
                self.resume(known.as_ref(), now);
            }
            CheckEnd::Ran(run) => {
                let mut checked = Checked::of(&run, moment);
                if moment != CheckMoment::Before {
                    self.checks.take_known_baseline(&checked.command);
                }
                if self.checks.contradicts(&checked) {
                    if state == State::First {
                        (running.state, running.since_ms) = (State::Again, now);
                        let time_ms_max = running.time_ms_max;
                        return self.send_check(moment, time_ms_max);
                    }
                    checked.result = CheckResult::Flaky;
                }
                checked.words = self.words(&checked);
                self.record(Body::Checked(Box::new(checked.clone())));
                self.resume(Some(&checked), now);
            }
        }
    }

    /// What the model reads of a check in the middle of its work.
    fn words(&self, checked: &Checked) -> Option<String> {
        let is_news = checked.moment == CheckMoment::After
            && matches!(checked.result, CheckResult::Passed | CheckResult::Failed);
        let is_whole = self.mode() != Mode::Native && checked.is_red() && self.checks.concerns_turn(checked);
        is_news.then(|| {
            if is_whole { checked.report.clone() } else { checked.line(self.checks.baseline.as_ref()) }
        })
    }

    fn resume(&mut self, checked: Option<&Checked>, now: i64) {
        let Phase::Checking(running) = std::mem::replace(&mut self.phase, Phase::Idle) else { return };
        let mut then = running.then;
        if let Some(len) = checked.and_then(|checked| self.worse_sample(checked)) {
            // One of several texts that the program asks for: the model does not go round in circles.
            return self.rewind_to(len, then, now);
        }
        if let (Then::Guards(ended), Some(checked)) = (&mut then, checked) {
            ended.push(as_command(checked, &self.work_tree));
        }
        self.go_on_after_check(then, now);
    }

    /// Goes on with the turn from where the check interrupted it.
    pub(super) fn go_on_after_check(&mut self, then: Then, now: i64) {
        match then {
            Then::Calls(calls) => {
                self.phase = Phase::Calls(calls);
                self.run_calls(now);
            }
            Then::Survey(pending) => self.survey(pending, now),
            Then::Guards(ended) => self.guard(&ended, now),
            Then::End(account) => self.conclude(account, now),
            Then::FreshStart => self.read_files_afresh(now),
        }
    }

    /// The number of changes to go back to, if the new text of a place was to repair what the check says, and the check is no
    /// better with it.
    fn worse_sample(&self, checked: &Checked) -> Option<usize> {
        let is_repair = self.changing.is_repair() || self.changing.is_correction();
        let is_sample = self.setup.checks.samples > 0 && self.is_by_places() && is_repair;
        let (len, before) = self.checks.before_last_call().filter(|_| is_sample && checked.is_red())?;
        // What this turn broke itself may need several changes before it is green again: only what is worse is taken back, and
        // another text of the same place that is no better. So each of them is made from the first one.
        let began_red = self.checks.baseline.as_ref().is_some_and(Checked::is_red);
        let is_alike = began_red || self.changing.is_correction() || self.changing.is_written_again();
        let is_worse =
            if is_alike { !before.is_improved_by(checked) } else { checked.is_improved_by(before) };
        (before.is_red() && is_worse).then_some(len)
    }

    /// Ends the turn by what the last check says, or sends its result back to the model.
    fn conclude(&mut self, account: Account, now: i64) {
        // A check that did not finish says nothing about the files as they are.
        let is_known = self.checks.first_changed.is_some() && self.checks.given_up.is_none();
        let last = self.checks.last.clone().filter(|_| is_known);
        if let Some(last) = &last
            && self.step < self.setup.steps_max
            && self.checks.is_to_send_back(last)
        {
            if self.mode() != Mode::Native && self.checks.is_sent_back_before() {
                return self.start_afresh(now);
            }
            let words = self.red_words();
            self.sent_back = words.map(|words| (words, SentBackFor::Check));
            return self.next_step(None, now);
        }
        if self.is_to_verify(account) {
            self.sent_back = Some((VERIFY.trim().to_owned(), SentBackFor::NoCommand));
            return self.next_step(None, now);
        }
        if account == Account::Program {
            self.record_account();
        }
        match last {
            Some(last) if self.checks.is_failed(&last) => {
                let reason = format!("The check still fails: {} · {}.", last.command, last.row());
                let hint = "bowline diff shows what was changed, bowline run -c \"…\" goes on with a hint";
                self.finish(Stop::Check, Some(reason), Some(hint.to_owned()), now);
            }
            _ => self.finish(Stop::Done, None, None, now),
        }
    }

    /// What the model reads of the last result, which is red.
    pub(super) fn red_words(&self) -> Option<String> {
        let last = self.checks.last.as_ref().filter(|last| last.is_red())?;
        let line = last.line(self.checks.baseline.as_ref());
        let report = last.report.split_once('\n').map_or("", |(_, rest)| rest);
        Some(format!("{}\n{line}\n{report}", SENT_BACK.trim()).trim().to_owned())
    }

    /// Whether the model is asked to verify its change itself: no check is known, and it has run no command since.
    fn is_to_verify(&self, account: Account) -> bool {
        account == Account::Model
            && self.mode() == Mode::Native
            && self.checks.is_unknown
            && self.checks.is_unverified()
            && self.changes.list().iter().any(|change| !is_document_path(&change.path))
            && self.step < self.setup.steps_max
    }

    /// Whether files were changed and nobody knows a check that could be run.
    pub(super) fn is_check_unknown(&self) -> bool {
        self.checks.is_unknown && self.checks.first_changed.is_some() && self.checks.last.is_none()
    }

    /// The check's result for the end of the turn.
    pub(super) fn check_account(&self) -> Option<CheckAccount> {
        let last = self.checks.given_up.as_ref().or(self.checks.last.as_ref());
        let last = last.filter(|_| self.checks.first_changed.is_some())?;
        let baseline = self.checks.baseline.as_ref();
        Some(CheckAccount {
            command: last.command.clone(),
            summary: last.row(),
            before: baseline.map(|before| before.result),
            after: last.result,
            is_worse: last.is_red() && baseline.is_some_and(|before| last.is_improved_by(before)),
        })
    }

    /// A command that the user named and that the program may not run: the model is told of it once.
    pub(super) fn check_suggestion(&mut self) -> Option<String> {
        let command = self.checks.refused.as_ref().filter(|_| !self.checks.is_suggested)?;
        self.checks.is_suggested = true;
        Some(SUGGESTED.trim().replace("{command}", command))
    }
}

/// A check as the guards see it: like a command of the model's, but not the same as when the model runs it itself. The two
/// say the same in other words, and a round in which both were run counts once for each.
fn as_command(checked: &Checked, work_tree: &str) -> Ended {
    let seen = doom::Seen {
        tool: "run_command",
        arguments: &json!({ "check": checked.command }),
        result: &format!("{}\n{}", checked.summary, checked.fingerprint),
        exit_code: checked.exit_code,
        duration_ms: checked.duration_ms,
        is_change: false,
    };
    let outcome = if checked.is_green() { Outcome::Success } else { Outcome::NoResult };
    Ended {
        item: String::new(),
        text: String::new(),
        seen: Seen { outcome, weight: Weight::Plain },
        fingerprint: Some(CallFingerprint::of(&seen, work_tree)),
    }
}
