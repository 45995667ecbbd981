//! The folders that a command may be in after its `cd`s.
//!
//! What always holds: every part is judged in each of the folders it may run in, and where one of them can't be told, every
//! part after it is asked about.

use super::command::{Part, Position, Word};
use super::paths::{Refused, RunsIn};
use super::wrappers;

/// What a part does to the folder of those after it.
pub(super) enum Enters {
    Nothing,
    /// It may lead to one of these.
    Folders(Vec<String>),
    Unknown,
}

pub(super) fn cd(part: &Part, here: &RunsIn<'_>) -> Result<(), Refused> {
    if part.position == Position::Nested {
        return Err(Refused::ask("it changes the folder in a loop or a condition"));
    }
    match part.arguments() {
        [Word::Known(folder)] if is_plain(folder) => {
            if targets(folder, here).is_none() {
                return Err(Refused::ask(format!(
                    "whether {folder} is above a link or above what it leads to is not clear"
                )));
            }
            here.may_read(&Word::Known(folder.clone()))
        }
        [word @ (Word::Unknown(_) | Word::Glob(_))] => Err(Refused::dynamic(word)),
        _ => Err(Refused::ask("cd leaves the project")),
    }
}

/// The folders a `cd` leads to from each there is, however it is reached.
pub(super) fn enters(part: &Part, here: &RunsIn<'_>) -> Enters {
    let wrapped = wrappers::enters(part);
    let part = wrapped.as_ref().unwrap_or(part);
    match (part.program(), part.arguments()) {
        (Some("cd"), [Word::Known(folder)]) if is_plain(folder) => {
            targets(folder, here).map_or(Enters::Unknown, Enters::Folders)
        }
        (Some("cd" | "pushd" | "popd"), _) => Enters::Unknown,
        _ => Enters::Nothing,
    }
}

fn is_plain(folder: &str) -> bool {
    !folder.is_empty() && !folder.starts_with(['-', '~'])
}

/// `..` takes the last name off to the shell, and leads above what a link points to for everybody else: none where these
/// are not the same.
fn targets(folder: &str, here: &RunsIn<'_>) -> Option<Vec<String>> {
    let joined = here.folders.iter().map(|from| {
        let whole = if folder.starts_with('/') { folder.to_owned() } else { format!("{from}/{folder}") };
        match without_parents(&whole) {
            Some(plain) if here.project_files.place(".", &plain) != here.project_files.place(".", &whole) => {
                None
            }
            _ => Some(whole),
        }
    });
    joined.collect()
}

/// The path as the shell shortens it; none where it leads above the folder it starts from.
fn without_parents(path: &str) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/').filter(|name| !name.is_empty() && *name != ".") {
        if name == ".." {
            names.pop()?;
        } else {
            names.push(name);
        }
    }
    let start = if path.starts_with('/') { "/" } else { "./" };
    Some(format!("{start}{}", names.join("/")))
}
