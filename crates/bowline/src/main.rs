//! The `bowline` program: reads the command line and hands on.

mod args;
mod ask;
mod chat;
mod config;
mod doctor;
mod exit;
mod models;
mod order;
mod out;
mod paint;
mod print;
mod probe;
mod rows;
mod run;
mod sessions;
mod settings;
mod stdin;
mod time;
mod told;
mod trust;

use std::process::ExitCode;

use args::{Args, Command};
use clap::Parser as _;
use exit::Exit;

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            let is_usage = error.use_stderr();
            // A closed pipe is no reason to panic over help.
            let _ = error.print();
            return if is_usage { Exit::Usage.into() } else { Exit::Done.into() };
        }
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let exit = match runtime {
        Ok(runtime) => {
            let exit = runtime.block_on(async {
                match args.command {
                    None => chat::chat(args.chat).await,
                    Some(Command::Run(run)) => run::run(*run).await,
                    Some(Command::Sessions(sessions)) => sessions::sessions(sessions).await,
                    Some(Command::Models(args)) => models::models(args).await,
                    Some(Command::Config(args)) => config::config(args).await,
                    Some(Command::Trust(args)) => trust::trust(args).await,
                    Some(Command::Doctor(args)) => doctor::doctor(args).await,
                }
            });
            // A thread that waits for a line of stdin must not keep the program.
            runtime.shutdown_background();
            exit
        }
        Err(error) => {
            out::tell(&format!("bowline: no threads could be started: {error}"));
            Exit::Failed
        }
    };
    exit.into()
}
