//! `change`: a new text for a place, text added behind it, a definition renamed or removed, a new file.
//!
//! What a model wrote is fitted into its file by `bowline-index`, which refuses what does not parse or does not define what it
//! replaces. All files of a change are written, or none. The answer shows the place as it is now, never a diff.

mod doubts;
mod links;
mod refactor;

use std::ops::RangeInclusive;

use bowline_core::outcome::Outcome;
use bowline_core::place::Change;
use bowline_core::tool_output::ToolOutput;
use bowline_core::tools::{ChangeCall, UNCHANGED};
use bowline_edit::omission;
use bowline_index::{self as index, AddRefused};

use self::doubts::{hold_back_bash, hold_back_lost_options, in_plain_shell, undefined_constant};
use super::file_edit::file_edit;
use super::{Answer, Stop, Tool, counted, line_numbers};
use crate::seen_files::Wrote;
use crate::survey::find;
use crate::workspace::{Expected, FileRead, Hash, Kind, Resolved};

/// Lines of the changed place that the answer shows.
const SHOWN_LINES_MAX: usize = 40;
const RUNG: &str = "place";
const CREATED: &str = "created";

/// A file with its new content.
struct Rewrite {
    file: Resolved,
    read: Option<FileRead>,
    content: Vec<u8>,
}

