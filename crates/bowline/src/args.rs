//! The command line.

mod changes;
mod checkpoints;
mod worktree;

use std::path::PathBuf;
use std::time::Duration;

use bowline_host::servers::Search;
use clap::{Parser, Subcommand, ValueHint};

use crate::time::parse_duration;

pub(crate) use changes::{Changes, ChangesCommand, Of};
pub(crate) use checkpoints::{Checkpoint, CheckpointCommand, Diff, Restore, Undo};
pub(crate) use worktree::{Worktree, WorktreeCommand};

/// A coding agent for the models you run yourself.
#[derive(Debug, Parser)]
#[command(name = "bowline", version, disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) chat: Chat,
    #[command(flatten)]
    pub(crate) print: Print,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// Without a command, too: one task, as `run` does it.
#[derive(Debug, clap::Args)]
pub(crate) struct Print {
    /// Run one task and print the answer; without TASK, read it from stdin
    #[arg(id = "print", short, long, value_name = "TASK", conflicts_with = "path", num_args = 0..=1, default_missing_value = "-")]
    pub(crate) task: Option<String>,
    #[command(flatten)]
    pub(crate) form: Form,
}

impl Args {
    /// What is to be done: `-p` is `run`.
    pub(crate) fn verb(self) -> Verb {
        match (self.command, self.print.task) {
            (Some(command), _) => Verb::Command(command),
            (None, Some(task)) => {
                let run = Run { task: Some(task), file: None, work: self.chat.work, form: self.print.form };
                Verb::Command(Command::Run(Box::new(run)))
            }
            (None, None) => Verb::Chat(self.chat),
        }
    }
}

#[derive(Debug)]
pub(crate) enum Verb {
    Chat(Chat),
    Command(Command),
}

/// Without a command: the chat.
#[derive(Debug, clap::Args)]
pub(crate) struct Chat {
    /// The folder to work in
    #[arg(value_hint = ValueHint::DirPath)]
    pub(crate) path: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) work: Work,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run one task and print the answer
    Run(Box<Run>),
    /// Undo the last turn, files and conversation; repeat to undo more
    Undo(Undo),
    /// Redo the last undone turn
    Redo(Undo),
    /// Show what a turn did to the files
    Diff(Diff),
    /// List, show, search, rename, export and delete sessions
    Sessions(Sessions),
    /// List, show, apply, reject and revert the model's edits
    Changes(Changes),
    /// List models and show the current one
    Models(Models),
    /// Show and change settings
    Config(Config),
    /// Trust this project's bowline.toml
    Trust(Trust),
    /// Check your setup and say how to fix it
    Doctor(Doctor),
    /// Watch a demo with a scripted model in a temporary folder
    Demo(Demo),
    /// Apply an edit to a file, or many edits with --jsonl
    Edit(Edit),
    /// Name failures: commands that ended as JSON lines in, their kinds and summaries out
    Classify,
    /// List and remove the worktrees of sessions
    Worktree(Worktree),
    /// Save the files as they are; list, compare and tidy checkpoints
    Checkpoint(Checkpoint),
    /// Restore files and conversation from a checkpoint
    Restore(Restore),
    /// Print completions for your shell
    Completions(Completions),
    /// Print the manual page
    #[command(hide = true)]
    Man,
}

/// Where the settings are.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Configuration {
    /// Read this file instead of your own bowline.toml
    #[arg(long = "config", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
}

/// Which server and which of its models.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Server {
    /// Use this model, as `server/name` or just its name
    #[arg(short, long, value_name = "NAME", env = "BOWLINE_MODEL")]
    pub(crate) model: Option<String>,
    /// Use this server and no other
    #[arg(long, value_name = "URL", env = "BOWLINE_BASE_URL")]
    pub(crate) base_url: Option<String>,
}

impl Server {
    /// With what the environment says of them.
    pub(crate) fn search(&self, window: Option<i64>) -> Search {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        Search {
            base_url: self.base_url.clone().filter(|url| !url.is_empty()),
            model: self.model.clone().filter(|name| !name.is_empty()),
            window,
            key: variable("BOWLINE_API_KEY"),
            ollama_host: variable("OLLAMA_HOST"),
            ..Search::default()
        }
    }
}

