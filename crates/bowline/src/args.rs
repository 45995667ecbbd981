//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use bowline_host::servers::Search;
use clap::{Parser, Subcommand};

use crate::time::parse_duration;

/// A coding agent for the models you run yourself.
#[derive(Debug, Parser)]
#[command(name = "bowline", version, arg_required_else_help = true, disable_help_subcommand = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Do one task in this folder, and answer
    Run(Box<Run>),
    /// Look at earlier sessions
    Sessions(Sessions),
    /// The models there are, and which one is used here
    Models(Models),
}

/// Which server and which of its models.
#[derive(Debug, clap::Args)]
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
            last_used: None,
            key: variable("BOWLINE_API_KEY"),
            ollama_host: variable("OLLAMA_HOST"),
        }
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct Run {
    /// What to do; `-` reads it from stdin. Piped stdin is appended
    pub(crate) task: Option<String>,
    /// Go on with the last session of this folder; without a task, from where it stopped
    #[arg(short = 'c', long = "continue", conflicts_with = "session")]
    pub(crate) is_continued: bool,
    /// Go on with this session (an id, or the start of one)
    #[arg(short, long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Work in this folder
    #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".")]
    pub(crate) folder: PathBuf,
    #[command(flatten)]
    pub(crate) server: Server,
    /// The server's window in tokens, where it does not tell or should be asked for more
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1024..))]
    pub(crate) window: Option<i64>,
    /// How the model calls tools, where what is known of it is not to count
    #[arg(long, value_name = "MODE", value_parser = ["native", "text", "constrained"])]
    pub(crate) mode: Option<String>,
    /// How much the model is to think
    #[arg(long, value_name = "HOW", value_parser = ["auto", "off", "low", "high"])]
    pub(crate) thinking: Option<String>,
    /// Print events as JSON lines instead of the answer
    #[arg(long = "json")]
    pub(crate) is_json: bool,
    /// Write the answer to this file too
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Let this pass unasked, such as 'npm install *' or 'view_file(/etc/*)'; again for more
    #[arg(long, value_name = "PATTERN")]
    pub(crate) allow: Vec<String>,
    /// Refuse this; it beats --allow
    #[arg(long, value_name = "PATTERN")]
    pub(crate) deny: Vec<String>,
    /// Answer every question with yes
    #[arg(long = "yes")]
    pub(crate) is_yes: bool,
    /// Change nothing: no writing, no commands
    #[arg(long = "read-only")]
    pub(crate) is_read_only: bool,
    /// Stop after this many steps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..=10_000))]
    pub(crate) max_steps: Option<i64>,
    /// Stop after this long, such as 90s, 20m or 2h
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) max_time: Option<Duration>,
    /// Print nothing but the answer
    #[arg(short = 'q', long = "quiet", conflicts_with = "is_verbose")]
    pub(crate) is_quiet: bool,
    /// Print what the model thinks, too
    #[arg(short = 'v', long = "verbose")]
    pub(crate) is_verbose: bool,
    /// No colour
    #[arg(long = "no-color")]
    pub(crate) is_plain: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Models {
    #[command(flatten)]
    pub(crate) server: Server,
    /// The exam: find out how the model that is used here calls best, and remember it (two minutes)
    #[arg(long = "probe")]
    pub(crate) is_probe: bool,
    /// One JSON object a line, one for each model
    #[arg(long = "json")]
    pub(crate) is_json: bool,
    /// The folder
    #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".")]
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
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".")]
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
        #[arg(short = 'C', long = "cd", value_name = "DIR", default_value = ".")]
        folder: PathBuf,
        /// No colour
        #[arg(long = "no-color")]
        is_plain: bool,
    },
}
