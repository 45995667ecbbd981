//! Runs commands in a kernel sandbox on Linux.
//!
//! A [`Cell`] is a place for commands that belong together: they share a loopback network and temporary folders, what they
//! leave in the background lives as long as the cell, and all of it ends with the cell or with the process that owns it.
//! Each command has a [`Profile`]. What enforces it (namespaces, Landlock, seccomp) is found out by doing it, and
//! [`Layers`] says which of them hold.
//!
//! It decides no policy: which command gets which profile, which files are secret and which folders are caches is the
//! caller's to say. It needs no other program, no root and no setting of the system.
//!
//! What always holds: a command never runs with less around it than [`Cell::layers`] says. What cannot be applied is an
//! error, and the command does not run.
#![cfg(target_os = "linux")]

mod cell;
mod channel;
mod child;
mod command;
mod failure;
mod git_folders;
mod ground;
mod helper;
mod keeper;
mod layers;
mod messages;
mod plan;
mod profile;
mod refusal;
mod spec;
mod wire;

pub use cell::{Cell, CellError};
pub use child::{Child, Ended, Signal, Status};
pub use command::{Command, CommandError, Errors, Input, Output};
pub use failure::Failure;
pub use git_folders::{GitFolders, git_folders};
pub use helper::{HELPER_ARGUMENT, helper_main};
pub use keeper::Helper;
pub use layers::{Enforcement, Landlock, Layer, Layers};
pub use profile::Profile;
pub use refusal::Refusal;
pub use spec::{CellSpec, Without};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
