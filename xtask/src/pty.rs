//! A program on a terminal of its own: what it writes comes with the time it came at, and goes through an emulator.

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// Longer than anything that is started here takes.
const PATIENCE: Duration = Duration::from_secs(120);
const READ_BYTES: usize = 64 * 1024;

pub(crate) struct Terminal {
    line: File,
    bytes: Receiver<(Instant, Vec<u8>)>,
    pub(crate) parser: vt100::Parser,
    child: Child,
    pub(crate) started: Instant,
    /// All that was written.
    pub(crate) written: Vec<u8>,
}

impl Terminal {
    pub(crate) fn start(mut command: Command, columns: u16, lines: u16) -> Result<Terminal> {
        let (rows, cols) = (NonZero::new(lines), NonZero::new(columns));
        let (Some(rows), Some(cols)) = (rows, cols) else { bail!("a terminal without a size") };
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
        grantpt(&master)?;
        unlockpt(&master)?;
        let name = ptsname(&master, Vec::new())?;
        let line = rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?;
        rustix::io::fcntl_setfd(&master, rustix::io::FdFlags::CLOEXEC)?;
        tcsetwinsize(&master, Winsize { ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 })?;
        let end = || line.try_clone().map(Stdio::from);
        command.stdin(end()?).stdout(end()?).stderr(end()?).env("TERM", "xterm-256color");
        let started = Instant::now();
        let child = command.spawn().context("the program cannot be started")?;
        drop(command);
        drop(line);
        let line = File::from(master);
        let bytes = read(line.try_clone()?);
        let parser = vt100::Parser::new(rows, cols, 0);
        Ok(Terminal { line, bytes, parser, child, started, written: Vec::new() })
    }

    pub(crate) fn press(&mut self, keys: &str) -> Result<()> {
        self.line.write_all(keys.as_bytes()).context("nobody reads the keys")
    }

    /// When these words came to stand on the screen.
    pub(crate) fn until(&mut self, words: &str) -> Result<Instant> {
        let deadline = Instant::now() + PATIENCE;
        let mut at = self.started;
        while !self.parser.screen().contents().contains(words) {
            match self.bytes.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok((came, bytes)) => {
                    at = came;
                    self.parser.process(&bytes);
                    self.written.extend(bytes);
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    bail!("{words:?} never came; the screen is:\n{}", self.parser.screen().contents())
                }
            }
        }
        Ok(at)
    }

    /// Takes what comes within so long.
    pub(crate) fn settle(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        while let Ok((_, bytes)) = self.bytes.recv_timeout(deadline.saturating_duration_since(Instant::now()))
        {
            self.parser.process(&bytes);
            self.written.extend(bytes);
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(mut line: File) -> Receiver<(Instant, Vec<u8>)> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut buffer = vec![0; READ_BYTES];
        // It fails when the program has ended.
        while let Ok(count) = line.read(&mut buffer)
            && count > 0
            && sender.send((Instant::now(), buffer[..count].to_vec())).is_ok()
        {}
    });
    receiver
}
