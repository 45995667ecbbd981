//! `edit_file`: replaces text in one file, all edits of the call or none.
//!
//! The answer shows the changed lines as they are now, never a diff.

use std::ops::RangeInclusive;

use bowline_core::outcome::Outcome;
use bowline_core::tool_output::ToolOutput;
use bowline_core::tools::{Replace, TextEdit};
use bowline_edit::{Applied, Edit, Fault, Landing, Refusal, Rung};
use memchr::memmem;

use super::edit_checks::placed;
use super::file_edit::file_edit;
use super::other_files::elsewhere;
use super::{Answer, Stop, Tool, counted, line_numbers, missing_path, success};
use crate::seen_files::{Known, Wrote};
use crate::workspace::{Expected, FileRead, Hash, Kind, Resolved};

/// Lines shown above and below a change.
const AROUND_LINES: usize = 3;
const SHOWN_LINES_MAX: usize = 60;
/// From this miss of a file on its lines are shown.
const MISSES_SHOWN: usize = 2;
/// Lines shown above and below what an edit was about.
const REGION_LINES: usize = 10;
const CREATED: &str = "created";

impl Tool<'_> {
    pub(super) fn edit_file(&self, path: &str, edits: &[TextEdit], replace: Replace) -> Answer {
        let file = self.resolve(path)?;
        let creates = edits.first().is_some_and(|edit| edit.old.trim().is_empty());
        let read = match file.kind {
            Kind::Missing if creates => None,
            Kind::Missing => return Err(Stop::Failed(missing_path::missing(self, &file))),
            _ => Some(self.workspace.read(&file)?),
        };
        let old = read.as_ref().map(|read| read.bytes.as_slice());
        let edits = asked(edits, replace);
        let applied = match bowline_edit::apply_with(old, &edits, self.context.edit_mode()) {
            Ok(applied) => applied,
            Err(refusal) => {
                let refusal = placed(&file.display, old.unwrap_or_default(), refusal);
                return Err(Stop::Failed(self.refused(&file, read.as_ref(), &edits, &refusal)));
            }
        };
        if old == Some(applied.content.as_slice()) {
            return success(unchanged(&file.display, &applied));
        }
        let broken = self.broken(&file, old, &applied.content)?;
        let is_known = read.as_ref().is_none_or(|read| self.known(&file, read) == Known::Whole);
        let expected = read.as_ref().map_or(Expected::Missing, |read| Expected::Content(read.hash));
        // What was thought about for long is not written into a turn that has ended.
        self.check_cancelled()?;
        self.workspace.write(&file, &applied.content, expected)?;
        let rung = rung(&applied);
        let how = if rung == CREATED || is_known { Wrote::Whole } else { Wrote::Part };
        self.context.seen.wrote(&file.display, Hash::of(&applied.content), how);
        let edit = file_edit(&file.display, old, &applied.content, rung);
        let text = landed(&file.display, &applied, rung) + &broken;
        Ok(ToolOutput { edits: vec![edit], ..ToolOutput::new(Outcome::Success, text) })
    }
}

impl Tool<'_> {
    /// Why, and where the text was seen that the edit was looking for.
    fn refused(
        &self,
        file: &Resolved,
        read: Option<&FileRead>,
        edits: &[Edit<'_>],
        refusal: &Refusal,
    ) -> String {
        let content = read.map(|read| read.bytes.as_slice());
        let faults = edits.iter().zip(&refusal.verdicts);
        let is_absent =
            |old: &str| memmem::find(content.unwrap_or_default(), old.trim().as_bytes()).is_none();
        let astray = faults.filter_map(|(edit, verdict)| match verdict {
            Err(Fault::NotFound { .. } | Fault::Same) if is_absent(edit.old) => Some(edit.old),
            _ => None,
        });
        let elsewhere = astray.filter_map(|old| elsewhere(self, file, old)).next();
        let is_only_astray =
            matches!(refusal.verdicts.as_slice(), [Err(Fault::NotFound { .. })]) && elsewhere.is_some();
        let path = &file.display;
        match elsewhere {
            // The nearest passage of the wrong file would only lead astray further.
            Some(words) if is_only_astray => {
                format!("{path} was not changed: `old` is not in this file. {words}")
            }
            Some(words) => format!("{path} was not changed: {refusal}\n`old` is not in this file. {words}"),
            None => format!("{path} was not changed: {refusal}{}", self.more(file, read, refusal)),
        }
    }
}

