//! The cell of a turn on Linux: started with the first command that is held, shared by all of them.

use std::ffi::OsString;
use std::io;
use std::os::fd::AsFd as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Weak};
use std::time::Duration;

use bowline_contain::{
    Cell, CellError, CellSpec, Child, Command, Enforcement, Landlock, Layer, Layers, Profile as Held, Signal,
    Status, git_folders,
};
use bowline_core::policy::Profile;
use tokio::io::Interest;
use tokio::net::UnixStream;
use tokio::net::unix::pipe::Receiver;
use tokio::sync::Mutex;

use super::report::{HeldFor, LayerState, Report};
use super::{Helper, Surroundings};
use crate::permission::AllowedCommand;
use crate::process::{End, Priority, environment_of};

/// Entries of the project that are looked at for a `.git`.
const ENTRIES_MAX: usize = 100_000;
/// Where the temporary folder of a cell is.
const TEMPORARY: &str = "/tmp";
/// Variables that name a temporary folder.
const TEMPORARY_VARIABLES: [&str; 3] = ["TMPDIR", "TMP", "TEMP"];
/// Becomes the command, behind the user's own work and the model.
const LOW: &str = "renice -n 10 -p $$ >/dev/null 2>&1; exec sh -c \"$1\"";

/// Is the helper, if this process was started as one. It has to be called before anything else in `main`.
pub fn helper_main() -> Option<ExitCode> {
    bowline_contain::helper_main()
}

/// Starts a cell for these places, and looks which of its layers hold.
pub fn report(helper: &Helper, surroundings: &Surroundings) -> Result<Report, String> {
    let layers = Layers::detect(&helper.contain(), &spec(surroundings)).map_err(|error| error.to_string())?;
    let state = |layer: &Layer| match layer {
        Layer::Holds => LayerState::Holds,
        Layer::LeftOut => LayerState::Missing("it was left out".to_owned()),
        Layer::Missing(reason) => LayerState::Missing(reason.clone()),
    };
    let landlock = match layers.landlock {
        Landlock::Holds { .. } => LayerState::Holds,
        Landlock::Missing => LayerState::Missing("the kernel has none".to_owned()),
    };
    let held = |profile| match layers.enforcement(profile) {
        Enforcement::Whole => HeldFor::Everything,
        Enforcement::Contents => HeldFor::Contents,
        Enforcement::Nothing => HeldFor::Nothing,
    };
    Ok(Report {
        reading: held(Held::Read),
        building: held(Held::Build),
        layers: vec![
            ("namespaces for files and processes", state(&layers.namespaces)),
            ("a network of its own", state(&layers.network)),
            ("a /proc of its own", state(&layers.own_proc)),
            ("Landlock", landlock),
            ("a filter of system calls", state(&layers.system_calls)),
        ],
    })
}

impl Helper {
    fn contain(&self) -> bowline_contain::Helper {
        match self {
            Helper::ThisProgram => bowline_contain::Helper::this_program(),
            Helper::Program(path) => bowline_contain::Helper::new(path),
        }
    }
}

fn spec(surroundings: &Surroundings) -> CellSpec {
    let places = surroundings.places(&|name| std::env::var_os(name));
    let mut spec = CellSpec::new().protected_all(git_folders(&places.root, ENTRIES_MAX).paths);
    spec.writable.extend(places.writable);
    spec.hidden.extend(places.hidden);
    spec.visible.extend(places.visible);
    spec
}

#[derive(Debug)]
pub(super) struct CellOfTurn {
    helper: Helper,
    surroundings: Surroundings,
    started: Mutex<Option<Arc<Cell>>>,
}

impl CellOfTurn {
    pub(super) fn new(helper: Helper, surroundings: Surroundings) -> CellOfTurn {
        CellOfTurn { helper, surroundings, started: Mutex::new(None) }
    }

    pub(super) async fn start(
        &self,
        command: &AllowedCommand,
        priority: Priority,
    ) -> io::Result<Option<HeldCommand>> {
        let profile = match command.profile() {
            Profile::Read => Held::Read,
            Profile::Build => Held::Build,
            Profile::Open => return Ok(None),
        };
        let cell = self.cell().await?;
        if cell.layers().enforcement(profile) == Enforcement::Nothing {
            return Ok(None);
        }
        let folder = self.surroundings.root().to_owned();
        let shell = shell(command.line(), priority).folder(&folder);
        // Made whole on that thread: if nobody waits for it any more, it is dropped there, and ended.
        let starting = tokio::task::spawn_blocking(move || {
            let child = cell.spawn(profile, shell).map_err(io::Error::other)?;
            HeldCommand::new(child, &cell, profile, folder)
        });
        starting.await.map_err(io::Error::other)?.map(Some)
    }

