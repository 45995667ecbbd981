//! The second role: the cell's first process. It prepares the mounts, then takes requests, starts commands, reaps whatever
//! ends, and says how each command ended. When it ends, the kernel ends everything in its namespace.

use std::os::fd::{AsFd, OwnedFd};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use nix::sys::signal::{SigSet, Signal as SignalNumber};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    DumpableBehavior, Signal, getpid, set_child_subreaper, set_dumpable_behavior,
    set_parent_process_death_signal,
};

use super::running::{RunningCommands, Source};
use super::{file_rules, mounts, socket_from_stdin, system_calls};
use crate::channel::{receive, send};
use crate::failure::{During, Failure};
use crate::ground::{Facts, Ground};
use crate::messages::{Opening, Request};
use crate::plan::Plan;
use crate::wire::Writer;

pub(super) fn run(ground: Ground) -> ExitCode {
    let Ok(owner) = socket_from_stdin() else { return ExitCode::FAILURE };
    let prepared = prepare(ground, &owner);
    let answer = match &prepared {
        Ok(Prepared { facts, .. }) => Opening::Ready(*facts),
        Err(failure) => Opening::Failed(failure.clone()),
    };
    if send(&owner, &answer.write(), &[]).is_err() {
        return ExitCode::FAILURE;
    }
    match prepared {
        Ok(prepared) => {
            serve(&owner, prepared);
            ExitCode::SUCCESS
        }
        Err(_) => ExitCode::FAILURE,
    }
}

struct Prepared {
    facts: Facts,
    /// What every command is told about the cell.
    about: Vec<u8>,
    signals: SignalFd,
}

fn prepare(ground: Ground, owner: &OwnedFd) -> Result<Prepared, Failure> {
    // The keeper outlives us, and it has one thread: this fires when it is killed.
    set_parent_process_death_signal(Some(Signal::KILL)).during("following the keeper")?;
    let message = receive(owner).during("reading the plan")?;
    let message = message.ok_or_else(|| Failure::new("reading the plan", nix::libc::EPIPE))?;
    let plan = Plan::read(&message.bytes).map_err(std::io::Error::from).during("reading the plan")?;
    let own_proc = match ground {
        Ground::Namespaces { user, .. } => mounts::prepare(&plan, user)?,
        Ground::Plain | Ground::Open => {
            set_child_subreaper(Some(getpid())).during("becoming the reaper")?;
            false
        }
    };
    let landlock_abi = if plan.without_landlock { 0 } else { file_rules::usable_abi(ground) };
    let facts = Facts { ground, own_proc, landlock_abi, seccomp: system_calls::processor().is_some() };

    let mut mask = SigSet::empty();
    mask.add(SignalNumber::SIGCHLD);
    mask.thread_block().during("blocking signals")?;
    let signals = SignalFd::with_flags(&mask, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK);
    let signals = signals.during("listening for signals")?;
    // No command can look into us, whoever it runs as.
    set_dumpable_behavior(DumpableBehavior::NotDumpable).during("closing the process to others")?;

    let mut writer = Writer::default();
    facts.write(&mut writer);
    writer.bytes(&message.bytes);
    Ok(Prepared { facts, about: writer.done(), signals })
}

/// Until the owner is gone, or asked for the end and everything has ended.
fn serve(owner: &OwnedFd, prepared: Prepared) {
    let Prepared { facts, about, signals } = prepared;
    let mut running = RunningCommands::new(facts.ground, about);
    let mut deadline: Option<Instant> = None;
    loop {
        if deadline.is_some_and(|deadline| deadline <= Instant::now() || running.nobody_is_left()) {
            return;
        }
        let ready = wait_for(owner, &signals, &running, deadline);
        for source in ready {
            match source {
                Ready::Owner => match receive(owner) {
                    Ok(Some(message)) => match Request::read(&message.bytes) {
                        Ok(Request::Start(start)) => running.start(start.profile, &message),
                        Ok(Request::End { grace_ms }) => {
                            running.ask_all_to_end();
                            deadline = Some(Instant::now() + Duration::from_millis(grace_ms));
                        }
                        Err(_) => return,
                    },
                    Ok(None) | Err(_) => return,
                },
                Ready::Signals => {
                    while let Ok(Some(_)) = signals.read_signal() {}
                    running.reap();
                }
                Ready::Command(source) => running.hear(source),
            }
        }
    }
}

enum Ready {
    Owner,
    Signals,
    Command(Source),
}

/// Commands before the owner's next request: a source is a place in the list, which only `forget` in a later round moves.
fn wait_for(
    owner: &OwnedFd,
    signals: &SignalFd,
    running: &RunningCommands,
    deadline: Option<Instant>,
) -> Vec<Ready> {
    let mut polled =
        vec![PollFd::new(owner, PollFlags::IN), PollFd::from_borrowed_fd(signals.as_fd(), PollFlags::IN)];
    let sources = running.sources();
    polled.extend(sources.iter().map(|(_, socket)| PollFd::from_borrowed_fd(*socket, PollFlags::IN)));
    let timeout = deadline.and_then(|deadline| {
        let left = deadline.saturating_duration_since(Instant::now());
        Timespec::try_from(left).ok()
    });
    if poll(&mut polled, timeout.as_ref()).is_err() {
        return Vec::new();
    }
    let is_ready = |index: usize| polled.get(index).is_some_and(|fd| !fd.revents().is_empty());
    let mut ready: Vec<Ready> = Vec::new();
    for (index, (source, _)) in sources.iter().enumerate() {
        if is_ready(index + 2) {
            ready.push(Ready::Command(*source));
        }
    }
    if is_ready(1) {
        ready.push(Ready::Signals);
    }
    if is_ready(0) {
        ready.push(Ready::Owner);
    }
    ready
}
