//! `cargo xtask bench prefix`: how much of its prompts a server has to read anew over a session of 30 steps, beside the same
//! session with a head that changes from step to step, as a clock or a counter in the system prompt makes it.
//!
//! The real program is played against the scripted server, which counts by common beginning as a local server's prompt
//! cache does. What it sent is then counted twice: as it is, and with one word of its head changed.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use bowline_script::reply::Times;
use bowline_script::{Answer, Play, Player, Profile, Recorded, Reply, Scenario, Server};
use serde_json::Value;

use crate::command::{Profile as Build, built_bowline};

const STEPS: usize = 30;
const LINES: usize = 30;
/// Large enough that nothing is folded on the way. Tokens.
const WINDOW: u64 = 131_072;

/// Tokens of a session's prompts.
#[derive(Clone, Copy, Default)]
struct Tokens {
    all: u64,
    cached: u64,
}

impl Tokens {
    fn anew(self) -> u64 {
        self.all - self.cached
    }
}

pub(crate) fn run() -> Result<()> {
    let bowline = built_bowline(Build::Dev)?;
    let folder = tempfile::tempdir().context("no temporary folder")?;
    let project = folder.path().join("project");
    std::fs::create_dir(&project)?;
    for n in 0..STEPS {
        let line = |line: usize| format!("line {line} of file {n}, which says nothing that matters\n");
        std::fs::write(project.join(format!("file{n}.txt")), (0..LINES).map(line).collect::<String>())?;
    }
    let runtime = tokio::runtime::Runtime::new().context("no runtime")?;
    let bodies = runtime.block_on(played(&bowline, &project, &folder.path().join("home")))?;
    let kept = counted(&bodies, |_, _| {})?;
    let changed = counted(&bodies, |n, body| {
        let head = body["messages"][0]["content"].as_str().unwrap_or_default();
        body["messages"][0]["content"] = format!("Step {n}. {head}").into();
    })?;
    let row = |name: &str, tokens: Tokens| {
        let share = tokens.cached as f64 * 100.0 / tokens.all as f64;
        println!("{name:<22} {:>9} {:>11} {share:>8.1} %", tokens.all, tokens.anew());
    };
    println!(
        "{:<22} {:>9} {:>11} {:>10}",
        format!("{} requests", bodies.len()),
        "tokens",
        "read anew",
        "cached"
    );
    row("bowline", kept);
    row("with a changing head", changed);
    println!("a changing head reads {:.1} × as much", changed.anew() as f64 / kept.anew() as f64);
    Ok(())
}

/// The requests of a session in which each step reads a file.
async fn played(bowline: &Path, project: &Path, home: &Path) -> Result<Vec<Value>> {
    let reads: String =
        (0..STEPS).map(|n| format!("=== reply\ncall view_file {{\"path\":\"file{n}.txt\"}}\n")).collect();
    let text =
        format!("A long session.\n=== server llamacpp window={WINDOW}\n{reads}=== reply\ntext \"Done.\"\n");
    let scenario = Scenario::parse(&text).context("the session cannot be played")?;
    let server = Server::start(scenario.server, scenario.replies).await.context("no port on this machine")?;
    let mut command = Command::new(bowline);
    command.args(["run", "--quiet", "--base-url", &server.base_url(), "Read all the files."]);
    for name in ["BOWLINE_BASE_URL", "BOWLINE_MODEL", "BOWLINE_API_KEY", "BOWLINE_DATABASE"] {
        command.env_remove(name);
    }
    command.env("BOWLINE_HOME", home).current_dir(project).stdin(std::process::Stdio::null());
    let status = tokio::process::Command::from(command).status().await?;
    if !status.success() || !server.violations().is_empty() {
        bail!("the session did not end as it should ({status}): {}", server.violations().join("; "));
    }
    Ok(server.requests().into_iter().filter(Recorded::is_chat).map(|request| request.body).collect())
}

/// What a server with a prompt cache makes of these requests.
fn counted(bodies: &[Value], change: impl Fn(usize, &mut Value)) -> Result<Tokens> {
    let profile = Profile { window: Some(WINDOW), ..Profile::default() };
    let mut player = Player::new(profile, vec![Reply { times: Times::Ever, ..Reply::text("ok") }]);
    let mut tokens = Tokens::default();
    for (n, body) in bodies.iter().enumerate() {
        let mut body = body.clone();
        body["stream"] = false.into();
        change(n, &mut body);
        let answer = player.answer("POST", "/v1/chat/completions", body.to_string().as_bytes());
        let Answer::Http { status: 200, plays, .. } = answer else { bail!("request {n} is refused") };
        let bytes: Vec<u8> = plays
            .into_iter()
            .flat_map(|play| match play {
                Play::Bytes(bytes) => bytes,
                _ => Vec::new(),
            })
            .collect();
        let answer: Value = serde_json::from_slice(&bytes)?;
        let count = |value: &Value| value.as_u64().unwrap_or(0);
        tokens.all += count(&answer["usage"]["prompt_tokens"]);
        tokens.cached += count(&answer["usage"]["prompt_tokens_details"]["cached_tokens"]);
    }
    Ok(tokens)
}
