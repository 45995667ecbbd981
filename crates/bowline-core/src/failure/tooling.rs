//! Tools that could not do their work: bad usage, bad configuration, something missing, a port, a disk, a permission.
//!
//! A sign that is certain is believed before tracebacks and findings of linters are looked
//! at; one that is likely may stand in the output of any program, and counts only if nothing else was understood.

mod signs;

use super::log::Log;
use super::programs::{self, Program, Purpose};
use super::report::Report;
use signs::{CERTAIN, DEPENDENCY, LIKELY, TOOL, USAGE};

/// Lines that are looked at, from both ends of a long output.
const LINES_MAX: usize = 150;

/// A tool that says plainly that it could not do its work.
pub(super) fn certain(log: &Log<'_>, programs: &[Program]) -> Option<Report> {
    if let Some(report) = missing_module(log, programs).or_else(|| by_shell(log)) {
        return Some(report);
    }
    if let Some(line) =
        log.lines.iter().find(|line| line.starts_with("stat ") && line.ends_with("no such file or directory"))
    {
        return Some(Report::tooling(USAGE, "", line));
    }
    let lines = windowed(log);
    let (at, subkind) = lines.iter().enumerate().find_map(|(at, line)| {
        let (_, subkind) =
            CERTAIN.iter().find(|(sign, _)| line.contains(sign)).filter(|_| !line.starts_with("> "))?;
        Some((at, *subkind))
    })?;
    Some(Report::tooling(subkind, "", &told(&lines, at)))
}

/// `python -m pytest` without pytest: `/usr/bin/python3: No module named pytest`.
fn missing_module(log: &Log<'_>, programs: &[Program]) -> Option<Report> {
    let is_line = |line: &&&str| {
        line.split_once(": No module named ")
            .is_some_and(|(before, _)| before.contains("python") && !before.contains(' '))
    };
    let line = log.lines.iter().find(is_line)?;
    let is_tool = matches!(programs::purpose(programs), Purpose::Test | Purpose::Lint | Purpose::Build);
    Some(Report::tooling(if is_tool { TOOL } else { DEPENDENCY }, "", line))
}

/// What the shell says about the command itself: a folder that is not there, a quote that is not closed.
fn by_shell(log: &Log<'_>) -> Option<Report> {
    let is_line = |line: &&&str| {
        let is_shell = [
            "bash: line ",
            "bash: -c: ",
            "bash: cd: ",
            "sh: 1: ",
            "/bin/sh: 1: ",
            "/bin/bash: line ",
            "zsh:",
        ]
        .iter()
        .any(|start| line.starts_with(start));
        let is_missing = line.starts_with("bash: line ") && line.ends_with(": No such file or directory");
        is_missing
            || is_shell
                && (line.contains("cd: ")
                    || line.contains("can't cd to")
                    || line.contains("yntax error")
                    || line.contains("unexpected EOF"))
    };
    let line = log.lines.iter().find(is_line)?;
    Some(Report::tooling(USAGE, "", line))
}

/// A line, with the next one if it only announces it.
fn told(lines: &[&str], at: usize) -> String {
    let line = plain(lines.get(at).copied().unwrap_or_default());
    if line.starts_with("code E") {
        // npm begins with a code; what it means stands below.
        let is_detail = |line: &String| {
            !["code ", "errno ", "syscall ", "path ", "stack "].iter().any(|label| line.starts_with(label))
        };
        let below = lines.iter().skip(at + 1).filter(|line| line.starts_with("npm ")).map(|line| plain(line));
        return below.into_iter().find(is_detail).unwrap_or(line);
    }
    let next = lines.iter().skip(at + 1).find(|line| !line.is_empty());
    match next {
        Some(next) if line.ends_with(':') => format!("{line} {next}"),
        _ => line,
    }
}

/// Words that any program may print.
pub(super) fn likely(log: &Log<'_>, programs: &[Program]) -> Option<Report> {
    let lines = windowed(log);
    let found = lines.iter().enumerate().find_map(|(at, line)| {
        let lower = line.to_lowercase();
        let (_, subkind) = LIKELY.iter().find(|(sign, _)| lower.contains(sign))?;
        Some((at, *line, *subkind))
    });
    if let Some((at, line, subkind)) = found {
        let name = match programs.last() {
            Some(_) if line.starts_with("bash: ") || line.starts_with("sh: ") => "",
            Some(program) if !line.contains(program.name.split(' ').next().unwrap_or("")) => {
                program.name.as_str()
            }
            _ => "",
        };
        return Some(Report::tooling(subkind, name, &told(&lines, at)));
    }
    if programs::purpose(programs) == Purpose::Install {
        let name = programs.last().map(|program| program.name.clone()).unwrap_or_default();
        let line = log.telling_line(programs).unwrap_or("the installation failed");
        return Some(Report::tooling(DEPENDENCY, &name, &plain(line)));
    }
    None
}

fn windowed<'a>(log: &Log<'a>) -> Vec<&'a str> {
    let count = log.lines.len();
    let is_near = |at: &usize| *at < LINES_MAX || at + LINES_MAX >= count;
    (0..count).filter(is_near).filter_map(|at| log.lines.get(at)).map(|line| line.trim()).collect()
}

/// A line without the mark in front of it: `npm error `, `error: `.
pub(super) fn plain(line: &str) -> String {
    let mut text = line.trim();
    for mark in ["npm error ", "npm ERR! ", "[ERROR] ", "error: ", "ERROR: ", "Error: ", "error ", "fatal: "]
    {
        if let Some(rest) = text.strip_prefix(mark) {
            text = rest.trim_start();
        }
    }
    text.to_owned()
}
