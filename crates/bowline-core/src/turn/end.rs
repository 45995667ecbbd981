//! How a turn hands back: done, stopped by a limit, cancelled, failed. Whatever is open ends here, published.

use super::purpose::Audience;
use super::{Effect, Machine, Phase};
use crate::entry::{Body, Message, Role, SentinelEntry, Status, StepPurpose, Stop, TurnEnd};
use crate::sentinel::{Cap, NoAnswer, Sentinel};

/// How the turn will have ended.
pub(super) struct Ending {
    stop: Stop,
    reason: Option<String>,
    hint: Option<String>,
}

impl Machine {
    /// The turn is over.
    pub(super) fn finish(&mut self, stop: Stop, reason: Option<String>, hint: Option<String>, now: i64) {
        self.close_open(stop, now);
        self.take_checkpoint_after(Ending { stop, reason, hint });
    }

    /// The message gets its status, the turn its end. Between turns there is neither.
    pub(super) fn hand_back(&mut self, ending: Ending) {
        let Ending { stop, reason, hint } = ending;
        let end = TurnEnd {
            stop,
            text: self.text.clone(),
            changes: self.changes.list(),
            check: self.check_account(),
            is_check_unknown: self.is_check_unknown(),
            waiting: self.waiting,
            denied: self.denied.clone(),
            usage: self.usage,
            checkpoint: self.checkpoints.checkpoint.clone(),
            reason,
            hint,
        };
        if !self.is_between {
            self.record_end(end.clone());
        }
        self.effects.push(Effect::EndTools);
        self.effects.push(Effect::HandBack(Box::new(end)));
        self.phase = Phase::Over;
    }

    fn record_end(&mut self, end: TurnEnd) {
        let stop = end.stop;
        let status = match stop {
            Stop::Done | Stop::Guard | Stop::Limit | Stop::Check => Status::Complete,
            Stop::Cancelled => Status::Cancelled,
            Stop::Failed => Status::Failed,
        };
        let message =
            self.checkpoints.with_checkpoint_id(Message::new(&self.message, Role::Assistant, status));
        self.record(Body::MessageCompleted { message });
        self.record(match stop {
            Stop::Done => Body::TurnCompleted(end),
            Stop::Guard | Stop::Limit | Stop::Check | Stop::Cancelled => Body::TurnPaused(end),
            Stop::Failed => Body::TurnFailed(end),
        });
    }

    /// At once, wherever the run is.
    pub(super) fn cut_short(&mut self, stop: Stop, reason: &str, now: i64) {
        let hint = (!self.is_between).then(|| "bowline run -c continues from here".to_owned());
        self.finish(stop, Some(reason.to_owned()), hint, now);
    }

    /// Ends what is in the air: the stream is closed and keeps what it said, running calls are interrupted.
    fn close_open(&mut self, stop: Stop, now: i64) {
        let status = if stop == Stop::Failed { Status::Failed } else { Status::Cancelled };
        self.complete_unfinished_answer(status);
        match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Asking(mut asking) => {
                if let Some(call) = asking.open_call() {
                    self.effects.push(Effect::CloseModel { call });
                }
                asking.assembly.close();
                if asking.is_for(Audience::User) {
                    self.complete_answer(&mut asking, status);
                }
            }
            Phase::Calls(calls) => {
                self.effects.push(Effect::EndTools);
                self.interrupt(*calls, now);
            }
            Phase::Checking(running) => {
                self.effects.push(Effect::EndTools);
                if let Some(calls) = running.into_calls() {
                    self.interrupt(*calls, now);
                }
            }
            // What is being taken back is waited for: after this no file is written. What came of it is told while the turn closes.
            Phase::Rewinding(_) => self.effects.push(Effect::EndTools),
            Phase::Idle
            | Phase::Comparing(_)
            | Phase::Looking(_)
            | Phase::ReadingFiles(_)
            | Phase::Closing(_)
            | Phase::Over => {}
        }
    }

    /// A budget is used up. Steps: one more call, words only, says what was done and what is left. Time: at once, since
    /// the user asked for an end by the clock.
    pub(super) fn cap(&mut self, limit: Cap, now: i64) {
        if let Phase::Asking(asking) = &self.phase
            && asking.purpose == StepPurpose::Summary
        {
            self.end_capped(Cap::Steps, now);
            return;
        }
        if self.is_between {
            let reason = "The time was used up before the conversation was compacted.";
            self.cut_short(Stop::Limit, reason, now);
            return;
        }
        if limit == Cap::Time {
            self.close_open(Stop::Limit, now);
        }
        self.record_sentinel(Sentinel::CapHit { limit, can_continue: true });
        match limit {
            Cap::Steps => {
                self.ask(StepPurpose::Summary, Some(super::open::SUMMARISE.trim().to_owned()), None, now);
            }
            Cap::Time => self.end_capped(limit, now),
        }
    }

    pub(super) fn end_out_of_steps(&mut self, now: i64) {
        self.end_capped(Cap::Steps, now);
    }

    fn end_capped(&mut self, limit: Cap, now: i64) {
        let reason = match limit {
            Cap::Steps if self.setup.steps_max == 1 => "The run used up its one step.".to_owned(),
            Cap::Steps => format!("The run used up its {} steps.", self.setup.steps_max),
            Cap::Time => {
                format!("The run used up its time of {} s.", self.setup.time_ms_max.unwrap_or(0) / 1000)
            }
        };
        let hint = "bowline run -c gives it a fresh budget";
        self.finish(Stop::Limit, Some(reason), Some(hint.to_owned()), now);
    }

    /// The model said nothing that could be used, and was asked often enough.
    pub(super) fn no_answer(&mut self, why: NoAnswer, now: i64) {
        self.record_sentinel(Sentinel::NoAnswer { reason: why, can_continue: true });
        let reason = match why {
            NoAnswer::Empty => "The model answered nothing, three times.",
            NoAnswer::Reasoning => "The model only thought and answered nothing, three times.",
            NoAnswer::TextLoop => "The model repeated itself, also when it was asked again.",
        };
        let hint = "bowline run -c \"…\" with a hint, or try another model";
        self.finish(Stop::Guard, Some(reason.to_owned()), Some(hint.to_owned()), now);
    }

    pub(super) fn record_sentinel(&mut self, sentinel: Sentinel) {
        let message = self.ids.message(0);
        self.record(Body::Sentinel(SentinelEntry { message, sentinel }));
    }
}
