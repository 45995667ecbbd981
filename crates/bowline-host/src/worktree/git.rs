//! Git, asked with nothing of our environment that would lead it elsewhere, no hooks, and nobody to ask.
//!
//! Filters run as they do for the user: a worktree has the files a checkout would have.

use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

use tokio::process::Command;

use super::WorktreeError;

/// A checkout may have to fetch large files.
const PATIENCE: Duration = Duration::from_secs(30 * 60);
/// What of git's variables is the user's taste, and points at no repository.
const KEPT: [&str; 8] = [
    "GIT_ASKPASS",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_EXEC_PATH",
    "GIT_LFS_SKIP_SMUDGE",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
];
/// In front of every command. A monitor of the files would outlive the worktree.
const ALWAYS: [&str; 4] = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"];

/// Git at work in one folder, or on one repository.
#[derive(Debug, Clone)]
pub(super) struct Git {
    folder: PathBuf,
    /// Where the folder is the repository itself.
    is_repository: bool,
}

impl Git {
    pub(super) fn in_folder(folder: &Path) -> Git {
        Git { folder: folder.to_owned(), is_repository: false }
    }

    /// The repository that all its worktrees share.
    pub(super) async fn shared(&self) -> Result<Git, WorktreeError> {
        let shared = self.line("find its repository", &["rev-parse", "--git-common-dir"]).await?;
        let folder = self.folder.join(shared);
        let folder = folder
            .canonicalize()
            .map_err(|error| WorktreeError::Git { what: "find its repository", why: error.to_string() })?;
        Ok(Git { folder, is_repository: true })
    }

    /// What it printed, if it did what it was told.
    pub(super) async fn text(&self, what: &'static str, args: &[&str]) -> Result<String, WorktreeError> {
        let output = self.output(what, args).await?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        Err(WorktreeError::Git { what, why: output_text(&output) })
    }

    /// The one line it printed.
    pub(super) async fn line(&self, what: &'static str, args: &[&str]) -> Result<String, WorktreeError> {
        let text = self.text(what, args).await?;
        Ok(text.strip_suffix('\n').unwrap_or(&text).to_owned())
    }

    /// The same, and none where it says that there is none (exit code 1, without a word).
    pub(super) async fn found(
        &self,
        what: &'static str,
        args: &[&str],
    ) -> Result<Option<String>, WorktreeError> {
        let output = self.output(what, args).await?;
        match output.status.code() {
            Some(0) => Ok(Some(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())),
            Some(1) if output.stderr.is_empty() => Ok(None),
            _ => Err(WorktreeError::Git { what, why: output_text(&output) }),
        }
    }

    pub(super) async fn count(&self, what: &'static str, args: &[&str]) -> Result<usize, WorktreeError> {
        let line = self.line(what, args).await?;
        let no_number = |_| WorktreeError::Git { what, why: format!("it answered {line:?}") };
        line.trim().parse().map_err(no_number)
    }

    /// The commit a branch is at, if there is such a branch.
    pub(super) async fn tip(&self, branch: &str) -> Result<Option<String>, WorktreeError> {
        let name = format!("refs/heads/{branch}^{{commit}}");
        self.found("look for a branch", &["rev-parse", "--verify", "--quiet", &name]).await
    }

    async fn output(&self, what: &'static str, args: &[&str]) -> Result<Output, WorktreeError> {
        let mut command = Command::new("git");
        if self.is_repository {
            command.arg("--git-dir").arg(&self.folder);
        }
        command.args(ALWAYS).args(args).current_dir(&self.folder).stdin(Stdio::null()).kill_on_drop(true);
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            if name.starts_with("GIT_") && !KEPT.contains(&name.as_str()) {
                command.env_remove(name);
            }
        }
        // Looking must not write: `git status` would refresh the user's index.
        command.env("LC_ALL", "C").env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0");
        match tokio::time::timeout(PATIENCE, command.output()).await {
            Ok(Ok(output)) => Ok(output),
            Ok(Err(error)) => Err(WorktreeError::Git { what, why: format!("it can't be started ({error})") }),
            Err(_) => {
                let why = format!("it did not end within {} s", PATIENCE.as_secs());
                Err(WorktreeError::Git { what, why })
            }
        }
    }
}

/// The reason it gave, in one line.
fn output_text(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
    let told = |prefix: &str| lines().find_map(|line| line.strip_prefix(prefix));
    match told("fatal: ").or_else(|| told("error: ")).or_else(|| lines().next_back()) {
        Some(reason) => reason.to_owned(),
        None => output.status.to_string(),
    }
}