/// What a turn is given, in the chat and in a run.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Work {
    /// Resume the latest session of this folder; in a run without a task, continue where it stopped
    #[arg(short = 'c', long = "continue", conflicts_with = "session", group = "earlier")]
    pub(crate) is_continued: bool,
    /// Resume this session (an id, or the start of one)
    #[arg(short, long, value_name = "ID", group = "earlier")]
    pub(crate) session: Option<String>,
    /// Resume a copy of that session and leave the original unchanged (with -c or -s)
    #[arg(long = "fork", requires = "earlier")]
    pub(crate) is_fork: bool,
    /// Keep nothing of this session on disk
    #[arg(long = "ephemeral", conflicts_with = "earlier")]
    pub(crate) is_ephemeral: bool,
    /// Run the new session in its own git worktree
    #[arg(long = "worktree", conflicts_with = "is_ephemeral")]
    pub(crate) is_worktree: bool,
    /// Work in this folder
    #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
    /// Work in the folder even if it is a home folder, a file system or a folder of repositories
    #[arg(long = "here")]
    pub(crate) is_here: bool,
    #[command(flatten)]
    pub(crate) server: Server,
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// Context size in tokens, if not reported or to change it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1024..))]
    pub(crate) window: Option<i64>,
    /// Override the tool-calling mode
    #[arg(long, value_name = "MODE", value_parser = ["native", "text", "constrained"])]
    pub(crate) mode: Option<String>,
    /// How much the model should think
    #[arg(long, value_name = "HOW", value_parser = ["auto", "off", "low", "high"])]
    pub(crate) thinking: Option<String>,
    /// Allow this without asking, such as 'npm install *' or 'view_file(/etc/*)'; can be repeated
    #[arg(long, value_name = "PATTERN")]
    pub(crate) allow: Vec<String>,
    /// Refuse this, even if --allow matches; can be repeated
    #[arg(long, value_name = "PATTERN")]
    pub(crate) deny: Vec<String>,
    /// Answer yes to every question
    #[arg(long = "yes")]
    pub(crate) is_yes: bool,
    /// Keep edits pending until you apply or reject them with bowline changes
    #[arg(long = "review", conflicts_with = "is_ephemeral")]
    pub(crate) is_review: bool,
    /// Change nothing: no writes, no commands
    #[arg(long = "read-only")]
    pub(crate) is_read_only: bool,
    /// Stop after this many steps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=10_000))]
    pub(crate) max_steps: Option<i64>,
    /// Stop after this long, such as 90s, 20m or 2h
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) max_time: Option<Duration>,
    /// Check the work with this command (default: the project's own tests)
    #[arg(long, value_name = "CMD", value_parser = parse_check, conflicts_with = "is_unchecked")]
    pub(crate) check: Option<String>,
    /// Do not check the work
    #[arg(long = "no-check")]
    pub(crate) is_unchecked: bool,
    /// Run commands that you did not approve without the sandbox, too
    #[arg(long = "no-sandbox")]
    pub(crate) is_unsandboxed: bool,
    /// Also print what the model thinks
    #[arg(short = 'v', long = "verbose")]
    pub(crate) is_verbose: bool,
    /// Print without colours
    #[arg(long = "no-color")]
    pub(crate) is_plain: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Run {
    /// The task; `-` reads it from stdin. Piped stdin is appended
    pub(crate) task: Option<String>,
    /// Read the task from this file
    #[arg(id = "task_file", short = 'f', long = "file", value_name = "FILE", conflicts_with = "task")]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) work: Work,
    #[command(flatten)]
    pub(crate) form: Form,
}

