//! Turns as the chat sees them: launched, under way, over.

use bowline_core::entry::{Body, Entry, Input, PermissionAsked, Stop, TurnEnd};
use bowline_core::servers::Runs;
use bowline_host::launch::Ask;

use super::super::questions::ROWS_MAX;
use super::super::written::Written;
use super::{App, Effect, Model, Phase};
use crate::exit::Exit;
use crate::render;
use crate::rows::Row;

/// The most rows above a question that show what it is about: nobody can approve what they can't see.
const QUESTION_ROWS_MAX: usize = 1000;

/// A turn that runs.
pub(crate) struct Launched {
    pub(crate) session: String,
    pub(crate) model: String,
    pub(crate) window: i64,
    pub(crate) runs: Runs,
    /// The folder the session works in, in words, where it is a worktree of its own.
    pub(crate) worktree: Option<String>,
    /// Files of the project that are part of the prompt.
    pub(crate) instructions: Vec<String>,
    /// What the user should know.
    pub(crate) notices: Vec<String>,
    /// Entries of the launch itself.
    pub(crate) before: Vec<Entry>,
}

impl App {
    pub(super) fn launch(&mut self, ask: Ask) {
        self.phase = Phase::Starting { is_stopping: false };
        self.do_it(Effect::Launch {
            ask,
            is_plan: self.is_plan,
            session: self.session.clone(),
            model: self.wanted_model.clone(),
        });
    }

    /// Folds the conversation between two turns: where the last one stands does not change by it.
    pub(super) fn fold(&mut self) {
        self.launch(Ask::Compact);
        self.is_folding = true;
    }

    pub(super) fn launched(&mut self, launched: Launched) {
        self.sent = None;
        if self.session.is_none() && !launched.instructions.is_empty() {
            self.tell(&format!("  reads {}", launched.instructions.join(", ")));
        }
        if let Some(words) = launched.worktree.filter(|_| self.session.is_none()) {
            self.tell(&format!("  {words}"));
        }
        // Not before: what can't be launched can still be continued.
        if !self.is_folding {
            self.paused = None;
        }
        self.session = Some(launched.session);
        let is_new = !matches!(&self.model, Model::Found { name, .. } if *name == launched.model);
        if is_new && launched.runs == Runs::Elsewhere {
            self.warn(&format!(
                "{} does not run on this machine: everything you send leaves it",
                launched.model
            ));
        }
        self.model = Model::Found { name: launched.model, window: launched.window };
        launched.notices.iter().for_each(|notice| self.warn(notice));
        launched.before.iter().for_each(|entry| self.transcript.entry(entry));
        for queued in std::mem::take(&mut self.unsaid) {
            self.do_it(Effect::Say { turn: None, body: Box::new(Body::Queued(queued)) });
        }
        let is_stopping = self.phase == Phase::Starting { is_stopping: true };
        self.phase = Phase::Running { is_stopping: false };
        if is_stopping {
            self.stop();
        }
    }

    /// The text comes back into the input.
    pub(super) fn not_launched(&mut self, words: &str, is_without_model: bool) {
        self.is_folding = false;
        self.phase = Phase::Idle;
        self.warn(words);
        if is_without_model {
            self.model = Model::None;
            if self.sent.is_some() {
                self.tell("your message will be sent when a model answers (Esc takes it back)");
            }
            return;
        }
        self.return_unsent_text();
    }

    /// What was sent and did not get anywhere is back in the input, before what was typed since.
    pub(super) fn return_unsent_text(&mut self) {
        self.transcript.expect_nothing();
        if let Some(mut message) = self.sent.take() {
            if !self.editor.is_empty() {
                message.append(&self.editor.written());
            }
            self.editor.put(&message);
        }
    }

    pub(super) fn entry(&mut self, entry: &Entry, now_ms: i64) {
        if let Some(turn) = &entry.turn {
            self.turn = Some(turn.clone());
        }
        self.follow_queue(entry);
        self.transcript.entry(entry);
        match &entry.body {
            Body::RunStarted(_) => self.since_ms = entry.at_ms,
            Body::PermissionAsked(asked) => {
                self.questions.ask(asked, now_ms);
                self.show_whole(asked);
            }
            Body::PermissionAnswered(answered) => self.questions.answered(&answered.item, now_ms),
            _ => {}
        }
    }

