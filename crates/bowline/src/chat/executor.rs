//! Carries out the effects of the chat: launches turns, appends entries, looks up models, sessions and files, runs shell
//! lines.
//!
//! Everything that can take a while is a task that sends an event when it is done. Input to a session keeps its order.

use std::sync::{Arc, Mutex, PoisonError};

use bowline_core::entry::{Body, TurnEnd};
use bowline_core::servers::UseFor;
use bowline_core::turn::Permission;
use bowline_host::clock::Clock;
use bowline_host::launch::{Ask, Launch, LaunchError, Order, SessionChoice, launch_in};
use bowline_host::restore::{CheckpointUse, RestoreRequest};
use bowline_host::servers::{Search, list};
use bowline_host::session_input::SessionInput;
use bowline_host::store::{Found as FoundSession, Session, Store};
use bowline_host::sweep::sweep_every_minute;
use bowline_host::worktree::WorktreeError;
use tokio::sync::mpsc::{Sender, UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::{AbortHandle, JoinHandle};

use super::app::{Effect, Event, Found, Launched, Picked, UndoResult};
use super::lazy_store::LazyStore;
use super::work_tree::Tree;
use super::{complete, shell};
use crate::args::Work;
use crate::render;
use crate::restore;
use crate::restore::cleanup::begin_if_due;
use crate::run::refusal;
use crate::settings::Settings;
use crate::worktree;

/// How many sessions are listed.
const SESSIONS_MAX: i64 = 50;

/// Which sessions may be opened.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Any,
    InWorktree,
}

/// Where events for the chat are sent.
pub(crate) type Events = Sender<Event>;

pub(crate) struct Executor {
    settings: Arc<Settings>,
    work: Work,
    clock: Clock,
    events: Events,
    store: LazyStore,
    tree: Tree,
    /// Input to the session that was launched last.
    input: SharedInput,
    said: UnboundedSender<(String, Option<String>, Body)>,
    turn: Option<(AbortHandle, JoinHandle<()>)>,
    shell: Option<JoinHandle<()>>,
    /// Asks the user's command to end.
    end_shell: Option<oneshot::Sender<()>>,
    sweeping: Option<JoinHandle<()>>,
}

impl Executor {
    pub(crate) fn new(settings: Settings, work: Work, clock: Clock, events: Events, tree: Tree) -> Executor {
        let store = LazyStore::new(&settings.home, work.is_ephemeral);
        let input = Arc::new(Mutex::new(None));
        let settings = Arc::new(settings);
        // What a person types is bound by the person.
        let (said, heard) = unbounded_channel();
        let speaker = Speaker { store: store.clone(), input: input.clone(), clock, events: events.clone() };
        tokio::spawn(speaker.speak(heard));
        Executor {
            settings,
            work,
            clock,
            events,
            store,
            tree,
            input,
            said,
            turn: None,
            shell: None,
            end_shell: None,
            sweeping: None,
        }
    }

    pub(crate) fn carry_out(&mut self, effect: Effect, session: Option<&str>) {
        match effect {
            Effect::Launch { ask, is_plan, session, model } => self.launch(ask, is_plan, session, model),
            Effect::Say { turn, body } => {
                if let Some(session) = session {
                    let _ = self.said.send((session.to_owned(), turn, *body));
                }
            }
            Effect::FindModels { model } => self.find_models(model, session.is_some()),
            Effect::ListFiles => self.list_files(session),
            Effect::ListSessions => self.list_sessions(),
            Effect::Resume(id) => self.open(SessionChoice::Named(id), Wanted::Any),
            Effect::ContextUsage(session) => self.account(session),
            Effect::Diff { session, turn } => self.diff(session, turn),
            Effect::Undo { session, wanted } => self.undo_or_redo(session, wanted),
            Effect::Shell(line) => {
                let root = self.tree.of(session);
                let (sender, ending) = oneshot::channel();
                self.end_shell = Some(sender);
                self.shell = Some(tokio::spawn(shell::run(line, root, self.events.clone(), ending)));
            }
            Effect::EndShell => {
                if let Some(end) = self.end_shell.take() {
                    // It fails where the command has just ended by itself.
                    let _ = end.send(());
                }
            }
            // The terminal's own.
            Effect::Suspend | Effect::Redraw | Effect::Leave(_) => {}
        }
    }

    /// What was under way is given up; dropping the engine kills what it started.
    pub(crate) async fn end(&mut self) {
        if let Some((abort, watched)) = self.turn.take() {
            abort.abort();
            let _ = watched.await;
        }
        for task in [self.shell.take(), self.sweeping.take()].into_iter().flatten() {
            task.abort();
            let _ = task.await;
        }
    }

    fn search(&self, model: Option<String>) -> Search {
        let mut search = self.work.server.search(self.work.window);
        self.settings.fill(&mut search);
        search.model = model.or(search.model);
        search
    }

