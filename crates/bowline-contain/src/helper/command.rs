//! The third role: confines itself as the profile says, then becomes the command. Whatever cannot be applied is a failure
//! and nothing runs: a command never has less around it than the owner was told.

use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use nix::sched::{CloneFlags, unshare};
use nix::sys::signal::SigSet;
use rustix::process::{
    DumpableBehavior, Resource, Rlimit, getrlimit, set_dumpable_behavior, setrlimit, setsid,
};

use super::capabilities::{self, Keep};
use super::{file_rules, mounts, namespaces, socket_from_stdin, system_calls};
use crate::channel::{Message, receive, send};
use crate::failure::{During, Failure};
use crate::ground::{Facts, Ground, UserNamespace};
use crate::messages::{Request, Start};
use crate::plan::Plan;
use crate::profile::Profile;
use crate::wire::{Reader, Writer};

pub(super) fn run() -> ExitCode {
    let Ok(socket) = socket_from_stdin() else { return ExitCode::FAILURE };
    // Returns only if it failed.
    let failure = match confined(&socket) {
        Err(failure) => failure,
        Ok(never) => match never {},
    };
    let mut writer = Writer::default();
    failure.write(&mut writer);
    let _ = send(&socket, &writer.done(), &[]);
    ExitCode::FAILURE
}

enum Never {}

fn confined(socket: &OwnedFd) -> Result<Never, Failure> {
    let about = next(socket)?;
    let request = next(socket)?;
    let mut reader = Reader::new(&about.bytes);
    let read = "reading the request";
    let facts = Facts::read(&mut reader).map_err(std::io::Error::from).during(read)?;
    let plan = reader.bytes().and_then(Plan::read).map_err(std::io::Error::from).during(read)?;
    let Ok(Request::Start(start)) = Request::read(&request.bytes) else {
        return Err(Failure::new(read, nix::libc::EPROTO));
    };
    let mut descriptors = request.descriptors.into_iter();
    let mut stream = || descriptors.next().ok_or_else(|| Failure::new(read, nix::libc::EPROTO));
    let streams = [stream()?, stream()?, stream()?];
    let network = descriptors.next();

    setsid().during("opening a session")?;
    SigSet::empty().thread_set_mask().during("unblocking signals")?;
    match facts.ground {
        Ground::Open => enter(&start.folder)?,
        ground => {
            separate(ground, network.as_ref(), &plan, &start)?;
            restrict(ground, facts, &plan, &start)?;
        }
    }
    exec(&start, streams)
}

fn next(socket: &OwnedFd) -> Result<Message, Failure> {
    let message = receive(socket).during("reading the request")?;
    message.ok_or_else(|| Failure::new("reading the request", nix::libc::EPIPE))
}

/// What needs rights that are given up afterwards.
fn separate(ground: Ground, network: Option<&OwnedFd>, plan: &Plan, start: &Start) -> Result<(), Failure> {
    // A command that runs already must not get hold of this process before it is confined as well.
    set_dumpable_behavior(DumpableBehavior::NotDumpable).during("closing the process to others")?;
    let Ground::Namespaces { user, .. } = ground else { return capabilities::give_up(Keep::FilesOfOthers) };
    if start.profile == Profile::Read {
        unshare(CloneFlags::CLONE_NEWNS).during("copying the cell's mounts")?;
        mounts::make_all_read_only()?;
        if let Some(network) = network {
            namespaces::enter_network(network)?;
        }
    }
    if user == UserNamespace::Hosts {
        return capabilities::give_up(Keep::FilesOfOthers);
    }
    limit_processes(plan.processes_max)?;
    capabilities::give_up(Keep::Nothing)
}

fn restrict(ground: Ground, facts: Facts, plan: &Plan, start: &Start) -> Result<(), Failure> {
    enter(&start.folder)?;
    if facts.landlock_abi > 0 {
        file_rules::apply(ground, start.profile, plan)?;
    }
    system_calls::restrict(ground, start.profile)
}

/// The kernel counts per user namespace, so the user's other processes are not among them.
fn limit_processes(processes_max: u64) -> Result<(), Failure> {
    let held = getrlimit(Resource::Nproc);
    let maximum = held.maximum.map_or(processes_max, |maximum| maximum.min(processes_max));
    let limit = Rlimit { current: Some(maximum), maximum: Some(maximum) };
    setrlimit(Resource::Nproc, limit).during("limiting the number of processes")
}

/// After the mounts: the folder is the one that the cell shows.
fn enter(folder: &Path) -> Result<(), Failure> {
    std::env::set_current_dir(folder).during(format!("entering {}", folder.display()))
}

fn exec(start: &Start, streams: [OwnedFd; 3]) -> Result<Never, Failure> {
    let [input, output, errors] = streams.map(Stdio::from);
    let error = Command::new(&start.program)
        .args(&start.arguments)
        .env_clear()
        .envs(start.environment.iter().map(|(name, value)| (name, value)))
        .stdin(input)
        .stdout(output)
        .stderr(errors)
        .exec();
    Err(error).during(format!("starting {}", start.program.display()))
}
