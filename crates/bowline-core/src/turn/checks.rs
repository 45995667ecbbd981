//! What the log says about the checks of a run: the baseline, the last result, and what changed since. A fold; what follows
//! from it is decided in `checking.rs`.

use serde_json::Value;

use super::applied::Applied;
use super::known_result::KnownResult;
use super::mode_signs::only_looks;
use super::tries::is_go_ahead;
use crate::check::{CheckMoment, CheckResult, CheckRun, CheckSource, Checked};
use crate::checkpoint::{Compared, is_leftover};
use crate::entry::{Body, SentBackFor};
use crate::failure;
use crate::item::{ChangeState, Item, ItemKind};
use crate::limits::{CHECK_AFTER_MS_MAX, CHECK_SENT_BACK_MAX};
use crate::outcome::Outcome;
use crate::task;

/// Attempts that a fresh start tells of.
const ATTEMPTS_SHOWN_MAX: usize = 5;
const UNDONE: &str = " (undone)";

#[derive(Debug, Default)]
pub(super) struct Checks {
    /// Commands that did not end in time: they are not run again in this session.
    unfinished: Vec<String>,
    /// The check that the user names: in the message, or later in a hint or in words that steer.
    named: Option<String>,
    /// Whether the user speaks of something that fails or names a check: in the message, in a hint or in words that steer.
    is_about_failure: bool,
    /// The result before the first edit of this run.
    pub(super) baseline: Option<Checked>,
    /// Whether a baseline was begun, or can't be had any more.
    is_baseline_settled: bool,
    pub(super) last: Option<Checked>,
    /// The run of the check that did not end in time.
    pub(super) given_up: Option<Checked>,
    /// Whether files were changed since the last check.
    pub(super) is_stale: bool,
    /// The first file that an edit of this turn changed.
    pub(super) first_changed: Option<String>,
    /// Whether a call has ended since the last result that may have changed files.
    is_touched: bool,
    /// What the check said at the end of an earlier run.
    pub(super) known_result: KnownResult,
    /// The changes of this run that are in the files.
    pub(super) applied: Applied,
    /// What the check said in this run, each with the number of changes that were in the files then.
    results: Vec<(usize, Checked)>,
    /// A line for each time that the check ran after changes: what was changed, and what it said.
    attempts: Vec<(usize, String)>,
    /// Whether a command of this turn may have changed files, and whether one did so since somebody looked.
    is_command_run: bool,
    has_unseen_commands: bool,
    /// Whether a command was run after the last change.
    has_command_since_change: bool,
    /// Whether the model was asked in this run to verify its change with a command.
    is_asked_to_verify: bool,
    /// Whether the run started afresh from the files as they are.
    pub(super) is_fresh_start: bool,
    sent_back: u32,
    /// Whether files were changed since a result was sent back.
    is_changed_since_sent: bool,
    /// The files that differ from the turn's first checkpoint, as far as somebody looked. No fold, like what follows below.
    compared: Vec<String>,
    /// The file of the edit that waits for the baseline. No fold, like what follows below.
    pub(super) near: Option<String>,
    /// Whether the user forbids to run the tests.
    pub(super) is_forbidden: bool,
    /// What was found for each state of the files in this run.
    seen: Vec<(String, CheckResult)>,
    /// Whether the host has said that there is no check it could run. This and what follows is no fold: a process that goes on
    /// finds it out again.
    pub(super) is_unknown: bool,
    /// The check of the message, if the permission rules do not allow it.
    pub(super) refused: Option<String>,
    pub(super) is_suggested: bool,
}

