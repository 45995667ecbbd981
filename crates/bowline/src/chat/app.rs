//! The chat's state and what changes it: keys, news of the turn, answers to what was asked of the world.
//!
//! `step(event, now) -> effects`, as the turn machine has it: nothing here touches the terminal, the store or a process, so
//! that a chat can be driven in a test. What always holds: a text somebody typed is on its way to a session, in the queue,
//! or back in the input; never lost.

mod model;
mod sessions;
mod shell;
mod submit;
#[cfg(test)]
mod tests;
mod turns;
mod typing;
mod undo;

use bowline_core::entry::{Body, Entry, Queued, Stop, TurnEnd};
use bowline_host::engine::News;
use bowline_host::launch::Ask;
use bowline_host::restore::RestoreRequest;
use bowline_host::store::Session;

use super::completion::Completion;
use super::editor::Editor;
use super::history::History;
use super::keys::Key;
use super::questions::Questions;
use super::transcript::Transcript;
use super::written::Written;
use crate::exit::Exit;
use crate::paint::tame;
use crate::rows::Row;

pub(crate) use model::{Found, Model, Picked};
pub(crate) use shell::Shell;
pub(crate) use turns::Launched;
pub(crate) use typing::Search;
pub(crate) use undo::UndoResult;

/// What happened.
pub(crate) enum Event {
    Key(Key),
    News(News),
    Launched(Box<Launched>),
    /// The turn could not be started: why, and whether for want of a model.
    NotLaunched {
        words: String,
        is_without_model: bool,
    },
    /// The turn handed back, or broke off.
    Ended(Result<Box<TurnEnd>, String>),
    Found(Box<Found>),
    Files(Vec<String>),
    Sessions(Vec<Session>),
    /// An earlier session is to go on.
    Resumed(Box<Session>, Vec<Entry>),
    /// What was asked for could not be done.
    Failed(String),
    /// A line that the user's command printed.
    Printed(String),
    ShellEnded {
        words: String,
    },
    /// A turn was taken back, or brought forward.
    UndoResult(Box<UndoResult>),
    /// Something for `/context` and `/diff`.
    Rows(Vec<Row>),
    /// A signal: the first stops, the second ends.
    Signal(Exit),
}

/// What is to be done.
#[derive(Debug)]
pub(crate) enum Effect {
    Launch {
        ask: Ask,
        is_plan: bool,
        session: Option<String>,
        model: Option<String>,
    },
    Say {
        turn: Option<String>,
        body: Box<Body>,
    },
    FindModels {
        model: Option<String>,
    },
    ListFiles,
    ListSessions,
    Resume(String),
    ContextUsage(String),
    Diff {
        session: String,
        /// As it was typed; the last that changed something where that is empty.
        turn: String,
    },
    Undo {
        session: String,
        wanted: RestoreRequest,
    },
    Shell(String),
    EndShell,
    Suspend,
    Redraw,
    /// The turn is given up without waiting for its end.
    Leave(Exit),
}

/// What the chat is at.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Idle,
    /// A turn is being started.
    Starting {
        is_stopping: bool,
    },
    Running {
        is_stopping: bool,
    },
}

pub(crate) struct App {
    pub(crate) transcript: Transcript,
    pub(super) editor: Editor,
    pub(super) history: History,
    pub(super) completion: Completion,
    pub(super) questions: Questions,
    pub(super) phase: Phase,
    /// When the run that is under way began.
    pub(super) since_ms: i64,
    pub(super) turn: Option<String>,
    pub(super) session: Option<String>,
    /// How the last turn ended, where it can be continued.
    pub(super) paused: Option<Stop>,
    /// Messages that wait for the turn to end.
    pub(super) queue: Vec<(String, Written)>,
    /// Those of them that have no session to be stored in yet.
    pub(super) unsaid: Vec<Queued>,
    pub(super) model: Model,
    /// The model the user named here.
    pub(super) wanted_model: Option<String>,
    pub(super) models: Vec<String>,
    pub(super) sessions: Vec<Session>,
    pub(super) is_plan: bool,
    /// What runs is no turn: the conversation is being folded.
    pub(super) is_folding: bool,
    pub(super) search: Option<Search>,
    /// A message that waits for a model, or for its turn to be launched.
    pub(super) sent: Option<Written>,
    /// An earlier session is being opened: what is said goes to it.
    pub(super) is_resuming: bool,
    pub(super) shell: Option<Shell>,
    /// What the user's commands printed, for the next message.
    pub(super) attached: Vec<String>,
    pub(super) typed_ms: i64,
    /// Ctrl-C was pressed where there is nothing to stop.
    pub(super) is_leaving: bool,
    pub(super) is_verbose: bool,
    /// Whether a path names a file or folder of the project.
    is_file: IsFile,
    effects: Vec<Effect>,
}

