//! `cargo xtask try`: builds the program and starts it. Where a model of the user's can be used and somebody sits at a
//! terminal it is the chat, in the folder they are in; else the demonstration, which needs no model.

use std::io::IsTerminal as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};

use crate::command::{Profile, built_bowline};

pub(crate) fn run() -> Result<()> {
    let bowline = built_bowline(Profile::Dev)?;
    let is_attended = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let mut command = Command::new(&bowline);
    if is_attended && has_model(&bowline)? {
        println!("A model was found, so this is the chat. With a scripted one: {} demo\n", bowline.display());
    } else {
        command.arg("demo");
    }
    // In this process's place, so that signals and the exit code are its own.
    let error = command.exec();
    Err(error).with_context(|| format!("{} cannot be started", bowline.display()))
}

fn has_model(bowline: &Path) -> Result<bool> {
    let mut command = Command::new(bowline);
    command.args(["models", "--json"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status().with_context(|| format!("{} cannot be started", bowline.display()))?;
    Ok(status.success())
}