impl Checks {
    pub(super) fn apply(&mut self, body: &Body) {
        self.applied.apply(body);
        self.known_result.apply(body, self.last.as_ref().filter(|_| !self.is_touched));
        match body {
            Body::TurnStarted(turn) => {
                let applied = std::mem::take(&mut self.applied);
                let unfinished = std::mem::take(&mut self.unfinished);
                let known_result = std::mem::take(&mut self.known_result);
                // "Do it" is about the failure that was spoken of before.
                let is_about_failure = self.is_about_failure && is_go_ahead(&turn.text);
                *self = Checks { applied, unfinished, known_result, is_about_failure, ..Checks::default() };
                self.hear(&turn.text, turn.check.as_ref());
            }
            Body::RunStarted(run) => {
                *self = Checks {
                    applied: std::mem::take(&mut self.applied),
                    unfinished: std::mem::take(&mut self.unfinished),
                    known_result: std::mem::take(&mut self.known_result),
                    named: self.named.take(),
                    is_forbidden: self.is_forbidden,
                    // What the turn broke in an earlier run is not old.
                    baseline: self.baseline.take(),
                    is_about_failure: self.is_about_failure,
                    first_changed: self.first_changed.take(),
                    is_command_run: self.is_command_run,
                    has_unseen_commands: self.is_command_run,
                    ..Checks::default()
                };
                self.hear(run.hint.as_deref().unwrap_or_default(), run.check.as_ref());
            }
            Body::Input(input) => {
                let words = body.steering().unwrap_or_default();
                self.hear(words, task::named_check(&input.typed.words(words)).as_ref());
            }
            Body::StepStarted(step) if step.sent_back_for == Some(SentBackFor::Check) => {
                self.sent_back += 1;
                self.is_changed_since_sent = false;
            }
            Body::StepStarted(step) if step.sent_back_for == Some(SentBackFor::NoCommand) => {
                self.is_asked_to_verify = true;
            }
            Body::Compacted(compacted) => self.is_fresh_start |= compacted.is_fresh_start(),
            Body::Change(decided) if decided.is_programs_rewind() => self.rewound(),
            Body::Checked(checked) => self.checked(checked),
            Body::ItemCompleted { item } => self.completed(item),
            _ => {}
        }
    }

    /// What the user says, and the check that its typed words name.
    fn hear(&mut self, words: &str, named: Option<&String>) {
        self.is_about_failure |= named.is_some() || task::speaks_of_failure(words);
        if let Some(command) = named {
            self.name(command);
        }
        self.is_forbidden |= task::forbids_check(words);
    }

    fn name(&mut self, command: &str) {
        (self.named, self.refused) = (Some(command.to_owned()), None);
        (self.is_forbidden, self.is_unknown) = (false, false);
        let known = self.last.as_ref().or(self.baseline.as_ref());
        if known.is_some_and(|known| known.command != command) {
            // What another check said tells nothing about what this one will say.
            (self.baseline, self.last, self.given_up) = (None, None, None);
            (self.results, self.seen) = (Vec::new(), Vec::new());
            self.is_stale = self.first_changed.is_some();
            self.is_baseline_settled = self.first_changed.is_some();
        }
    }

    fn checked(&mut self, checked: &Checked) {
        let is_before = checked.moment == CheckMoment::Before;
        self.is_baseline_settled |= is_before;
        if checked.result == CheckResult::Unfinished {
            // A baseline has less time than the check: one that was abandoned says nothing.
            if !is_before {
                self.unfinished.push(checked.command.clone());
                self.given_up = Some(checked.clone());
            }
            return;
        }
        if let Some(state) = checked.state.clone() {
            self.seen.push((state, checked.result));
        }
        if is_before {
            self.baseline.get_or_insert_with(|| checked.clone());
        } else {
            self.attempts.push((self.applied.len(), self.attempt(checked)));
            self.take_known_baseline(&checked.command);
        }
        self.take_result(checked.clone());
    }

    fn take_result(&mut self, checked: Checked) {
        if checked.result != CheckResult::Flaky {
            self.results.push((self.applied.len(), checked.clone()));
        }
        (self.is_stale, self.is_touched) = (false, false);
        self.last = Some(checked);
    }

    /// What this command said at the end of an earlier run is the baseline, if the files were the same before this one.
    pub(super) fn take_known_baseline(&mut self, command: &str) {
        let known = self.known_result.before_run().filter(|known| known.command == command);
        if self.baseline.is_none() {
            self.baseline = known.cloned();
        }
    }

    /// One line on what was changed since the check ran before this, and what it says now.
    fn attempt(&self, checked: &Checked) -> String {
        let since = self.results.last().map_or(0, |(len, _)| *len);
        let mut paths: Vec<String> =
            self.applied.after(since).into_iter().map(|change| change.path).collect();
        paths.sort_unstable();
        paths.dedup();
        format!("changed {}: {}", paths.join(", "), checked.row())
    }

