//! The programs bowline starts: git and `sh`.

use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use tokio::process::Command;

use super::finding::Finding;

/// Older ones lack what checkpoints are taken with.
const GIT_MIN: (u32, u32) = (2, 30);
/// A program that takes longer to say its version is as good as missing.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a program printed, with nobody to ask and nothing locked.
pub(super) async fn output(program: &str, arguments: &[&str], folder: &Path) -> std::io::Result<Output> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).kill_on_drop(true);
    command.env("LC_ALL", "C").env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0");
    match tokio::time::timeout(PATIENCE, command.output()).await {
        Ok(output) => output,
        Err(_) => Err(std::io::Error::new(std::io::ErrorKind::TimedOut, "it does not answer")),
    }
}

pub(super) async fn git() -> Finding {
    let next = "install git 2.30 or newer: checkpoints are taken with it";
    let output = match output("git", &["--version"], Path::new("/")).await {
        Ok(output) => output,
        Err(error) => return Finding::warning("git", format!("git cannot be started ({error})"), next),
    };
    let said = String::from_utf8_lossy(&output.stdout);
    match version(&said) {
        Some(found) if found >= GIT_MIN => Finding::ok("git", said.trim()),
        Some(_) => Finding::warning("git", format!("{} is too old", said.trim()), next),
        None => Finding::warning("git", format!("git reports no version: {}", said.trim()), next),
    }
}

/// The version in `git version 2.39.5 (Apple Git-154)`.
fn version(said: &str) -> Option<(u32, u32)> {
    let numbers = said.trim().strip_prefix("git version ")?;
    let mut parts = numbers.split(|c: char| !c.is_ascii_digit());
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

pub(super) async fn sh() -> Finding {
    let next = "put a POSIX shell on the PATH: commands are run with it";
    match output("sh", &["-c", "exit 7"], Path::new("/")).await {
        Ok(output) if output.status.code() == Some(7) => Finding::ok("sh", "commands can be run"),
        Ok(output) => Finding::problem("sh", format!("sh does not work ({})", output.status), next),
        Err(error) => Finding::problem("sh", format!("sh cannot be started ({error})"), next),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(version("git version 2.39.5\n"), Some((2, 39)));
        assert_eq!(version("git version 2.30.1 (Apple Git-130)"), Some((2, 30)));
        assert_eq!(version("git version 3.0.rc1"), Some((3, 0)));
        assert_eq!(version("hub version 1"), None);
    }
}