    fn launch(&mut self, ask: Ask, is_plan: bool, session: Option<String>, model: Option<String>) {
        let permission = if self.work.is_yes { Permission::Yes } else { Permission::Ask };
        let is_first = session.is_none();
        let which = session.map_or(SessionChoice::New, SessionChoice::Named);
        let mut order = Order { is_plan, ..self.work.order(which, ask, permission) };
        order.search = self.search(model);
        // Forked once, when the session was opened.
        order.is_fork &= is_first;
        // A session that was opened works where it worked.
        order.is_worktree &= is_first;
        let (home, events) = (self.settings.home.clone(), self.events.clone());
        let (input, store, tree) = (self.input.clone(), self.store.clone(), self.tree.clone());
        let is_kept = !self.work.is_ephemeral;
        self.sweep_every_minute();
        let turn = tokio::spawn({
            let events = events.clone();
            async move {
                match launch_in(order, &home, store.memory().await).await {
                    Ok(launched) => {
                        if let Some(worktree) = &launched.worktree {
                            tree.set(&launched.session, &worktree.path);
                        }
                        let root = launched.work_tree();
                        let ended = run(launched, &input, &events).await;
                        if is_kept {
                            begin_if_due(&home, &root);
                        }
                        Event::Ended(ended)
                    }
                    Err(error) => Event::NotLaunched {
                        words: refusal(&error).words,
                        is_without_model: matches!(error, LaunchError::Model(_)),
                    },
                }
            }
        });
        let abort = turn.abort_handle();
        // However it ends, the chat learns of it.
        let watched = tokio::spawn(async move {
            let event = match turn.await {
                Ok(event) => event,
                Err(ended) if ended.is_cancelled() => return,
                Err(broken) => Event::Ended(Err(broken.to_string())),
            };
            let _ = events.send(event).await;
        });
        self.turn = Some((abort, watched));
    }

    /// What processes that are gone left open is ended, for as long as the chat runs.
    fn sweep_every_minute(&mut self) {
        if self.sweeping.is_none() {
            let (store, clock) = (self.store.clone(), self.clock);
            self.sweeping = Some(tokio::spawn(async move {
                if let Ok(store) = store.open().await {
                    sweep_every_minute(store, clock).await;
                }
            }));
        }
    }

    fn find_models(&self, model: Option<String>, is_in_session: bool) {
        let mut search = self.search(model);
        let (store, events) = (self.store.clone(), self.events.clone());
        let root = self.settings.root();
        tokio::spawn(async move {
            if !is_in_session && let Ok(store) = store.open().await {
                search.last_used = store.last_model(&root).await.unwrap_or_default();
            }
            let found = match list(&search).await {
                Ok(listing) => {
                    let is_usable = |use_for: UseFor| use_for == UseFor::Chat;
                    let models = listing.models.iter().filter(|listed| is_usable(listed.model.use_for));
                    let picked = listing.picked.as_ref().map_err(ToString::to_string);
                    Found {
                        models: models.map(|listed| listed.full_name.clone()).collect(),
                        picked: picked.map(|choice| Picked {
                            name: choice.full_name.clone(),
                            window: choice.window,
                            about: render::model(choice),
                        }),
                    }
                }
                Err(none) => Found { models: Vec::new(), picked: Err(none.to_string()) },
            };
            let _ = events.send(Event::Found(Box::new(found))).await;
        });
    }

    fn list_files(&self, session: Option<&str>) {
        let (root, events) = (self.tree.of(session), self.events.clone());
        tokio::task::spawn_blocking(move || {
            let _ = events.blocking_send(Event::Files(complete::files(&root)));
        });
    }

    fn list_sessions(&self) {
        let root = self.settings.root();
        self.ask_store(move |store| async move {
            store
                .sessions_of(Some(&root), SESSIONS_MAX)
                .await
                .map(Event::Sessions)
                .map_err(|error| error.to_string())
        });
    }

    /// Opens the session that the chat was started with.
    pub(crate) fn resume(&self, which: SessionChoice) {
        self.open(which, if self.work.is_worktree { Wanted::InWorktree } else { Wanted::Any });
    }

