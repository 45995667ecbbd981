//! `bowline undo`, `redo`, `diff`, `checkpoint …` and `restore`.

use std::path::PathBuf;

use clap::{Subcommand, ValueHint};

use super::{Configuration, Of};

/// `undo` and `redo` take the same.
#[derive(Debug, clap::Args)]
pub(crate) struct Undo {
    /// Show what would become of which file, and change nothing
    #[arg(long = "dry-run")]
    pub(crate) is_dry: bool,
    /// Also files that you alone changed
    #[arg(long = "all")]
    pub(crate) is_all: bool,
    /// What came of it as a JSON object
    #[arg(long = "json")]
    pub(crate) is_json: bool,
    #[command(flatten)]
    pub(crate) of: Of,
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// No colour
    #[arg(long = "no-color")]
    pub(crate) is_plain: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Diff {
    /// As in t3 or 3; -1 is the last one. The last that changed something without
    #[arg(allow_negative_numbers = true)]
    pub(crate) turn: Option<String>,
    /// The files alone, with lines added and removed
    #[arg(long = "stat")]
    pub(crate) is_stat: bool,
    /// As a JSON object
    #[arg(long = "json")]
    pub(crate) is_json: bool,
    #[command(flatten)]
    pub(crate) of: Of,
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// No colour
    #[arg(long = "no-color")]
    pub(crate) is_plain: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Restore {
    /// A checkpoint as bowline checkpoint list has it, or the start of its id
    pub(crate) id: String,
    /// The files alone
    #[arg(long = "files", conflicts_with = "is_chat")]
    pub(crate) is_files: bool,
    /// The conversation alone
    #[arg(long = "chat", conflicts_with = "is_all")]
    pub(crate) is_chat: bool,
    /// Also files that you alone changed
    #[arg(long = "all")]
    pub(crate) is_all: bool,
    /// Show what would become of which file, and change nothing
    #[arg(long = "dry-run")]
    pub(crate) is_dry: bool,
    /// What came of it as a JSON object
    #[arg(long = "json")]
    pub(crate) is_json: bool,
    #[command(flatten)]
    pub(crate) of: Of,
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// No colour
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
    /// Keep the files as they are now
    Take {
        /// What it is for
        #[arg(short = 'm', long = "message", value_name = "LABEL")]
        label: Option<String>,
        /// As a JSON object
        #[arg(long = "json")]
        is_json: bool,
        #[command(flatten)]
        configuration: Configuration,
        /// The folder
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
    /// The checkpoints of this folder that can be restored, newest first
    List {
        /// Also those of turns that changed nothing or were taken back
        #[arg(long = "all")]
        is_all: bool,
        /// One JSON object a line
        #[arg(long = "json")]
        is_json: bool,
        /// The folder
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
    /// Let go of what is past its age or the quota, and pack the rest; done by itself once a day
    Tidy {
        /// Say nothing
        #[arg(short = 'q', long = "quiet")]
        is_quiet: bool,
        #[command(flatten)]
        configuration: Configuration,
        /// The folder
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
    /// How the files differ from a checkpoint now, or between two
    Diff {
        /// As bowline checkpoint list has it, or the start of an id
        #[arg(value_name = "ID")]
        from: String,
        /// The other one; the files as they are now without
        #[arg(value_name = "ID")]
        to: Option<String>,
        /// The files alone, with lines added and removed
        #[arg(long = "stat")]
        is_stat: bool,
        /// As a JSON object
        #[arg(long = "json")]
        is_json: bool,
        #[command(flatten)]
        configuration: Configuration,
        /// The folder
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
        /// No colour
        #[arg(long = "no-color")]
        is_plain: bool,
    },
}
