//! Exit codes, each with one meaning.

use std::process::ExitCode;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Done,
    /// The model's server or the world.
    Failed,
    Usage,
    /// By a guard or a limit, or no usable answer came; can be continued.
    Stopped,
    /// Done, but something was refused because nobody could be asked.
    Refused,
    NoModel,
    /// An edit, an application, a rewind, a restore or the removal of a worktree was refused, and nothing changed.
    NotEdited,
    /// By Ctrl-C, or by somebody elsewhere.
    Interrupted,
    /// By a request to end.
    Terminated,
}

impl Exit {
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::Stopped => 3,
            Exit::Refused => 4,
            Exit::NoModel => 5,
            Exit::NotEdited => 7,
            Exit::Interrupted => 130,
            Exit::Terminated => 143,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// A command that could not do what was asked: the code, and words that say what to do next.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) exit: Exit,
    pub(crate) words: String,
}

impl Refusal {
    pub(crate) fn new(exit: Exit, words: impl std::fmt::Display) -> Refusal {
        Refusal { exit, words: words.to_string() }
    }
}
