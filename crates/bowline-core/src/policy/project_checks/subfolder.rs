//! A check of one of the project's folders, started from its root: `npm --prefix web test`, `go -C tools test ./...`, `cargo test
//! --manifest-path engine/Cargo.toml`.
//!
//! The same rules hold as at the root, with what the folder's own files say. What always holds: the folder is named in plain
//! words at the one place that was looked at, lies in the project, and is neither ignored by git nor a repository of its own.

use super::super::command::Word;
use super::super::paths::{Refused, RunsIn};
use super::{KNOWN, Kind, Known, ProjectChecks, fits, script};

/// A command without the folder it names.
struct Inner {
    folder: String,
    arguments: Vec<Word>,
}

/// `None` if the command names no folder in one of the forms that are known.
pub(super) fn judge(program: &str, arguments: &[Word], here: &RunsIn<'_>) -> Option<Result<(), Refused>> {
    let inner = inner(program, arguments).filter(|_| here.is_at_root())?;
    if let Err(refused) = here.may_write(&Word::Known(inner.folder.clone())) {
        return Some(Err(refused));
    }
    let own = here.project_files.checks_in(&inner.folder);
    let folders = [inner.folder];
    let inside = RunsIn { project_files: here.project_files, folders: &folders };
    judge_inside(program, &own, &inner.arguments, &inside)
}

fn judge_inside(
    program: &str,
    own: &ProjectChecks,
    arguments: &[Word],
    inside: &RunsIn<'_>,
) -> Option<Result<(), Refused>> {
    match program {
        "npm" | "pnpm" | "yarn" if own.kinds.contains(&Kind::Node) => script(program, own, arguments, inside),
        "cargo" | "go" => {
            let is_its = |known: &&Known| known.program == program && own.kinds.contains(&known.kind);
            fits(&KNOWN.iter().filter(is_its).collect::<Vec<_>>(), arguments, inside)
        }
        _ => None,
    }
}

/// Takes the folder out of a command.
fn inner(program: &str, arguments: &[Word]) -> Option<Inner> {
    let known = |at: usize| arguments.get(at).and_then(Word::known);
    let rest = |at: usize| arguments.get(at..).unwrap_or_default().to_vec();
    let is_named = match program {
        "npm" => known(0) == Some("--prefix"),
        "pnpm" | "go" => known(0) == Some("-C"),
        "yarn" => known(0) == Some("--cwd"),
        _ => false,
    };
    if is_named {
        return Some(Inner { folder: known(1)?.to_owned(), arguments: rest(2) });
    }
    let is_manifest = program == "cargo" && known(1) == Some("--manifest-path");
    let folder = known(2).filter(|_| is_manifest)?.strip_suffix("/Cargo.toml")?.to_owned();
    let command = arguments.first()?.clone();
    Some(Inner { folder, arguments: [vec![command], rest(3)].concat() })
}