    fn open(&self, which: SessionChoice, wanted: Wanted) {
        let (root, tree) = (self.settings.root(), self.tree.clone());
        self.ask_store(move |store| async move {
            let found = match &which {
                SessionChoice::New => return Err("no session was named".to_owned()),
                SessionChoice::Last => {
                    match store.last_session(&root).await.map_err(|error| error.to_string())? {
                        Some(session) => FoundSession::One(session),
                        None => {
                            return Err(
                                "there is no session in this folder yet: this is the first".to_owned()
                            );
                        }
                    }
                }
                SessionChoice::Named(prefix) => {
                    store.find_session(prefix).await.map_err(|error| error.to_string())?
                }
            };
            match found {
                FoundSession::One(session) if session.project_root == root || session.work_tree == root => {
                    let Session { id, project_root, work_tree, .. } = &session;
                    if wanted == Wanted::InWorktree && work_tree == project_root {
                        let (session, folder) = (id.clone(), project_root.clone());
                        return Err(WorktreeError::NotNew { session, folder }.to_string());
                    }
                    tree.set(id, work_tree);
                    let log = store.log(&session.id).await.map_err(|error| error.to_string())?;
                    Ok(Event::Resumed(Box::new(session), log))
                }
                FoundSession::One(session) => {
                    Err(format!("that session belongs to {}: resume it there", session.project_root))
                }
                FoundSession::Several(_) => {
                    Err("several sessions start with that: type more of the id".to_owned())
                }
                FoundSession::Nothing => Err("there is no such session: /sessions lists them".to_owned()),
            }
        });
    }

    fn account(&self, session: String) {
        self.ask_store(move |store| async move {
            let log = store.log(&session).await.map_err(|error| error.to_string())?;
            Ok(Event::Rows(super::context::rows(&log)))
        });
    }

    fn diff(&self, session: String, turn: String) {
        let settings = self.settings.clone();
        let columns = super::Terminal::size().0.saturating_sub(1);
        self.ask_store(move |store| async move {
            let rows = restore::diff_rows(&store, &settings, &session, &turn, columns).await?;
            Ok(Event::Rows(rows))
        });
    }

    fn undo_or_redo(&self, session: String, wanted: RestoreRequest) {
        let settings = self.settings.clone();
        let keeps = if self.work.is_ephemeral { CheckpointUse::Nothing } else { CheckpointUse::Files };
        self.ask_store(move |store| async move {
            let (rows, text) = restore::undo_or_redo(&store, &settings, &session, (&wanted, keeps)).await?;
            let entries = store.log(&session).await.map_err(|error| error.to_string())?;
            Ok(Event::UndoResult(Box::new(UndoResult { rows, entries, text })))
        });
    }

    /// Asks the store for something and sends what came of it.
    fn ask_store<Asked, Answered>(&self, ask: Asked)
    where
        Asked: FnOnce(Arc<Store>) -> Answered + Send + 'static,
        Answered: Future<Output = Result<Event, String>> + Send,
    {
        let (store, events) = (self.store.clone(), self.events.clone());
        tokio::spawn(async move {
            let event = match store.open().await {
                Ok(store) => ask(store).await.unwrap_or_else(Event::Failed),
                Err(words) => Event::Failed(words),
            };
            let _ = events.send(event).await;
        });
    }
}

/// Runs a turn that was launched, to its end; its news are events.
async fn run(launched: Launch, input: &SharedInput, events: &Events) -> Result<Box<TurnEnd>, String> {
    let about = Launched {
        session: launched.session.clone(),
        model: launched.choice.full_name,
        window: launched.choice.window,
        runs: launched.choice.runs,
        worktree: launched.worktree.as_ref().map(worktree::describe),
        instructions: launched.instructions,
        notices: launched.notices,
        before: launched.before,
    };
    let (engine, machine, opening, mut news) =
        (launched.engine, launched.machine, launched.opening, launched.news);
    *input.lock().unwrap_or_else(PoisonError::into_inner) = Some((launched.session, launched.input));
    let _ = events.send(Event::Launched(Box::new(about))).await;
    let forward = async {
        while let Some(news) = news.recv().await {
            let _ = events.send(Event::News(news)).await;
        }
    };
    // The engine is dropped with its end, and the channel of the news with it.
    let (end, ()) = tokio::join!(engine.run(machine, opening), forward);
    end.map(Box::new).map_err(|error| error.to_string())
}

/// Input to the session that was launched last, by its id. It wakes the engine in this process.
type SharedInput = Arc<Mutex<Option<(String, SessionInput)>>>;

/// Appends input to sessions, one after the other.
struct Speaker {
    store: LazyStore,
    input: SharedInput,
    clock: Clock,
    events: Events,
}

impl Speaker {
    async fn speak(self, mut heard: UnboundedReceiver<(String, Option<String>, Body)>) {
        while let Some((session, turn, body)) = heard.recv().await {
            let said = match self.input_of(&session).await {
                Ok(input) => input.say(turn.as_deref(), body).await.map_err(|error| error.to_string()),
                Err(words) => Err(words),
            };
            if let Err(words) = said {
                let _ = self.events.send(Event::Failed(format!("it could not be stored: {words}"))).await;
            }
        }
    }

    async fn input_of(&self, session: &str) -> Result<SessionInput, String> {
        let known = self.input.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match known.filter(|(id, _)| id == session) {
            Some((_, input)) => Ok(input),
            None => Ok(SessionInput::new(self.store.open().await?, self.clock, session)),
        }
    }
}
