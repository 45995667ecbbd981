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
    /// Do one task and answer, as run does; without TASK it is read from stdin
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
    /// Do one task in this folder, and answer
    Run(Box<Run>),
    /// Take the last turn back, files and conversation; again for the one before
    Undo(Undo),
    /// Bring forward what the last undo took back
    Redo(Undo),
    /// What a turn did to the files
    Diff(Diff),
    /// Look at earlier sessions
    Sessions(Sessions),
    /// What edits did to files: look, apply, reject, take back
    Changes(Changes),
    /// The models there are, and which one is used here
    Models(Models),
    /// Look at the settings, and change them
    Config(Config),
    /// Let all that this folder's bowline.toml sets count
    Trust(Trust),
    /// Whether a turn can run here, and what to do where it can't
    Doctor(Doctor),
    /// See it at work, with a scripted model in a temporary folder
    Demo(Demo),
    /// Apply an edit to a file, or refuse it; many with --jsonl
    Edit(Edit),
    /// Worktrees of sessions: what is in each, and removing them
    Worktree(Worktree),
    /// The files as they were: keep them, list what is kept, compare
    Checkpoint(Checkpoint),
    /// Bring files and conversation back to a checkpoint
    Restore(Restore),
    /// Completions for your shell, to be put where it looks for them
    Completions(Completions),
    /// The manual page, for man
    #[command(hide = true)]
    Man,
}

/// Where the settings are.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Configuration {
    /// Read this file in place of your own bowline.toml
    #[arg(long = "config", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
}

