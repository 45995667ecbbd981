//! Which tools a command runs, seen through `cd x &&`, `timeout 60`, `npx`, `python -m`, `npm run x`, `make x` and pipes.
//!
//! Where a script or a target hides the tool, the lines that npm and make echo before they run something tell it.

mod table;
mod verbs;
mod wrappers;

use super::command::{self, Joint, Step};
use super::log::Log;
use super::tools::Tool;

/// Echoed commands that are looked at, and the lines of output they are looked for in.
const ECHOES_MAX: usize = 12;
const ECHO_LINES_MAX: usize = 400;

/// What a program is run for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Test,
    Lint,
    Build,
    /// It runs a program of the project.
    Run,
    Install,
    Other,
}

/// A program that a command runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Program {
    /// As a user would name it: `pytest`, `npm run lint`.
    pub name: String,
    pub tool: Option<Tool>,
    pub purpose: Purpose,
    /// Whether it runs commands that it does not name: `make`, `npm run`, a script.
    pub is_opaque: bool,
    /// The line of the output that tells of it, if the command itself does not.
    pub echo: Option<String>,
}

/// The programs that do the work, in their order: those that the command names, then those that the output names.
pub(super) fn all(command: &str, log: &Log<'_>) -> Vec<Program> {
    let mut programs: Vec<Program> = command::steps(command).iter().filter_map(program).collect();
    if programs.is_empty() {
        // What only looks at others or waits is all that there is.
        let last = command::steps(command).pop();
        programs.extend(last.and_then(|step| named(&step)));
    }
    if programs.iter().any(|program| program.is_opaque) {
        programs.extend(echoed(log));
    }
    programs
}

/// What the whole command is run for: a test run counts most.
pub(super) fn purpose(programs: &[Program]) -> Purpose {
    let order = [Purpose::Test, Purpose::Lint, Purpose::Build, Purpose::Install, Purpose::Run];
    order
        .into_iter()
        .find(|purpose| programs.iter().any(|program| program.purpose == *purpose))
        .unwrap_or(Purpose::Other)
}

/// Programs that only look at the output of others, or prepare something.
const BYSTANDERS: &[&str] = &[
    "cd", "export", "set", "source", ".", "echo", "printf", "true", ":", "sleep", "tail", "head", "tee",
    "wc", "sort", "uniq", "cut", "tr", "mkdir", "touch", "clear", "unset", "ulimit", "umask", "pushd",
    "popd", "pwd", "date", "exit", "wait", "trap", "less", "more",
];

fn program(step: &Step) -> Option<Program> {
    let words = wrappers::unwrapped(&step.words);
    let first = words.first()?;
    let name = first.rsplit('/').next().unwrap_or(first);
    let filters = matches!(name, "grep" | "egrep" | "rg" | "sed" | "awk" | "jq" | "xargs" | "cat");
    if BYSTANDERS.contains(&name) || step.joint == Joint::Pipe && filters {
        return None;
    }
    named(step)
}

fn named(step: &Step) -> Option<Program> {
    let words = wrappers::unwrapped(&step.words);
    let (first, rest) = words.split_first()?;
    Some(table::known(first.rsplit('/').next().unwrap_or(first), rest, first))
}

/// The commands that npm, yarn and make print before they run them.
fn echoed(log: &Log<'_>) -> Vec<Program> {
    let mut programs = Vec::new();
    for line in log.lines.iter().take(ECHO_LINES_MAX) {
        let text = line.trim_start_matches("> ").trim_start_matches("$ ").trim_start_matches("+ ");
        let is_marked = text.len() < line.len();
        let starts_like_command = text.starts_with(|sign: char| sign.is_ascii_lowercase() || sign == '.');
        if !starts_like_command || text.len() > 400 || text.ends_with(':') {
            continue;
        }
        for step in command::steps(text) {
            let Some(mut program) = program(&step) else { continue };
            let is_sure = is_marked || program.tool.is_some_and(|tool| looks_like_command(tool, &step));
            let is_new = |known: &Program| known.tool != program.tool || known.purpose != program.purpose;
            if program.tool.is_some() && is_sure && programs.iter().all(is_new) {
                program.echo = Some(line.trim().to_owned());
                programs.push(program);
            }
        }
        if programs.len() >= ECHOES_MAX {
            break;
        }
    }
    programs
}

/// Whether a line that begins with the name of a tool is its call, not a message of it: `gcc: error: …` is none.
fn looks_like_command(_tool: Tool, step: &Step) -> bool {
    step.words.first().is_some_and(|word| !word.ends_with([':', ','])) && step.words.len() < 60
}
