//! `bowline worktree …`.

use std::path::PathBuf;

use clap::{Subcommand, ValueHint};

#[derive(Debug, clap::Args)]
pub(crate) struct Worktree {
    #[command(subcommand)]
    pub(crate) command: WorktreeCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum WorktreeCommand {
    /// The worktrees of this folder's sessions, newest first, and what is in each
    List {
        /// Those of every folder
        #[arg(long = "all")]
        is_all: bool,
        /// One JSON object a line
        #[arg(long = "json")]
        is_json: bool,
        /// The folder
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
    /// Remove worktrees: all of what is named, or nothing; what git ignores in them goes for good
    Remove {
        /// As worktree list has it, or the session's; the start of one
        #[arg(required = true, value_name = "ID")]
        ids: Vec<String>,
        /// Also with changes, which are kept in a checkpoint, and with commits, whose branch stays
        #[arg(long = "force")]
        is_forced: bool,
    },
}