/// Which server and which of its models.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Server {
    /// The model, as `server/name` or its name alone
    #[arg(short, long, value_name = "NAME", env = "BOWLINE_MODEL")]
    pub(crate) model: Option<String>,
    /// Ask this server, and no other
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
    /// Go on with the last session of this folder; in a run without a task, from where it stopped
    #[arg(short = 'c', long = "continue", conflicts_with = "session", group = "earlier")]
    pub(crate) is_continued: bool,
    /// Go on with this session (an id, or the start of one)
    #[arg(short, long, value_name = "ID", group = "earlier")]
    pub(crate) session: Option<String>,
    /// Go on with a copy of that session, and leave it as it is (with -c or -s)
    #[arg(long = "fork", requires = "earlier")]
    pub(crate) is_fork: bool,
    /// Keep nothing of this session on the disk
    #[arg(long = "ephemeral", conflicts_with = "earlier")]
    pub(crate) is_ephemeral: bool,
    /// Let the session that begins now work in a git worktree of its own; one that has one does so anyway
    #[arg(long = "worktree", conflicts_with = "is_ephemeral")]
    pub(crate) is_worktree: bool,
    /// Work in this folder
    #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) server: Server,
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// The server's window in tokens, where it does not tell or should be asked for more
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1024..))]
    pub(crate) window: Option<i64>,
    /// How the model calls tools, where what is known of it is not to count
    #[arg(long, value_name = "MODE", value_parser = ["native", "text", "constrained"])]
    pub(crate) mode: Option<String>,
    /// How much the model is to think
    #[arg(long, value_name = "HOW", value_parser = ["auto", "off", "low", "high"])]
    pub(crate) thinking: Option<String>,
    /// Let this pass unasked, such as 'npm install *' or 'view_file(/etc/*)'; again for more
    #[arg(long, value_name = "PATTERN")]
    pub(crate) allow: Vec<String>,
    /// Refuse this; it beats --allow
    #[arg(long, value_name = "PATTERN")]
    pub(crate) deny: Vec<String>,
    /// Answer every question with yes
    #[arg(long = "yes")]
    pub(crate) is_yes: bool,
    /// Let edits wait until you apply or reject them: bowline changes
    #[arg(long = "review", conflicts_with = "is_ephemeral")]
    pub(crate) is_review: bool,
    /// Change nothing: no writing, no commands
    #[arg(long = "read-only")]
    pub(crate) is_read_only: bool,
    /// Stop after this many steps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=10_000))]
    pub(crate) max_steps: Option<i64>,
    /// Stop after this long, such as 90s, 20m or 2h
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) max_time: Option<Duration>,
    /// Print what the model thinks, too
    #[arg(short = 'v', long = "verbose")]
    pub(crate) is_verbose: bool,
    /// No colour
    #[arg(long = "no-color")]
    pub(crate) is_plain: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Run {
    /// What to do; `-` reads it from stdin. Piped stdin is appended
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
    /// Write the answer to this file too
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Print nothing but the answer
    #[arg(short = 'q', long = "quiet", conflicts_with = "is_verbose")]
    pub(crate) is_quiet: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Demo {
    /// Without pauses, as when nobody watches
    #[arg(long = "fast")]
    pub(crate) is_fast: bool,
    /// No colour
    #[arg(long = "no-color")]
    pub(crate) is_plain: bool,
}

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("needle").args(["old", "old_file"]))]
#[command(group = clap::ArgGroup::new("replacement").args(["new", "new_file"]))]
pub(crate) struct Edit {
    /// The file; with an empty --old it is made
    #[arg(value_name = "FILE", required_unless_present = "is_jsonl", requires_all = ["needle", "replacement"], value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
    /// The text to be replaced
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) old: Option<String>,
    /// The text that takes its place
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) new: Option<String>,
    /// Read the text to be replaced from this file; `-` is stdin
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) old_file: Option<PathBuf>,
    /// Read the text that takes its place from this file; `-` is stdin
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) new_file: Option<PathBuf>,
    /// Replace it in every place where it stands
    #[arg(long = "replace-all")]
    pub(crate) is_all: bool,
    /// Take the most similar place, if it is similar enough at all: look at what it did
    #[arg(long = "lenient")]
    pub(crate) is_lenient: bool,
    /// Show what would change as a diff, and write nothing
    #[arg(long = "dry-run")]
    pub(crate) is_dry: bool,
    /// Print what came of it as a JSON object
    #[arg(long = "json")]
    pub(crate) is_json: bool,
    /// Edits as JSON lines on stdin, an answer for each on stdout
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
    /// The exam: find out how the model that is used here calls best, and remember it (two minutes)
    #[arg(long = "probe")]
    pub(crate) is_probe: bool,
    /// One JSON object a line, one for each model
    #[arg(long = "json")]
    pub(crate) is_json: bool,
    /// The folder
    #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
    /// No colour
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
    /// Every value that is set, and where it comes from
    Show {
        /// One JSON object a line
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
    /// Where your bowline.toml is, or would be
    Path {
        /// That of the project
        #[arg(long = "project", conflicts_with = "file")]
        is_project: bool,
        #[command(flatten)]
        configuration: Configuration,
        /// The folder
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
    /// Set one value, as in: config set model ollama/qwen3:8b
    Set {
        /// As in model, servers.box.base_url or models.qwen3*.context
        key: String,
        /// A text, a number, or a list as in '["cargo *", "git diff*"]'
        #[arg(allow_hyphen_values = true)]
        value: String,
        /// In the project's file
        #[arg(long = "project", conflicts_with = "file")]
        is_project: bool,
        #[command(flatten)]
        configuration: Configuration,
        /// The folder
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
    /// Ask again about what you allowed for this project, as in: config forget 'curl *'
    Forget {
        /// As config show has it
        pattern: String,
        /// The folder
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct Trust {
    /// Trust it no longer
    #[arg(long = "remove")]
    pub(crate) is_removed: bool,
    #[command(flatten)]
    pub(crate) configuration: Configuration,
    /// The folder
    #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Doctor {
    #[command(flatten)]
    pub(crate) server: Server,
    /// One JSON object a line, one for each finding
    #[arg(long = "json")]
    pub(crate) is_json: bool,
    /// The folder
    #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
    /// No colour
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
    /// The sessions of this folder, newest first
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
    /// One session's messages
    Show {
        /// An id, or the start of one; the last session of this folder without
        id: Option<String>,
        /// Its events as JSON lines
        #[arg(long = "json")]
        is_json: bool,
        /// The folder
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
        /// No colour
        #[arg(long = "no-color")]
        is_plain: bool,
    },
    /// Sessions whose texts, titles or paths hold all the words
    Search {
        /// Without regard to case; several words in quotes stand beside each other
        #[arg(required = true, value_name = "WORD")]
        words: Vec<String>,
        /// In the sessions of every folder
        #[arg(long = "all")]
        is_all: bool,
        /// One JSON object a line
        #[arg(long = "json")]
        is_json: bool,
        /// The folder
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
    /// Give a session another title
    Rename {
        /// An id, or the start of one
        id: String,
        title: String,
    },
    /// One session as a document
    Export {
        /// An id, or the start of one
        id: String,
        /// Write it to this file
        #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        output: Option<PathBuf>,
        /// To be read by people, or every event as a JSON line
        #[arg(long, default_value = "markdown", value_parser = ["markdown", "json"])]
        format: String,
    },
    /// Delete sessions for good: what was said, what was done, what was kept
    Delete {
        /// Ids, or the starts of them
        #[arg(required = true, value_name = "ID")]
        ids: Vec<String>,
        /// Do not ask
        #[arg(long = "yes")]
        is_yes: bool,
    },
}
