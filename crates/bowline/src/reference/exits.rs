//! Every exit code, and what to do about it.

use std::fmt::Write as _;

use super::head;
use crate::exit::Exit;

const WORDS: &str =
    "The exit status of `bowline`. If several apply, it is the first of 130 or 143, 5, 1, 3, 4, 0.";

/// What it means, what to do then, and the next code of the page: a new one fits in only by being named here.
fn explain(exit: Exit) -> (&'static str, &'static str, Option<Exit>) {
    match exit {
        Exit::Done => ("done", "", Some(Exit::Failed)),
        Exit::Failed => (
            "failed: the model's server, the database or the machine",
            "stderr says which; `bowline doctor` checks all of them",
            Some(Exit::Usage),
        ),
        Exit::Usage => (
            "wrong usage or configuration",
            "stderr says what was meant, or which line of which file",
            Some(Exit::Stopped),
        ),
        Exit::Stopped => (
            "stopped by a guard or a limit, or no usable answer",
            "`bowline run -c` continues with a fresh budget, `bowline run -c \"a hint\"` with a hint",
            Some(Exit::Refused),
        ),
        Exit::Refused => (
            "done, but something was refused because nobody could be asked",
            "stderr says which `--allow` would have allowed it",
            Some(Exit::NoModel),
        ),
        Exit::NoModel => (
            "no usable model",
            "start a server, or name one with `--base-url`; `bowline models` lists what was found",
            Some(Exit::NotEdited),
        ),
        Exit::NotEdited => (
            "`edit`, `changes`, `undo`, `redo`, `restore` or `worktree remove` refused, nothing changed",
            "stderr says why, and what to do instead",
            Some(Exit::Interrupted),
        ),
        Exit::Interrupted => (
            "interrupted: Ctrl-C, or stopped by another process",
            "`bowline run -c` continues",
            Some(Exit::Terminated),
        ),
        Exit::Terminated => ("asked to end (SIGTERM)", "`bowline run -c` continues", None),
    }
}

pub(super) fn page() -> String {
    let mut page = head("Exit codes", WORDS);
    page.push_str("| code | meaning | what to do |\n|---|---|---|\n");
    let mut codes = Vec::new();
    let mut next = Some(Exit::Done);
    while let Some(exit) = next {
        assert!(!codes.contains(&exit.code()), "{exit:?} stands on the page twice");
        codes.push(exit.code());
        let (meaning, then, following) = explain(exit);
        let _ = writeln!(page, "| {} | {meaning} | {then} |", exit.code());
        next = following;
    }
    assert!(codes.is_sorted(), "in the order of their numbers: {codes:?}");
    page.push_str(
        "\n`bowline doctor` exits with 0 if a turn can run here, with 5 if only a model is missing, else with 1; \
         `bowline models` with 0 if one can be used, with 5 if none can; `bowline edit --jsonl` with 0 when every line was answered.\n",
    );
    page
}
