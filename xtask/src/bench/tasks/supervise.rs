//! Runs a program with a time limit, as the leader of a process group that is ended as one. Its output goes to files that the
//! caller opened, so nothing here waits for a pipe that a left-over process holds open.
//!
//! What always holds: when [`Supervisor::run`] returns, no process of the group runs any more, also after an interrupt. The
//! leader is reaped last, so its number can't belong to a stranger while a signal is sent.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::signal::unix::{Signal as Arrivals, SignalKind, signal};

/// How often the program is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long a program that was asked to end may take before it is killed.
const GRACE: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Exit(i32),
    Signal(i32),
    /// It was ended because its time was up.
    Time,
}

/// Starts programs one at a time. An interrupt of this process ends the program that runs.
pub(crate) struct Supervisor {
    interrupts: [Arrivals; 2],
}

impl Supervisor {
    /// Inside a tokio runtime only.
    pub(crate) fn new() -> Result<Self> {
        let listen = |kind| signal(kind).context("signals cannot be received");
        // Not for a hangup: who starts this with nohup wants it to go on.
        let [interrupt, terminate] = [SignalKind::interrupt(), SignalKind::terminate()].map(listen);
        Ok(Self { interrupts: [interrupt?, terminate?] })
    }

    /// How the program ended and how long it took; an error if this process was interrupted.
    pub(crate) async fn run(&mut self, command: &mut Command, limit: Duration) -> Result<(End, Duration)> {
        let name = command.get_program().to_string_lossy().into_owned();
        let start = Instant::now();
        let child = command.process_group(0).spawn().with_context(|| format!("{name} cannot be started"))?;
        let mut group = Group::of(child)?;
        let end = tokio::select! {
            end = group.ended() => end,
            () = tokio::time::sleep(limit) => {
                group.end().await;
                End::Time
            }
            () = self.interrupted() => {
                group.end().await;
                bail!("interrupted");
            }
        };
        Ok((end, start.elapsed()))
    }

    async fn interrupted(&mut self) {
        let [interrupt, terminate] = &mut self.interrupts;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    }
}

struct Group {
    leader: Child,
    id: Pid,
}

impl Group {
    fn of(leader: Child) -> Result<Self> {
        let id = i32::try_from(leader.id()).ok().and_then(Pid::from_raw);
        Ok(Self { id: id.context("the process has no number")?, leader })
    }

    /// Waits for the leader and leaves it unreaped.
    async fn ended(&self) -> End {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        loop {
            if let Ok(Some(status)) = waitid(WaitId::Pid(self.id), options) {
                match (status.exit_status(), status.terminating_signal()) {
                    (Some(code), _) => return End::Exit(code),
                    (None, Some(signal)) => return End::Signal(signal),
                    (None, None) => {}
                }
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Asks the group to end, and waits for its leader a while; dropping the group does the rest.
    async fn end(&mut self) {
        let _ = kill_process_group(self.id, Signal::TERM);
        let _ = tokio::time::timeout(GRACE, self.ended()).await;
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // This fails only where nobody is left to receive it.
        let _ = kill_process_group(self.id, Signal::KILL);
        let _ = self.leader.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use std::process::Stdio;

    const PATIENCE: Duration = Duration::from_secs(60);

    fn run(script: &str, limit: Duration) -> End {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let mut command = Command::new("sh");
            command.args(["-c", script]).stdin(Stdio::null());
            Supervisor::new().unwrap().run(&mut command, limit).await.unwrap().0
        })
    }

    #[test]
    fn the_end_is_told_apart() {
        let long = Duration::from_secs(60);
        assert_eq!(run("exit 3", long), End::Exit(3));
        assert_eq!(run("kill -s KILL $$", long), End::Signal(9));
    }

    #[test]
    fn nothing_is_left_behind() {
        let folder = tempfile::tempdir().unwrap();
        let number = folder.path().join("number");
        // In the background and deaf to the polite signal, once by itself and once past the limit.
        for (limit, last) in [(60, "exit 0"), (1, "wait")] {
            let script = format!(
                "(trap '' TERM; sleep 600) & echo $! > {place}.new; mv {place}.new {place}; {last}",
                place = number.display()
            );
            let end = run(&script, Duration::from_secs(limit));
            assert_eq!(end, if limit == 60 { End::Exit(0) } else { End::Time });
            let left = std::fs::read_to_string(&number).unwrap();
            let start = Instant::now();
            while is_running(left.trim()) {
                assert!(start.elapsed() < PATIENCE, "process {left} still runs");
                std::thread::yield_now();
            }
        }
    }

    /// A killed process may still be listed until somebody reaps it.
    fn is_running(number: &str) -> bool {
        let state = if Path::new("/proc/self/stat").exists() {
            let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
            stat.rsplit_once(") ").map(|(_, fields)| fields.to_owned()).unwrap_or_default()
        } else {
            let listed = Command::new("ps").args(["-o", "stat=", "-p", number]).output().unwrap();
            String::from_utf8_lossy(&listed.stdout).trim().to_owned()
        };
        !state.is_empty() && !state.starts_with('Z')
    }
}
