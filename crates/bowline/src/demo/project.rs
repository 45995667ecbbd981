//! The small project of the demonstration: its files in a temporary folder, and one commit.
//!
//! What the user has git do otherwise (sign, run hooks, copy templates) is not done here, neither now nor later in this
//! repository.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use bowline_script::scenario::ProjectFile;
use tempfile::TempDir;

use crate::exit::{Exit, Refusal};

/// What this repository has set for itself, whatever the user has.
const SETTINGS: [(&str, &str); 6] = [
    ("user.name", "bowline demo"),
    ("user.email", "demo@localhost"),
    ("commit.gpgSign", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.excludesFile", "/dev/null"),
    ("core.autocrlf", "false"),
];

/// Deleted with what is given back, unless it is kept.
pub(super) fn make(files: &[ProjectFile]) -> Result<TempDir, Refusal> {
    can_start("git", &["--version"], "the demo works in a repository")?;
    can_start("sh", &["-c", ":"], "the demo's test is a shell script")?;
    let temporary = std::env::temp_dir();
    let unmade = |error: std::io::Error| {
        let words = format!(
            "no project can be created in {} ({}): make it writable, or set TMPDIR to another folder",
            temporary.display(),
            // Without the name that was tried.
            error.kind()
        );
        Refusal::new(Exit::Failed, words)
    };
    let made = tempfile::Builder::new().prefix("bowline-demo-").tempdir().map_err(unmade)?;
    write(made.path(), files).map_err(unmade)?;
    git(made.path(), &["init", "--quiet", "--template="])?;
    for (key, value) in SETTINGS {
        git(made.path(), &["config", key, value])?;
    }
    git(made.path(), &["add", "--all"])?;
    git(made.path(), &["commit", "--quiet", "--message", "a duration with a failing test"])?;
    Ok(made)
}

fn write(folder: &Path, files: &[ProjectFile]) -> std::io::Result<()> {
    for file in files {
        let path = folder.join(&file.path);
        std::fs::create_dir_all(path.parent().unwrap_or(folder))?;
        std::fs::write(&path, &file.bytes)?;
        if let Some(mode) = file.mode {
            std::fs::set_permissions(&path, Permissions::from_mode(mode))?;
        }
    }
    Ok(())
}

fn can_start(program: &str, args: &[&str], reason: &str) -> Result<(), Refusal> {
    let started = Command::new(program).args(args).stdin(Stdio::null()).output();
    let why = match started {
        Ok(output) if output.status.success() => return Ok(()),
        Ok(output) => output.status.to_string(),
        Err(error) => error.to_string(),
    };
    Err(Refusal::new(
        Exit::Failed,
        format!("{program} cannot be started ({why}). Put it on your PATH: {reason}"),
    ))
}

/// git in that folder and no other, without what the user or the machine has set.
fn git(folder: &Path, args: &[&str]) -> Result<(), Refusal> {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    // Before git 2.32 the first of them is not known.
    command.env("HOME", folder).env_remove("XDG_CONFIG_HOME");
    let failed = |why: &str| {
        let words =
            format!("git {} failed ({why}): run git yourself in a new folder to see why", args.join(" "));
        Refusal::new(Exit::Failed, words)
    };
    let output = command.args(args).current_dir(folder).stdin(Stdio::null()).output();
    let output = output.map_err(|error| failed(&error.to_string()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(failed(said.lines().next().unwrap_or("it said nothing")))
}
