//! Runs the calls of a turn: file tools on threads, commands as processes, results cut to the window with the whole kept.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bowline_core::change_decision::{BY_PROGRAM, ChangeDecisions};
use bowline_core::check::{CheckEnd, CheckRequest};
use bowline_core::entry::Entry;
use bowline_core::item::ChangeState;
use bowline_core::mode::Mode;
use bowline_core::outcome::Outcome;
use bowline_core::place::{Change, Place, Query};
use bowline_core::policy::Rules;
use bowline_core::tool_output::{Grant, ToolDone, ToolOutput};
use bowline_core::tools::ToolCall;
use bowline_core::truncate::{Keep, truncate};
use bowline_core::turn::Event;
use bowline_core::window::result_chars_max;
use futures_util::FutureExt as _;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::Sender;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::changes::{self, Named, Selection};
use crate::check_run;
use crate::clock::Clock;
use crate::config::EditSettings;
use crate::permission::{Judge, Permit};
use crate::process::{Processes, run_command};
use crate::seen_files::SeenFiles;
use crate::store::Store;
use crate::survey;
use crate::tools::{self, CallContext};
use crate::workspace::Workspace;

/// File tools at work at once.
const THREADS_MAX: u32 = 8;
/// How long a file tool that was told to stop is waited for: it ends between two files, or once a write is whole.
const THREADS_END_MAX: Duration = Duration::from_secs(5);

/// The tools of one turn.
pub struct Toolbox {
    shared: Arc<Shared>,
    context: CallContext,
    running: JoinSet<()>,
    /// Set when the running calls are to stop.
    cancelled: Arc<AtomicBool>,
}

struct Shared {
    workspace: Workspace,
    judge: Judge,
    processes: Processes,
    /// A thread can't be aborted: each file tool holds a permit until it has really ended.
    threads: Arc<Semaphore>,
    store: Arc<Store>,
    session: String,
    chars_max: usize,
    clock: Clock,
}

impl Toolbox {
    pub fn new(
        workspace: Workspace,
        rules: Rules,
        processes: Processes,
        store: Arc<Store>,
        clock: Clock,
        session: &str,
        window: i64,
    ) -> Toolbox {
        let shared = Shared {
            judge: Judge::new(workspace.clone(), rules),
            workspace,
            processes,
            threads: Arc::new(Semaphore::new(THREADS_MAX as usize)),
            store,
            session: session.to_owned(),
            chars_max: result_chars_max(window),
            clock,
        };
        let context = CallContext { chars_max: shared.chars_max, ..CallContext::default() };
        let (running, cancelled) = (JoinSet::new(), Arc::default());
        Toolbox { shared: Arc::new(shared), context, running, cancelled }
    }

    /// This toolbox with these settings for edits, and with what the model has seen so far.
    pub fn judging(self, edit: EditSettings, seen: SeenFiles) -> Toolbox {
        let context = CallContext { edit, seen: Arc::new(seen), ..self.context };
        Toolbox { context, ..self }
    }

    /// Starts a call of a model that calls in this mode; its end comes as an event.
    pub fn run(&mut self, item: String, call: ToolCall, (grant, mode): (Grant, Mode), events: Sender<Event>) {
        let context = CallContext { mode, ..self.context.clone() };
        let (shared, cancelled) = (self.shared.clone(), self.cancelled.clone());
        self.running.spawn(async move {
            // A tool that panics is our mistake; the turn must not wait for it for ever.
            let run = AssertUnwindSafe(shared.run(&item, call, (grant, context), cancelled)).catch_unwind();
            let done = run.await.unwrap_or_else(|_| broke_off());
            let _ = events.send(Event::Tool { item, done }).await;
        });
    }

    /// Runs the project's check; what came of it comes as an event.
    pub fn check(&mut self, request: CheckRequest, events: Sender<Event>) {
        let shared = self.shared.clone();
        self.running.spawn(async move {
            let Shared { workspace, judge, processes, .. } = shared.as_ref();
            let check = check_run::run(&request, workspace, judge, processes);
            let end = AssertUnwindSafe(check).catch_unwind().await.unwrap_or(CheckEnd::Unknown);
            let _ = events.send(Event::Checked(end)).await;
        });
    }

    /// Takes changes of the session back, all of them or none; what was taken back comes as an event.
    pub fn rewind(&mut self, entries: Vec<Entry>, changes: Vec<String>, events: Sender<Event>) {
        let shared = self.shared.clone();
        // Held from the start, so that a stop waits for it, and not one of the tasks that a stop aborts: what it did to the files is
        // told in any case. Where no thread is free, the changes stay.
        let permit = self.shared.threads.clone().try_acquire_owned().ok();
        tokio::spawn(async move {
            let work = move || {
                let decided = permit.as_ref().and_then(|_| rewind(&shared.workspace, &entries, &changes));
                drop(permit);
                decided
            };
            let decided = tokio::task::spawn_blocking(work).await.ok().flatten();
            let _ = events.send(Event::Rewound(decided.map(Box::new))).await;
        });
    }

