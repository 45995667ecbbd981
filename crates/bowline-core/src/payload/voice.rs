//! Whose words they are. A strict template takes what the user says after a tool result only as part of that result, where
//! a model would take it for the tool's output; and what the program says stands in messages of the user's.
//!
//! So the user's words follow a line of their own there, the program's begin with a word of their own, and no tool's result
//! can bring such a line with it. All of it is a matter of the log alone: the same words are marked the same way forever.

use std::borrow::Cow;

/// Stands on a line of its own before what the user says.
const USER: &str = include_str!("user.md");
/// Begins what the program says, as in all its notes.
const NOTE: &str = "Note: ";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Voice {
    User,
    Program,
}

impl Voice {
    /// Words that others stand before.
    pub(super) fn marked(self, text: &str) -> String {
        match self {
            Voice::User => format!("{}\n{text}", USER.trim()),
            Voice::Program => self.opening(text).into_owned(),
        }
    }

    /// Whose words a message seems to begin with.
    pub(super) fn opens(message: &str) -> Voice {
        if message.starts_with(NOTE) { Voice::Program } else { Voice::User }
    }

    /// Words that open a message of the user's.
    pub(super) fn opening(self, text: &str) -> Cow<'_, str> {
        match self {
            Voice::User => Cow::Borrowed(text),
            Voice::Program if text.starts_with(NOTE) => Cow::Borrowed(text),
            Voice::Program => Cow::Owned(format!("{NOTE}{text}")),
        }
    }
}

/// A tool's result, in which a line that looks like the user's mark is quoted: a file or a command must not speak for the
/// user.
pub(super) fn of_tool(text: &str) -> Cow<'_, str> {
    let mark = USER.trim();
    if !text.contains(mark) {
        return Cow::Borrowed(text);
    }
    let quoted = |line: &str| if line.trim() == mark { format!("> {line}") } else { line.to_owned() };
    Cow::Owned(text.split('\n').map(quoted).collect::<Vec<_>>().join("\n"))
}
