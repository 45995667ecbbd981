//! The programs that are measured, each told to send one small task to the recording server: ours, one that does nothing
//! else, and other agents where they are installed. Each works in a project and with a home of its own, so that nobody's
//! settings are read or written.

use crate::command::{on_path, output_of};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

const TASK: &str = "Say ok.";
const KEY: &str = "none";

pub(crate) struct Contender {
    pub(crate) name: &'static str,
    program: PathBuf,
    arguments: Vec<String>,
    environment: Vec<(&'static str, String)>,
    project: PathBuf,
}

impl Contender {
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).current_dir(&self.project);
        for (name, _) in
            std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("BOWLINE_"))
        {
            command.env_remove(name);
        }
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// Arguments and variables.
type Told = (Vec<String>, Vec<(&'static str, String)>);

/// How an agent is told what to do: its arguments and its variables, given the server's address and its own home.
type Manual = fn(&str, &Path) -> Result<Told>;

const OTHERS: [(&str, Manual); 4] =
    [("opencode", opencode), ("codex", codex), ("goose", goose), ("aider", aider)];

/// Those to be measured, and the names of those that are not installed.
pub(crate) fn all(
    bowline: &Path,
    base_url: &str,
    folder: &Path,
) -> Result<(Vec<Contender>, Vec<&'static str>)> {
    let mut contenders = vec![
        make("floor", std::env::current_exe().context("this program has no path")?, floor, base_url, folder)?,
        make("bowline", bowline.to_path_buf(), ours, base_url, folder)?,
    ];
    let mut absent = Vec::new();
    for (name, manual) in OTHERS {
        match on_path(name) {
            Some(program) => contenders.push(make(name, program, manual, base_url, folder)?),
            None => absent.push(name),
        }
    }
    Ok((contenders, absent))
}

fn make(
    name: &'static str,
    program: PathBuf,
    manual: Manual,
    base_url: &str,
    folder: &Path,
) -> Result<Contender> {
    let home = folder.join(name).join("home");
    let project = folder.join(name).join("project");
    std::fs::create_dir_all(&home)?;
    std::fs::create_dir_all(&project)?;
    std::fs::write(project.join("notes.txt"), "A project with one file.\n")?;
    output_of(Command::new("git").args(["init", "--quiet"]).current_dir(&project))?;
    let (arguments, mut environment) = manual(base_url, &home)?;
    // Agents keep their data in various places below these.
    for (variable, below) in
        [("HOME", ""), ("XDG_CONFIG_HOME", "config"), ("XDG_DATA_HOME", "data"), ("XDG_CACHE_HOME", "cache")]
    {
        environment.push((variable, home.join(below).display().to_string()));
    }
    Ok(Contender { name, program, arguments, environment, project })
}

fn words(arguments: &[&str]) -> Vec<String> {
    arguments.iter().map(|argument| (*argument).to_owned()).collect()
}

fn floor(base_url: &str, _: &Path) -> Result<Told> {
    Ok((words(&["bench-floor", base_url]), Vec::new()))
}

fn ours(base_url: &str, home: &Path) -> Result<Told> {
    let environment = vec![("BOWLINE_HOME", home.join("bowline").display().to_string())];
    Ok((words(&["run", "--base-url", base_url, TASK]), environment))
}

fn opencode(base_url: &str, home: &Path) -> Result<Told> {
    let config = home.join("opencode.json");
    let content = serde_json::json!({
        "model": "bench/bench",
        "small_model": "bench/bench",
        "autoupdate": false,
        "share": "disabled",
        "provider": { "bench": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "bench",
            "options": { "baseURL": base_url, "apiKey": KEY },
            "models": { "bench": { "name": "bench", "limit": { "context": 32_768, "output": 4_096 } } },
        } },
    });
    std::fs::write(&config, content.to_string())?;
    let environment = vec![
        ("OPENCODE_CONFIG", config.display().to_string()),
        ("OPENCODE_DISABLE_AUTOUPDATE", "1".to_owned()),
    ];
    Ok((words(&["run", "--model", "bench/bench", TASK]), environment))
}

fn codex(base_url: &str, home: &Path) -> Result<Told> {
    let codex_home = home.join("codex");
    std::fs::create_dir_all(&codex_home)?;
    let provider = format!(
        r#"model_providers.bench={{name="bench", base_url="{base_url}", wire_api="responses", env_key="BENCH_KEY"}}"#
    );
    let arguments = words(&[
        "exec",
        "--skip-git-repo-check",
        "-c",
        &provider,
        "-c",
        "model_provider=\"bench\"",
        "-c",
        "model=\"bench\"",
        TASK,
    ]);
    let environment = vec![("CODEX_HOME", codex_home.display().to_string()), ("BENCH_KEY", KEY.to_owned())];
    Ok((arguments, environment))
}

fn goose(base_url: &str, _: &Path) -> Result<Told> {
    // goose adds the version of the interface by itself.
    let host = base_url.trim_end_matches("/v1");
    let environment = [
        ("GOOSE_PROVIDER", "openai"),
        ("GOOSE_MODEL", "bench"),
        ("GOOSE_DISABLE_KEYRING", "1"),
        ("OPENAI_HOST", host),
        ("OPENAI_API_KEY", KEY),
    ];
    let environment = environment.map(|(name, value)| (name, value.to_owned())).to_vec();
    Ok((words(&["run", "--no-session", "--with-builtin", "developer", "--text", TASK]), environment))
}

fn aider(base_url: &str, _: &Path) -> Result<Told> {
    let arguments = words(&[
        "--model",
        "openai/bench",
        "--openai-api-base",
        base_url,
        "--openai-api-key",
        KEY,
        "--message",
        TASK,
        "--yes-always",
        "--no-check-update",
        "--no-show-model-warnings",
        "--analytics-disable",
        "--no-gitignore",
    ]);
    Ok((arguments, Vec::new()))
}
