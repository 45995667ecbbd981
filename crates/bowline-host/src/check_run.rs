//! Runs the project's check for the turn machine: finds the command, asks the permission rules, and brings back what it printed
//! with the lines of the project that a failure goes through.
//!
//! It decides nothing about the turn. What always holds: a command that nobody named on the command line or in the
//! configuration runs only if the rules allow it without asking, and a denied one never runs.

use std::path::Path;
use std::time::{Duration, Instant};

use bowline_core::check::{CheckEnd, CheckRequest, CheckRun, CheckSource, Snippet};
use bowline_core::task;
use bowline_core::tool_output::Grant;
use sha2::{Digest as _, Sha256};

use crate::checks;
use crate::permission::{Judge, is_secret};
use crate::process::{Priority, Processes, execute};
use crate::workspace::Workspace;

/// Places of the project that a report shows.
const SNIPPETS_MAX: usize = 3;
/// Lines before and after each.
const AROUND: usize = 2;
/// A larger file is neither shown nor part of a state. Bytes.
const FILE_BYTES_MAX: u64 = 2 * 1024 * 1024;
/// Frames of the output that are looked at.
const FRAMES_MAX: usize = 20;

/// Runs the check that is asked for, to its end or its time limit.
pub async fn run(
    request: &CheckRequest,
    workspace: &Workspace,
    judge: &Judge,
    processes: &Processes,
) -> CheckEnd {
    let root = workspace.root();
    let found = request.command.clone().or_else(|| {
        checks::detect(root, request.near.as_deref()).map(|command| (command, CheckSource::Project))
    });
    let found = found.filter(|(command, _)| !request.unfinished.contains(command));
    let Some((command, source)) = found else { return CheckEnd::Unknown };
    let Some(allowed) = judge.check(&command, source) else {
        return CheckEnd::NotAllowed { command, source };
    };
    let state = files_state(root, &request.files);
    if request.known.as_ref() == Some(&command) {
        return CheckEnd::Known { source, state };
    }
    let limit = Duration::from_millis(u64::try_from(request.time_ms_max).unwrap_or(1));
    let started = Instant::now();
    let Ok(ran) = execute(processes, root, &allowed, limit, Priority::Low).await else {
        return CheckEnd::Unknown;
    };
    let duration_ms = i64::try_from(started.elapsed().as_millis()).unwrap_or(i64::MAX);
    let output = relative(root, &ran.text_with_refusals());
    let snippets = snippets(workspace, &output);
    CheckEnd::Ran(Box::new(CheckRun {
        command,
        source,
        end: ran.failure_end(),
        output,
        duration_ms,
        state,
        snippets,
    }))
}

/// The output with the project's files by their path inside it: shorter to read, and the same wherever the project lies.
fn relative(root: &Path, output: &str) -> String {
    let Some(root) = root.to_str().filter(|root| root.len() > 1) else { return output.to_owned() };
    output.replace(&format!("file://{root}/"), "").replace(&format!("{root}/"), "")
}

/// What the files contain, as a hash. None if one of them is too large to be read.
pub fn files_state(root: &Path, files: &[String]) -> Option<String> {
    let mut hash = Sha256::new();
    for file in files {
        let path = root.join(file);
        let bytes = match std::fs::metadata(&path) {
            Ok(found) if found.len() > FILE_BYTES_MAX => return None,
            Ok(_) => std::fs::read(&path).ok()?,
            Err(_) => Vec::new(),
        };
        hash.update(file.len().to_le_bytes());
        hash.update(file);
        hash.update(bytes.len().to_le_bytes());
        hash.update(bytes);
    }
    Some(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The project's lines that an output names, in its order.
fn snippets(workspace: &Workspace, output: &str) -> Vec<Snippet> {
    let read = task::read_output(output);
    let frames = read.frames.iter().map(|frame| (frame.path.as_str(), frame.line));
    let errors = read.locations.iter().map(|at| (at.path.as_str(), at.line));
    let mut found: Vec<Snippet> = Vec::new();
    for (path, line) in frames.chain(errors).take(FRAMES_MAX) {
        let Some(snippet) = snippet(workspace, path, line) else { continue };
        let is_near = |other: &Snippet| {
            other.path == snippet.path && other.line.abs_diff(snippet.line) <= AROUND as u64
        };
        if !found.iter().any(is_near) {
            found.push(snippet);
        }
        if found.len() == SNIPPETS_MAX {
            break;
        }
    }
    found
}

fn snippet(workspace: &Workspace, path: &str, line: u32) -> Option<Snippet> {
    let root = workspace.root();
    let path = path.strip_prefix("file://").unwrap_or(path);
    let inside = Path::new(path).strip_prefix(root).unwrap_or(Path::new(path));
    let is_plain = inside.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    let is_foreign = inside.components().any(|part| {
        matches!(part.as_os_str().to_str(), Some("node_modules" | "site-packages" | ".git" | "target"))
    });
    // A path that leads out of the project by a link is not shown.
    let file = workspace.resolve(inside.to_str()?, Grant::Inside).ok()?.real;
    let is_small =
        std::fs::symlink_metadata(&file).is_ok_and(|found| found.is_file() && found.len() <= FILE_BYTES_MAX);
    if !is_plain || is_foreign || !is_small || is_secret(inside) {
        return None;
    }
    let text = std::fs::read_to_string(&file).ok()?;
    let at = usize::try_from(line).ok()?.checked_sub(1)?;
    let from = at.saturating_sub(AROUND);
    let lines: Vec<String> =
        text.lines().skip(from).take(at - from + 1 + AROUND).map(str::to_owned).collect();
    let is_there = text.lines().nth(at).is_some();
    is_there.then(|| Snippet {
        path: inside.display().to_string(),
        first: i64::try_from(from).unwrap_or(0) + 1,
        line: i64::from(line),
        lines,
    })
}