    /// Reads files as text; those that can be read come as an event.
    pub fn read_files(&self, paths: Vec<String>, events: Sender<Event>) {
        let shared = self.shared.clone();
        tokio::spawn(async move {
            let work = move || survey::read_files(&shared.workspace, &paths);
            let files = tokio::task::spawn_blocking(work).await.unwrap_or_default();
            let _ = events.send(Event::FilesRead(files)).await;
        });
    }

    /// Looks at the project for a step that changes places; what it finds comes as an event.
    pub fn survey(&self, query: Query, events: Sender<Event>) {
        let shared = self.shared.clone();
        tokio::spawn(async move {
            let work = move || survey::survey(&shared.workspace, &query);
            let found = tokio::task::spawn_blocking(work).await.unwrap_or_default();
            let _ = events.send(Event::Surveyed(Box::new(found))).await;
        });
    }

    /// Reads the text of a place.
    pub fn read_place(&self, place: Place, change: Change, events: Sender<Event>) {
        let shared = self.shared.clone();
        tokio::spawn(async move {
            let work = move || survey::read_place(&shared.workspace, &place, change);
            let text = tokio::task::spawn_blocking(work).await.ok().flatten();
            let _ = events.send(Event::PlaceRead(text.map(Box::new))).await;
        });
    }

    /// Stops what runs, and ends every process the turn left behind. No file is written after it.
    pub async fn end(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
        self.running.shutdown().await;
        self.shared.processes.end_all().await;
        let _ = timeout(THREADS_END_MAX, self.shared.threads.acquire_many(THREADS_MAX)).await;
        self.cancelled = Arc::default();
    }
}

impl Shared {
    async fn run(
        self: &Arc<Shared>,
        item: &str,
        call: ToolCall,
        (grant, context): (Grant, CallContext),
        cancelled: Arc<AtomicBool>,
    ) -> ToolDone {
        let keep = if matches!(call, ToolCall::RunCommand { .. }) { Keep::HeadAndTail } else { Keep::Head };
        let done = match self.permit(&call, grant).await {
            Permit::Not(done) => return done,
            Permit::Command(command) => {
                let ToolCall::RunCommand { timeout_s, .. } = call else { return broke_off() };
                let root = self.workspace.root();
                let mut output = run_command(&self.processes, root, &command, timeout_s).await;
                output.text.push_str(&tools::unseen(&self.workspace));
                ToolDone::Output(output)
            }
            Permit::Run(grant) => self.run_on_thread(call, (grant, context), cancelled).await,
        };
        match done {
            ToolDone::Output(output) => ToolDone::Output(self.cut(item, output, keep).await),
            question => question,
        }
    }

    /// On a thread: the rules look at files.
    async fn permit(self: &Arc<Shared>, call: &ToolCall, grant: Grant) -> Permit {
        let (shared, call) = (self.clone(), call.clone());
        let judged = tokio::task::spawn_blocking(move || shared.judge.judge(&call, grant)).await;
        judged.unwrap_or_else(|_| Permit::Not(broke_off()))
    }

    async fn run_on_thread(
        self: &Arc<Shared>,
        call: ToolCall,
        (grant, context): (Grant, CallContext),
        cancelled: Arc<AtomicBool>,
    ) -> ToolDone {
        let stored = self.stored(&call).await;
        let shared = self.clone();
        // Never closed, so always had.
        let permit = self.threads.clone().acquire_owned().await.ok();
        let work = move || {
            let done =
                tools::run(&shared.workspace, &call, grant, &context, &|_: &str| stored.clone(), &cancelled);
            drop(permit);
            done
        };
        match tokio::task::spawn_blocking(work).await {
            Ok(done) => done,
            Err(_) => broke_off(),
        }
    }

    /// The stored output a call wants to read.
    async fn stored(&self, call: &ToolCall) -> Option<String> {
        let ToolCall::ViewFile { path, .. } = call else { return None };
        let id = path.strip_prefix("output:")?;
        self.store.output(&self.session, id).await.ok().flatten()
    }

    async fn cut(&self, item: &str, mut output: ToolOutput, keep: Keep) -> ToolOutput {
        let Some(text) = truncate(&output.text, self.chars_max, keep, item) else { return output };
        // A result that can't be kept whole is still a result; the note's id then answers that it is not there.
        if self.store.put_output(&self.session, item, &output.text, self.clock.now_ms()).await.is_ok() {
            output.output = Some(item.to_owned());
        }
        output.text = text;
        output
    }
}

/// Takes the changes with these ids back. None if that is not possible exactly: then no file was touched.
pub fn rewind(workspace: &Workspace, entries: &[Entry], ids: &[String]) -> Option<ChangeDecisions> {
    let named = ids.iter().map(|id| Named { id: id.clone(), hunk: None }).collect();
    let wanted = Selection::Named(named);
    changes::decide(workspace, entries, ChangeState::Rewound, &wanted, BY_PROGRAM).ok().flatten()
}

fn broke_off() -> ToolDone {
    let text = "The tool broke off, and what it did is unknown. Try something else.";
    ToolDone::Output(ToolOutput::new(Outcome::ExecError, text))
}
