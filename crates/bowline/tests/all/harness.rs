//! A project in a temporary folder, a scripted model server, and the real program at work in it.
//!
//! Nothing of the machine the tests run on reaches the program: its environment is made here, its data lie in the same
//! temporary folder, and it asks no server but the scripted one. Every wait is for a condition and bounded by
//! [`PATIENCE`]; no test waits for time to pass.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use bowline_core::entry::Body;
use bowline_host::clock::Clock;
use bowline_host::session_input::SessionInput;
use bowline_host::store::{Location, Store};
use bowline_script::{ActKind, Recorded, Scenario, Server};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStderr, ChildStdout, Command};
use tokio::task::JoinHandle;

/// Far longer than anything here takes, also on a machine that is busy with something else.
pub(crate) const PATIENCE: Duration = Duration::from_secs(90);
const LOOK_EVERY: Duration = Duration::from_millis(5);
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_bowline");

/// A model that says hello once.
pub(crate) const HELLO: &str = "=== server llamacpp window=16384\n=== reply\ntext \"Hello.\"\n";

/// One project, its data folder and its model server.
pub(crate) struct World {
    folder: TempDir,
    pub(crate) server: Server,
    /// The scenario's first task.
    pub(crate) task: String,
}

impl World {
    /// A scenario's files in a git repository, and its replies behind a socket.
    pub(crate) async fn play(scenario: &str) -> World {
        let world = World::without_git(scenario).await;
        git(&world.project(), &["init", "--quiet"]);
        world
    }

    /// The same in a plain folder.
    pub(crate) async fn without_git(scenario: &str) -> World {
        let scenario = Scenario::parse(scenario).unwrap();
        let folder = tempfile::Builder::new().prefix("bowline-e2e-").tempdir().unwrap();
        let project = folder.path().join("project");
        std::fs::create_dir(&project).unwrap();
        for file in &scenario.files {
            let path = project.join(&file.path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &file.bytes).unwrap();
            if let Some(mode) = file.mode {
                std::fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            }
        }
        let task = match scenario.acts.first().map(|act| act.kind.clone()) {
            Some(ActKind::Task(task)) => task,
            _ => "Do it.".to_owned(),
        };
        let server = Server::start(scenario.server, scenario.replies).await.unwrap();
        World { folder, server, task }
    }

    /// The temporary folder, without links.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.path().join("project")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.path().join("home")
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.home().join("bowline.db")
    }

    pub(crate) fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.project().join(file)).unwrap()
    }

    /// `bowline …` in the project.
    pub(crate) fn bowline(&self, args: &[&str]) -> Program {
        let mut command = Command::new(PROGRAM);
        command.args(args).current_dir(self.project());
        self.environment(&mut command);
        Program { command, input: None }
    }

    /// `bowline run …` in the project, with the scripted server's model.
    pub(crate) fn run(&self, args: &[&str]) -> Program {
        let url = self.server.base_url();
        self.bowline(&[&["run", "--base-url", &url], args].concat())
    }

    /// What a user who configured nothing has, with the data and the locks in folders of their own: a port that another test
    /// had before may still be waited at there.
    pub(crate) fn environment(&self, command: &mut Command) {
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.path())
            .env("BOWLINE_HOME", self.home())
            .env("XDG_RUNTIME_DIR", self.path().join("run"));
    }

    /// The last session's log, as its frames.
    pub(crate) async fn log(&self) -> Vec<Value> {
        self.bowline(&["sessions", "show", "--json"]).end().await.expect(0).frames()
    }

    /// Says something to a running turn, from this process.
    pub(crate) async fn say(&self, frame: &Value, body: Body) {
        let store = Store::open(&Location::Sqlite(self.database())).await.unwrap();
        let voice = SessionInput::new(Arc::new(store), Clock::start(), frame["session"].as_str().unwrap());
        voice.say(frame["turn"].as_str(), body).await.unwrap();
    }

    /// The bodies of the requests the model was asked with.
    pub(crate) fn model_requests(&self) -> Vec<Value> {
        self.server.requests().into_iter().filter(Recorded::is_chat).map(|request| request.body).collect()
    }

    /// The last message of a user's in the last request.
    pub(crate) fn last_user_message(&self) -> String {
        let asked = self.model_requests().pop().expect("a request");
        let messages = asked["messages"].as_array().unwrap();
        let last = messages.iter().rfind(|message| message["role"] == "user").expect("a user's message");
        last["content"].as_str().unwrap().to_owned()
    }

    /// One answer of the model's was cut off by the program, which frees the server for others.
    pub(crate) async fn until_aborted(&self) {
        let aborted = self.server.until(|server| server.aborted() == 1);
        assert!(tokio::time::timeout(PATIENCE, aborted).await.is_ok(), "the stream is still open");
    }

    /// Everything was said to the model, and in a form that strict templates accept.
    pub(crate) fn check_played(&self) {
        assert_eq!(self.server.violations(), Vec::<String>::new());
        assert_eq!(self.server.replies_left(), 0, "replies left");
    }
}

