//! The folder of one run: a git repository with the task's files and one commit, a home of its own for bowline, and the
//! environment that programs are started with. Nothing of the user's settings for bowline, git or cargo reaches a run.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::task::File;

/// What programs are told of this machine: where things are, and in which language they speak. Everything else stays here,
/// `BOWLINE_*`, `GIT_*` and `CARGO_TARGET_DIR` above all.
const PASSED_ON: [&str; 17] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "XDG_RUNTIME_DIR",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "PYENV_ROOT",
    "NVM_DIR",
    "SSL_CERT_FILE",
];
/// The one setting of bowline's own that is passed on: a server may ask for a key. bowline keeps it from commands.
pub(crate) const KEY: &str = "BOWLINE_API_KEY";
/// Who makes the project's one commit.
const AUTHOR: [(&str, &str); 2] = [("user.name", "A User"), ("user.email", "user@example.org")];
const EXECUTABLE: u32 = 0o755;

/// The project, bowline's home and what was printed, below one folder.
pub(crate) struct Ground {
    folder: PathBuf,
}

impl Ground {
    /// Makes the project of a task below an empty folder.
    pub(crate) fn make(folder: &Path, files: &[File]) -> Result<Self> {
        let ground = Self { folder: folder.to_owned() };
        let project = ground.project();
        std::fs::create_dir_all(&project)?;
        std::fs::create_dir_all(ground.home())?;
        write(&project, files)?;
        git(&project, &["init", "--quiet", "--initial-branch=main", "--template="])?;
        for (key, value) in AUTHOR {
            git(&project, &["config", key, value])?;
        }
        git(&project, &["add", "--all"])?;
        git(&project, &["commit", "--quiet", "--message", "The project so far"])?;
        Ok(ground)
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.folder.join("project")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.join("home")
    }

    /// The copy of the project that the hidden files are added to.
    pub(crate) fn judged(&self) -> PathBuf {
        self.folder.join("judged")
    }

    /// Where something that was printed is kept.
    pub(crate) fn printed(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// Writes files below a folder. One that begins with `#!` can be executed.
pub(crate) fn write(folder: &Path, files: &[File]) -> Result<()> {
    for file in files {
        let path = folder.join(&file.path);
        let parent = path.parent().context("a file has no folder")?;
        std::fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
        std::fs::write(&path, &file.text).with_context(|| path.display().to_string())?;
        if file.text.starts_with("#!") {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(EXECUTABLE))?;
        }
    }
    Ok(())
}

/// A program with nothing but [`PASSED_ON`] of this process's environment, and no input.
pub(crate) fn program(name: impl AsRef<std::ffi::OsStr>, folder: &Path) -> Command {
    let mut command = Command::new(name);
    command.env_clear().current_dir(folder).stdin(Stdio::null());
    for name in PASSED_ON {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command
}

/// What git prints in that folder, without the user's or the machine's settings.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> Result<String> {
    let mut command = program("git", folder);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").args(arguments);
    let output = command.output().context("git cannot be started")?;
    if !output.status.success() {
        bail!("git {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_is_a_repository_with_one_commit() {
        let folder = tempfile::tempdir().unwrap();
        let files = [("src/a.py", "x = 1\n"), ("run.sh", "#!/bin/sh\n")];
        let files = files.map(|(path, text)| File { path: path.to_owned(), text: text.to_owned() });
        let ground = Ground::make(folder.path(), &files).unwrap();
        let project = ground.project();
        assert_eq!(git(&project, &["status", "--porcelain"]).unwrap(), "");
        assert_eq!(git(&project, &["rev-list", "--count", "HEAD"]).unwrap().trim(), "1");
        assert_eq!(git(&project, &["log", "--format=%an"]).unwrap().trim(), "A User");
        let mode = |path: &str| project.join(path).metadata().unwrap().permissions().mode() & 0o111;
        assert_eq!((mode("src/a.py"), mode("run.sh")), (0, 0o111));
    }

    #[test]
    fn the_environment_holds_nothing_of_ours() {
        let command = program("env", Path::new("/"));
        let names: Vec<&str> = command.get_envs().filter_map(|(name, _)| name.to_str()).collect();
        assert!(names.contains(&"PATH"), "{names:?}");
        let ours = |name: &&str| {
            ["BOWLINE_", "GIT_", "CARGO_MANIFEST", "CARGO_TARGET"].iter().any(|own| name.starts_with(own))
        };
        assert_eq!(names.into_iter().find(ours), None);
    }
}