    /// The live region has room for a few rows, and what is said yes to is to be read whole.
    fn show_whole(&mut self, asked: &PermissionAsked) {
        let question = format!("? {}?", asked.what);
        let is_low = Row::plain(&question).wrap(self.transcript.columns(), 2).len() <= ROWS_MAX;
        // A question names a long command by its beginning.
        let hidden = self.transcript.command(&asked.item).filter(|command| !asked.what.contains(*command));
        if is_low && hidden.is_none() {
            return;
        }
        let lines: Vec<&str> = hidden.unwrap_or(&asked.what).lines().collect();
        let shown = lines.iter().take(QUESTION_ROWS_MAX);
        let mut rows: Vec<Row> = shown.map(|line| Row::plain(&format!("  {line}"))).collect();
        if lines.len() > QUESTION_ROWS_MAX {
            let more = lines.len() - QUESTION_ROWS_MAX;
            rows.push(Row::of(&format!("  … {more} more lines are not shown"), render::YELLOW));
        }
        self.transcript.notes(&rows);
    }

    pub(super) fn follow_queue(&mut self, entry: &Entry) {
        match &entry.body {
            Body::Queued(queued) if queued.withdrawn => self.queue.retain(|(id, _)| *id != queued.id),
            Body::Queued(queued) => match self.queue.iter_mut().find(|(id, _)| *id == queued.id) {
                Some((_, message)) => *message = Written::new(queued.text.clone(), queued.typed.clone()),
                None => {
                    let message = Written::new(queued.text.clone(), queued.typed.clone());
                    self.queue.push((queued.id.clone(), message));
                }
            },
            Body::TurnStarted(turn) => self.queue.retain(|(id, _)| Some(id) != turn.queued.as_ref()),
            _ => {}
        }
    }

    pub(super) fn ended(&mut self, end: &TurnEnd, now_ms: i64) {
        if std::mem::take(&mut self.is_folding) {
            self.phase = Phase::Idle;
            self.transcript.settle();
            if let Some(reason) = &end.reason {
                self.tell(reason);
            }
            return;
        }
        self.transcript.end(end, now_ms - self.since_ms);
        self.phase = Phase::Idle;
        self.questions.clear();
        self.paused = (end.stop != Stop::Done).then_some(end.stop);
        match end.stop {
            Stop::Done if !self.queue.is_empty() => self.launch(Ask::Next),
            Stop::Done => {}
            Stop::Cancelled if !self.queue.is_empty() => {
                self.tell("Enter sends the queued message; or say what to do instead");
            }
            Stop::Cancelled => self.tell("Enter continues; or say what to do instead"),
            Stop::Guard | Stop::Limit | Stop::Check | Stop::Failed => {
                if let Some(hint) = end.hint.as_deref().and_then(render::in_chat) {
                    self.tell(&hint);
                }
                self.tell("Enter continues; type a hint first if you have one");
            }
        }
    }

    pub(super) fn broke_off(&mut self, words: &str) {
        self.is_folding = false;
        self.transcript.settle();
        self.phase = Phase::Idle;
        self.questions.clear();
        self.paused = self.session.as_ref().map(|_| Stop::Failed);
        self.warn(&format!("the turn was interrupted: {words}"));
        self.return_unsent_text();
    }

    /// Asks the turn to stop; false where there is none.
    pub(super) fn stop(&mut self) -> bool {
        match self.phase {
            Phase::Idle => return false,
            Phase::Starting { .. } => self.phase = Phase::Starting { is_stopping: true },
            Phase::Running { is_stopping: true } => {}
            Phase::Running { .. } => {
                self.phase = Phase::Running { is_stopping: true };
                let body = Body::Input(Input::stop("terminal"));
                let turn = self.turn.clone();
                self.do_it(Effect::Say { turn, body: Box::new(body) });
            }
        }
        true
    }

    pub(crate) fn is_stopping(&self) -> bool {
        matches!(self.phase, Phase::Starting { is_stopping: true } | Phase::Running { is_stopping: true })
    }

    pub(super) fn signal(&mut self, exit: Exit) {
        match exit {
            Exit::Interrupted => self.interrupt(),
            exit => self.do_it(Effect::Leave(exit)),
        }
    }
}
