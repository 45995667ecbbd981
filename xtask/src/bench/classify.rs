//! `cargo xtask bench classify`: how long it takes to name the failure in one megabyte of each tool's output, beside a plain pass over
//! the same lines in the same run.
//!
//! The outputs are the recorded cases of `bowline-core`, each repeated until it is that long. A tool is shown by its slowest case.
//! The figures are for reading; nothing fails because of them.

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use bowline_core::failure::{self, End, Run};

use crate::command::root;

const CASES: &str = "crates/bowline-core/tests/cases/failure";
/// How long an output is made.
const BYTES: usize = 1024 * 1024;
/// What naming a failure in so many bytes may take.
const DUE: Duration = Duration::from_millis(5);
const ROUNDS_DEFAULT: usize = 5;
const ROUNDS_MAX: usize = 1000;

/// What a tool printed, as it was recorded.
struct Recorded {
    tool: String,
    name: String,
    command: String,
    end: End,
    output: String,
}

/// The medians of a case.
struct Measured<'a> {
    case: &'a Recorded,
    naming: Duration,
    plain: Duration,
}

pub(crate) fn run(flags: &[&str]) -> Result<()> {
    let rounds = rounds(flags)?;
    if cfg!(debug_assertions) {
        eprintln!(
            "bench: this is a debug build; cargo run --release -p xtask -- bench classify measures what users have"
        );
    }
    let cases = recorded(&root().join(CASES))?;
    let mut slowest: Vec<Measured<'_>> = Vec::new();
    for case in &cases {
        let measured = measure(case, rounds);
        match slowest.last_mut().filter(|last| last.case.tool == case.tool) {
            Some(last) if last.naming < measured.naming => *last = measured,
            Some(_) => {}
            None => slowest.push(measured),
        }
    }
    slowest.sort_by_key(|measured| std::cmp::Reverse(measured.naming));
    print!("{}", table(&slowest, cases.len()));
    Ok(())
}

fn rounds(flags: &[&str]) -> Result<usize> {
    match flags {
        [] => Ok(ROUNDS_DEFAULT),
        ["--rounds", number] => number
            .parse()
            .ok()
            .filter(|number| (1..=ROUNDS_MAX).contains(number))
            .with_context(|| format!("--rounds takes a number from 1 to {ROUNDS_MAX}, not {number}")),
        _ => bail!("bench classify knows no {}: it takes --rounds N", flags.join(" ")),
    }
}

/// Both passes in turn, so that a busy machine slows them alike.
fn measure(case: &Recorded, rounds: usize) -> Measured<'_> {
    let output = case.output.repeat(BYTES.div_ceil(case.output.len().max(1)));
    let run = Run { command: &case.command, end: case.end, stdout: &output, stderr: "" };
    let (mut naming, mut plain) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        naming.push(timed(|| drop(black_box(failure::read(black_box(&run))))));
        plain.push(timed(|| {
            let words = black_box(&output).lines().filter(|line| line.contains("error"));
            black_box(words.count());
        }));
    }
    Measured { case, naming: median(naming), plain: median(plain) }
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn table(slowest: &[Measured<'_>], cases: usize) -> String {
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    let mut table = format!("{:<12} {:>9} {:>9} {:>7}  slowest case\n", "tool", "naming", "plain", "ratio");
    for Measured { case, naming, plain } in slowest {
        let ratio = ms(*naming) / ms(*plain).max(f64::EPSILON);
        let mark = if *naming > DUE { "  over 5 ms" } else { "" };
        let Recorded { tool, name, .. } = case;
        let (naming, plain) = (ms(*naming), ms(*plain));
        let _ = writeln!(table, "{tool:<12} {naming:>6.2} ms {plain:>6.2} ms {ratio:>6.1}×  {name}{mark}");
    }
    let late = slowest.iter().filter(|measured| measured.naming > DUE).count();
    let _ = writeln!(table, "{cases} cases of {} tools, 1 MB each; {late} tools over 5 ms", slowest.len());
    table
}

/// All cases, tool by tool.
fn recorded(folder: &Path) -> Result<Vec<Recorded>> {
    let mut cases = Vec::new();
    for tool in sorted(folder)? {
        for path in sorted(&tool)? {
            let source = fs::read_to_string(&path).with_context(|| format!("no case {}", path.display()))?;
            let word = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            cases.push(case(word(&tool), word(&path), &source));
        }
    }
    if cases.is_empty() {
        bail!("there are no cases in {}", folder.display());
    }
    Ok(cases)
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("no folder {}", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
    paths.sort();
    Ok(paths)
}

/// Both streams of a case as one, as a terminal shows them.
fn case(tool: String, name: String, source: &str) -> Recorded {
    let mut case = Recorded { tool, name, command: String::new(), end: End::Exit(1), output: String::new() };
    let mut section = "";
    for line in source.lines() {
        match line.strip_prefix("=== ") {
            Some(named @ ("command" | "exit" | "stdout" | "stderr" | "expected")) => section = named,
            _ if section == "command" => case.command.push_str(line),
            _ if section == "exit" => case.end = end(line.trim()),
            _ if matches!(section, "stdout" | "stderr") => {
                case.output.push_str(&line.replace('␛', "\u{1b}").replace('␍', "\r"));
                case.output.push('\n');
            }
            _ => {}
        }
    }
    case
}

fn end(text: &str) -> End {
    match text.strip_prefix("signal ").map(str::parse) {
        Some(Ok(signal)) => End::Signal(signal),
        _ if text == "timeout" => End::Timeout,
        _ => End::Exit(text.parse().unwrap_or(1)),
    }
}
