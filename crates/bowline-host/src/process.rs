//! `run_command`: a shell command in the work tree, with bounds on everything it can use of us.
//!
//! The command has its own process group, no terminal and an environment without secrets. The call returns when the
//! shell has ended; what it left in the background stays alive until [`Processes::end_all`]. A call that is dropped takes
//! its whole group with it, and so does our own death. No process that leaves its group (`setsid`) is followed.

mod environment;
mod group;
mod output;
mod watchdog;

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bowline_core::failure;
use bowline_core::outcome::Outcome;
use bowline_core::tool_output::ToolOutput;
use rustix::process::Signal;
use tokio::net::unix::pipe::Receiver;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout, timeout_at};

pub(crate) use group::Priority;
use group::{End, Group};
use output::CapturedOutput;

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

/// What the commands of a turn left in the background. Dropping it kills all of it.
#[derive(Debug, Default)]
pub struct Processes {
    background: Mutex<Vec<BackgroundGroup>>,
}

/// A group whose shell has ended. Its output is read on, into nothing: a full pipe would hold it, a closed one end it.
#[derive(Debug)]
struct BackgroundGroup {
    group: Group,
    drain: JoinHandle<()>,
}

impl Drop for BackgroundGroup {
    fn drop(&mut self) {
        self.drain.abort();
    }
}

impl Processes {
    pub fn new() -> Processes {
        Processes::default()
    }

    /// Ends everything that is left: asked first, then killed. Returns within a bounded time.
    pub async fn end_all(&self) {
        let background = std::mem::take(&mut *self.background.lock().unwrap_or_else(PoisonError::into_inner));
        for left in &background {
            left.group.signal(Signal::TERM);
        }
        if gone(&background, GRACE_MS).await {
            return;
        }
        for left in &background {
            left.group.signal(Signal::KILL);
        }
        gone(&background, KILLED_MS_MAX).await;
    }

    fn keep(&self, group: Group, mut output: Receiver) {
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
        background.push(BackgroundGroup { group, drain });
    }
}

/// Waits until no process is left, for so long at most.
async fn gone(background: &[BackgroundGroup], ms_max: u64) -> bool {
    let wait = async {
        while background.iter().any(|left| left.group.is_alive()) {
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
}

impl Ran {
    pub(crate) fn text(&self) -> String {
        self.captured.text()
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
    command: &str,
    timeout_s: Option<i64>,
) -> ToolOutput {
    let limit_s =
        timeout_s.map_or(TIME_DEFAULT_S, |seconds| u64::try_from(seconds).unwrap_or(1).clamp(1, TIME_MAX_S));
    match execute(processes, root, command, Duration::from_secs(limit_s), Priority::Normal).await {
        Ok(Ran { captured, end, background }) => answer(&captured, end, limit_s, background),
        Err(error) => {
            ToolOutput::new(Outcome::ExecError, format!("The command could not be started: {error}."))
        }
    }
}

/// Runs a command to its end or for so long at most.
pub(crate) async fn execute(
    processes: &Processes,
    root: &Path,
    command: &str,
    limit: Duration,
    priority: Priority,
) -> std::io::Result<Ran> {
    let (group, mut output) = Group::spawn(root, command, priority)?;
    let mut captured = CapturedOutput::default();
    let end = follow(&group, &mut output, &mut captured, Instant::now() + limit).await;
    if end.is_none() {
        group.signal(Signal::KILL);
        let _ = timeout(Duration::from_millis(KILLED_MS_MAX), group.ended()).await;
    }
    drain(&output, &mut captured);
    let background = if end.is_some() && group.is_alive() { Background::Some } else { Background::None };
    if background == Background::Some {
        processes.keep(group, output);
    }
    Ok(Ran { captured, end, background })
}

/// Whether a command left something running.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Background {
    Some,
    None,
}

/// Collects the output until the shell has ended; none when the time was up first.
async fn follow(
    group: &Group,
    output: &mut Receiver,
    captured: &mut CapturedOutput,
    deadline: Instant,
) -> Option<End> {
    let mut buffer = vec![0; READ_BYTES];
    let ended = group.ended();
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

fn answer(captured: &CapturedOutput, end: Option<End>, limit_s: u64, background: Background) -> ToolOutput {
    let (outcome, exit_code, words) = match end {
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
    let mut text = captured.text();
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(&words);
    if background == Background::Some {
        text.push_str("\nWhat it left in the background runs on until the turn ends.");
    }
    ToolOutput { exit_code: exit_code.map(i64::from), ..ToolOutput::new(outcome, text) }
}
