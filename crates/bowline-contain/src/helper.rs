//! The helper's side: one program in three roles, each started by the one before.
//!
//! The **keeper** makes the namespaces and ends everything when the owner is gone. The **init** is pid 1 of the cell: it
//! prepares the mounts, starts commands and reaps. Each **command** role confines itself and becomes the command. All of
//! them have one thread, print nothing and trust nothing that a command can write.

mod capabilities;
mod command;
mod descendants;
mod file_rules;
mod init;
mod keeper;
mod loopback;
mod mounts;
mod namespaces;
mod probe;
mod running;
mod system_calls;

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Command, ExitCode, Stdio};

use crate::ground::Ground;

/// The first argument of a program that is started as the helper.
///
/// A program of your own needs no second binary: it looks for this before anything else, by calling [`helper_main`].
pub const HELPER_ARGUMENT: &str = "sandbox-helper";

/// This program, whatever has become of its file.
pub(crate) const OWN_PROGRAM: &str = "/proc/self/exe";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Keeper,
    Init,
    Command,
    Probe,
}

const ROLES: [(&str, Role); 4] =
    [("keeper", Role::Keeper), ("init", Role::Init), ("command", Role::Command), ("probe", Role::Probe)];

impl Role {
    pub(crate) fn word(self) -> &'static str {
        ROLES.iter().find(|(_, role)| *role == self).map_or("keeper", |(word, _)| word)
    }
}

/// Is the helper, if this process was started as one; otherwise returns at once with nothing.
///
/// Call it first thing in `main`, before threads, a runtime or the command line: each command of a cell starts this
/// program once.
///
/// ```
/// use std::process::ExitCode;
///
/// fn main() -> ExitCode {
///     if let Some(code) = bowline_contain::helper_main() {
///         return code;
///     }
///     // What the program does otherwise.
///     ExitCode::SUCCESS
/// }
/// ```
#[must_use]
pub fn helper_main() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != HELPER_ARGUMENT {
        return None;
    }
    let role = arguments.next().unwrap_or_default();
    let ground = arguments.next().and_then(|word| Ground::from_word(word.to_str()?));
    let (_, role) = ROLES.iter().find(|(word, _)| role.to_str() == Some(word))?;
    Some(match (role, ground) {
        (Role::Keeper, Some(ground)) => keeper::run(ground),
        (Role::Init, Some(ground)) => init::run(ground),
        (Role::Command, _) => command::run(),
        (Role::Probe, _) => probe::run(),
        _ => ExitCode::FAILURE,
    })
}

/// The socket that came as the standard input.
fn socket_from_stdin() -> io::Result<OwnedFd> {
    io::stdin().as_fd().try_clone_to_owned()
}

/// This program again, in another role, with that socket as its standard input.
fn again(role: Role, ground: Ground, socket: OwnedFd) -> Command {
    let mut command = Command::new(OWN_PROGRAM);
    command
        .args([HELPER_ARGUMENT, role.word(), ground.word()])
        .env_clear()
        .stdin(Stdio::from(socket))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}
