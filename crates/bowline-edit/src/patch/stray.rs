//! Why a patch does not fit the file as it is now, in words for the user.

use std::fmt;

use crate::merge::Conflict;

/// Why a change can't be made in a file, or taken back from it. Hunks count from 0, lines from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stray {
    /// The file is gone.
    Missing,
    /// The change makes the file, and there is one.
    Exists,
    /// The change made the file, and it was changed since.
    Changed,
    /// The text is nowhere in the file; `line` is where it stood.
    NotFound { hunk: usize, line: usize },
    /// The text and its neighbours fit more than one place.
    Ambiguous { hunk: usize, lines: Vec<usize> },
    /// What is to be put there stands there already.
    InPlace { hunk: usize, line: usize },
    /// The place is clear, but what stands there now does not go together with it.
    Conflict { hunk: usize, conflict: Conflict },
    /// Two hunks fit the same lines.
    Entangled { hunk: usize },
}

const LINES_TOLD_MAX: usize = 10;

impl fmt::Display for Stray {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stray::Missing => write!(out, "the file is gone"),
            Stray::Exists => write!(out, "the change creates this file, but it exists by now"),
            Stray::Changed => {
                write!(
                    out,
                    "the change created this file, and it was changed since: delete it yourself if you don't need it"
                )
            }
            Stray::NotFound { hunk, line } => {
                write!(
                    out,
                    "hunk {}: its text, which was at line {line}, is no longer there with the lines around it",
                    hunk + 1
                )
            }
            Stray::Ambiguous { hunk, lines } => {
                let told: Vec<String> = lines.iter().take(LINES_TOLD_MAX).map(ToString::to_string).collect();
                let more = lines.len().saturating_sub(told.len());
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                write!(out, "hunk {}: it could be at line {}{more}", hunk + 1, told.join(", "))
            }
            Stray::InPlace { hunk, line } => {
                write!(out, "hunk {}: it is already in place, at line {line}", hunk + 1)
            }
            Stray::Conflict { hunk, conflict } => {
                let line = match conflict {
                    Conflict::Unmentioned { line }
                    | Conflict::Indent { line }
                    | Conflict::Misspelt { line }
                    | Conflict::Invented { line }
                    | Conflict::Doubled { line }
                    | Conflict::WrittenOut { line } => line,
                };
                write!(out, "hunk {}: the lines around line {line} were changed since", hunk + 1)
            }
            Stray::Entangled { hunk } => {
                write!(out, "hunk {}: its lines now belong to another hunk", hunk + 1)
            }
        }
    }
}

impl std::error::Error for Stray {}
