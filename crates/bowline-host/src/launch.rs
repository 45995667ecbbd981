//! From what a user asks for to a turn that is ready to run: project, session, model, leases, machine.
//!
//! Nothing is stored before everything that can be refused has been: a run that can't start leaves no session behind.

mod ask;
mod brief;
mod calling;
mod session_choice;
mod stores;
mod work_tree;

use std::path::PathBuf;
use std::sync::Arc;

use bowline_core::check::CheckSource;
use bowline_core::entry::{Access, Body, Entry, ReviewMode};
use bowline_core::limits::{CHECK_MS_MAX, CHECK_SAMPLES, TITLE_CHARS_MAX};
use bowline_core::mode::Mode;
use bowline_core::policy::pattern::{BadRule, Rule};
use bowline_core::policy::{Lists, Rules, Verdict};
use bowline_core::review::{self, Review};
use bowline_core::thinking::Thinking;
use bowline_core::turn::{CheckPolicy, CheckRuns, Machine, Opening, Permission, Setup};
use bowline_core::view::View;
use bowline_core::wire::Dialect;
use tokio::sync::mpsc::{Receiver, channel};

use crate::clock::Clock;
use crate::config::{Permissions, SandboxMode};
use crate::engine::{Engine, EngineError, News};
use crate::home::Home;
use crate::model::{Client, NoClient};
use crate::process::Processes;
use crate::project::{NoProject, Project};
use crate::sandbox::{Helper, Sandbox, Surroundings};
use crate::seen_files::SeenFiles;
use crate::server_slots::ServerSlots;
use crate::servers::{Choice, NoModel, Search, choose};
use crate::session::{AttachError, Attached};
use crate::session_input::SessionInput;
use crate::snapshots::Snapshots;
use crate::store::{AppendError, OpenError, Session, Store, StoreError};
use crate::toolbox::Toolbox;
use crate::workspace::Workspace;
use crate::worktree::{Worktree, WorktreeError};

use brief::Brief;
use calling::CallingSettings;
use session_choice::{began_read_only, begin, find, fork, resume};
use stores::Stores;
use work_tree::SessionFolder;

pub use ask::Ask;
pub use session_choice::SessionChoice;

/// News a front end has not shown yet.
const NEWS_MAX: usize = 1024;

/// What the user asks for.
#[derive(Debug, Clone)]
pub struct Order {
    pub folder: PathBuf,
    pub which: SessionChoice,
    /// The session is left as it is, and a copy of it goes on.
    pub is_fork: bool,
    /// Nothing of the session is kept on a disk.
    pub is_ephemeral: bool,
    /// A session that begins now works in a worktree of its own; one that has one works in it anyway.
    pub is_worktree: bool,
    pub ask: Ask,
    /// For a new session, this holds permanently: a read-only one has fewer tools. For a later turn, it holds for that turn.
    pub access: Access,
    /// The turn only reads and ends with a plan. The session keeps all its tools, so that nothing has to be read anew when
    /// the plan is carried out.
    pub is_plan: bool,
    /// Whether its edits wait for the user. A session in which some do goes on so.
    pub edits: ReviewMode,
    pub permission: Permission,
    /// The rules of the flags.
    pub rules: Lists,
    pub steps_max: i64,
    pub time_ms_max: Option<i64>,
    /// What the user set; else what is remembered of the model.
    pub mode: Option<Mode>,
    pub thinking: Option<Thinking>,
    pub check: CheckFlag,
    /// The helper of the sandbox for commands that nobody approved; without one they run as any other.
    pub sandbox: Option<Helper>,
    pub search: Search,
}

/// What the flags say about the check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum CheckFlag {
    #[default]
    Unset,
    /// `--check`.
    Command(String),
    /// `--no-check`.
    Off,
}

impl Order {
    /// What this turn may do.
    pub fn turn_access(&self) -> Access {
        if self.is_plan || self.ask == Ask::Compact { Access::ReadOnly } else { self.access }
    }

    /// Whether and when this turn is checked: the flags, then the settings.
    fn check_policy(&self) -> CheckPolicy {
        let settings = &self.search.config.checks;
        let set = || settings.command().map(|command| (command.clone(), CheckSource::Settings));
        let runs = settings.runs.unwrap_or(CheckRuns::Auto);
        let (runs, command) = match &self.check {
            CheckFlag::Command(command) => {
                let runs = if runs == CheckRuns::Off { CheckRuns::Auto } else { runs };
                (runs, Some((command.clone(), CheckSource::Flag)))
            }
            CheckFlag::Off => (CheckRuns::Off, None),
            CheckFlag::Unset => (runs, set()),
        };
        let time_ms_max = settings.time_s.map_or(CHECK_MS_MAX, |seconds| seconds.saturating_mul(1000));
        let samples = settings.samples.and_then(|samples| usize::try_from(samples).ok());
        CheckPolicy { runs, command, time_ms_max, samples: samples.unwrap_or(CHECK_SAMPLES) }
    }

