//! The repository's own commands, one verb per file. Nothing here is part of what users install, and nothing here runs
//! inside a test of the product; `cargo xtask` finds it through the alias in `.cargo/config.toml`.

mod bench;
mod ci;
mod command;
mod metadata;
mod picture;
mod postgres;
mod pty;
mod setup;
mod tidy;
mod trial;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  try               build it, then the chat where a model is found, else `bowline demo`
  ci                everything that has to hold: setup, fmt, tidy, clippy, test
  setup             find, or install, what the tests need
  picture           draw the pictures of the terminal in docs/pictures anew
  tidy              the rules of this repository that no compiler checks
  bench run         time to the first request, memory and bytes, beside others; --runs N, --json
  bench chat        time to the first prompt, and how the chat keeps up with a fast model; --runs N
  bench prefix      how much of its prompts a server reads anew, beside a payload whose head changes
  bench checkpoints a checkpoint and a restore among 50,000 files, beside git's own; --rounds N
  bench tasks       how many small programming tasks a model solves: --base-url URL -m MODEL; --help lists the flags
  bench edits       real edits that drift, applied: --packages, --repo PATH, --hunks N, --seed N, --json FILE, --dump DIR
  bench classify    how long naming a failure in 1 MB of output takes, tool by tool: --rounds N
  bench contain     commands in the sandbox, the first of a cell and later ones, beside plain ones: --rounds N, --helper PROGRAM";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["try"] => trial::run(),
        ["ci"] => ci::run(),
        ["setup"] => setup::run(),
        ["picture"] => picture::run(),
        ["tidy"] => tidy::run(),
        ["bench", "run", flags @ ..] => bench::run(flags),
        ["bench", "chat", flags @ ..] => bench::chat::run(flags),
        ["bench", "prefix"] => bench::prefix::run(),
        ["bench", "checkpoints", flags @ ..] => bench::checkpoints::run(flags),
        ["bench", "classify", flags @ ..] => bench::classify::run(flags),
        #[cfg(target_os = "linux")]
        ["bench", "contain", flags @ ..] => bench::contain::run(flags),
        ["bench", "edits", flags @ ..] => bench::edits::run(flags),
        ["bench", "tasks", flags @ ..] => bench::tasks::run(flags),
        ["bench-floor", url] => bench::floor::run(url),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
