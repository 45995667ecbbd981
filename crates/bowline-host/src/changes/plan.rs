//! Files as they are to be, worked out in memory, then written: all of them, or those that were written are put back.

use bowline_core::tool_output::Grant;

use super::ChangesError;
use crate::workspace::{Expected, FileError, FileRead, Hash, Kind, Resolved, Workspace};

pub(super) struct Plan<'w> {
    workspace: &'w Workspace,
    files: Vec<Planned>,
}

struct Planned {
    path: String,
    file: Resolved,
    /// As it was read; none where there is none.
    before: Option<FileRead>,
    now: Option<Vec<u8>>,
}

impl<'w> Plan<'w> {
    pub(super) fn new(workspace: &'w Workspace) -> Plan<'w> {
        Plan { workspace, files: Vec::new() }
    }

    /// What a file is to hold, to be changed; read when it is first asked for.
    pub(super) fn content(&mut self, path: &str) -> Result<&mut Option<Vec<u8>>, ChangesError> {
        let known = self.files.iter().position(|planned| planned.path == path);
        let at = match known {
            Some(at) => at,
            None => {
                // What the user allowed when the change was made is not asked again.
                let file = self.workspace.resolve(path, Grant::Outside)?;
                let before = match file.kind {
                    Kind::Missing => None,
                    _ => Some(self.workspace.read(&file)?),
                };
                let now = before.as_ref().map(|read| read.bytes.clone());
                self.files.push(Planned { path: path.to_owned(), file, before, now });
                self.files.len() - 1
            }
        };
        Ok(&mut self.files[at].now)
    }

    /// Writes what changed. Nothing has changed when it fails, or its words say what did.
    pub(super) fn carry_out(self) -> Result<(), ChangesError> {
        let changed: Vec<&Planned> = self.files.iter().filter(|planned| planned.is_changed()).collect();
        for (at, planned) in changed.iter().enumerate() {
            if let Err(error) = planned.write(self.workspace) {
                let stuck: Vec<&str> = changed[..at]
                    .iter()
                    .rev()
                    .filter(|written| written.put_back(self.workspace).is_err())
                    .map(|written| written.path.as_str())
                    .collect();
                let words = match (at, stuck.as_slice()) {
                    (0, _) => "Nothing was changed".to_owned(),
                    (_, []) => "What was written before was put back: nothing was changed".to_owned(),
                    (_, stuck) => format!("Written before, and not put back: {}", stuck.join(", ")),
                };
                return Err(ChangesError::Unwritten(error, words));
            }
        }
        Ok(())
    }
}

impl Planned {
    fn is_changed(&self) -> bool {
        self.before.as_ref().map(|read| read.bytes.as_slice()) != self.now.as_deref()
    }

    fn write(&self, workspace: &Workspace) -> Result<(), FileError> {
        let before = self.before.as_ref().map(|read| read.hash);
        replace(workspace, &self.file, before, self.now.as_deref())
    }

    fn put_back(&self, workspace: &Workspace) -> Result<(), FileError> {
        let written = self.now.as_deref().map(Hash::of);
        replace(workspace, &self.file, written, self.before.as_ref().map(|read| read.bytes.as_slice()))
    }
}

/// One content for another; none is no file.
fn replace(
    workspace: &Workspace,
    file: &Resolved,
    from: Option<Hash>,
    to: Option<&[u8]>,
) -> Result<(), FileError> {
    match (from, to) {
        (_, Some(to)) => workspace.write(file, to, from.map_or(Expected::Missing, Expected::Content)),
        (Some(from), None) => workspace.remove_made(file, from),
        (None, None) => Ok(()),
    }
}