impl Tool<'_> {
    pub(super) fn change(&self, call: &ChangeCall) -> Answer {
        match call.change {
            Change::Create => self.create(call),
            Change::Rewrite | Change::AddAfter => self.rewrite(call),
            Change::Rename | Change::Remove => self.refactor(call),
        }
    }

    fn create(&self, call: &ChangeCall) -> Answer {
        let file = self.resolve(&call.place.path)?;
        if file.kind != Kind::Missing {
            return Err(Stop::Failed(format!("{} exists already: change a place of it.", file.display)));
        }
        let mut content = self.text(call)?.trim_start_matches('\n').trim_end().to_owned();
        self.check_new(&file.display, &content)?;
        content.push('\n');
        let lines = counted(content.lines().count(), "line");
        let text = format!("{} created, {lines}.", file.display);
        self.write_all(&[Rewrite { file, read: None, content: content.into_bytes() }], text)
    }

    /// A new text for a place, or behind it.
    fn rewrite(&self, call: &ChangeCall) -> Answer {
        let file = self.existing(&call.place.path)?;
        let read = self.workspace.read(&file)?;
        let text = self.text(call)?;
        let refused = |why: String| Stop::Failed(format!("{} was not changed: {why}.", call.place.label()));
        let all = index::places(&file.display, &read.bytes);
        let place = match &call.place.name {
            None => None,
            Some(name) => {
                let known = find(&all, name);
                Some(known.ok_or_else(|| refused("there is no such place any more".to_owned()))?)
            }
        };
        let old = place
            .map_or(read.bytes.as_slice(), |place| read.bytes.get(place.bytes.clone()).unwrap_or_default());
        if let Some(mark) = omission(&String::from_utf8_lossy(old), text) {
            let why = format!(
                "line {} of the text, `{}`, stands for lines that it leaves out",
                mark.line, mark.text
            );
            return Err(refused(why));
        }
        let content = match (call.change, place) {
            (Change::AddAfter, place) => match index::add_after(&file.display, &read.bytes, place, text) {
                Ok(added) => added.content,
                Err(why) => {
                    self.rewrite_instead(&file, &read, &why, text).ok_or_else(|| refused(why.to_string()))?
                }
            },
            (_, Some(place)) => {
                let rewritten = index::rewrite(&file.display, &read.bytes, place, text)
                    .map_err(|why| refused(why.to_string()))?;
                self.hold_back_lost_calls(call, &file, &rewritten.dropped_calls)?;
                self.without_copies(&file, rewritten.content, &rewritten.added)
            }
            (_, None) => {
                let content = self.whole_file(&file, &read, text)?;
                self.without_read_copies(&file, &read, content)
            }
        };
        if let Some(place) = place.filter(|_| call.change == Change::Rewrite) {
            self.keeps_members(&file, &read, place, &content).map_err(refused)?;
        }
        hold_back_lost_options(call, &file, old, text)?;
        let content = in_plain_shell(&file, &read, content);
        hold_back_bash(call, &file, &read, &content)?;
        let content = self.with_imports(&file, &read, &content);
        if content == read.bytes {
            return Err(refused(UNCHANGED.to_owned()));
        }
        if let Some(name) = undefined_constant(call, &file, &read, &content) {
            return Err(refused(format!("`{name}` is not defined")));
        }
        let mut others = self.exposed(&file, text, &content)?;
        let broken = self.broken(&file, Some(&read.bytes), &content)?;
        let shown = now_reads(&read.bytes, &content);
        let text = format!("{} changed. It reads now:\n{shown}{broken}", call.place.label());
        others.insert(0, Rewrite { file, read: Some(read), content });
        self.write_all(&others, text)
    }

    /// A text that was to be added and defines one thing that is there already is the new text of that.
    fn rewrite_instead(
        &self,
        file: &Resolved,
        read: &FileRead,
        why: &AddRefused,
        text: &str,
    ) -> Option<Vec<u8>> {
        let AddRefused::Exists { names } = why else { return None };
        let [name] = names.as_slice() else { return None };
        let all = index::places(&file.display, &read.bytes);
        let place = all.iter().find(|place| place.name == *name && place.container.is_none())?;
        index::rewrite(&file.display, &read.bytes, place, text).ok().map(|rewritten| rewritten.content)
    }

    /// A small file is a place of its own.
    fn whole_file(&self, file: &Resolved, read: &FileRead, text: &str) -> Result<Vec<u8>, Stop> {
        let mut content = text.trim_end().to_owned();
        content.push('\n');
        if content.as_bytes() == read.bytes {
            return Err(Stop::Failed(format!("{} was not changed: {UNCHANGED}.", file.display)));
        }
        self.keeps_definitions(file, read, &content)?;
        Ok(content.into_bytes())
    }

    fn text<'a>(&self, call: &'a ChangeCall) -> Result<&'a str, Stop> {
        let text = call.text.as_deref().filter(|text| !text.trim().is_empty());
        text.ok_or_else(|| {
            Stop::Failed(format!("{} was not changed: there is no new text.", call.place.label()))
        })
    }

    /// Writes all files, each as it was read; a later one that can't be written takes the earlier ones back.
    fn write_all(&self, rewrites: &[Rewrite], text: String) -> Answer {
        // What was thought about for long is not written into a turn that has ended.
        self.check_cancelled()?;
        let mut written: Vec<&Rewrite> = Vec::new();
        for rewrite in rewrites {
            let expected =
                rewrite.read.as_ref().map_or(Expected::Missing, |read| Expected::Content(read.hash));
            if let Err(error) = self.workspace.write(&rewrite.file, &rewrite.content, expected) {
                self.take_back(&written);
                return Err(error.into());
            }
            written.push(rewrite);
        }
        let mut edits = Vec::new();
        for Rewrite { file, read, content } in rewrites {
            let old = read.as_ref().map(|read| read.bytes.as_slice());
            let how = if old.is_none() { Wrote::Whole } else { Wrote::Part };
            self.context.seen.wrote(&file.display, Hash::of(content), how);
            edits.push(file_edit(&file.display, old, content, if old.is_none() { CREATED } else { RUNG }));
        }
        Ok(ToolOutput { edits, ..ToolOutput::new(Outcome::Success, text) })
    }

    /// A file that somebody changed in between keeps what it has.
    fn take_back(&self, written: &[&Rewrite]) {
        for Rewrite { file, read, content } in written.iter().rev() {
            if let Some(read) = read {
                let _ = self.workspace.write(file, &read.bytes, Expected::Content(Hash::of(content)));
            }
        }
    }
}

/// The lines that are other than before, numbered.
fn now_reads(old: &[u8], new: &[u8]) -> String {
    let lines = |content: &[u8]| -> Vec<Vec<u8>> {
        content.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
    };
    let (old, all) = (lines(old), lines(new));
    let head = old.iter().zip(&all).take_while(|(old, new)| old == new).count();
    let most = old.len().min(all.len()) - head;
    let tail = old.iter().rev().zip(all.iter().rev()).take(most).take_while(|(old, new)| old == new).count();
    let last = (all.len() - tail).max(head + 1);
    let range: RangeInclusive<usize> = head + 1..=last;
    let mut text = String::new();
    line_numbers::excerpt(&mut text, new, &[range], SHOWN_LINES_MAX);
    text.truncate(text.trim_end_matches('\n').len());
    text
}