/// How the answer is given.
#[derive(Debug, clap::Args)]
pub(crate) struct Form {
    /// Print events as JSON lines instead of the answer
    #[arg(long = "json")]
    pub(crate) is_json: bool,
    /// Also write the answer to this file
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Print only the answer
    #[arg(short = 'q', long = "quiet", conflicts_with = "is_verbose")]
    pub(crate) is_quiet: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Demo {
    /// Skip the pauses
    #[arg(long = "fast")]
    pub(crate) is_fast: bool,
    /// Print without colours
    #[arg(long = "no-color")]
    pub(crate) is_plain: bool,
}

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("needle").args(["old", "old_file"]))]
#[command(group = clap::ArgGroup::new("replacement").args(["new", "new_file"]))]
pub(crate) struct Edit {
    /// The file; it is created if --old is empty
    #[arg(value_name = "FILE", required_unless_present = "is_jsonl", requires_all = ["needle", "replacement"], value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
    /// The text to replace
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) old: Option<String>,
    /// The replacement
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) new: Option<String>,
    /// Read the text to replace from this file; `-` is stdin
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) old_file: Option<PathBuf>,
    /// Read the replacement from this file; `-` is stdin
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) new_file: Option<PathBuf>,
    /// Replace every match
    #[arg(long = "replace-all")]
    pub(crate) is_all: bool,
    /// Accept the most similar place if it is similar enough; check the result
    #[arg(long = "lenient")]
    pub(crate) is_lenient: bool,
    /// Show the diff and write nothing
    #[arg(long = "dry-run")]
    pub(crate) is_dry: bool,
    /// Print the result as a JSON object
    #[arg(long = "json")]
    pub(crate) is_json: bool,
    /// Read edits as JSON lines from stdin and answer each on stdout
    #[arg(long = "jsonl", conflicts_with_all = ["file", "needle", "replacement", "is_all", "is_dry", "is_json"])]
    pub(crate) is_jsonl: bool,
    /// The folder that paths are relative to
    #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Completions {
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Models {
    #[command(flatten)]
    pub(crate) server: Server,
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// Run the exam: find out how the current model calls tools best, and remember it (two minutes)
    #[arg(long = "probe")]
    pub(crate) is_probe: bool,
    /// Print one JSON object a line for each model
    #[arg(long = "json")]
    pub(crate) is_json: bool,
    /// The project's folder
    #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
    /// Print without colours
    #[arg(long = "no-color")]
    pub(crate) is_plain: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Config {
    #[command(subcommand)]
    pub(crate) command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Show every value that is set, and where it comes from
    Show {
        /// Print one JSON object a line
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
    /// Print where your bowline.toml is, or would be
    Path {
        /// Use the project's file
        #[arg(long = "project", conflicts_with = "file")]
        is_project: bool,
        #[command(flatten)]
        configuration: Configuration,
        /// The project's folder
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
    /// Set one value, as in: config set model ollama/qwen3:8b
    Set {
        /// For example model, servers.box.base_url or models.qwen3*.context
        key: String,
        /// A text, a number, or a list such as '["cargo *", "git diff*"]'
        #[arg(allow_hyphen_values = true)]
        value: String,
        /// Set it in the project's file
        #[arg(long = "project", conflicts_with = "file")]
        is_project: bool,
        #[command(flatten)]
        configuration: Configuration,
        /// The project's folder
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
    /// Revoke what you allowed for this project, as in: config forget 'curl *'
    Forget {
        /// The pattern as config show prints it
        pattern: String,
        /// The project's folder
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct Trust {
    /// Revoke the trust
    #[arg(long = "remove")]
    pub(crate) is_removed: bool,
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// The project's folder
    #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Doctor {
    #[command(flatten)]
    pub(crate) server: Server,
    /// Print one JSON object a line for each finding
    #[arg(long = "json")]
    pub(crate) is_json: bool,
    /// The project's folder
    #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
    /// Print without colours
    #[arg(long = "no-color")]
    pub(crate) is_plain: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Sessions {
    #[command(subcommand)]
    pub(crate) command: SessionsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SessionsCommand {
    /// List the sessions of this folder, newest first
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
    /// Show a session's messages
    Show {
        /// An id, or the start of one; default: latest session here
        id: Option<String>,
        /// Print its events as JSON lines
        #[arg(long = "json")]
        is_json: bool,
        /// The project's folder
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
        /// Print without colours
        #[arg(long = "no-color")]
        is_plain: bool,
    },
    /// Find sessions whose texts, titles or paths contain all the words
    Search {
        /// Case is ignored; words in quotes must be next to each other
        #[arg(required = true, value_name = "WORD")]
        words: Vec<String>,
        /// Search the sessions of all folders
        #[arg(long = "all")]
        is_all: bool,
        /// Print one JSON object a line
        #[arg(long = "json")]
        is_json: bool,
        /// The project's folder
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
    /// Rename a session
    Rename {
        /// An id, or the start of one
        id: String,
        title: String,
    },
    /// Export a session as a document
    Export {
        /// An id, or the start of one
        id: String,
        /// Write it to this file
        #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        output: Option<PathBuf>,
        /// A document for people, or every event as a JSON line
        #[arg(long, default_value = "markdown", value_parser = ["markdown", "json"])]
        format: String,
    },
    /// Delete sessions and everything stored with them, permanently
    Delete {
        /// Ids, or the starts of them
        #[arg(required = true, value_name = "ID")]
        ids: Vec<String>,
        /// Do not ask
        #[arg(long = "yes")]
        is_yes: bool,
    },
}

/// A command that can be run.
fn parse_check(text: &str) -> Result<String, String> {
    let command = text.trim();
    if command.is_empty() {
        return Err("name a command, such as --check 'npm test', or use --no-check".to_owned());
    }
    Ok(command.to_owned())
}
