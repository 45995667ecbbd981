//! A command that runs: free, in a process group of its own, or held in the cell of its turn.

use std::io;

use rustix::process::Signal;
use tokio::net::unix::pipe::Receiver;

use super::group::{End, Group, Priority};
use crate::permission::AllowedCommand;
use crate::sandbox::{HeldCommand, Sandbox};

/// Dropping it kills what is left of it.
#[derive(Debug)]
pub(super) enum Running {
    Free(Group),
    Held(Box<HeldCommand>),
}

impl Running {
    /// Starts a command: in the sandbox where there is one and its profile is enforced there. Both of its outputs come through one
    /// pipe, in order.
    pub(super) async fn start(
        sandbox: Option<&Sandbox>,
        root: &std::path::Path,
        command: &AllowedCommand,
        priority: Priority,
    ) -> io::Result<(Running, Receiver)> {
        let held = match sandbox {
            Some(sandbox) => sandbox.start(command, priority).await?,
            None => None,
        };
        match held {
            Some(mut held) => {
                let output = held.output()?;
                Ok((Running::Held(Box::new(held)), output))
            }
            None => {
                let (group, output) = Group::spawn(root, command.line(), priority)?;
                Ok((Running::Free(group), output))
            }
        }
    }

    /// Waits for the shell.
    pub(super) async fn ended(&mut self) -> End {
        match self {
            Running::Free(group) => group.ended().await,
            Running::Held(held) => held.ended().await,
        }
    }

    pub(super) fn kill(&self) {
        match self {
            Running::Free(group) => group.signal(Signal::KILL),
            Running::Held(held) => held.kill(),
        }
    }

    /// Whether the shell, which has ended, left something behind.
    pub(super) fn left_running(&mut self) -> bool {
        match self {
            Running::Free(group) => group.is_alive(),
            Running::Held(held) => held.left_running(),
        }
    }

    /// What it was refused, as sentences, if it failed.
    pub(super) fn refusals(&self, end: Option<End>, output: &str) -> Vec<String> {
        match self {
            Running::Free(_) => Vec::new(),
            Running::Held(held) => held.refusals(end, output),
        }
    }

    /// The group, if it is one of our own. What is held ends with its cell.
    pub(super) fn free(&self) -> Option<&Group> {
        match self {
            Running::Free(group) => Some(group),
            Running::Held(_) => None,
        }
    }
}
