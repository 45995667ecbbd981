//! One edit of a file on the disk: read, applied, and written whole, only over what was read.

use bowline_core::tool_output::Grant;
use bowline_edit::{Edit, Mode};
use bowline_host::tools::file_edit;
use bowline_host::workspace::{Expected, FileError, Kind, Workspace};

use super::answer::{Answer, CREATED, Status, apply};

/// Whether the file is written in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Intent {
    Write,
    Try,
}

/// The result of an edit.
pub(super) struct Done {
    pub(super) answer: Answer,
    /// What is changed, for a person.
    pub(super) diff: Option<String>,
    /// It was not the edit that failed but the disk.
    pub(super) is_world: bool,
}

impl Done {
    fn refused(message: String) -> Done {
        Done { answer: Answer::refused(message), diff: None, is_world: false }
    }

    fn failed(error: &FileError) -> Done {
        let is_world = matches!(error, FileError::Failed { .. });
        Done { is_world, ..Done::refused(format!("{}.", error.for_user())) }
    }
}

pub(super) fn edit(
    workspace: &Workspace,
    path: &str,
    grant: Grant,
    edit: &Edit<'_>,
    mode: Mode,
    intent: Intent,
) -> Done {
    let file = match workspace.resolve(path, grant) {
        Ok(file) => file,
        Err(error) => return Done::refused(format!("{}.", error.for_user())),
    };
    let shown = &file.display;
    let read = match file.kind {
        Kind::Missing if edit.old.trim().is_empty() => None,
        Kind::Missing => {
            return Done::refused(format!("{shown} does not exist. An empty `old` would create it."));
        }
        _ => match workspace.read(&file) {
            Ok(read) => Some(read),
            Err(error) => return Done::failed(&error),
        },
    };
    let content = read.as_ref().map(|read| read.bytes.as_slice());
    let (mut answer, made) = apply(content, edit, mode);
    answer.message = format!("{shown}: {}", answer.message);
    let made = made.filter(|_| answer.status == Status::Applied);
    let Some(made) = made else { return Done { answer, diff: None, is_world: false } };
    let diff = file_edit(shown, content, &made, answer.rung.unwrap_or(CREATED)).diff;
    if intent == Intent::Try {
        answer.message.push_str(" Nothing was written.");
        return Done { answer, diff: Some(diff), is_world: false };
    }
    let expected = read.as_ref().map_or(Expected::Missing, |read| Expected::Content(read.hash));
    match workspace.write(&file, &made, expected) {
        Ok(()) => Done { answer, diff: Some(diff), is_world: false },
        Err(error) => Done::failed(&error),
    }
}
