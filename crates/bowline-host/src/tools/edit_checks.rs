//! Checks the new content of a file before it is written: it must still parse, and lose nothing unintentionally.

use std::collections::HashMap;
use std::time::UNIX_EPOCH;

use bowline_edit::{Fault, Refusal, omission};
use bowline_index::{Broken, check, definitions, scope};

use super::{Stop, Tool, counted, line_numbers};
use crate::config::BrokenEdit;
use crate::seen_files::Known;
use crate::workspace::{FileRead, Resolved};

/// A file with fewer definitions may lose them all: it is renamed, not cut down.
const DEFINITIONS_MIN: usize = 2;
const NAMES_MAX: usize = 5;

impl Tool<'_> {
    /// What the model knows of a file as it is.
    pub(super) fn known(&self, file: &Resolved, read: &FileRead) -> Known {
        let written = std::fs::metadata(&file.real).and_then(|metadata| metadata.modified()).ok();
        let written = written.and_then(|written| written.duration_since(UNIX_EPOCH).ok());
        let written_ms = written.and_then(|written| i64::try_from(written.as_millis()).ok());
        self.context.seen.known(&file.display, read.hash, written_ms)
    }

    /// Words for the answer if the file no longer parses; a refusal where the terms want that.
    pub(super) fn broken(&self, file: &Resolved, old: Option<&[u8]>, new: &[u8]) -> Result<String, Stop> {
        // An empty file has shown of no syntax that it is the one the grammar knows.
        let old = old.filter(|old| !old.trim_ascii().is_empty());
        let Some(Broken { line, what, .. }) = old.and_then(|old| check(&file.display, old, new)) else {
            return Ok(String::new());
        };
        let path = &file.display;
        let mut shown = String::new();
        line_numbers::excerpt(&mut shown, new, &[line..=line], 1);
        let shown = shown.trim_end_matches('\n');
        match self.context.broken() {
            BrokenEdit::Report => Ok(format!("\n{path} no longer parses: line {line}, {what}. Mend it.")),
            BrokenEdit::Refuse => Err(Stop::Failed(format!(
                "{path} was not changed: it would no longer parse. Line {line} would read as below, where {what}. Send the \
                 change again, mended.\n{shown}"
            ))),
        }
    }

    /// A new file that speaks of lines somewhere else.
    pub(super) fn check_new(&self, path: &str, content: &str) -> Result<(), Stop> {
        let Some(mark) = omission("", content) else { return Ok(()) };
        Err(Stop::Failed(format!(
            "{path} was not written: line {} of `content`, `{}`, stands for lines that it leaves out. There is no such file yet: \
             write all of it.",
            mark.line, mark.text
        )))
    }

    /// Whether a whole file may take the place of this one: it was read, and it does not lose most of what it defines.
    pub(super) fn replaceable(&self, file: &Resolved, read: &FileRead, content: &str) -> Result<(), Stop> {
        let path = &file.display;
        let old = String::from_utf8_lossy(&read.bytes);
        if let Some(mark) = omission(&old, content) {
            return Err(Stop::Failed(format!(
                "{path} was not changed: line {} of `content`, `{}`, stands for lines that it leaves out, and they would be \
                 deleted. Use edit_file for the lines that change.",
                mark.line, mark.text
            )));
        }
        if read.bytes.trim_ascii().is_empty() {
            return Ok(());
        }
        let why = match self.known(file, read) {
            Known::Whole => return self.keeps_definitions(file, read, content),
            Known::Changed => "changed since you read it. View it again",
            Known::Part => {
                "exists, and you have read only a part of it. Use edit_file, or view all of it first"
            }
            Known::Nothing => "exists, and you have not read it. Use edit_file, or view all of it first",
        };
        Err(Stop::Failed(format!("{path} was not changed: it {why}.")))
    }

    pub(super) fn keeps_definitions(
        &self,
        file: &Resolved,
        read: &FileRead,
        content: &str,
    ) -> Result<(), Stop> {
        let path = &file.display;
        let before = definitions(path, &read.bytes);
        let mut after: HashMap<String, usize> = HashMap::new();
        for definition in definitions(path, content.as_bytes()) {
            *after.entry(definition.name).or_default() += 1;
        }
        let is_lost = |name: &str| match after.get_mut(name) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        };
        let mut is_lost = is_lost;
        let names: Vec<&str> = before.iter().map(|definition| definition.name.as_str()).collect();
        let lost: Vec<&str> = names.into_iter().filter(|name| is_lost(name)).collect();
        if before.len() < DEFINITIONS_MIN || lost.len() * 2 <= before.len() {
            return Ok(());
        }
        let told = lost.iter().take(NAMES_MAX).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let more = lost.len().saturating_sub(NAMES_MAX);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        Err(Stop::Failed(format!(
            "{path} was not changed: it would lose {} of its {}: {told}{more}. Use edit_file for the lines that change.",
            lost.len(),
            counted(before.len(), "definition"),
        )))
    }
}

/// The refusal with the definition each of several places is in, where the language is known.
pub(super) fn placed(path: &str, content: &[u8], mut refusal: Refusal) -> Refusal {
    let is_ambiguous = |verdict: &Result<_, Fault>| matches!(verdict, Err(Fault::Ambiguous { .. }));
    if !refusal.verdicts.iter().any(is_ambiguous) {
        return refusal;
    }
    let found = definitions(path, content);
    for verdict in &mut refusal.verdicts {
        if let Err(Fault::Ambiguous { places, .. }) = verdict {
            for place in places {
                place.under = scope(&found, place.line).or(place.under.take());
            }
        }
    }
    refusal
}