    /// The program has taken changes back: what the check said of the files as they are again counts.
    fn rewound(&mut self) {
        let len = self.applied.len();
        self.results.retain(|(at, _)| *at <= len);
        for (at, attempt) in &mut self.attempts {
            if *at > len && !attempt.ends_with(UNDONE) {
                attempt.push_str(UNDONE);
            }
        }
        let known = self.results.last().filter(|(at, _)| *at == len).map(|(_, checked)| checked.clone());
        (self.is_stale, self.is_touched) = (known.is_none(), known.is_none());
        self.last = known.or_else(|| self.last.take());
    }

    /// What the check said before the changes of the last call, with the number of changes then. None if it did not run right
    /// before them.
    pub(super) fn before_last_call(&self) -> Option<(usize, &Checked)> {
        let (len, checked) = self.results.iter().rev().find(|(len, _)| *len < self.applied.len())?;
        let since = self.applied.after(*len);
        let is_one_call =
            since.iter().all(|change| since.first().is_some_and(|first| first.item == change.item));
        is_one_call.then_some((*len, checked))
    }

    /// The number of changes in the best state of this run, if the files were better then than they are now.
    pub(super) fn better_state(&self) -> Option<usize> {
        let (_, last) = self.results.last()?;
        // Of several that are equally good the latest.
        let best = self.results.iter().max_by_key(|(_, checked)| checked.rank())?;
        last.is_improved_by(&best.1).then_some(best.0)
    }

    fn completed(&mut self, item: &Item) {
        let (Some(call), Some(result)) = (&item.call, &item.result) else { return };
        let changed = result.edits.iter().find(|edit| edit.state == ChangeState::Applied);
        if let Some(edit) = changed {
            self.first_changed.get_or_insert_with(|| edit.path.clone());
            self.has_command_since_change = false;
            (self.is_stale, self.is_baseline_settled, self.is_changed_since_sent) = (true, true, true);
            self.is_touched = true;
        }
        if item.kind != ItemKind::Command {
            return;
        }
        let command = call.arguments.get("command").and_then(Value::as_str).unwrap_or_default();
        let is_check = self.last.as_ref().is_some_and(|last| last.command == command);
        if may_have_run(result.outcome) && !only_looks(command) && !is_check {
            (self.is_command_run, self.has_unseen_commands, self.is_touched) = (true, true, true);
        }
        if result.outcome == Outcome::Interrupted {
            return;
        }
        self.has_command_since_change = true;
        let ran = self.last.as_ref().filter(|last| last.command == command);
        match (ran, result.exit_code.and_then(|code| i32::try_from(code).ok())) {
            // The model ran the check itself.
            (Some(last), Some(code)) => {
                let run = CheckRun {
                    command: command.to_owned(),
                    source: last.source,
                    end: failure::End::Exit(code),
                    output: result.text.clone(),
                    duration_ms: result.duration_ms,
                    state: None,
                    snippets: Vec::new(),
                };
                self.take_result(Checked::of(&run, CheckMoment::After));
            }
            _ if only_looks(command) => {}
            // What a command wrote before the first edit would count as the baseline's.
            _ if self.first_changed.is_none() => self.is_baseline_settled = true,
            // It may have changed files since the last check.
            _ => self.is_stale = true,
        }
    }

    /// Whether commands ran that may have changed files, and nobody has looked since.
    pub(super) fn has_unseen_commands(&self) -> bool {
        self.has_unseen_commands
    }

    /// Somebody has looked which files the turn has changed. None if that can't be known.
    pub(super) fn files_compared(&mut self, compared: Option<Compared>) {
        self.has_unseen_commands = false;
        let Some(Compared { paths, state }) = compared else { return };
        let is_as_checked = state.is_some() && self.last.as_ref().is_some_and(|last| last.state == state);
        if is_as_checked {
            self.is_stale = false;
        } else if let Some(first) = paths.first() {
            // Where no edit changed anything, the last change came with a command.
            self.has_command_since_change |= self.first_changed.is_none();
            self.first_changed.get_or_insert_with(|| first.clone());
            (self.is_stale, self.is_changed_since_sent) = (true, true);
        }
        self.compared = paths;
    }

    /// The files whose contents are the state that is checked: those that the turn's edits changed, and those that a look at
    /// the files found.
    pub(super) fn files(&self, edited: impl Iterator<Item = String>) -> Vec<String> {
        let mut files: Vec<String> = edited.chain(self.compared.iter().cloned()).collect();
        files.retain(|path| !is_leftover(path));
        files.sort_unstable();
        files.dedup();
        files
    }

    /// The command that the message names.
    pub(super) fn named(&self) -> Option<&str> {
        self.named.as_deref()
    }

