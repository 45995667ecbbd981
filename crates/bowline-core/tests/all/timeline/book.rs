//! A session kept by hand: turns, restores, undos and redos as the log has them. The files are one number, and a checkpoint
//! holds that number. Every entry has the same time.

use bowline_core::checkpoint::{Checkpoint, Moment};
use bowline_core::entry::{
    Access, Body, Entry, Message, Queued, ReviewMode, Role, RunStarted, SentinelEntry, Status, Stop, TurnEnd,
    TurnStarted, Usage,
};
use bowline_core::ids::Ids;
use bowline_core::restore_entry::{RestoreKind, RestoreWhat, Restoring, RestoringState};
use bowline_core::sentinel::{Cap, Sentinel};
use bowline_core::timeline::{Target, Timeline};
use bowline_core::typed::Typed;
use bowline_core::view::View;

/// What a run does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Does {
    Writes,
    /// It takes a checkpoint and changes nothing.
    Idles,
    Reads,
    /// It writes, and its process dies.
    Dies,
}

#[derive(Default)]
pub(crate) struct Book {
    pub(crate) log: Vec<Entry>,
    pub(crate) files: u32,
    /// The newest state there was.
    states: u32,
    ids: Ids,
    checkpoints: u32,
    restores: u32,
    /// The turn entries belong to.
    turn: Option<String>,
}

impl Book {
    pub(crate) fn add(&mut self, body: &Body) {
        let body = Body::from_json(body.kind(), 1, body.to_json()).unwrap();
        self.ids.apply(&body);
        let seq = self.log.last().map_or(0, |entry| entry.seq) + 1;
        self.log.push(Entry { session: "s".to_owned(), seq, at_ms: 0, turn: self.turn.clone(), body });
    }

    fn message(&mut self, role: Role, status: Status) -> String {
        let id = self.ids.message(0);
        self.add(&Body::MessageStarted { message: Message::new(&id, role, status) });
        id
    }

    pub(crate) fn queue(&mut self, id: &str, text: &str) {
        let (id, text) = (id.to_owned(), text.to_owned());
        self.add(&Body::Queued(Queued {
            id,
            text,
            typed: Typed::nothing(),
            by: "web".to_owned(),
            withdrawn: false,
        }));
    }

    pub(crate) fn edit(&mut self) {
        self.states += 1;
        self.files = self.states;
    }

    pub(crate) fn turn(&mut self, text: &str, does: Does, queued: Option<&str>) {
        self.turn = Some(self.ids.turn());
        let message = self.ids.message(0);
        let queued = queued.map(str::to_owned);
        self.add(&Body::TurnStarted(TurnStarted {
            text: text.to_owned(),
            typed: Typed::nothing(),
            message,
            access: Access::Write,
            queued,
            check: None,
        }));
        self.message(Role::User, Status::Complete);
        self.run(1, does);
    }

    /// Another run of the last turn that is visible.
    pub(crate) fn go_on(&mut self, does: Does) {
        let view = View::of(&self.log);
        self.turn = view.turn;
        self.run(view.runs + 1, does);
    }

    fn run(&mut self, run: i64, does: Does) {
        let message = self.ids.message(0);
        let (access, edits) = (Access::Write, ReviewMode::Auto);
        self.add(&Body::RunStarted(RunStarted {
            run,
            message: message.clone(),
            access,
            edits,
            hint: None,
            check: None,
        }));
        self.message(Role::Assistant, Status::Streaming);
        if does != Does::Reads {
            self.checkpoint(Moment::Before);
        }
        if matches!(does, Does::Writes | Does::Dies) {
            self.edit();
        }
        if matches!(does, Does::Writes | Does::Idles) {
            self.checkpoint(Moment::After);
        }
        let is_done = does != Does::Dies;
        let status = if is_done { Status::Complete } else { Status::Failed };
        self.add(&Body::MessageCompleted { message: Message::new(message, Role::Assistant, status) });
        let stop = if is_done { Stop::Done } else { Stop::Failed };
        let end = end(stop);
        self.add(&if is_done { Body::TurnCompleted(end) } else { Body::TurnFailed(end) });
    }

    /// A guard says something to the user.
    pub(crate) fn sentinel(&mut self) {
        let sentinel = Sentinel::CapHit { limit: Cap::Steps, can_continue: true };
        let message = self.ids.message(0);
        self.add(&Body::Sentinel(SentinelEntry { message, sentinel }));
    }

    fn checkpoint(&mut self, moment: Moment) {
        self.checkpoints += 1;
        let view = View::of(&self.log);
        let is_answer = |message: &&bowline_core::view::MessageView| {
            message.turn == self.turn && message.message.role == Role::Assistant
        };
        let anchor = view.messages.iter().find(is_answer).unwrap();
        self.add(&Body::Checkpoint(Checkpoint {
            id: format!("k{}", self.checkpoints),
            moment,
            message: anchor.message.id.clone(),
            commit: Some(format!("c{}", self.files)),
            label: "label".to_owned(),
            changes: Vec::new(),
            not_captured: Vec::new(),
            not_captured_more: 0,
            error: None,
        }));
    }

    pub(crate) fn target(&self, id: &str) -> Option<Target> {
        Timeline::of(&self.log).target(id).ok()
    }

    pub(crate) fn undo(&mut self) -> bool {
        let target = Timeline::of(&self.log).undo();
        target.is_some_and(|target| self.restore(&target, RestoreKind::Undo, RestoreWhat::Both))
    }

    pub(crate) fn redo(&mut self) -> bool {
        let target = Timeline::of(&self.log).redo();
        target.is_ok_and(|target| self.restore(&target, RestoreKind::Redo, RestoreWhat::Both))
    }

    pub(crate) fn restore(&mut self, target: &Target, kind: RestoreKind, what: RestoreWhat) -> bool {
        self.turn = None;
        self.restores += 1;
        let mut restored = target.restored(&format!("r{}", self.restores), kind, what, "user");
        restored.undo_checkpoint = format!("u{}", self.restores);
        restored.undo_commit = Some(format!("c{}", self.files));
        if let Some(commit) = target.commit.as_ref().filter(|_| what.has_files()) {
            self.files = commit.trim_start_matches('c').parse().unwrap();
        }
        restored.after_commit = Some(format!("c{}", self.files));
        let state = RestoringState::Begun;
        self.add(&Body::Restoring(Box::new(Restoring { state, restored: restored.clone() })));
        assert_eq!(Timeline::of(&self.log).open(), Some(&restored));
        self.add(&Body::Restored(Box::new(restored)));
        assert_eq!(Timeline::of(&self.log).open(), None);
        true
    }
}

fn end(stop: Stop) -> TurnEnd {
    TurnEnd {
        stop,
        text: String::new(),
        changes: Vec::new(),
        waiting: 0,
        denied: Vec::new(),
        usage: Usage::default(),
        checkpoint: None,
        reason: None,
        hint: None,
        check: None,
        is_check_unknown: false,
    }
}
