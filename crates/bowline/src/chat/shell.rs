//! A shell line of the user's own: in the project, in the user's environment, without a terminal. What it prints comes
//! line by line; dropping it ends all it started.

use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::oneshot;

use super::app::Event;
use super::executor::Events;

/// The most bytes of one line; the rest of it is dropped.
const LINE_BYTES_MAX: usize = 16 * 1024;

/// What a shell that has ended left in its pipes; more than they hold comes from a process it left behind.
const LEFT_BYTES_MAX: usize = 256 * 1024;
/// Nothing came for so long: there is nothing more.
const LEFT_WAIT: Duration = Duration::from_millis(100);

/// How long a command may take to end when it is asked to.
const GRACE: Duration = Duration::from_secs(1);

/// Ends the processes of a command with itself.
struct Group(Option<Pid>);

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

pub(crate) async fn run(line: String, folder: PathBuf, events: Events, ending: oneshot::Receiver<()>) {
    let words = follow(&line, folder, &events, ending)
        .await
        .unwrap_or_else(|error| format!("could not be run: {error}"));
    let _ = events.send(Event::ShellEnded { words }).await;
}

async fn follow(
    line: &str,
    folder: PathBuf,
    events: &Events,
    ending: oneshot::Receiver<()>,
) -> std::io::Result<String> {
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(folder).stdin(Stdio::null()).process_group(0).kill_on_drop(true);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut group = Group(child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)));
    let read = AtomicUsize::new(0);
    let output = child.stdout.take().map(|output| print(output, events, &read));
    let errors = child.stderr.take().map(|errors| print(errors, events, &read));
    let reading = async { tokio::join!(maybe(output), maybe(errors)) };
    let ended = ended(&mut child, reading, &read, events);
    tokio::pin!(ended);
    let status = tokio::select! {
        status = &mut ended => status?,
        Ok(()) = ending => {
            if let Some(group) = group.0 {
                let _ = kill_process_group(group, Signal::TERM);
            }
            let _ = tokio::time::timeout(GRACE, ended).await;
            return Ok("stopped by you".to_owned());
        }
    };
    group.0 = None;
    Ok(match status.code() {
        Some(code) => format!("exit {code}"),
        None => "ended by a signal".to_owned(),
    })
}

/// Waits for the shell and what it printed. A process it leaves in the background may keep the pipes: the line has ended
/// when its shell has.
async fn ended<T>(
    child: &mut Child,
    reading: impl Future<Output = T>,
    read: &AtomicUsize,
    events: &Events,
) -> std::io::Result<ExitStatus> {
    tokio::pin!(reading);
    let status = tokio::select! {
        _ = &mut reading => return child.wait().await,
        status = child.wait() => status?,
    };
    let at_end = read.load(Ordering::Relaxed);
    let mut before = at_end;
    while tokio::time::timeout(LEFT_WAIT, &mut reading).await.is_err() {
        let now = read.load(Ordering::Relaxed);
        // A screen that is slow to take what was read is waited for.
        let is_waiting = events.capacity() == 0;
        if (now == before && !is_waiting) || now - at_end > LEFT_BYTES_MAX {
            break;
        }
        before = now;
    }
    Ok(status)
}

async fn maybe(reading: Option<impl Future<Output = ()>>) {
    if let Some(reading) = reading {
        reading.await;
    }
}

async fn print(stream: impl AsyncRead + Unpin, events: &Events, read_bytes: &AtomicUsize) {
    let mut bytes = BufReader::new(stream);
    let mut line = Vec::new();
    loop {
        let (count, is_whole) = match bytes.fill_buf().await {
            Ok(read) if !read.is_empty() => {
                let end = read.iter().position(|byte| *byte == b'\n');
                let piece = &read[..end.unwrap_or(read.len())];
                // What is not kept is not held either: a line may have no end.
                line.extend(piece.iter().take(LINE_BYTES_MAX - line.len()));
                (piece.len() + usize::from(end.is_some()), end.is_some())
            }
            _ if line.is_empty() => return,
            _ => (0, true),
        };
        bytes.consume(count);
        read_bytes.fetch_add(count, Ordering::Relaxed);
        if is_whole {
            let text = String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned();
            line.clear();
            if events.send(Event::Printed(text)).await.is_err() {
                return;
            }
        }
    }
}
