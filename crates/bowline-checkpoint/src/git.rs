//! Running git: with nothing of the caller's environment or configuration, and not longer than there is time.

use std::ffi::{OsStr, OsString};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::failure::Failure;

/// Of an error's words, in bytes.
const WORDS_MAX: u64 = 16 * 1024;

/// When the work has to be done.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline {
    at: Instant,
    budget: Duration,
}

impl Deadline {
    pub(crate) fn after(budget: Duration) -> Deadline {
        Deadline { at: Instant::now() + budget, budget }
    }

    pub(crate) fn check(&self) -> Result<(), Failure> {
        if Instant::now() < self.at { Ok(()) } else { Err(self.passed()) }
    }

    pub(crate) fn passed(&self) -> Failure {
        Failure::TooLong { seconds: self.budget.as_secs() }
    }

    pub(crate) fn remaining(&self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }
}

/// One run of git.
pub(crate) struct Git {
    command: Command,
    stdin: Vec<u8>,
    what: String,
    deadline: Deadline,
}

/// What came of it.
pub(crate) struct Output {
    pub(crate) is_success: bool,
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Output {
    /// The first line.
    pub(crate) fn line(&self) -> String {
        let text = String::from_utf8_lossy(&self.stdout);
        text.lines().next().unwrap_or_default().trim().to_owned()
    }
}

impl Git {
    /// A command on the git directory `dir` with the work tree `root`.
    pub(crate) fn new(dir: &Path, root: &Path, deadline: Deadline) -> Git {
        Git::begin(Command::new("git"), dir, root, deadline)
    }

    /// The same; what it makes nobody else can read until it is given its permissions.
    pub(crate) fn private(dir: &Path, root: &Path, deadline: Deadline) -> Git {
        let mut shell = Command::new("sh");
        shell.args(["-c", "umask 077; exec git \"$@\"", "git"]);
        Git::begin(shell, dir, root, deadline)
    }

    fn begin(mut command: Command, dir: &Path, root: &Path, deadline: Deadline) -> Git {
        for (name, _) in std::env::vars_os() {
            if name.as_encoded_bytes().starts_with(b"GIT_") {
                command.env_remove(name);
            }
        }
        command
            .current_dir(root)
            .env("GIT_DIR", dir)
            .env("GIT_WORK_TREE", root)
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_LITERAL_PATHSPECS", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_NO_REPLACE_OBJECTS", "1")
            .env("LC_ALL", "C")
            .args(["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Git { command, stdin: Vec::new(), what: String::new(), deadline }
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Git {
        self.command.env(name, value);
        self
    }

    /// In another folder than the root.
    pub(crate) fn within(mut self, folder: &Path) -> Git {
        self.command.current_dir(folder);
        self
    }

    pub(crate) fn unset(mut self, name: &str) -> Git {
        self.command.env_remove(name);
        self
    }

    /// A setting for this run alone.
    pub(crate) fn set(mut self, setting: impl Into<OsString>) -> Git {
        self.command.arg("-c").arg(setting.into());
        self
    }

    pub(crate) fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Git {
        for arg in args {
            if self.what.is_empty() {
                self.what = format!("git {}", arg.as_ref().to_string_lossy());
            }
            self.command.arg(arg);
        }
        self
    }

    pub(crate) fn stdin(mut self, stdin: Vec<u8>) -> Git {
        self.command.stdin(Stdio::piped());
        self.stdin = stdin;
        self
    }

    /// With a file open until it ends, whatever becomes of this process.
    pub(crate) fn holding(mut self, file: std::fs::File) -> Git {
        self.command.stdin(Stdio::from(file));
        self
    }

    /// Runs it; that it failed is an error.
    pub(crate) fn run(self) -> Result<Output, Failure> {
        let what = self.what.clone();
        let output = self.output()?;
        if output.is_success { Ok(output) } else { Err(failed(&what, &output)) }
    }

    /// Runs it; that it failed is an answer.
    pub(crate) fn output(mut self) -> Result<Output, Failure> {
        self.deadline.check()?;
        let mut child = self.command.spawn().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Failure::NoGit("it is not on the PATH".to_owned()),
            _ => Failure::NoGit(error.to_string()),
        })?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let child = Arc::new(Mutex::new(child));
        let (done, is_done) = channel::<()>();
        let (watched, deadline) = (child.clone(), self.deadline);
        let watch = std::thread::spawn(move || {
            let is_late = is_done.recv_timeout(deadline.remaining()) == Err(RecvTimeoutError::Timeout);
            if is_late {
                let _ = lock(&watched).kill();
            }
            is_late
        });
        let words = std::mem::take(&mut self.stdin);
        let feed = stdin.map(|mut stdin| {
            std::thread::spawn(move || {
                // A git that does not want it all says why.
                let _ = stdin.write_all(&words);
            })
        });
        let errors = std::thread::spawn(move || {
            let mut text = Vec::new();
            if let Some(mut stderr) = stderr {
                let _ = stderr.by_ref().take(WORDS_MAX).read_to_end(&mut text);
                let _ = std::io::copy(&mut stderr, &mut std::io::sink());
            }
            String::from_utf8_lossy(&text).into_owned()
        });
        let mut output = Vec::new();
        let read = stdout.map_or(Ok(0), |mut stdout| stdout.read_to_end(&mut output));
        if let Some(feed) = feed {
            let _ = feed.join();
        }
        let stderr = errors.join().unwrap_or_default();
        drop(done);
        let is_late = watch.join().unwrap_or(false);
        let status = lock(&child).wait();
        if is_late {
            return Err(self.deadline.passed());
        }
        let broken = |error: std::io::Error| Failure::Git { what: self.what.clone(), why: error.to_string() };
        read.map_err(broken)?;
        let status = status.map_err(broken)?;
        Ok(Output { is_success: status.success(), code: status.code(), stdout: output, stderr })
    }
}

fn lock(child: &Mutex<Child>) -> std::sync::MutexGuard<'_, Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What git said, in one line.
pub(crate) fn failed(what: &str, output: &Output) -> Failure {
    let said = output.stderr.lines().map(str::trim).filter(|line| !line.is_empty());
    let words: Vec<&str> = said.take(3).collect();
    let why = match (words.is_empty(), output.code) {
        (false, _) => words.join("; "),
        (true, Some(code)) => format!("it ended with {code}"),
        (true, None) => "it was killed".to_owned(),
    };
    Failure::Git { what: what.to_owned(), why }
}
