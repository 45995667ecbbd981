//! The task from the command line and from stdin.

use std::io::{IsTerminal as _, Read as _};
use std::time::Duration;

use crate::exit::{Exit, Refusal};
use crate::out::tell;

/// What can be piped in.
const STDIN_BYTES_MAX: u64 = 1024 * 1024;
/// After this long without an end, the user learns what is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// The whole task; none where there is none at all.
pub(crate) async fn task(argument: Option<&str>) -> Result<Option<String>, Refusal> {
    let named = argument.filter(|task| *task != "-");
    let piped = if argument == Some("-") || is_piped() { read().await? } else { String::new() };
    let mut task = named.unwrap_or_default().trim().to_owned();
    if !piped.trim().is_empty() {
        if !task.is_empty() {
            task.push_str("\n\n");
        }
        task.push_str(piped.trim_end());
    }
    match (task.is_empty(), argument) {
        (false, _) => Ok(Some(task)),
        (true, None) => Ok(None),
        (true, Some(_)) => Err(Refusal::new(
            Exit::Usage,
            "the task is empty: say what to do, as in bowline run \"fix the failing test\"",
        )),
    }
}

/// A pipe or a file; a terminal or `/dev/null` is not.
fn is_piped() -> bool {
    if std::io::stdin().is_terminal() {
        return false;
    }
    let Ok(stat) = rustix::fs::fstat(std::io::stdin()) else { return false };
    let kind = rustix::fs::FileType::from_raw_mode(stat.st_mode);
    matches!(
        kind,
        rustix::fs::FileType::Fifo | rustix::fs::FileType::RegularFile | rustix::fs::FileType::Socket
    )
}

async fn read() -> Result<String, Refusal> {
    let mut reading = tokio::task::spawn_blocking(|| {
        let mut bytes = Vec::new();
        std::io::stdin().lock().take(STDIN_BYTES_MAX + 1).read_to_end(&mut bytes).map(|_| bytes)
    });
    let bytes = match tokio::time::timeout(PATIENCE, &mut reading).await {
        Ok(bytes) => bytes,
        Err(_) => {
            tell("bowline: reading the rest of the task from stdin; without one, add </dev/null");
            reading.await
        }
    };
    let bytes = bytes
        .map_err(|error| Refusal::new(Exit::Failed, error))?
        .map_err(|error| Refusal::new(Exit::Failed, format!("stdin cannot be read: {error}")))?;
    if bytes.len() as u64 > STDIN_BYTES_MAX {
        let words =
            "more than 1 MiB on stdin: put it into a file in the project and name the file in the task";
        return Err(Refusal::new(Exit::Usage, words));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
