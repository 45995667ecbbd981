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
    /// List the worktrees of this folder's sessions, newest first, with the state of each
    List {
        /// Include all folders
        #[arg(long = "all")]
        is_all: bool,
        /// Print one JSON object a line
        #[arg(long = "json")]
        is_json: bool,
        /// The project's folder
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
    /// Remove worktrees (all or none); files in them that git ignores are deleted permanently
    Remove {
        /// An id from worktree list or a session's id, or the start of one
        #[arg(required = true, value_name = "ID")]
        ids: Vec<String>,
        /// Also remove those with changes (saved in a checkpoint) or commits (their branch is kept)
        #[arg(long = "force")]
        is_forced: bool,
    },
}
