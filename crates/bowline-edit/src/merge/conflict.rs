//! Why an edit does not go together with the file.

use std::fmt;

/// Why what the model wants does not go together with what the file has. Lines count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conflict {
    /// A line of the file that the needle leaves out stands where the change is.
    Unmentioned { line: usize },
    /// How far the changed lines are to be indented is not clear.
    Indent { line: usize },
    /// The needle has a word that the file spells otherwise, and the replacement goes on using it.
    Misspelt { line: usize },
    /// The replacement keeps a line of the needle that is not in the file.
    Invented { line: usize },
    /// What stands beside the needle in its line is in the replacement, too.
    Doubled { line: usize },
    /// The replacement has line breaks that are written out.
    WrittenOut { line: usize },
}

impl fmt::Display for Conflict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Conflict::Unmentioned { line } => {
                write!(out, "line {line} is not in `old` and stands where the change would go.")
            }
            Conflict::Indent { line } => {
                write!(
                    out,
                    "`old` is indented otherwise than the file, and how far `new` belongs at line {line} is not clear."
                )
            }
            Conflict::Misspelt { line } => {
                write!(
                    out,
                    "`old` spells a word or a sign otherwise than line {line} does, and `new` goes on using it."
                )
            }
            Conflict::Invented { line } => {
                write!(out, "`old` has a line that the file has not at line {line}, and `new` keeps it.")
            }
            Conflict::Doubled { line } => {
                write!(
                    out,
                    "`old` is a part of line {line}, and `new` has the rest of that line, too, which would be there twice."
                )
            }
            Conflict::WrittenOut { line } => {
                write!(out, "`new` at line {line} has `\\n` where it seems to mean a line break.")
            }
        }
    }
}
