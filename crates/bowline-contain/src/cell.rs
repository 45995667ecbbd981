//! The cell: a helper with namespaces of its own, started once, and the commands that run in it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::child::{Child, Status};
use crate::command::{Command, CommandError};
use crate::failure::Failure;
use crate::ground::Ground;
use crate::keeper::{Helper, Keeper, Opened};
use crate::layers::{Enforcement, Layers};
use crate::plan::Plan;
use crate::profile::Profile;
use crate::refusal::{self, Refusal, View, listens_outside};
use crate::spec::CellSpec;

/// Why there is no cell.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CellError {
    /// A path of the specification cannot be looked up.
    #[error("{} cannot be looked up: {source}; correct it, or leave it out", path.display())]
    Path {
        /// As it was given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// This cannot be made writable.
    #[error("{} cannot be made writable in a sandbox; name a folder that is not of the system", path.display())]
    NotWritable {
        /// The path, without symbolic links.
        path: PathBuf,
    },
    /// A writable folder is in a hidden one.
    #[error("{} is to be hidden, but {} in it is to be writable; take one of them out", hidden.display(), writable.display())]
    HiddenAndWritable {
        /// What was to be hidden.
        hidden: PathBuf,
        /// What was to be writable.
        writable: PathBuf,
    },
    /// The helper could not be started, or it is no helper.
    #[error("the sandbox's helper {} cannot be started: {source}; see that it can be executed", program.display())]
    Helper {
        /// The program.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Not even a helper without any layer could set itself up.
    #[error("the sandbox's helper failed while {0}; run without a sandbox, and please report this")]
    Failed(Failure),
}

/// A place for commands that belong together. Dropping it ends all of them.
///
/// A cell can be used from several threads. Its helper does not follow the thread that started it, only the process.
///
/// ```no_run
/// use bowline_contain::{Cell, CellSpec, Command, Helper, Profile, Status};
///
/// let spec = CellSpec::new().writable("/home/ada/project").hidden("/home/ada/.ssh");
/// let cell = Cell::start(&Helper::this_program(), &spec)?;
/// let command = Command::new("make").args(["test"]).folder("/home/ada/project").env("PATH", "/usr/bin:/bin");
/// let mut child = cell.spawn(Profile::Build, command)?;
/// let ended = child.wait();
/// assert_eq!(ended.status, Status::Exited(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Cell {
    helper: Helper,
    /// None if no layer at all can be had: then only `open` commands run.
    confined: Option<Keeper>,
    layers: Layers,
    plan: Plan,
    /// For commands that are not confined; started with the first of them.
    open: Mutex<Option<Keeper>>,
}

impl Cell {
    /// Starts the helper and waits until it has set itself up: a few milliseconds. Layers that the system refuses are left
    /// out, and [`Cell::layers`] says which.
    pub fn start(helper: &Helper, spec: &CellSpec) -> Result<Cell, CellError> {
        let plan = Plan::of(spec)?;
        let mut refused = None;
        if !spec.without.namespaces {
            let wanted = Ground::from_word("namespaces").unwrap_or(Ground::Plain);
            match Keeper::start(helper, wanted, &plan)? {
                Opened::Ready(keeper, facts) => {
                    return Ok(Cell::with(helper, Some(keeper), Layers::of(facts, None), plan));
                }
                Opened::Failed(failure) => refused = Some(failure),
            }
        }
        match Keeper::start(helper, Ground::Plain, &plan)? {
            Opened::Ready(keeper, facts) => {
                Ok(Cell::with(helper, Some(keeper), Layers::of(facts, refused), plan))
            }
            Opened::Failed(failure) => Err(CellError::Failed(failure)),
        }
    }

    fn with(helper: &Helper, confined: Option<Keeper>, layers: Layers, plan: Plan) -> Cell {
        Cell { helper: helper.clone(), confined, layers, plan, open: Mutex::new(None) }
    }

    /// Which layers hold in this cell.
    pub fn layers(&self) -> &Layers {
        &self.layers
    }

    /// Starts a command, and returns once it runs or could not be started. It blocks for a few milliseconds.
    ///
    /// A command whose profile this cell cannot enforce is refused.
    pub fn spawn(&self, profile: Profile, command: Command) -> Result<Child, CommandError> {
        if profile == Profile::Open {
            return self.spawn_open(command);
        }
        match &self.confined {
            Some(keeper) if self.layers.enforcement(profile) != Enforcement::Nothing => {
                command.start(profile, keeper)
            }
            _ => Err(CommandError::NotEnforced { profile }),
        }
    }

    fn spawn_open(&self, command: Command) -> Result<Child, CommandError> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.is_none() {
            let started = Keeper::start(&self.helper, Ground::Open, &Plan::default());
            match started.map_err(|error| CommandError::Streams(io::Error::other(error)))? {
                Opened::Ready(keeper, _) => *open = Some(keeper),
                Opened::Failed(failure) => return Err(CommandError::NotStarted(failure)),
            }
        }
        match open.as_ref() {
            Some(keeper) => command.start(Profile::Open, keeper),
            None => Err(CommandError::CellEnded),
        }
    }

    /// Asks all that runs in the cell to end (`SIGTERM`), and kills what is left after the time.
    pub fn end(self, grace: Duration) {
        let grace_ms = u64::try_from(grace.as_millis()).unwrap_or(u64::MAX);
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).take();
        for keeper in self.confined.iter().chain(&open) {
            keeper.end(grace_ms);
        }
    }

    /// The number of the helper's outermost process, for measuring.
    pub fn helper_id(&self) -> Option<u32> {
        self.confined.as_ref().map(Keeper::id)
    }

    /// What a command of this cell was refused, read from what it printed: for a failed command, so that its result can say
    /// so. Nothing for one that ended well.
    ///
    /// Root without a user namespace finds hidden files empty instead of closed, and is told nothing about them.
    pub fn refusals(&self, profile: Profile, folder: &Path, status: Status, output: &str) -> Vec<Refusal> {
        let view = View { plan: &self.plan, profile, folder, listens: &listens_outside };
        refusal::read(&view, status, output)
    }
}
