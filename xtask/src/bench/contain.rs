//! `cargo xtask bench contain`: what the sandbox adds to a command that does nothing, for the first command of a cell and
//! for later ones, beside the same command without it. All are run in turn, so that a busy machine slows them alike. The
//! figures are for reading; nothing fails because of them.

use std::path::{Path, PathBuf};
use std::process::{Command as Plain, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use bowline_contain::{Cell, CellSpec, Command, Helper, Output, Profile, Status};

use super::memory::peak_kib;
use crate::command::{Profile as Build, built};

const ROUNDS_DEFAULT: usize = 200;
const ROUNDS_MAX: usize = 10_000;
/// What the first command of a cell may take longer than a plain one.
const FIRST_MAX: Duration = Duration::from_millis(10);
/// What each later one may.
const LATER_MAX: Duration = Duration::from_millis(5);

pub(crate) fn run(flags: &[&str]) -> Result<()> {
    let (rounds, helper) = parse(flags)?;
    let helper = match helper {
        Some(program) => program,
        None => built("bowline-contain", "bowline-contain-helper", Build::Release)?,
    };
    let folder = tempfile::tempdir().context("no temporary folder")?;
    let spec = CellSpec::new().writable(folder.path());
    let mut times = Times::default();
    for _ in 0..rounds {
        times.round(&Helper::new(&helper), &spec, folder.path())?;
    }
    let cell = Cell::start(&Helper::new(&helper), &spec)?;
    println!("{} rounds; {}", rounds, cell.layers());
    print!("{}", times.table());
    println!("memory of the cell's two processes: {} KiB", cell.helper_id().map_or(0, peak_kib));
    Ok(())
}

fn parse(flags: &[&str]) -> Result<(usize, Option<PathBuf>)> {
    let (mut rounds, mut helper) = (ROUNDS_DEFAULT, None);
    let mut rest = flags.iter();
    while let Some(flag) = rest.next() {
        match (*flag, rest.next()) {
            ("--rounds", Some(number)) => {
                let number = number.parse().ok().filter(|number| (1..=ROUNDS_MAX).contains(number));
                rounds = number.with_context(|| format!("--rounds takes a number from 1 to {ROUNDS_MAX}"))?;
            }
            ("--helper", Some(program)) => helper = Some(PathBuf::from(program)),
            (other, _) => bail!("bench contain knows no {other}: it takes --rounds N and --helper PROGRAM"),
        }
    }
    Ok((rounds, helper))
}

#[derive(Default)]
struct Times {
    plain: Vec<Duration>,
    first: Vec<Duration>,
    build: Vec<Duration>,
    read: Vec<Duration>,
    open: Vec<Duration>,
    end: Vec<Duration>,
}

impl Times {
    fn round(&mut self, helper: &Helper, spec: &CellSpec, folder: &Path) -> Result<()> {
        self.plain.push(timed(|| plain(folder))?);
        let start = Instant::now();
        let cell = Cell::start(helper, spec)?;
        contained(&cell, Profile::Build, folder)?;
        self.first.push(start.elapsed());
        self.build.push(timed(|| contained(&cell, Profile::Build, folder))?);
        self.read.push(timed(|| contained(&cell, Profile::Read, folder))?);
        // The first of them starts a helper of its own.
        contained(&cell, Profile::Open, folder)?;
        self.open.push(timed(|| contained(&cell, Profile::Open, folder))?);
        let start = Instant::now();
        drop(cell);
        self.end.push(start.elapsed());
        Ok(())
    }

    fn table(&self) -> String {
        let plain = median(&self.plain);
        let mut table = format!("{:<24} {:>9}\n", "plain", ms(plain));
        let rows = [
            ("first command, build", &self.first, Some(FIRST_MAX)),
            ("later command, build", &self.build, Some(LATER_MAX)),
            ("later command, read", &self.read, Some(LATER_MAX)),
            ("later command, open", &self.open, Some(LATER_MAX)),
            ("end of the cell", &self.end, None),
        ];
        for (name, times, due) in rows {
            let median = median(times);
            let more = median.saturating_sub(plain);
            let row = match due {
                None => format!("{name:<24} {:>9}\n", ms(median)),
                Some(due) => {
                    let ratio = median.as_secs_f64() / plain.as_secs_f64().max(f64::EPSILON);
                    let mark = if more > due { format!("  over {}", ms(due)) } else { String::new() };
                    format!("{name:<24} {:>9} {:>9} more {ratio:>5.1}×{mark}\n", ms(median), ms(more))
                }
            };
            table.push_str(&row);
        }
        table
    }
}

fn ms(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

fn median(times: &[Duration]) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

fn timed(work: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed())
}

fn plain(folder: &Path) -> Result<()> {
    let mut command = Plain::new("/bin/sh");
    command.args(["-c", "true"]).env_clear().current_dir(folder).stdin(Stdio::null());
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    if status.success() { Ok(()) } else { bail!("sh failed with {status}") }
}

fn contained(cell: &Cell, profile: Profile, folder: &Path) -> Result<()> {
    let command = Command::new("/bin/sh").args(["-c", "true"]).folder(folder).output(Output::Null);
    match cell.spawn(profile, command)?.wait().status {
        Status::Exited(0) => Ok(()),
        status => bail!("sh ended with {status:?} under `{profile}`"),
    }
}
