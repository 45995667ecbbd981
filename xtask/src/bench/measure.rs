//! One run of one program: started, watched until its first request to the model and on to its end. A program that takes
//! longer than the limit is killed, it alone: its children are its own affair.

use super::contender::Contender;
use super::memory::peak_kib;
use super::recorder::Recorder;
use anyhow::{Context, Result};
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

const RUN_MAX: Duration = Duration::from_secs(60);
/// Before the first request there is nothing to see but the end; looking often would slow what is measured.
const POLL_BEFORE: Duration = Duration::from_millis(50);
/// Afterwards the memory is looked at, and the last look should come shortly before the end.
const POLL_AFTER: Duration = Duration::from_millis(2);

pub(crate) enum Measured {
    Run(Run),
    /// Why there is no figure.
    Failed(String),
}

pub(crate) struct Run {
    pub(crate) first_request_ms: f64,
    pub(crate) peak_kib: u64,
    pub(crate) request_bytes: usize,
    /// What was odd about the end, where it was.
    pub(crate) oddity: Option<String>,
}

pub(crate) fn measure(contender: &Contender, recorder: &Recorder) -> Result<Measured> {
    // Late requests of the program before belong to nobody.
    while recorder.seen.try_recv().is_ok() {}
    let errors = tempfile::NamedTempFile::new().context("no temporary file")?;
    let mut command = contender.command();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors.reopen()?);
    let start = Instant::now();
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return Ok(Measured::Failed(format!("cannot be started: {error}"))),
    };
    let watched = watch(&mut child, start, recorder)?;
    let said = std::fs::read(errors.path()).unwrap_or_default();
    Ok(watched.judge(&last_line(&said)))
}

#[derive(Default)]
struct Watched {
    first: Option<(Duration, usize)>,
    peak_kib: u64,
    /// `None` when it had to be killed.
    status: Option<ExitStatus>,
}

fn watch(child: &mut Child, start: Instant, recorder: &Recorder) -> Result<Watched> {
    let mut watched = Watched::default();
    while start.elapsed() < RUN_MAX {
        let pause = if watched.first.is_some() { POLL_AFTER } else { POLL_BEFORE };
        if let Ok(seen) = recorder.seen.recv_timeout(pause) {
            watched.peak_kib = watched.peak_kib.max(peak_kib(child.id()));
            watched.first.get_or_insert((seen.at.duration_since(start), seen.body_bytes));
        } else if watched.first.is_some() {
            watched.peak_kib = watched.peak_kib.max(peak_kib(child.id()));
        }
        if let Some(status) = child.try_wait()? {
            watched.status = Some(status);
            return Ok(watched);
        }
    }
    child.kill()?;
    child.wait()?;
    Ok(watched)
}

impl Watched {
    fn judge(self, said: &str) -> Measured {
        let limit = RUN_MAX.as_secs();
        let end = match self.status {
            Some(status) if status.success() => None,
            Some(status) => Some(format!("ended with {status}: {said}")),
            None => Some(format!("did not end within {limit} s")),
        };
        match self.first {
            Some((after, request_bytes)) => Measured::Run(Run {
                first_request_ms: after.as_secs_f64() * 1000.0,
                peak_kib: self.peak_kib,
                request_bytes,
                oddity: end,
            }),
            None => {
                let end = end.unwrap_or_else(|| format!("ended: {said}"));
                Measured::Failed(format!("sent no request; {end}"))
            }
        }
    }
}

fn last_line(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("said nothing").trim().to_owned()
}
