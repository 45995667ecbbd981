//! The `bowline` program: reads the command line and hands on.

mod args;
mod ask;
#[cfg(test)]
mod cases;
mod changes;
mod chat;
mod classify;
mod completions;
mod config;
mod demo;
mod diff;
mod diff_files;
mod doctor;
mod edit;
mod exit;
mod help;
mod here;
mod highlight;
mod json_lines;
mod man;
mod markdown;
mod models;
mod order;
mod output;
mod paint;
mod print;
mod probe;
#[cfg(test)]
mod reference;
mod render;
mod restore;
mod rows;
mod run;
mod sessions;
mod settings;
mod task_text;
mod time;
mod trust;
mod usage;
mod worktree;

use std::process::ExitCode;

use args::{Command, Verb};
use exit::Exit;

fn main() -> ExitCode {
    // The sandbox starts this program as its helper: before threads, a runtime or the command line.
    if let Some(code) = bowline_host::sandbox::helper_main() {
        return code;
    }
    let line: Vec<_> = std::env::args_os().collect();
    let args = match usage::read(&line) {
        Ok(args) => args,
        Err(exit) => return exit.into(),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let exit = match runtime {
        Ok(runtime) => {
            let exit = runtime.block_on(async {
                match args.verb() {
                    Verb::Chat(args) => chat::chat(args).await,
                    Verb::Command(Command::Run(args)) => run::run(*args).await,
                    Verb::Command(Command::Undo(args)) => restore::undo(args).await,
                    Verb::Command(Command::Redo(args)) => restore::redo(args).await,
                    Verb::Command(Command::Diff(args)) => restore::diff(args).await,
                    Verb::Command(Command::Checkpoint(args)) => restore::checkpoint(args).await,
                    Verb::Command(Command::Restore(args)) => restore::restore(args).await,
                    Verb::Command(Command::Sessions(args)) => sessions::sessions(args).await,
                    Verb::Command(Command::Changes(args)) => changes::changes(args).await,
                    Verb::Command(Command::Models(args)) => models::models(args).await,
                    Verb::Command(Command::Config(args)) => config::config(args).await,
                    Verb::Command(Command::Trust(args)) => trust::trust(args).await,
                    Verb::Command(Command::Doctor(args)) => doctor::doctor(args).await,
                    Verb::Command(Command::Demo(args)) => demo::demo(&args).await,
                    Verb::Command(Command::Edit(args)) => edit::edit(&args),
                    Verb::Command(Command::Classify) => classify::classify(),
                    Verb::Command(Command::Worktree(args)) => worktree::worktree(args).await,
                    Verb::Command(Command::Completions(args)) => completions::completions(&args),
                    Verb::Command(Command::Man) => man::man(),
                }
            });
            // A thread that waits for a line of stdin must not keep the program.
            runtime.shutdown_background();
            exit
        }
        Err(error) => {
            output::eprint_line(&format!("bowline: no threads could be started: {error}"));
            Exit::Failed
        }
    };
    exit.into()
}
