//! `run_command`: a shell command in the work tree, with bounds on everything it can use of us.
//!
//! The command has its own process group, no terminal and an environment without secrets. The call returns when the
//! shell has ended; what it left in the background stays alive until [`Processes::end_all`]. A call that is dropped takes
//! its whole group with it, and so does our own death. A command that nobody approved runs in the [`Sandbox`] of its turn, and
//! nothing of it outlives that; of one that is not sandboxed no process that leaves its group (`setsid`) is followed.

mod environment;
mod group;
mod output;
mod running;
mod watchdog;

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bowline_core::failure;
use bowline_core::outcome::Outcome;
use bowline_core::tool_output::{REFUSED, ToolOutput};
use rustix::process::Signal;
use tokio::net::unix::pipe::Receiver;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout, timeout_at};

pub(crate) use environment::environment_of;
use group::Group;
pub(crate) use group::{End, Priority};
use output::CapturedOutput;
use running::Running;

use crate::permission::AllowedCommand;
use crate::sandbox::Sandbox;

const TIME_DEFAULT_S: u64 = 120;
const TIME_MAX_S: u64 = 30 * 60;
/// How long processes have to end by themselves once they are told to.
const GRACE_MS: u64 = 2_000;
/// How long we wait for those that were killed to be gone.
const KILLED_MS_MAX: u64 = 1_000;
const POLL_MS: u64 = 20;
/// How many commands may have left something in the background; beyond it the oldest is ended.
const BACKGROUND_MAX: usize = 64;
/// What a pipe can hold at most when the shell ends: more is from those it left behind.
const DRAINED_BYTES_MAX: usize = 1024 * 1024;
const READ_BYTES: usize = 64 * 1024;

/// Where the commands of a turn run, and what they left in the background. Dropping it kills all of it.
#[derive(Debug, Default)]
pub struct Processes {
    sandbox: Option<Sandbox>,
    background: Mutex<Vec<BackgroundGroup>>,
}

/// A group whose shell has ended. Its output is read on, into nothing: a full pipe would hold it, a closed one end it.
#[derive(Debug)]
struct BackgroundGroup {
    running: Running,
    drain: JoinHandle<()>,
}

impl Drop for BackgroundGroup {
    fn drop(&mut self) {
        self.drain.abort();
    }
}

impl Processes {
    /// Without a sandbox.
    pub fn new() -> Processes {
        Processes::default()
    }

    /// Commands that nobody approved run in this sandbox, as far as the system enforces it.
    pub fn sandboxed(sandbox: Sandbox) -> Processes {
        Processes { sandbox: Some(sandbox), ..Processes::default() }
    }

    /// Ends everything that is left: asked first, then killed. Returns within a bounded time.
    pub async fn end_all(&self) {
        let background = std::mem::take(&mut *self.background.lock().unwrap_or_else(PoisonError::into_inner));
        let cell = async {
            if let Some(sandbox) = &self.sandbox {
                sandbox.end(Duration::from_millis(GRACE_MS)).await;
            }
        };
        tokio::join!(end_free(&background), cell);
    }

    fn keep(&self, running: Running, mut output: Receiver) {
        let drain = tokio::spawn(async move {
            let mut buffer = vec![0; READ_BYTES];
            while let Ok(count) = read(&mut output, &mut buffer).await
                && count > 0
            {}
        });
        let mut background = self.background.lock().unwrap_or_else(PoisonError::into_inner);
        if background.len() >= BACKGROUND_MAX {
            background.remove(0);
        }
        background.push(BackgroundGroup { running, drain });
    }
}

/// Ends the groups that are not sandboxed.
async fn end_free(background: &[BackgroundGroup]) {
    for signal in [Signal::TERM, Signal::KILL] {
        for group in background.iter().filter_map(|left| left.running.free()) {
            group.signal(signal);
        }
        if gone(background, if signal == Signal::TERM { GRACE_MS } else { KILLED_MS_MAX }).await {
            return;
        }
    }
}

/// Waits until no process is left that is not sandboxed, for so long at most.
async fn gone(background: &[BackgroundGroup], ms_max: u64) -> bool {
    let wait = async {
        while background.iter().filter_map(|left| left.running.free()).any(Group::is_alive) {
            sleep(Duration::from_millis(POLL_MS)).await;
        }
    };
    timeout(Duration::from_millis(ms_max), wait).await.is_ok()
}

/// What a command printed and how it ended.
pub(crate) struct Ran {
    captured: CapturedOutput,
    /// None if the time was up first.
    end: Option<End>,
    background: Background,
    /// What it was not allowed to do, as sentences.
    refusals: Vec<String>,
}

impl Ran {
    /// Its output, followed by what the sandbox refused.
    pub(crate) fn text_with_refusals(&self) -> String {
        format!("{}{}", self.captured.text(), refused(&self.refusals))
    }