impl Tool<'_> {
    /// What else helps the next try: that the file is not what the model saw; at the second miss the lines it is about.
    fn more(&self, file: &Resolved, read: Option<&FileRead>, refusal: &Refusal) -> String {
        let mut words = String::new();
        let Some(read) = read.filter(|_| refusal.verdicts.iter().any(is_miss)) else { return words };
        if self.known(file, read) == Known::Changed {
            words.push_str("\nThe file changed since you last saw it: view it again.");
        }
        let misses = self.context.seen.missed(&file.display);
        let lines = region(refusal, line_count(&read.bytes));
        if misses >= MISSES_SHOWN && !lines.is_empty() {
            words.push_str("\nThe file reads, as it is now:\n");
            line_numbers::excerpt(&mut words, &read.bytes, &lines, SHOWN_LINES_MAX);
            words.truncate(words.trim_end_matches('\n').len());
        }
        words
    }
}

/// Whether an edit was not made because its place is not clear.
fn is_miss(verdict: &Result<Landing, Fault>) -> bool {
    matches!(
        verdict,
        Err(Fault::NotFound { .. }
            | Fault::Ambiguous { .. }
            | Fault::Conflict { .. }
            | Fault::Entangled { .. })
    )
}

/// The lines that edits were about, as far as that is known; all of a short file.
fn region(refusal: &Refusal, lines_total: usize) -> Vec<RangeInclusive<usize>> {
    let wide =
        |first: usize, count: usize| first.saturating_sub(REGION_LINES).max(1)..=first + count + REGION_LINES;
    let mut lines: Vec<RangeInclusive<usize>> = Vec::new();
    for fault in refusal.verdicts.iter().filter_map(|verdict| verdict.as_ref().err()) {
        match fault {
            Fault::NotFound { nearest: Some(nearest), .. } | Fault::Conflict { nearest, .. } => {
                lines.push(wide(nearest.line, nearest.passage.len()));
            }
            Fault::Ambiguous { places, .. } => {
                lines.extend(places.iter().map(|place| around(place.line..=place.line)));
            }
            _ => {}
        }
    }
    if lines.is_empty() && lines_total <= SHOWN_LINES_MAX {
        lines.push(1..=lines_total.max(1));
    }
    lines.sort_by_key(|lines| *lines.start());
    lines
}

/// A call's edits as the applier takes them.
pub(crate) fn asked(edits: &[TextEdit], replace: Replace) -> Vec<Edit<'_>> {
    let asked = edits.iter().map(|edit| match replace {
        Replace::One => Edit::one(&edit.old, &edit.new),
        Replace::All => Edit::all(&edit.old, &edit.new),
    });
    asked.collect()
}

/// The most forgiving rung that an edit took.
fn rung(applied: &Applied) -> &'static str {
    let rungs = applied.landings.iter().filter_map(|landing| match landing {
        Landing::Replaced { rung, .. } => Some(*rung),
        Landing::Created | Landing::InPlace { .. } => None,
    });
    rungs.max().map_or(CREATED, Rung::word)
}

fn unchanged(path: &str, applied: &Applied) -> String {
    let lines: Vec<RangeInclusive<usize>> = applied
        .landings
        .iter()
        .filter_map(|landing| match landing {
            Landing::InPlace { line } => Some(around(*line..=*line)),
            Landing::Replaced { .. } | Landing::Created => None,
        })
        .collect();
    let mut text = format!("{path}: already in place, nothing changed. It reads:\n");
    show(&mut text, applied, lines);
    text
}

fn landed(path: &str, applied: &Applied, rung: &str) -> String {
    if applied.content.is_empty() {
        return format!("{path} is now empty.");
    }
    if rung == CREATED {
        return format!("{path} created, {}.", counted(line_count(&applied.content), "line"));
    }
    let places = applied
        .landings
        .iter()
        .map(|landing| match landing {
            Landing::Replaced { places, .. } => *places,
            Landing::Created => 1,
            Landing::InPlace { .. } => 0,
        })
        .sum();
    let mut text = format!("{path}: {} changed ({rung} match). Now:\n", counted(places, "place"));
    show(&mut text, applied, applied.changed_lines().into_iter().map(around).collect());
    text
}

fn show(text: &mut String, applied: &Applied, mut lines: Vec<RangeInclusive<usize>>) {
    lines.sort_by_key(|lines| *lines.start());
    let left_out = line_numbers::excerpt(text, &applied.content, &lines, SHOWN_LINES_MAX);
    if left_out > 0 {
        text.push_str(&format!("… {} more", counted(left_out, "line")));
    }
    text.truncate(text.trim_end_matches('\n').len());
}

fn around(lines: RangeInclusive<usize>) -> RangeInclusive<usize> {
    lines.start().saturating_sub(AROUND_LINES).max(1)..=lines.end() + AROUND_LINES
}

pub(super) fn line_count(content: &[u8]) -> usize {
    let feeds = content.iter().filter(|byte| **byte == b'\n').count();
    feeds + usize::from(!content.is_empty() && !content.ends_with(b"\n"))
}
