//! `cargo xtask bench tasks`: how many small programming tasks a model solves through bowline, what each takes, and how runs
//! fail. The tasks are the data in `tasks/` at the root of the repository; their own test needs no model.
//!
//! Every task is run in a fresh folder with a fresh home for bowline, so no run can learn from another. Nothing fails because of
//! the figures.

mod changed;
mod flags;
mod frames;
mod ground;
mod judge;
mod keep;
mod report;
mod supervise;
mod task;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use changed::Snapshot;
use flags::{Flags, HELP, Wish};
use frames::Figures;
use ground::Ground;
use judge::Left;
use report::{Run, Totals};
use serde_json::json;
use supervise::{End, Supervisor};
use task::Task;

use crate::command::{Profile, built_bowline, root};

/// After these nothing can be measured: wrong usage, and no usable model.
const HOPELESS_CODES: [i32; 2] = [2, 5];
const FRAMES: &str = "frames.jsonl";
const STDERR: &str = "stderr.txt";

/// The tasks of the folder that the flags name, or else of this repository.
fn read_tasks(flags: &Flags) -> Result<Vec<Task>> {
    task::read_all(&flags.tasks.clone().unwrap_or_else(folder))
}

/// Where the repository's own tasks are.
fn folder() -> PathBuf {
    root().join("tasks")
}

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let flags = match Wish::parse(words)? {
        Wish::Help => {
            println!("{HELP}");
            return Ok(());
        }
        Wish::List(flags) => {
            for task in flags.choose(read_tasks(&flags)?)? {
                println!("{:<36} {:<20} {}", task.name, task.kind, task.set.name());
            }
            return Ok(());
        }
        Wish::Run(flags) => flags,
    };
    let tasks = flags.choose(read_tasks(&flags)?)?;
    if let Some(place) = &flags.keep {
        keep::check_empty(place)?;
    }
    let program = match &flags.program {
        Some(program) => program.canonicalize().with_context(|| program.display().to_string())?,
        None => built_bowline(Profile::Release)?,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("no runtime")?;
    runtime.block_on(bench(&flags, &program, &tasks))
}

async fn bench(flags: &Flags, program: &Path, tasks: &[Task]) -> Result<()> {
    let mut supervisor = Supervisor::new()?;
    let mut runs = Vec::new();
    println!("{}", report::head());
    let mut outcome = Ok(());
    'rounds: for round in 1..=flags.repeat {
        for task in tasks {
            match play(&mut supervisor, flags, program, task, round).await {
                Ok(run) => {
                    println!("{}", run.line());
                    runs.push(run);
                }
                Err(error) => {
                    outcome = Err(error.context(task.name.clone()));
                    break 'rounds;
                }
            }
        }
    }
    // What was measured before an interrupt is worth having.
    if !runs.is_empty() {
        print!("\n{}{}", report::by_task(&runs), Totals::of(&runs).lines());
    }
    if let Some(path) = &flags.json {
        let about = json!({
            "base_url": flags.base_url,
            "model": flags.model,
            "mode": flags.mode,
            "program": program.display().to_string(),
            "tasks": tasks.len(),
            "rounds": flags.repeat,
            "limit_seconds": flags.limit.as_secs(),
        });
        std::fs::write(path, format!("{:#}\n", report::json(&about, &runs)))
            .with_context(|| path.display().to_string())?;
    }
    outcome
}

/// One task, once: its folder, bowline's turn in it, and the verdict.
async fn play(
    supervisor: &mut Supervisor,
    flags: &Flags,
    program: &Path,
    task: &Task,
    round: usize,
) -> Result<Run> {
    let folder = tempfile::Builder::new().prefix("bowline-task-").tempdir().context("no temporary folder")?;
    let ground = Ground::make(&folder.path().canonicalize()?, &task.files)?;
    let before = Snapshot::of(&ground.project())?;
    let open = |name: &str| std::fs::File::create(ground.printed(name)).context("a file cannot be made");
    let mut command = ground::program(program, &ground.project());
    command.args(["run", "--json", "--base-url", &flags.base_url, "--model", &flags.model]);
    if let Some(mode) = &flags.mode {
        command.args(["--mode", mode]);
    }
    command.args(["--", &task.message]).env("BOWLINE_HOME", ground.home());
    if let Some(key) = std::env::var_os(ground::KEY) {
        command.env(ground::KEY, key);
    }
    command.stdout(Stdio::from(open(FRAMES)?)).stderr(Stdio::from(open(STDERR)?));
    let (end, took) = supervisor.run(&mut command, flags.limit).await?;
    let figures = Figures::of(&String::from_utf8_lossy(&std::fs::read(ground.printed(FRAMES))?));
    if let End::Exit(code) = end
        && HOPELESS_CODES.contains(&code)
    {
        let said = std::fs::read(ground.printed(STDERR))?;
        bail!("bowline ended with exit code {code}: {}", String::from_utf8_lossy(&said).trim());
    }
    let left = Left { before: &before, end, answer: &figures.answer };
    let verdict = judge::judge(supervisor, task, &ground, &left).await?;
    let run = Run {
        task: task.name.clone(),
        kind: task.kind,
        set: task.set.name(),
        round,
        verdict,
        end,
        took,
        figures,
    };
    if let Some(place) = &flags.keep {
        keep::keep(place, program, &ground, &run)?;
    }
    Ok(run)
}
