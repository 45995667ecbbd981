//! `cargo xtask ci`: the whole gate, in the order in which failures are cheapest. It stops at the first failure and says
//! what to run to see that one again. It asserts nothing about time; the seconds are there to be read.

use crate::{command, setup, tidy};
use anyhow::{Result, anyhow};
use std::time::Instant;

/// One step after the tests' needs are met.
enum Step {
    Cargo { name: &'static str, arguments: &'static [&'static str] },
    Tidy,
}

// Clippy and the tests take the same profile and features, so what they share is built once.
const STEPS: [Step; 4] = [
    Step::Cargo { name: "fmt", arguments: &["fmt", "--all", "--", "--check"] },
    Step::Tidy,
    Step::Cargo {
        name: "clippy",
        arguments: &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"],
    },
    Step::Cargo { name: "test", arguments: &["test", "--workspace", "--locked"] },
];

pub(crate) fn run() -> Result<()> {
    let postgres = timed("setup", "cargo xtask setup", setup::ensure)?;
    for step in STEPS {
        match step {
            Step::Tidy => timed("tidy", "cargo xtask tidy", tidy::run)?,
            Step::Cargo { name, arguments } => {
                let repeat = format!("{}cargo {}", postgres.prefix(), arguments.join(" "));
                timed(name, &repeat, || {
                    command::pass(command::cargo(arguments).envs(postgres.environment()))
                })?;
            }
        }
    }
    println!("ci: {} steps passed", STEPS.len() + 1);
    Ok(())
}

/// Runs one step between a line that announces it and a line that says how long it took.
fn timed<T>(name: &str, repeat: &str, step: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("ci: {name} …");
    let start = Instant::now();
    let result = step();
    let seconds = start.elapsed().as_secs_f64();
    match result {
        Ok(value) => {
            println!("ci: {name} passed in {seconds:.1} s");
            Ok(value)
        }
        Err(error) => {
            Err(anyhow!("step `{name}` failed after {seconds:.1} s: {error:#}\nto see it again: {repeat}"))
        }
    }
}
