//! A shell line of the user's own: in the project, in the user's environment, without a terminal. What it prints comes
//! line by line; dropping it ends all it started.

use std::path::PathBuf;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};
use tokio::process::Command;

use super::app::Event;
use super::world::Events;

/// Of one line; the rest of it is dropped.
const LINE_BYTES_MAX: usize = 16 * 1024;

/// Ends the processes of a command with itself.
struct Group(Option<Pid>);

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            let _ = kill_process_group(group, Signal::TERM);
        }
    }
}

pub(crate) async fn run(line: String, folder: PathBuf, events: Events) {
    let words =
        follow(&line, folder, &events).await.unwrap_or_else(|error| format!("could not be run: {error}"));
    let _ = events.send(Event::ShellEnded { words }).await;
}

async fn follow(line: &str, folder: PathBuf, events: &Events) -> std::io::Result<String> {
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(folder).stdin(Stdio::null()).process_group(0).kill_on_drop(true);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut group = Group(child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)));
    let output = child.stdout.take().map(|output| print(output, events));
    let errors = child.stderr.take().map(|errors| print(errors, events));
    let reading = async { tokio::join!(maybe(output), maybe(errors)) };
    // A process it leaves in the background may keep the pipes: the line has ended when its shell has.
    tokio::pin!(reading);
    let status = tokio::select! {
        _ = &mut reading => child.wait().await?,
        status = child.wait() => {
            let status = status?;
            let _ = tokio::time::timeout(std::time::Duration::from_millis(100), &mut reading).await;
            status
        }
    };
    group.0 = None;
    Ok(match status.code() {
        Some(code) => format!("exit {code}"),
        None => "ended by a signal".to_owned(),
    })
}

async fn maybe(reading: Option<impl Future<Output = ()>>) {
    if let Some(reading) = reading {
        reading.await;
    }
}

async fn print(stream: impl AsyncRead + Unpin, events: &Events) {
    let mut lines = BufReader::new(stream);
    let mut line = Vec::new();
    while let Ok(count) = lines.read_until(b'\n', &mut line).await
        && count > 0
    {
        let text = String::from_utf8_lossy(line.get(..LINE_BYTES_MAX).unwrap_or(&line)).into_owned();
        line.clear();
        if events.send(Event::Printed(text.trim_end_matches(['\n', '\r']).to_owned())).await.is_err() {
            return;
        }
    }
}
