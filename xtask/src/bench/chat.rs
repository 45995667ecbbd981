//! `cargo xtask bench chat`: how soon the chat can be typed into, and how it keeps up with a model that writes 500 tokens a
//! second. Each figure stands beside a floor that is measured in the same run: a shell that only prints a prompt, and a
//! program that only reads the same stream from the same server. The figures are for reading; nothing fails because of them.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use bowline_script::{Scenario, Server};

use super::parse;
use crate::command::{Profile, built_bowline};
use crate::pty::Terminal;

const TOKENS: usize = 5_000;
/// So many tokens come together, and the next so many after this time: with what a timer adds, 500 a second.
const AT_ONCE: usize = 5;
const PAUSE_MS: usize = 9;
const COLUMNS: u16 = 100;
const LINES: u16 = 40;
/// Prints the chat's prompt and waits for a line: what starting any process on a terminal takes here.
const FLOOR: &str = "printf '› '; read -r line";
/// Begins every frame that the chat draws.
const FRAME: &[u8] = b"\x1b[?2026h";

pub(crate) fn run(flags: &[&str]) -> Result<()> {
    let (runs, _) = parse(flags)?;
    let bowline = built_bowline(Profile::Release)?;
    let folder = tempfile::tempdir().context("no temporary folder")?;
    let project = folder.path().join("project");
    std::fs::create_dir(&project)?;
    let home = folder.path().join("home");
    prompts(&bowline, &project, &home, runs)?;
    let runtime = tokio::runtime::Runtime::new().context("no runtime")?;
    stream(&runtime, &bowline, &project, &home)
}

/// The chat, without anything of the user's.
fn chat(bowline: &Path, project: &Path, home: &Path, url: &str) -> Command {
    let mut command = Command::new(bowline);
    command.args(["--base-url", url]).current_dir(project).env("BOWLINE_HOME", home);
    for name in ["BOWLINE_BASE_URL", "BOWLINE_MODEL", "BOWLINE_API_KEY", "BOWLINE_DATABASE", "NO_COLOR"] {
        command.env_remove(name);
    }
    command
}

fn prompts(bowline: &Path, project: &Path, home: &Path, runs: usize) -> Result<()> {
    let mut rows: [(&str, Vec<f64>); 2] = [("bowline", Vec::new()), ("floor", Vec::new())];
    for _ in 0..=runs {
        let nobody = "http://127.0.0.1:1/v1";
        let mut floor = Command::new("sh");
        floor.args(["-c", FLOOR]);
        for ((_, times), command) in rows.iter_mut().zip([chat(bowline, project, home, nobody), floor]) {
            let mut terminal = Terminal::start(command, COLUMNS, LINES)?;
            let took = terminal.until("›")?.duration_since(terminal.started);
            times.push(took.as_secs_f64() * 1000.0);
        }
    }
    println!("{:<12}{:>12}{:>10}{:>8}", "prompt", "median ms", "most ms", "ratio");
    let own = median(&rows[0].1);
    for (name, times) in &rows {
        let most = times.iter().skip(1).copied().fold(0.0, f64::max);
        println!("{name:<12}{:>12.1}{most:>10.1}{:>8.2}", median(times), median(times) / own);
    }
    println!(
        "From start to the prompt on the screen, {runs} runs each after a first one; floor: a shell that only prints a prompt.\n"
    );
    Ok(())
}

/// Of all but the first, which also makes what later ones find.
fn median(times: &[f64]) -> f64 {
    let mut later: Vec<f64> = times.iter().skip(1).copied().collect();
    later.sort_by(f64::total_cmp);
    later.get(later.len() / 2).copied().unwrap_or_default()
}

fn stream(runtime: &tokio::runtime::Runtime, bowline: &Path, project: &Path, home: &Path) -> Result<()> {
    let piece = |n: usize| {
        let text = match n % 12 {
            11 => format!("text \"word{n}\\n\\n\"\n"),
            5 => format!("text \"**bold{n}** \"\n"),
            _ => format!("text \"word{n} \"\n"),
        };
        let pause = if n.is_multiple_of(AT_ONCE) { format!("wait {PAUSE_MS}ms\n") } else { String::new() };
        text + &pause
    };
    let reply: String = (0..TOKENS).map(piece).collect();
    let reply = format!("=== reply\n{reply}text \"The last word.\"\n");
    let text = format!("A fast model.\n=== server llamacpp window=65536\n{reply}{reply}");
    let scenario = Scenario::parse(&text).context("the stream cannot be played")?;
    let server = runtime.block_on(Server::start(scenario.server, scenario.replies))?;
    let alone = take(&server.base_url())?;
    let mut terminal = Terminal::start(chat(bowline, project, home, &server.base_url()), COLUMNS, LINES)?;
    terminal.until("Ctrl-D leaves")?;
    let before = terminal.written.len();
    let sent = Instant::now();
    terminal.press("Write a lot.\r")?;
    let shown = terminal.until("The last word.")?.duration_since(sent);
    let written = &terminal.written[before..];
    let frames = written.windows(FRAME.len()).filter(|window| *window == FRAME).count();
    let seconds = |time: Duration| time.as_secs_f64();
    println!("{:<22}{:>10}{:>8}", "stream", "seconds", "ratio");
    println!("{:<22}{:>10.2}{:>8.2}", "bowline, on screen", seconds(shown), seconds(shown) / seconds(alone));
    println!("{:<22}{:>10.2}{:>8.2}", "a program that reads", seconds(alone), 1.0);
    println!(
        "{TOKENS} tokens, {:.0} a second, from the request to the last word. {:.0} frames a second, {:.0} bytes a frame.",
        TOKENS as f64 / seconds(alone),
        frames as f64 / seconds(shown),
        written.len() as f64 / frames as f64
    );
    Ok(())
}

/// How long the same stream takes for a program that does nothing with it.
fn take(base_url: &str) -> Result<Duration> {
    let address = base_url.trim_start_matches("http://").trim_end_matches("/v1");
    let body = r#"{"model":"scripted-coder:7b","stream":true,"messages":[{"role":"system","content":"x"},{"role":"user","content":"x"}]}"#;
    let started = Instant::now();
    let mut connection = TcpStream::connect(address)?;
    write!(
        connection,
        "POST /v1/chat/completions HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )?;
    let mut lines = BufReader::new(connection).lines();
    while let Some(Ok(line)) = lines.next() {
        if line.contains("[DONE]") {
            break;
        }
    }
    Ok(started.elapsed())
}