    /// What can be told from it alone.
    fn check(&self) -> Result<(), LaunchError> {
        if self.which == SessionChoice::New && !matches!(self.ask, Ask::Task { .. }) {
            let words = "a new session begins with a task: bowline run \"task\"";
            return Err(LaunchError::NoSession(words.to_owned()));
        }
        let none = Lists::default();
        Rules::new(&none, &none, &none, &self.rules)?;
        Ok(())
    }
}

/// Why no turn could be started.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    #[error(transparent)]
    Project(#[from] NoProject),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("{0}")]
    NoSession(String),
    #[error(transparent)]
    Model(#[from] NoModel),
    #[error(transparent)]
    Rule(#[from] BadRule),
    #[error(transparent)]
    Attach(#[from] AttachError),
    #[error("{0}{next}", next = .0.next())]
    Worktree(#[from] WorktreeError),
    #[error(transparent)]
    World(#[from] EngineError),
}

impl From<StoreError> for LaunchError {
    fn from(error: StoreError) -> LaunchError {
        LaunchError::World(error.into())
    }
}

impl From<AppendError> for LaunchError {
    fn from(error: AppendError) -> LaunchError {
        LaunchError::World(error.into())
    }
}

impl From<NoClient> for LaunchError {
    fn from(error: NoClient) -> LaunchError {
        LaunchError::Model(error.into())
    }
}

/// A turn that only has to be run.
pub struct Launch {
    pub engine: Engine,
    pub machine: Machine,
    pub opening: Opening,
    pub news: Receiver<News>,
    pub input: SessionInput,
    pub store: Arc<Store>,
    pub clock: Clock,
    pub session: String,
    pub choice: Choice,
    pub project: Project,
    /// The worktree it works in, if it has one.
    pub worktree: Option<Worktree>,
    /// Entries of this launch that are on the log already and no news of the engine.
    pub before: Vec<Entry>,
    /// The project's instruction files the session has in its prompt.
    pub instructions: Vec<String>,
    /// What the user should know before the turn.
    pub notices: Vec<String>,
}

impl Launch {
    /// Where it works: its worktree, else the project.
    pub fn work_tree(&self) -> PathBuf {
        self.worktree.as_ref().map_or_else(|| self.project.root.clone(), |worktree| (&worktree.path).into())
    }
}

pub async fn launch(order: Order, home: &Home) -> Result<Launch, LaunchError> {
    launch_in(order, home, None).await
}

/// Launches a turn of a session in memory, with the store that holds it over several turns.
pub async fn launch_in(
    mut order: Order,
    home: &Home,
    memory: Option<Arc<Store>>,
) -> Result<Launch, LaunchError> {
    order.check()?;
    let clock = Clock::start();
    let project = Project::find(&order.folder)?;
    let Stores { store, earlier } = Stores::open(&home.database, order.is_ephemeral, memory).await?;
    let known = find(&store, &project.root.to_string_lossy(), &order.which).await?;
    let mut place = SessionFolder::find(&earlier, &order, &project, known.as_ref()).await?;
    let root = place.root.clone();
    if let Some(session) = &known
        && began_read_only(&store, session).await?
    {
        order.access = Access::ReadOnly;
    }
    place.check_writing(&order, &project, &earlier, &clock).await?;
    let rules = rules(&earlier, &root, &order).await?;
    let mut choice = choose_for(&earlier, &root, known.as_ref(), &order.search).await?;
    let note = earlier.model_note(&choice.full_name, &choice.endpoint.base_url).await?;
    let calling = CallingSettings::of(&order, &mut choice, note.as_ref());
    let client = Client::new(choice.endpoint.clone())?;
    place.make(&store, home, clock.now_ms()).await?;
    let workspace = place.workspace(home)?;
    let mut notices = choice.notices.clone();
    notices.append(&mut place.notices);
    let snapshots = Snapshots::of(home, place.work_tree(), &order.search.config.checkpoints);
    let (attached, before) = match &known {
        Some(session) if order.is_fork => {
            fork(&store, &clock, session, &snapshots, &order, &choice, calling).await?
        }
        Some(session) => resume(&store, &clock, session, &snapshots, &order, &choice, calling).await?,
        None => {
            let mut brief = Brief::read(&workspace, &place.folder, choice.window);
            notices.append(&mut brief.notices);
            begin(&store, &clock, (&mut place, &snapshots), brief, &order, &choice, calling).await?
        }
    };
    let instructions = instructions(&attached.entries);
    let view = View::of(&attached.entries);
    let Some(opening) = order.ask.opening(&view) else {
        return Err(give_up_empty(&store, attached, order.is_fork).await?);
    };
    let workspace = tree_seen(workspace, &mut order, &attached.entries, &opening);
    let setup = setup(&order, &choice, calling);
    let machine = Machine::new(&attached.entries, setup);
    let session = attached.id.clone();
    let client =
        client.through(ServerSlots::new(&home.runtime, &choice.endpoint.base_url, choice.slots, &session));
    let processes = processes(&order, &workspace, home);
    let toolbox = Toolbox::new(workspace, rules, processes, store.clone(), clock, &session, choice.window)
        .judging(order.search.config.edit, SeenFiles::of(&attached.entries));
    let (sender, news) = channel(NEWS_MAX);
    let input = SessionInput::new(store.clone(), clock, &session);
    let engine =
        Engine::new(store.clone(), clock, attached, client, (toolbox, snapshots), sender, input.wake());
    Ok(Launch {
        engine,
        machine,
        opening,
        news,
        input,
        store,
        clock,
        session,
        choice,
        project,
        worktree: place.worktree,
        before,
        instructions,
        notices,
    })
}

/// The commands of the turn, with a sandbox for those that nobody approved unless it is turned off.
fn processes(order: &Order, workspace: &Workspace, home: &Home) -> Processes {
    let is_on = order.search.config.sandbox == SandboxMode::Auto;
    match order.sandbox.clone().filter(|_| is_on) {
        Some(helper) => Processes::sandboxed(Sandbox::new(helper, Surroundings::of(workspace.root(), home))),
        None => Processes::new(),
    }
}

/// What becomes of the turn's edits, and the work tree as its tools see it.
fn tree_seen(workspace: Workspace, order: &mut Order, entries: &[Entry], opening: &Opening) -> Workspace {
    order.edits = review::next_mode(entries, order.edits, opening);
    match order.edits {
        ReviewMode::Auto => workspace,
        ReviewMode::Review => workspace.reviewing(&Review::of(entries)),
    }
}

/// A session in which nothing was said has nothing to go on with; a copy of it made for this goes.
async fn give_up_empty(store: &Store, attached: Attached, is_fork: bool) -> Result<LaunchError, LaunchError> {
    attached.give_up(store).await?;
    if is_fork {
        store.delete_session(&attached.id).await?;
    }
    Ok(LaunchError::NoSession(format!(
        "nothing was said in session {} yet. Say what to do: bowline run -c \"task\"",
        attached.id
    )))
}

/// Which instruction files the session began with.
fn instructions(entries: &[Entry]) -> Vec<String> {
    let started = entries.iter().find_map(|entry| match &entry.body {
        Body::SessionStarted(started) => Some(started.instructions.clone()),
        _ => None,
    });
    started.unwrap_or_default()
}

/// What the files say, what the user allowed for this project before, then the flags. A rule nobody understands any more is left out: it would
/// only have allowed.
async fn rules(store: &Store, root: &str, order: &Order) -> Result<Rules, LaunchError> {
    let config = &order.search.config;
    let Permissions { allow, allow_sandboxed, ask, deny } = config.permissions.clone();
    let checks = [&config.checks.test, &config.checks.build, &config.checks.lint];
    // A check the user has set is one that may be run.
    let allow_sandboxed = allow_sandboxed.into_iter().chain(checks.into_iter().flatten().cloned()).collect();
    let set = Lists { allow, allow_sandboxed, ask, deny };
    let kept = store.allowed(root).await?.into_iter().map(|allowed| allowed.pattern);
    let is_rule = |pattern: &String| Rule::parse(Verdict::Allow, pattern).is_ok();
    let answers = Lists { allow: kept.filter(is_rule).collect(), ..Lists::default() };
    Ok(Rules::new(&set, &Lists::default(), &answers, &order.rules)?)
}

/// The session's own model first, then the project's last; what the user named beats both.
async fn choose_for(
    store: &Store,
    root: &str,
    known: Option<&Session>,
    search: &Search,
) -> Result<Choice, LaunchError> {
    let mut search = search.clone();
    match known {
        Some(session) => search.session = Some(session.model.clone()),
        None => search.last_used = store.last_model(root).await?,
    }
    Ok(choose(&search).await?)
}

fn setup(order: &Order, choice: &Choice, calling: CallingSettings) -> Setup {
    Setup {
        dialect: Dialect { thinking: calling.thinking, ..choice.dialect() },
        access: order.turn_access(),
        edits: order.edits,
        permission: order.permission,
        steps_max: order.steps_max,
        time_ms_max: order.time_ms_max,
        // What is not kept anywhere has nothing to go back to.
        takes_checkpoints: order.search.config.checkpoints.enabled && !order.is_ephemeral,
        tokens_per_s: None,
        calling: calling.calling,
        checks: order.check_policy(),
    }
}

/// A session's title: the first line of its first message, or of what the user wants it to be.
pub fn title(task: &str) -> String {
    let line = task.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    line.chars().filter(|c| !c.is_control()).take(TITLE_CHARS_MAX).collect()
}
