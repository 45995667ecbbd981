//! Kills a process group if bowline dies without having done so: `kill -9`, a closed terminal, a panic.
//!
//! A small shell waits at the end of a pipe whose other end only we hold. When we are gone the pipe ends, and it kills the
//! group. A watchdog that is dropped is disarmed first, so that it can never kill another group that was given the same number.

use std::io::{self, PipeWriter};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use rustix::process::Pid;

const SCRIPT: &str = "read -r _; kill -s KILL -- \"-$1\"";

#[derive(Debug)]
pub(super) struct Watchdog {
    watcher: Child,
    /// Never written to: that it is open says that we live.
    _held: PipeWriter,
}

impl Watchdog {
    /// For a group whose leader is not reaped yet.
    pub(super) fn start(group: Pid) -> io::Result<Watchdog> {
        let (reader, writer) = io::pipe()?;
        let watcher = Command::new("sh")
            .args(["-c", SCRIPT, "leash"])
            .arg(group.as_raw_nonzero().to_string())
            .env_clear()
            .current_dir("/")
            .stdin(reader)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Not in our group: what the terminal sends us is not for it.
            .process_group(0)
            .spawn()?;
        Ok(Watchdog { watcher, _held: writer })
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        let _ = self.watcher.kill();
        let _ = self.watcher.wait();
    }
}
