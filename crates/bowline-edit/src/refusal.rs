//! Why edits were refused, in words for the model that sent them: short, concrete, with what to do next. Never a diff:
//! small models copy it into the file.

use std::fmt;
use std::ops::RangeInclusive;

use crate::apply::Landing;
use crate::ladder::Sheet;
use crate::lenient::{Budget, Lenient, lenient};
use crate::locate::Place;
use crate::merge::Conflict;
use crate::nearest::Nearest;
use crate::omission::Mark;
use crate::rung::Rung;

/// At least one edit does not fit, and none was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// One for each edit, in order: how it would have landed, or what is wrong with it.
    pub verdicts: Vec<Result<Landing, Fault>>,
}

/// What is wrong with an edit.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    /// `old` occurs more than once; `places` describes the first.
    Ambiguous { count: usize, rung: Rung, places: Vec<Place> },
    /// The place is clear, but what is there does not go together with the edit.
    Conflict { conflict: Conflict, nearest: Nearest },
    /// `old` occurs nowhere; what lenient mode would do about it.
    NotFound { nearest: Option<Nearest>, would: Would },
    /// `old` is blank, and there is text that it does not name.
    Blank,
    /// `new` equals `old`, line endings aside.
    Same,
    /// The change overlaps that of an earlier edit, whose number counts from 1.
    Overlaps { edit: usize },
    /// All places were asked for, and those on these lines overlap another or already read like `new`.
    Entangled { lines: Vec<usize> },
    /// `new` has a line that stands for text which was left out.
    Omission { mark: Mark },
    /// The file is not UTF-8, and what `new` adds cannot be written in its encoding.
    Encoding,
}

/// What [`Mode::Lenient`](crate::Mode::Lenient) would do with an edit that was not found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Would {
    /// It was not asked.
    Unasked,
    /// Nothing: no place is alike enough, or several are equally so.
    Nothing,
    /// Edit these lines, counted from 1.
    Edit(RangeInclusive<usize>),
    /// There was too much to compare, so similar places were not looked for.
    Skipped,
}

impl Would {
    pub(crate) fn of(sheet: &Sheet<'_>, old: &str) -> Would {
        match lenient(sheet, old, "", Budget::HINT) {
            Lenient::Skipped => Would::Skipped,
            Lenient::Found(found) if found.fits.len() == 1 => {
                let span = sheet.span(&found, &found.fits[0]);
                let last = span.end.saturating_sub(1).max(span.start);
                Would::Edit(sheet.page.line_at(span.start) + 1..=sheet.page.line_at(last) + 1)
            }
            Lenient::Found(_) | Lenient::None => Would::Nothing,
        }
    }
}

impl fmt::Display for Would {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Would::Unasked | Would::Nothing => Ok(()),
            Would::Edit(lines) if lines.start() == lines.end() => {
                write!(out, "Lenient mode would edit line {}. ", lines.start())
            }
            Would::Edit(lines) => {
                write!(out, "Lenient mode would edit lines {}-{}. ", lines.start(), lines.end())
            }
            Would::Skipped => {
                write!(out, "There is too much to compare, so similar places were not looked for. ")
            }
        }
    }
}

const LINES_TOLD_MAX: usize = 10;

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Ambiguous { count, rung, places } => {
                let (count, told) = (*count, places_text(*count, places));
                match rung {
                    Rung::Exact => write!(out, "`old` occurs {count} times: {told}. ")?,
                    Rung::Similar => write!(out, "{count} places are equally like `old`: {told}. ")?,
                    _ => write!(out, "`old` fits {count} places, though none exactly: {told}. ")?,
                }
                write!(
                    out,
                    "Add the lines before or after it to `old` so that it fits only one place, or set `replace_all`."
                )
            }
            Fault::Conflict { conflict, nearest } => write!(out, "{conflict} {}", nearest.words()),
            Fault::NotFound { nearest: Some(nearest), would } => {
                write!(out, "`old` is not in the file. {would}{}", nearest.words())
            }
            Fault::NotFound { nearest: None, would } => {
                write!(
                    out,
                    "`old` is not in the file, nor anything like it. {would}View the file and copy the lines as they are."
                )
            }
            Fault::Blank => {
                write!(out, "`old` is blank but the file is not. Put the lines to be replaced into `old`.")
            }
            Fault::Same => write!(
                out,
                "`new` is the same as `old`, so nothing would change. Put the changed text into `new`."
            ),
            Fault::Overlaps { edit } => {
                write!(out, "it changes the same lines as edit {edit}. Join the two into one edit.")
            }
            Fault::Entangled { lines } => {
                let lines: Vec<String> = lines.iter().take(LINES_TOLD_MAX).map(ToString::to_string).collect();
                write!(out, "places on line {} overlap or already read like `new`. ", lines.join(", "))?;
                write!(out, "Make `old` longer, or edit the places one by one.")
            }
            Fault::Omission { mark } => write!(
                out,
                "line {} of `new`, `{}`, stands for lines that it leaves out, and they would be deleted. Write the real lines, \
                 or make `old` shorter so that they are not in it.",
                mark.line, mark.text
            ),
            Fault::Encoding => {
                write!(out, "the file is not UTF-8, so only plain ASCII text can be put into it.")
            }
        }
    }
}

/// `line 3 (under `fn a() {`), line 9 and 2 more`.
fn places_text(count: usize, places: &[Place]) -> String {
    let told: Vec<String> = places
        .iter()
        .map(|place| match &place.under {
            Some(under) => format!("line {} (under `{under}`)", place.line),
            None => format!("line {}", place.line),
        })
        .collect();
    let more = count.saturating_sub(places.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", told.join(", "))
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [Err(fault)] = self.verdicts.as_slice() {
            return write!(out, "{fault}");
        }
        let bad = self.verdicts.iter().filter(|verdict| verdict.is_err()).count();
        let fit = if bad == 1 { "does not fit" } else { "do not fit" };
        write!(out, "{bad} of {} edits {fit}, so none was made.", self.verdicts.len())?;
        for (index, verdict) in self.verdicts.iter().enumerate() {
            let number = index + 1;
            let words = match verdict {
                Ok(Landing::InPlace { line }) => format!("already in place at line {line}."),
                Ok(_) => "fits.".to_owned(),
                Err(fault) => fault.to_string(),
            };
            write!(out, "\nedit {number}: {words}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}
