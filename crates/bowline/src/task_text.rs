//! The task from the command line, from a file and from stdin.

use std::fs::File;
use std::io::{ErrorKind, IsTerminal as _, Read as _};
use std::path::Path;
use std::time::Duration;

use bowline_core::typed::Typed;

use crate::exit::{Exit, Refusal};
use crate::output::eprint_line;

/// What can be piped in, and what a file with a task may hold.
const TASK_BYTES_MAX: u64 = 1024 * 1024;
/// After this long without an end, the user learns what is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// The whole task, and which parts of it the user typed; none where there is none at all. Piped input and files may name
/// commands that nobody typed.
pub(crate) async fn task(
    argument: Option<&str>,
    file: Option<&Path>,
) -> Result<Option<(String, Typed)>, Refusal> {
    let written = match file {
        Some(path) if path.as_os_str() != "-" => Some(written(path)?),
        _ => None,
    };
    let argument = written.as_deref().or(argument).or(file.map(|_| "-"));
    let named = argument.filter(|task| *task != "-");
    let piped = if argument == Some("-") || is_piped() { read().await? } else { String::new() };
    let mut task = named.unwrap_or_default().trim().to_owned();
    let typed = if written.is_none() { Typed::all(&task) } else { Typed::nothing() };
    if !piped.trim().is_empty() {
        if !task.is_empty() {
            task.push_str("\n\n");
        }
        task.push_str(piped.trim_end());
    }
    match (task.is_empty(), argument) {
        (false, _) => Ok(Some((task, typed))),
        (true, None) => Ok(None),
        (true, Some(_)) => Err(Refusal::new(
            Exit::Usage,
            "the task is empty: say what to do, as in bowline run \"fix the failing test\"",
        )),
    }
}

/// A file's text.
fn written(path: &Path) -> Result<String, Refusal> {
    let shown = path.display();
    let refuse = |why: &str, next: &str| {
        Err(Refusal::new(Exit::Usage, format!("the task cannot be read from {shown}: {why}. {next}")))
    };
    let another = "Name another file with -f";
    let read = || {
        let mut bytes = Vec::new();
        // A pipe has no length to ask for.
        File::open(path)?.take(TASK_BYTES_MAX + 1).read_to_end(&mut bytes).map(|_| bytes)
    };
    let bytes = match read() {
        Ok(bytes) => bytes,
        Err(error) => {
            return match error.kind() {
                ErrorKind::NotFound => refuse("there is no such file", another),
                ErrorKind::IsADirectory => refuse("it is a folder", another),
                ErrorKind::PermissionDenied => refuse("you may not read it", "Change its permissions"),
                _ => refuse(&error.to_string(), another),
            };
        }
    };
    if bytes.len() as u64 > TASK_BYTES_MAX {
        return refuse("it is larger than 1 MiB", "Name the file in a short task, and the model reads it");
    }
    match String::from_utf8(bytes) {
        Ok(text) if text.contains('\0') => refuse("it is not text", another),
        Ok(text) if text.trim().is_empty() => refuse("it is empty", "Write the task into it"),
        Ok(text) => Ok(text),
        Err(_) => refuse("it is not UTF-8", "Save it as UTF-8, or name another with -f"),
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
        std::io::stdin().lock().take(TASK_BYTES_MAX + 1).read_to_end(&mut bytes).map(|_| bytes)
    });
    let bytes = match tokio::time::timeout(PATIENCE, &mut reading).await {
        Ok(bytes) => bytes,
        Err(_) => {
            eprint_line("bowline: reading the rest of the task from stdin; without one, add </dev/null");
            reading.await
        }
    };
    let bytes = bytes
        .map_err(|error| Refusal::new(Exit::Failed, error))?
        .map_err(|error| Refusal::new(Exit::Failed, format!("stdin cannot be read: {error}")))?;
    if bytes.len() as u64 > TASK_BYTES_MAX {
        let words =
            "more than 1 MiB on stdin: put it into a file in the project and name the file in the task";
        return Err(Refusal::new(Exit::Usage, words));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
