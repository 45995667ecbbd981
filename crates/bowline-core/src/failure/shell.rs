//! What the shell says: a program that is not there or may not run, and a program that a signal ended.

use super::log::Log;
use super::programs::{self, Program, Purpose};
use super::report::{Problem, Report};
use super::{End, Kind, Run, Stage, Subkind, places};

/// What a shell exits with if a program may not be run, and if there is none.
const NOT_EXECUTABLE: i32 = 126;
const NOT_FOUND: i32 = 127;
/// What a shell adds to the number of a signal.
const SIGNALED: i32 = 128;

/// A program that could not be started.
pub(super) fn missing(run: &Run<'_>, log: &Log<'_>) -> Option<Report> {
    let code = match run.end {
        End::Exit(code) => code,
        End::Signal(_) | End::Timeout => return None,
    };
    let of_make = log.lines.iter().rev().find(|line| line.starts_with("make") && line.contains(": ***"));
    let code = match of_make {
        Some(line) if line.ends_with("Error 127") => NOT_FOUND,
        Some(line) if line.ends_with("Error 126") => NOT_EXECUTABLE,
        _ => code,
    };
    match code {
        NOT_FOUND => Some(not_found(run, log)),
        NOT_EXECUTABLE => {
            let said =
                find(log, &["ermission denied", "cannot execute", "s a directory", "Exec format error"]);
            let message = said.unwrap_or("the program may not be executed (exit 126)");
            let is_directory = message.contains("s a directory");
            let subkind = if is_directory { Subkind::Usage } else { Subkind::Permission };
            Some(Report::tooling(Some(subkind), "", message))
        }
        _ => None,
    }
}

fn find<'a>(log: &Log<'a>, signs: &[&str]) -> Option<&'a str> {
    let lines = log.lines.iter().rev();
    lines.map(|line| line.trim()).find(|line| signs.iter().any(|sign| line.contains(sign)))
}

fn not_found(run: &Run<'_>, log: &Log<'_>) -> Report {
    const SIGNS: &[&str] = &[
        "not found",
        "No such file or directory",
        "bad interpreter",
        "error while loading shared libraries",
        "failed to run command",
        "nknown command",
    ];
    let Some(line) = find(log, SIGNS) else {
        let program =
            programs::all(run.command, &Log::new("", "")).last().map(|program| program.name.clone());
        let name = program.unwrap_or_default();
        return Report::tooling(Some(Subkind::MissingTool), &name, "command not found (exit 127)");
    };
    if line.contains("error while loading shared libraries") {
        return Report::tooling(Some(Subkind::MissingDependency), "", line);
    }
    // `bash nothing.sh` has a shell that runs and a script that is not there.
    let is_script = line.contains("No such file") && {
        let shells = ["bash: ", "sh: ", "zsh: ", "dash: "];
        let rest = shells.iter().find_map(|shell| line.strip_prefix(shell)).unwrap_or("");
        let file = rest.split(": ").find(|part| !part.starts_with("line ") && part.parse::<u32>().is_err());
        file.is_some_and(|file| !file.starts_with("./") && run.command.contains(&format!("sh {file}")))
    };
    let subkind = if is_script { Subkind::Usage } else { Subkind::MissingTool };
    Report::tooling(Some(subkind), "", &without_shell(line))
}

/// `bash: line 1: foo: command not found` is `foo: command not found`.
fn without_shell(line: &str) -> String {
    let mut text = line;
    for shell in ["/bin/sh: ", "/bin/bash: ", "bash: ", "sh: ", "dash: ", "zsh: "] {
        if let Some(rest) = text.strip_prefix(shell) {
            text = rest;
            if let Some((number, rest)) = text.split_once(": ")
                && number.trim_start_matches("line ").parse::<u32>().is_ok()
            {
                text = rest;
            }
            break;
        }
    }
    text.to_owned()
}

/// The signal that ended a run, told by the shell's exit code if not by the system.
pub(super) fn signal(end: End) -> Option<i32> {
    match end {
        End::Signal(signal) => Some(signal),
        End::Exit(code) => {
            let signal = code.checked_sub(SIGNALED)?;
            matches!(signal, 2 | 4 | 5 | 6 | 7 | 8 | 9 | 11 | 13 | 15).then_some(signal)
        }
        End::Timeout => None,
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        1 => "SIGHUP",
        2 => "SIGINT (interrupted)",
        3 => "SIGQUIT",
        4 => "SIGILL (illegal instruction)",
        5 => "SIGTRAP",
        6 => "SIGABRT (aborted)",
        7 => "SIGBUS (bus error)",
        8 => "SIGFPE (arithmetic error)",
        9 => "SIGKILL (killed, perhaps out of memory)",
        11 => "SIGSEGV (segmentation fault)",
        13 => "SIGPIPE (broken pipe)",
        15 => "SIGTERM (terminated)",
        _ => "a signal",
    }
}

/// A program that a signal ended and that said nothing a parser knows.
pub(super) fn ended(run: &Run<'_>, log: &Log<'_>, programs: &[Program]) -> Option<Report> {
    let in_output = || {
        let said = find(
            log,
            &["Segmentation fault", "core dumped", "(signal: ", "Bus error", "Illegal instruction"],
        )?;
        Some((11, said))
    };
    let (signal, said) = match signal(run.end) {
        Some(signal) => (signal, None),
        None => in_output().map(|(signal, said)| (signal, Some(said)))?,
    };
    let kind = match programs::purpose(programs) {
        Purpose::Test => Kind::TestFailure,
        _ => Kind::RuntimeError,
    };
    let name = programs.last().map_or("the program", |program| program.name.as_str());
    let told = log.lines.iter().map(|line| line.trim()).find(|line| tells(line));
    let message = match (said, told) {
        (Some(said), _) => said.to_owned(),
        (None, Some(told)) => format!("{name} ended by {}: {told}", signal_name(signal)),
        (None, None) => format!("{name} ended by {}", signal_name(signal)),
    };
    let place = places::innermost(&log.lines);
    Some(Report::of_one(kind, Some(Subkind::Signal), Stage::Run, Problem::new("", place, &message)))
}

/// Whether a line says why a program was ended.
fn tells(line: &str) -> bool {
    let lower = line.to_lowercase();
    [
        "terminate called",
        "what():",
        "abort",
        "fatal",
        "corrupt",
        "double free",
        "heap out of memory",
        "overflow",
        "killed",
    ]
    .iter()
    .any(|sign| lower.contains(sign))
        && !lower.starts_with('#')
        && !lower.contains(": 0x")
}