    /// How it ended, for naming a failure.
    pub(crate) fn failure_end(&self) -> failure::End {
        match self.end {
            Some(End::Exit(code)) => failure::End::Exit(code),
            Some(End::Signal(signal)) => failure::End::Signal(signal),
            None => failure::End::Timeout,
        }
    }
}

/// Runs a command in a folder. Dropping the future kills the whole process group.
pub async fn run_command(
    processes: &Processes,
    root: &Path,
    command: &AllowedCommand,
    timeout_s: Option<i64>,
) -> ToolOutput {
    let limit_s =
        timeout_s.map_or(TIME_DEFAULT_S, |seconds| u64::try_from(seconds).unwrap_or(1).clamp(1, TIME_MAX_S));
    match execute(processes, root, command, Duration::from_secs(limit_s), Priority::Normal).await {
        Ok(ran) => answer(&ran, limit_s),
        Err(error) => {
            ToolOutput::new(Outcome::ExecError, format!("The command could not be started: {error}."))
        }
    }
}

/// Runs a command to its end or for so long at most.
pub(crate) async fn execute(
    processes: &Processes,
    root: &Path,
    command: &AllowedCommand,
    limit: Duration,
    priority: Priority,
) -> std::io::Result<Ran> {
    let (mut running, mut output) =
        Running::start(processes.sandbox.as_ref(), root, command, priority).await?;
    let mut captured = CapturedOutput::default();
    let end = follow(&mut running, &mut output, &mut captured, Instant::now() + limit).await;
    if end.is_none() {
        running.kill();
        let _ = timeout(Duration::from_millis(KILLED_MS_MAX), running.ended()).await;
    }
    drain(&output, &mut captured);
    let refusals = match end {
        Some(End::Exit(0)) => Vec::new(),
        end => running.refusals(end, &captured.text()),
    };
    let background =
        if end.is_some() && running.left_running() { Background::Some } else { Background::None };
    if background == Background::Some {
        processes.keep(running, output);
    }
    Ok(Ran { captured, end, background, refusals })
}

/// Whether a command left something running.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Background {
    Some,
    None,
}

/// Collects the output until the shell has ended; none when the time was up first.
async fn follow(
    running: &mut Running,
    output: &mut Receiver,
    captured: &mut CapturedOutput,
    deadline: Instant,
) -> Option<End> {
    let mut buffer = vec![0; READ_BYTES];
    let ended = running.ended();
    tokio::pin!(ended);
    let watch = async {
        let mut open = true;
        loop {
            tokio::select! {
                end = &mut ended => return end,
                count = read(output, &mut buffer), if open => match count {
                    Ok(count) if count > 0 => captured.push(buffer.get(..count).unwrap_or_default()),
                    _ => open = false,
                },
            }
        }
    };
    timeout_at(deadline, watch).await.ok()
}

async fn read(output: &mut Receiver, buffer: &mut [u8]) -> std::io::Result<usize> {
    use tokio::io::AsyncReadExt;
    output.read(buffer).await
}

/// Takes what still stands in the pipe. It asks the pipe itself: what the runtime knows of it may be older than the
/// shell's last words.
fn drain(output: &Receiver, captured: &mut CapturedOutput) {
    let mut buffer = vec![0; READ_BYTES];
    let mut total = 0;
    while total < DRAINED_BYTES_MAX
        && let Ok(count) = rustix::io::read(output, &mut buffer)
        && count > 0
    {
        captured.push(buffer.get(..count).unwrap_or_default());
        total += count;
    }
}

/// A line for each thing that the sandbox refused.
fn refused(refusals: &[String]) -> String {
    refusals.iter().map(|refusal| format!("\n{REFUSED}{refusal}.")).collect()
}

fn answer(ran: &Ran, limit_s: u64) -> ToolOutput {
    let (outcome, exit_code, words) = match ran.end {
        None => (
            Outcome::ExecError,
            None,
            format!(
                "stopped after {limit_s} s, its time limit. Give a longer `timeout_s` (at most {TIME_MAX_S}), or do less."
            ),
        ),
        Some(End::Exit(0)) => (Outcome::Success, Some(0), "exit code 0".to_owned()),
        Some(End::Exit(code @ (126 | 127))) => {
            (Outcome::ExecError, Some(code), format!("exit code {code}: it could not be started"))
        }
        Some(End::Exit(code)) => (Outcome::NoResult, Some(code), format!("exit code {code}")),
        Some(End::Signal(signal)) => {
            (Outcome::NoResult, Some(128 + signal), format!("ended by signal {signal}"))
        }
    };
    let mut text = ran.captured.text();
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&words);
    text.push_str(&refused(&ran.refusals));
    if ran.background == Background::Some {
        text.push_str("\nWhat it left in the background runs on until the turn ends.");
    }
    ToolOutput { exit_code: exit_code.map(i64::from), ..ToolOutput::new(outcome, text) }
}
