//! `write_file`: a whole file, as given.

use bowline_core::outcome::Outcome;
use bowline_core::tool_output::ToolOutput;

use super::edit_file::line_count;
use super::file_edit::file_edit;
use super::{Answer, Tool, counted, success};
use crate::seen_files::Wrote;
use crate::workspace::{Expected, Hash, Kind};

const RUNG: &str = "whole file";

impl Tool<'_> {
    pub(super) fn write_file(&self, path: &str, content: &str) -> Answer {
        let file = self.resolve(path)?;
        let read = match file.kind {
            Kind::Missing => None,
            _ => Some(self.workspace.read(&file)?),
        };
        let old = read.as_ref().map(|read| read.bytes.as_slice());
        let lines = counted(line_count(content.as_bytes()), "line");
        if old == Some(content.as_bytes()) {
            return success(format!("{} already holds these {lines}, nothing changed.", file.display));
        }
        match &read {
            Some(read) => self.replaceable(&file, read, content)?,
            None => self.check_new(&file.display, content)?,
        }
        let broken = self.broken(&file, old, content.as_bytes())?;
        let expected = read.as_ref().map_or(Expected::Missing, |read| Expected::Content(read.hash));
        // What was thought about for long is not written into a turn that has ended.
        self.check_cancelled()?;
        self.workspace.write(&file, content.as_bytes(), expected)?;
        self.context.seen.wrote(&file.display, Hash::of(content.as_bytes()), Wrote::Whole);
        let what = if old.is_some() { "overwritten" } else { "a new file" };
        let edit = file_edit(&file.display, old, content.as_bytes(), RUNG);
        let text = format!("Wrote {lines} to {} ({what}).{broken}", file.display);
        Ok(ToolOutput { edits: vec![edit], ..ToolOutput::new(Outcome::Success, text) })
    }
}