    pub(super) fn unfinished(&self) -> &[String] {
        &self.unfinished
    }

    /// The last lines on what was tried.
    pub(super) fn last_attempts(&self) -> impl Iterator<Item = &str> {
        let from = self.attempts.len().saturating_sub(ATTEMPTS_SHOWN_MAX);
        self.attempts.iter().skip(from).map(|(_, attempt)| attempt.as_str())
    }

    pub(super) fn is_unfinished(&self, command: &str) -> bool {
        self.unfinished.iter().any(|unfinished| unfinished == command)
    }

    /// Whether the check of a run may still be run before its first edit.
    pub(super) fn awaits_baseline(&self) -> bool {
        !self.is_baseline_settled
    }

    pub(super) fn settle_baseline(&mut self) {
        self.is_baseline_settled = true;
    }

    /// Whether the check is quick enough to be run after every step that changes files.
    pub(super) fn is_quick(&self) -> bool {
        self.last.as_ref().is_some_and(|last| last.duration_ms <= CHECK_AFTER_MS_MAX)
    }

    /// Whether a result contradicts an earlier one for the same state of the files.
    pub(super) fn contradicts(&self, checked: &Checked) -> bool {
        let same = self.seen.iter().rev().find(|(state, _)| checked.state.as_ref() == Some(state));
        same.is_some_and(|(_, result)| *result != checked.result)
    }

    /// The last result, where it is red, concerns this turn and is of the files as they are.
    pub(super) fn standing_failure(&self) -> Option<&Checked> {
        let last = self.last.as_ref().filter(|last| last.is_red() && !self.is_stale)?;
        self.concerns_turn(last).then_some(last)
    }

    /// Whether a failure concerns this turn: the user names the check, speaks of a failure, or the turn caused it. It is the
    /// one rule for what leads to places, what the model reads, and what is sent back.
    pub(super) fn concerns_turn(&self, checked: &Checked) -> bool {
        let is_old = checked.moment == CheckMoment::Before
            || self.baseline.as_ref().is_some_and(|before| checked.is_no_worse_than(before));
        self.is_about_failure || !is_old
    }

    /// Whether no edit would turn it green: the tool itself is missing, and was before the turn as far as is known.
    fn is_blocked(&self, checked: &Checked) -> bool {
        let was_running = self.baseline.as_ref().is_some_and(|before| !before.is_blocked());
        checked.is_blocked() && !was_running
    }

    /// Whether the result is for the model to mend.
    pub(super) fn is_to_send_back(&self, checked: &Checked) -> bool {
        checked.is_red()
            && !self.is_blocked(checked)
            && self.concerns_turn(checked)
            && self.sent_back < CHECK_SENT_BACK_MAX
            && self.is_changed_since_sent
    }

    /// Whether the run ends as one that did not do its work.
    pub(super) fn is_failed(&self, checked: &Checked) -> bool {
        let was_green = self.baseline.as_ref().is_some_and(Checked::is_green);
        checked.is_red() && !self.is_blocked(checked) && (checked.source.is_users() || was_green)
    }

    /// Whether the model changed files and has run no command since, and was not asked yet to verify the change.
    pub(super) fn is_unverified(&self) -> bool {
        self.first_changed.is_some() && !self.has_command_since_change && !self.is_asked_to_verify
    }

    /// Whether the next red result is the last one that is sent back.
    pub(super) fn is_sent_back_before(&self) -> bool {
        self.sent_back > 0
    }

    /// Whether the check passed before the first change of the run.
    pub(super) fn began_green(&self) -> bool {
        self.baseline.as_ref().is_some_and(Checked::is_green)
    }

    /// Whether a check that failed at the start of the run passes now.
    pub(super) fn is_green_after_red(&self) -> bool {
        let began_red = self.baseline.as_ref().is_some_and(Checked::is_red);
        began_red && !self.is_stale && self.last.as_ref().is_some_and(Checked::is_green)
    }

    /// The command and who named it, once it has run.
    pub(super) fn known(&self) -> Option<(String, CheckSource)> {
        self.last.as_ref().map(|last| (last.command.clone(), last.source))
    }
}

/// Whether a command with this outcome has run, or a part of it.
fn may_have_run(outcome: Outcome) -> bool {
    !matches!(outcome, Outcome::PermissionDenied | Outcome::SchemaReject | Outcome::ToolNotFound)
}
