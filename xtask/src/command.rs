//! Starting other programs from the root of the repository. Not a shell: every argument is passed as it stands.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder that holds the workspace's `Cargo.toml`.
pub(crate) fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    package.parent().map_or_else(|| package.clone(), Path::to_path_buf)
}

/// What `cargo run` tells a program about itself, by how the names begin.
const OWN_VARIABLES: [&str; 2] = ["CARGO_PKG_", "CARGO_MANIFEST_"];

/// The cargo that runs this program, to be started in the root of the repository.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    // Build scripts watch these (that of ring does): handed on, they would make each cargo started here rebuild what one
    // started by hand has built, and the other way round.
    for (name, _) in std::env::vars_os() {
        if OWN_VARIABLES.iter().any(|own| name.to_string_lossy().starts_with(own)) {
            command.env_remove(name);
        }
    }
    command
}

/// What a command prints on stdout; an error if it fails, with what it said on stderr passed through.
pub(crate) fn output_of(command: &mut Command) -> Result<String> {
    let name = line_of(command);
    let output =
        command.stderr(Stdio::inherit()).output().with_context(|| format!("`{name}` cannot be started"))?;
    if !output.status.success() {
        bail!("`{name}` failed with {}", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{name}` printed something that is not UTF-8"))
}

/// Runs a command whose output the user sees; an error if it fails.
pub(crate) fn pass(command: &mut Command) -> Result<()> {
    let name = line_of(command);
    let status = command.status().with_context(|| format!("`{name}` cannot be started"))?;
    if !status.success() {
        bail!("`{name}` failed with {status}");
    }
    Ok(())
}

/// A command as one would type it.
fn line_of(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let mut line = program.file_name().unwrap_or(command.get_program()).to_string_lossy().into_owned();
    for argument in command.get_args() {
        line.push(' ');
        line.push_str(&argument.to_string_lossy());
    }
    line
}

/// How a program is built.
#[derive(Clone, Copy)]
pub(crate) enum Profile {
    /// As `cargo run` does it.
    Dev,
    /// As users install it.
    Release,
}

/// Builds the `bowline` program and gives its path.
pub(crate) fn built_bowline(profile: Profile) -> Result<PathBuf> {
    built("bowline", "bowline", profile)
}

/// Builds a program of a package and gives its path; cargo shows its progress on stderr.
pub(crate) fn built(package: &str, program: &str, profile: Profile) -> Result<PathBuf> {
    let name = match profile {
        Profile::Dev => "dev",
        Profile::Release => "release",
    };
    let build = ["build", "--locked", "--package", package, "--bin", program, "--profile", name];
    let messages = output_of(cargo(&build).args(["--message-format", "json-render-diagnostics"]))?;
    let program = messages.lines().rev().find_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        Some(PathBuf::from(message.get("executable")?.as_str()?))
    });
    program.context("cargo named no program it built")
}

/// The first file of that name in a folder of `PATH`.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|candidate| candidate.is_file())
}
