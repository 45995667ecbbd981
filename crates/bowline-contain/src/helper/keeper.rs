//! The first role: makes the namespaces, starts the init in them, and waits. It runs outside of the cell, where no command
//! can see or stop it.
//!
//! What always holds: when the owner's end of the socket closes, however it came to that, the init is killed, and with it
//! everything in the cell.

use std::os::fd::OwnedFd;
use std::process::ExitCode;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, kill_process, pidfd_open, set_child_subreaper, setsid, waitpid,
};
use rustix::thread::set_no_new_privs;

use super::{Role, again, descendants, namespaces, socket_from_stdin};
use crate::channel::{retry, send};
use crate::failure::{During, Failure};
use crate::ground::Ground;
use crate::messages::Opening;

pub(super) fn run(wanted: Ground) -> ExitCode {
    // What a terminal sends to the owner's group is not for the helper: it has to outlive the owner for a moment.
    let _ = setsid();
    close_inherited();
    let Ok(owner) = socket_from_stdin() else { return ExitCode::FAILURE };
    match start_init(wanted, &owner) {
        Ok((init, ground)) => {
            watch(init, &owner);
            if !ground.has_namespaces() {
                descendants::end_all();
            }
            ExitCode::SUCCESS
        }
        Err(failure) => {
            let _ = send(&owner, &Opening::Failed(failure).write(), &[]);
            ExitCode::FAILURE
        }
    }
}

/// Descriptors that somebody forgot to close would be open in every command.
fn close_inherited() {
    let Ok(entries) = std::fs::read_dir("/proc/self/fd") else { return };
    let numbers: Vec<i32> =
        entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    for number in numbers.into_iter().filter(|number| *number > 2) {
        // The folder's own is among them and closed already.
        let _ = nix::unistd::close(number);
    }
}

fn start_init(wanted: Ground, owner: &OwnedFd) -> Result<(Pid, Ground), Failure> {
    if wanted != Ground::Open {
        set_no_new_privs(true).during("giving up new privileges")?;
    }
    let ground = if wanted.has_namespaces() { namespaces::enter()? } else { wanted };
    if !ground.has_namespaces() {
        set_child_subreaper(Some(rustix::process::getpid())).during("becoming the reaper")?;
    }
    let socket = owner.try_clone().during("copying the owner's socket")?;
    let init = again(Role::Init, ground, socket).spawn().during("starting the cell's first process")?;
    let pid = i32::try_from(init.id()).ok().and_then(Pid::from_raw);
    Ok((pid.ok_or_else(|| Failure::new("starting the cell's first process", nix::libc::ESRCH))?, ground))
}

/// Returns when the init has ended, by itself or because the owner is gone.
fn watch(init: Pid, owner: &OwnedFd) {
    if let Ok(pidfd) = pidfd_open(init, PidfdFlags::empty()) {
        loop {
            let mut waited_for = [PollFd::new(owner, PollFlags::RDHUP), PollFd::new(&pidfd, PollFlags::IN)];
            let polled = retry(|| poll(&mut waited_for, None));
            let [owner, ended] = &waited_for;
            if polled.is_err() || !owner.revents().is_empty() || !ended.revents().is_empty() {
                break;
            }
        }
    }
    let _ = kill_process(init, Signal::KILL);
    let _ = retry(|| waitpid(Some(init), WaitOptions::empty()));
}
