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
    /// The session (an id, or the start of one); default: latest session here
    #[arg(short, long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// The project's folder
    #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ChangesCommand {
    /// List the model's edits and the state of each
    List {
        #[command(flatten)]
        of: Of,
        /// Print one JSON object a line
        #[arg(long = "json")]
        is_json: bool,
    },
    /// Show changes hunk by hunk; default: pending ones, else those of the last turn
    Diff {
        /// For example c3
        #[arg(value_name = "ID")]
        ids: Vec<String>,
        #[command(flatten)]
        of: Of,
        /// Print without colours
        #[arg(long = "no-color")]
        is_plain: bool,
    },
    /// Apply pending changes (all or none)
    #[command(group = ArgGroup::new("which").required(true).args(["ids", "is_all"]))]
    Apply {
        /// For example c3, or c3:2 for its second hunk
        #[arg(value_name = "ID[:HUNK]")]
        ids: Vec<String>,
        /// All pending changes
        #[arg(long = "all")]
        is_all: bool,
        #[command(flatten)]
        of: Of,
    },
    /// Reject pending changes; the model is told
    #[command(group = ArgGroup::new("which").required(true).args(["ids", "is_all"]))]
    Reject {
        /// For example c3, or c3:2 for its second hunk
        #[arg(value_name = "ID[:HUNK]")]
        ids: Vec<String>,
        /// All pending changes
        #[arg(long = "all")]
        is_all: bool,
        #[command(flatten)]
        of: Of,
    },
    /// Revert changes, newest first (all or none); the model is told
    #[command(group = ArgGroup::new("which").required(true).args(["ids", "is_all", "turn"]))]
    Rewind {
        /// For example c3
        #[arg(value_name = "ID")]
        ids: Vec<String>,
        /// All changes of the session
        #[arg(long = "all")]
        is_all: bool,
        /// All changes of one turn, such as t2
        #[arg(long, value_name = "TURN")]
        turn: Option<String>,
        #[command(flatten)]
        of: Of,
    },
}
