//! What the log says about the checks of a run: the baseline, the last result, and what changed since. A fold; what follows
//! from it is decided in `checking.rs`.

use serde_json::Value;

use crate::check::{CheckMoment, CheckResult, CheckRun, CheckSource, Checked};
use crate::entry::{Body, SentBackFor};
use crate::failure;
use crate::item::{ChangeState, Item, ItemKind};
use crate::limits::{CHECK_AFTER_MS_MAX, CHECK_SENT_BACK_MAX};
use crate::outcome::Outcome;
use crate::task;

#[derive(Debug, Default)]
pub(super) struct Checks {
    /// Commands that did not end in time: they are not run again in this session.
    unfinished: Vec<String>,
    /// The check that the user's message names.
    named: Option<String>,
    /// Whether the user speaks of something that fails.
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
    sent_back: u32,
    /// Whether files were changed since a result was sent back.
    is_changed_since_sent: bool,
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
        match body {
            Body::TurnStarted(turn) => {
                let unfinished = std::mem::take(&mut self.unfinished);
                let named = turn.check.clone();
                let is_about_failure = named.is_some() || task::speaks_of_failure(&turn.text);
                *self = Checks { unfinished, named, is_about_failure, ..Checks::default() };
            }
            Body::RunStarted(run) => {
                let hint = run.hint.as_deref().unwrap_or_default();
                *self = Checks {
                    unfinished: std::mem::take(&mut self.unfinished),
                    named: self.named.take(),
                    is_about_failure: self.is_about_failure || task::speaks_of_failure(hint),
                    first_changed: self.first_changed.take(),
                    ..Checks::default()
                };
            }
            Body::StepStarted(step) if step.sent_back_for == Some(SentBackFor::Check) => {
                self.sent_back += 1;
                self.is_changed_since_sent = false;
            }
            Body::Checked(checked) => self.checked(checked),
            Body::ItemCompleted { item } => self.completed(item),
            _ => {}
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
            self.baseline = Some(checked.clone());
        }
        self.is_stale = false;
        self.last = Some(checked.clone());
    }

    fn completed(&mut self, item: &Item) {
        let (Some(call), Some(result)) = (&item.call, &item.result) else { return };
        let changed = result.edits.iter().find(|edit| edit.state == ChangeState::Applied);
        if let Some(edit) = changed {
            self.first_changed.get_or_insert_with(|| edit.path.clone());
            (self.is_stale, self.is_baseline_settled, self.is_changed_since_sent) = (true, true, true);
        }
        if item.kind != ItemKind::Command || result.outcome == Outcome::Interrupted {
            return;
        }
        let command = call.arguments.get("command").and_then(Value::as_str).unwrap_or_default();
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
                self.last = Some(Checked::of(&run, CheckMoment::After));
                self.is_stale = false;
            }
            // What a command wrote before the first edit would count as the baseline's.
            _ if self.first_changed.is_none() => self.is_baseline_settled = true,
            _ => {}
        }
    }

    /// The command that the message names.
    pub(super) fn named(&self) -> Option<&str> {
        self.named.as_deref()
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

    /// Whether a failure concerns this turn: the user speaks of one, or the turn caused it.
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