pub(crate) fn git(folder: &Path, args: &[&str]) {
    let done = std::process::Command::new("git")
        .args(args)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// A program about to be started.
pub(crate) struct Program {
    pub(crate) command: Command,
    input: Option<Vec<u8>>,
}

impl Program {
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Program {
        self.command.env(name, value);
        self
    }

    pub(crate) fn folder(mut self, folder: &Path) -> Program {
        self.command.current_dir(folder);
        self
    }

    /// What is piped in.
    pub(crate) fn input(mut self, bytes: impl Into<Vec<u8>>) -> Program {
        self.input = Some(bytes.into());
        self
    }

    pub(crate) fn start(mut self) -> Running {
        let is_piped = self.input.is_some();
        self.command.stdin(if is_piped { Stdio::piped() } else { Stdio::null() });
        self.command.stderr(Stdio::piped());
        self.start_on_terminal()
    }

    /// With standard input and error as they are set already.
    pub(crate) fn start_on_terminal(mut self) -> Running {
        let mut child = self.command.stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
        if let (Some(bytes), Some(mut stdin)) = (self.input.take(), child.stdin.take()) {
            // It need not read all of it.
            tokio::spawn(async move { stdin.write_all(&bytes).await });
        }
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let errors = child.stderr.take().map(|stderr| tokio::spawn(read_all(stderr)));
        Running { pid: child.id().unwrap(), child, lines, stdout: String::new(), errors }
    }

    pub(crate) async fn end(self) -> Ended {
        self.start().end().await
    }
}

async fn read_all(mut stderr: ChildStderr) -> String {
    let mut bytes = Vec::new();
    stderr.read_to_end(&mut bytes).await.unwrap();
    String::from_utf8(bytes).unwrap()
}

/// A program at work.
pub(crate) struct Running {
    pub(crate) pid: u32,
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    stdout: String,
    errors: Option<JoinHandle<String>>,
}

impl Running {
    /// Reads its frames up to the first one that fits, which is given back.
    pub(crate) async fn until(&mut self, holds: impl Fn(&Value) -> bool) -> Value {
        loop {
            let Some(line) = self.line().await else { panic!("no such frame:\n{}", self.stdout) };
            let frame: Value = serde_json::from_str(&line).unwrap();
            if holds(&frame) {
                return frame;
            }
        }
    }

    async fn line(&mut self) -> Option<String> {
        let line = tokio::time::timeout(PATIENCE, self.lines.next_line()).await;
        let line = line.unwrap_or_else(|_| panic!("no line in time after:\n{}", self.stdout)).unwrap()?;
        self.stdout.push_str(&line);
        self.stdout.push('\n');
        Some(line)
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(i32::try_from(self.pid).unwrap()).unwrap();
        kill_process(pid, signal).unwrap();
    }

    /// `kill -9`, and gone.
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    pub(crate) async fn end(mut self) -> Ended {
        while self.line().await.is_some() {}
        let status = tokio::time::timeout(PATIENCE, self.child.wait()).await.expect("it ends").unwrap();
        let stderr = match self.errors.take() {
            Some(errors) => errors.await.unwrap(),
            None => String::new(),
        };
        Ended { status, stdout: self.stdout, stderr }
    }
}

/// What a program left.
#[derive(Debug)]
pub(crate) struct Ended {
    status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    pub(crate) fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// It ended with this code.
    pub(crate) fn expect(self, code: i32) -> Ended {
        assert_eq!(self.code(), Some(code), "{self}");
        self
    }

    /// These words stand on stderr.
    pub(crate) fn says(self, words: &[&str]) -> Ended {
        for words in words {
            assert!(self.stderr.contains(words), "{words:?} is missing\n{self}");
        }
        self
    }

    pub(crate) fn frames(&self) -> Vec<Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl std::fmt::Display for Ended {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Ended { status, stdout, stderr } = self;
        write!(formatter, "{status}\n--- stdout\n{stdout}\n--- stderr\n{stderr}")
    }
}

pub(crate) fn is(frame: &Value, kind: &str) -> bool {
    frame["type"] == kind
}

/// Waits until `holds`, by looking again and again.
pub(crate) async fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let looking = async {
        while !holds() {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    };
    assert!(tokio::time::timeout(PATIENCE, looking).await.is_ok(), "never: {what}");
}

/// Waits for what a command of the scenario writes into a file of the project, a whole line.
pub(crate) async fn written(world: &World, file: &str) -> String {
    let path = world.project().join(file);
    let mut text = String::new();
    eventually(file, || {
        text = std::fs::read_to_string(&path).unwrap_or_default();
        text.ends_with('\n')
    })
    .await;
    text.trim().to_owned()
}

/// Whether a process runs; one that only waits to be reaped does not.
pub(crate) fn is_alive(pid: &str) -> bool {
    let state = std::process::Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap();
    let state = String::from_utf8_lossy(&state.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

/// The first of these flags with which `unshare` may be used here: root's own, or with a user namespace.
pub(crate) fn unshare(flags: [&'static str; 2]) -> Option<&'static str> {
    let works = |flag: &&str| {
        let tried = std::process::Command::new("unshare").args([flag, "true"]).output();
        tried.is_ok_and(|done| done.status.success())
    };
    flags.into_iter().find(works)
}
