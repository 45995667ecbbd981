//! `cargo xtask try`: plays the clean scenario with the real program against the scripted model server and shows what came
//! of it. Everything happens in a temporary folder that is gone afterwards; no model, no network, nothing of the user's is
//! read or written.

use crate::command::{Profile, built_bowline, output_of, pass, root};
use anyhow::{Context, Result, bail};
use bowline_script::scenario::{ActKind, ProjectFile, Scenario};
use bowline_script::server::Server;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

const SCENARIO: &str = "scenarios/clean.scenario";

const NEXT: &str = "\
With a model of your own, in a repository of yours (`cargo install --locked --path crates/bowline` puts bowline on your PATH):
  Ollama     ollama pull qwen3-coder:30b, then bowline run \"rename the config field and fix its callers\"
  llama.cpp  llama-server --jinja -c 32768 -m MODEL.gguf, then the same: a server on this machine is found by itself
  any other  bowline run --base-url http://HOST:PORT/v1 \"…\"";

pub(crate) fn run() -> Result<()> {
    let scenario = read_scenario()?;
    let task = scenario.acts.iter().find_map(|act| match &act.kind {
        ActKind::Task(task) => Some(task.clone()),
        _ => None,
    });
    let task = task.context("the scenario has no task")?;
    let bowline = built_bowline(Profile::Dev)?;

    let folder = tempfile::tempdir().context("no temporary folder")?;
    let project = folder.path().join("project");
    make_project(&project, &scenario.files)?;
    println!("In a small repository, with a scripted model:\n\n$ bowline run \"{task}\"\n");
    let runtime = tokio::runtime::Runtime::new().context("no runtime")?;
    runtime.block_on(play(&bowline, &project, &folder.path().join("home"), &task, scenario))?;

    println!("\n$ git diff\n");
    // Files that are new show up in a diff once git knows of them.
    pass(&mut git(&project, &["add", "--all", "--intent-to-add"]))?;
    pass(&mut git(&project, &["--no-pager", "diff", "--stat", "--patch"]))?;
    println!("\n{NEXT}");
    Ok(())
}

fn read_scenario() -> Result<Scenario> {
    let text =
        fs::read_to_string(root().join(SCENARIO)).with_context(|| format!("{SCENARIO} cannot be read"))?;
    Scenario::parse(&text).with_context(|| format!("{SCENARIO} cannot be played"))
}

fn make_project(project: &Path, files: &[ProjectFile]) -> Result<()> {
    fs::create_dir_all(project)?;
    for file in files {
        let place = project.join(&file.path);
        fs::create_dir_all(place.parent().unwrap_or(project))?;
        fs::write(&place, &file.bytes).with_context(|| format!("{} cannot be written", file.path))?;
        if let Some(mode) = file.mode {
            fs::set_permissions(&place, fs::Permissions::from_mode(mode))?;
        }
    }
    output_of(&mut git(project, &["init", "--quiet"]))?;
    output_of(&mut git(project, &["add", "--all"]))?;
    output_of(&mut git(project, &["commit", "--quiet", "--message", "start"]))?;
    Ok(())
}

/// git in the project, with a name of its own: a fresh machine has none, and the user's may ask for signatures.
fn git(project: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command
        .args(["-c", "user.name=bowline", "-c", "user.email=bowline@localhost", "-c", "commit.gpgSign=false"])
        .args(["-c", "init.defaultBranch=main", "-c", "core.hooksPath=/dev/null"])
        .args(arguments)
        .current_dir(project);
    command
}

async fn play(bowline: &Path, project: &Path, home: &Path, task: &str, scenario: Scenario) -> Result<()> {
    let server = Server::start(scenario.server, scenario.replies).await.context("no port on this machine")?;
    let mut command = tokio::process::Command::new(bowline);
    command.args(["run", "--base-url", &server.base_url(), task]).current_dir(project);
    for name in ["BOWLINE_BASE_URL", "BOWLINE_MODEL", "BOWLINE_API_KEY", "BOWLINE_DATABASE"] {
        command.env_remove(name);
    }
    let status = command.env("BOWLINE_HOME", home).status().await;
    let status = status.with_context(|| format!("{} cannot be started", bowline.display()))?;
    let violations = server.violations();
    if !violations.is_empty() {
        bail!("bowline sent what a strict server refuses: {}", violations.join("; "));
    }
    if !status.success() {
        bail!("bowline ended with {status}");
    }
    Ok(())
}