    async fn cell(&self) -> io::Result<Arc<Cell>> {
        let mut started = self.started.lock().await;
        if let Some(cell) = started.as_ref() {
            return Ok(cell.clone());
        }
        let (helper, surroundings) = (self.helper.contain(), self.surroundings.clone());
        let starting = tokio::task::spawn_blocking(move || Cell::start(&helper, &spec(&surroundings)));
        let cell = starting.await.map_err(io::Error::other)?.map_err(|error| no_cell(&error))?;
        Ok(started.insert(Arc::new(cell)).clone())
    }

    pub(super) async fn end(&self, grace: Duration) {
        let Some(cell) = self.started.lock().await.take() else { return };
        let ending = tokio::task::spawn_blocking(move || match Arc::try_unwrap(cell) {
            Ok(cell) => cell.end(grace),
            // A command is just being started: the cell ends with the last of those that hold it.
            Err(shared) => drop(shared),
        });
        let _ = ending.await;
    }
}

fn no_cell(error: &CellError) -> io::Error {
    io::Error::other(format!("{error}. The user can turn the sandbox off with --no-sandbox"))
}

/// A shell for this line: with our environment but for secrets, and with the cell's temporary folder.
fn shell(line: &str, priority: Priority) -> Command {
    let is_other = |(name, _): &(OsString, OsString)| !TEMPORARY_VARIABLES.iter().any(|other| name == other);
    let variables = environment_of(priority).into_iter().filter(is_other);
    let shell = match priority {
        Priority::Normal => Command::new("sh").args(["-c", line]),
        Priority::Low => Command::new("sh").args(["-c", LOW, "sh", line]),
    };
    shell.envs(variables).env("TMPDIR", TEMPORARY)
}

/// A command that runs in the cell. Dropping it kills its process group.
#[derive(Debug)]
pub(crate) struct HeldCommand {
    child: Child,
    /// The child's own socket once more: only to wait for it, never to read from it.
    news: UnixStream,
    /// For the refusals. The cell does not wait for its commands.
    cell: Weak<Cell>,
    profile: Held,
    folder: PathBuf,
}

impl HeldCommand {
    fn new(child: Child, cell: &Arc<Cell>, profile: Held, folder: PathBuf) -> io::Result<HeldCommand> {
        let news = std::os::unix::net::UnixStream::from(child.as_fd().try_clone_to_owned()?);
        news.set_nonblocking(true)?;
        let news = UnixStream::from_std(news)?;
        Ok(HeldCommand { child, news, cell: Arc::downgrade(cell), profile, folder })
    }

    /// Both of its outputs, in order.
    pub(crate) fn output(&mut self) -> io::Result<Receiver> {
        let output = self.child.output();
        Receiver::from_owned_fd(output.ok_or_else(|| io::Error::other("the command has no output"))?)
    }

    /// Waits for the shell.
    pub(crate) async fn ended(&mut self) -> End {
        let child = &mut self.child;
        let ended = self.news.async_io(Interest::READABLE, || {
            child.try_wait().ok_or_else(|| io::ErrorKind::WouldBlock.into())
        });
        match ended.await.map(|ended| ended.status) {
            Ok(Status::Exited(code)) => End::Exit(code),
            Ok(Status::Killed(signal)) => End::Signal(signal),
            Ok(Status::CellEnded) | Err(_) => End::Signal(rustix::process::Signal::KILL.as_raw()),
        }
    }

    /// Whether the shell has ended and left something of its group behind.
    pub(crate) fn left_running(&mut self) -> bool {
        self.child.try_wait().is_some_and(|ended| ended.left_running)
    }

    pub(crate) fn kill(&self) {
        self.child.signal(Signal::Kill);
    }

    /// What it was refused, as sentences; `end` is none if its time was up.
    pub(crate) fn refusals(&self, end: Option<End>, output: &str) -> Vec<String> {
        let status = match end {
            Some(End::Exit(code)) => Status::Exited(code),
            Some(End::Signal(signal)) => Status::Killed(signal),
            None => Status::Killed(rustix::process::Signal::KILL.as_raw()),
        };
        let Some(cell) = self.cell.upgrade() else { return Vec::new() };
        let refusals = cell.refusals(self.profile, &self.folder, status, output);
        refusals.iter().map(ToString::to_string).collect()
    }
}

impl Drop for HeldCommand {
    fn drop(&mut self) {
        self.kill();
    }
}