type IsFile = Box<dyn Fn(&str) -> bool + Send>;

impl App {
    pub(crate) fn new(columns: usize, is_verbose: bool, history: History, is_file: IsFile) -> App {
        App {
            transcript: Transcript::new(columns, is_verbose),
            editor: Editor::new(),
            history,
            completion: Completion::default(),
            questions: Questions::default(),
            phase: Phase::Idle,
            since_ms: 0,
            turn: None,
            session: None,
            paused: None,
            queue: Vec::new(),
            unsaid: Vec::new(),
            model: Model::Looking,
            wanted_model: None,
            models: Vec::new(),
            sessions: Vec::new(),
            is_plan: false,
            is_folding: false,
            search: None,
            sent: None,
            is_resuming: false,
            shell: None,
            attached: Vec::new(),
            typed_ms: 0,
            is_leaving: false,
            is_verbose,
            is_file,
            effects: Vec::new(),
        }
    }

    pub(crate) fn step(&mut self, event: Event, now_ms: i64) -> Vec<Effect> {
        match event {
            Event::Key(key) => self.key(key, now_ms),
            Event::News(News::Entry(entry)) => self.entry(&entry, now_ms),
            Event::News(News::Waiting(waiting)) => self.transcript.waiting(&waiting),
            Event::Launched(launched) => self.launched(*launched),
            Event::NotLaunched { words, is_without_model } => self.not_launched(&words, is_without_model),
            Event::Ended(Ok(end)) => self.ended(&end, now_ms),
            Event::Ended(Err(words)) => self.broke_off(&words),
            Event::Found(found) => self.found(*found),
            Event::Files(files) => self.completion.set_files(files, &self.editor),
            Event::Sessions(sessions) => self.listed(sessions, now_ms),
            Event::Resumed(session, entries) => self.resumed(&session, &entries),
            Event::UndoResult(taken) => self.turn_undone(*taken),
            Event::Failed(words) => self.failed(&words),
            Event::Printed(line) => self.printed(&line),
            Event::ShellEnded { words } => self.shell_ended(&words),
            Event::Rows(rows) => self.transcript.notes(&rows),
            Event::Signal(exit) => self.signal(exit),
        }
        std::mem::take(&mut self.effects)
    }

    pub(super) fn warn(&mut self, words: &str) {
        let rows: Vec<Row> = words.lines().map(|line| Row::of(line, crate::render::YELLOW)).collect();
        self.transcript.notes(&rows);
    }

    pub(super) fn tell(&mut self, words: &str) {
        let rows: Vec<Row> = words.lines().map(Row::dim).collect();
        self.transcript.notes(&rows);
    }

    /// What is asked, in one line.
    pub(crate) fn question(&self) -> Option<String> {
        self.questions.first().map(|asked| {
            let always = match asked.always() {
                patterns if patterns.is_empty() => patterns,
                patterns => format!("session or project (to allow {patterns}), "),
            };
            tame(&format!("{}? Answer yes, {always}no, or a reason", asked.what))
        })
    }

    /// The next key is an answer, if anything is asked.
    pub(crate) fn listen(&mut self) {
        self.typed_ms = i64::MIN / 2;
        self.questions.listen();
    }

    pub(crate) fn close_menu(&mut self) {
        self.completion.close();
    }

    pub(crate) fn is_running(&self) -> bool {
        self.phase != Phase::Idle
    }

    /// Whether times on the screen move.
    pub(crate) fn is_busy(&self) -> bool {
        self.is_running() || self.shell.is_some()
    }

    pub(crate) fn wanted_model(&self) -> Option<String> {
        self.wanted_model.clone()
    }

    pub(crate) fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    fn do_it(&mut self, effect: Effect) {
        self.effects.push(effect);
    }
}
