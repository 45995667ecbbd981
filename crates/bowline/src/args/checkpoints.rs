//! `bowline undo`, `redo`, `diff`, `checkpoint …` and `restore`.

use std::path::PathBuf;

use clap::{Subcommand, ValueHint};

use super::{Configuration, Of};

/// `undo` and `redo` take the same.
#[derive(Debug, clap::Args)]
pub(crate) struct Undo {
    /// Show what would happen to each file, and change nothing
    #[arg(long = "dry-run")]
    pub(crate) is_dry: bool,
    /// Also revert files that only you changed
    #[arg(long = "all")]
    pub(crate) is_all: bool,
    /// Print the result as a JSON object
    #[arg(long = "json")]
    pub(crate) is_json: bool,
    #[command(flatten)]
    pub(crate) of: Of,
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// Print without colours
    #[arg(long = "no-color")]
    pub(crate) is_plain: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Diff {
    /// For example t3 or 3; -1 is the last turn; default: last turn that changed files
    #[arg(allow_negative_numbers = true)]
    pub(crate) turn: Option<String>,
    /// List only the files, with lines added and removed
    #[arg(long = "stat")]
    pub(crate) is_stat: bool,
    /// Print a JSON object
    #[arg(long = "json")]
    pub(crate) is_json: bool,
    #[command(flatten)]
    pub(crate) of: Of,
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// Print without colours
    #[arg(long = "no-color")]
    pub(crate) is_plain: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Restore {
    /// An id from bowline checkpoint list, or the start of one
    pub(crate) id: String,
    /// Restore only the files
    #[arg(long = "files", conflicts_with = "is_chat")]
    pub(crate) is_files: bool,
    /// Restore only the conversation
    #[arg(long = "chat", conflicts_with = "is_all")]
    pub(crate) is_chat: bool,
    /// Also revert files that only you changed
    #[arg(long = "all")]
    pub(crate) is_all: bool,
    /// Show what would happen to each file, and change nothing
    #[arg(long = "dry-run")]
    pub(crate) is_dry: bool,
    /// Print the result as a JSON object
    #[arg(long = "json")]
    pub(crate) is_json: bool,
    #[command(flatten)]
    pub(crate) of: Of,
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// Print without colours
    #[arg(long = "no-color")]
    pub(crate) is_plain: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Checkpoint {
    #[command(subcommand)]
    pub(crate) command: CheckpointCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CheckpointCommand {
    /// Save the files as they are now
    Take {
        /// What the checkpoint is for
        #[arg(short = 'm', long = "message", value_name = "LABEL")]
        label: Option<String>,
        /// Print a JSON object
        #[arg(long = "json")]
        is_json: bool,
        #[command(flatten)]
        configuration: Configuration,
        /// The project's folder
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
    /// List the checkpoints of this folder that can be restored, newest first
    List {
        /// Include those of turns that changed nothing or were undone
        #[arg(long = "all")]
        is_all: bool,
        /// Print one JSON object a line
        #[arg(long = "json")]
        is_json: bool,
        /// The project's folder
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
    /// Delete expired checkpoints and pack the rest; also happens automatically once a day
    Tidy {
        /// Print nothing
        #[arg(short = 'q', long = "quiet")]
        is_quiet: bool,
        #[command(flatten)]
        configuration: Configuration,
        /// The project's folder
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
    /// Show how the files differ from a checkpoint, or how two checkpoints differ
    Diff {
        /// An id from bowline checkpoint list, or the start of one
        #[arg(value_name = "ID")]
        from: String,
        /// The other checkpoint; default: the files as they are now
        #[arg(value_name = "ID")]
        to: Option<String>,
        /// List only the files, with lines added and removed
        #[arg(long = "stat")]
        is_stat: bool,
        /// Print a JSON object
        #[arg(long = "json")]
        is_json: bool,
        #[command(flatten)]
        configuration: Configuration,
        /// The project's folder
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
        /// Print without colours
        #[arg(long = "no-color")]
        is_plain: bool,
    },
}
