//! `bowline changes …`.

use std::path::PathBuf;

use clap::{ArgGroup, Subcommand, ValueHint};

#[derive(Debug, clap::Args)]
pub(crate) struct Changes {
    #[command(subcommand)]
    pub(crate) command: ChangesCommand,
}

/// Which session.
#[derive(Debug, clap::Args)]
pub(crate) struct Of {
    /// Of this session (an id, or the start of one); the last one of this folder without
    #[arg(short, long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// The folder
    #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ChangesCommand {
    /// What the model's edits did to files, and how each change stands
    List {
        #[command(flatten)]
        of: Of,
        /// One JSON object a line
        #[arg(long = "json")]
        is_json: bool,
    },
    /// Changes hunk by hunk; without ids those that wait, else those of the last turn
    Diff {
        /// As in c3
        #[arg(value_name = "ID")]
        ids: Vec<String>,
        #[command(flatten)]
        of: Of,
        /// No colour
        #[arg(long = "no-color")]
        is_plain: bool,
    },
    /// Make changes that wait: all of what is named, or nothing
    #[command(group = ArgGroup::new("which").required(true).args(["ids", "is_all"]))]
    Apply {
        /// As in c3, or c3:2 for its second hunk
        #[arg(value_name = "ID[:HUNK]")]
        ids: Vec<String>,
        /// All that wait
        #[arg(long = "all")]
        is_all: bool,
        #[command(flatten)]
        of: Of,
    },
    /// Drop changes that wait; the model is told
    #[command(group = ArgGroup::new("which").required(true).args(["ids", "is_all"]))]
    Reject {
        /// As in c3, or c3:2 for its second hunk
        #[arg(value_name = "ID[:HUNK]")]
        ids: Vec<String>,
        /// All that wait
        #[arg(long = "all")]
        is_all: bool,
        #[command(flatten)]
        of: Of,
    },
    /// Take changes back, newest first: all of what is named, or nothing; the model is told
    #[command(group = ArgGroup::new("which").required(true).args(["ids", "is_all", "turn"]))]
    Rewind {
        /// As in c3
        #[arg(value_name = "ID")]
        ids: Vec<String>,
        /// All of the session
        #[arg(long = "all")]
        is_all: bool,
        /// All of one turn, as in t2
        #[arg(long, value_name = "TURN")]
        turn: Option<String>,
        #[command(flatten)]
        of: Of,
    },
}
