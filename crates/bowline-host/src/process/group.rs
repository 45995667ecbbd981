//! A shell and everything it starts: one process group, killed as one.
//!
//! The shell is not reaped before its group is dropped. As long as it stands there, a zombie at least, its number belongs
//! to it and no signal of ours can reach a stranger.

use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::net::unix::pipe::Receiver;

use super::environment::environment_of;
use super::watchdog::Watchdog;

/// How the shell ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Exit(i32),
    Signal(i32),
}

/// Waits for a line, then is the command: the same process, without our pipe as its input. Without the line we are gone.
const GATE: &str = "read -r go || exit 1; exec sh -c \"$1\" </dev/null";
/// The same, behind the user's own work and the model: without `renice` it runs as any other.
const LOW_GATE: &str =
    "read -r go || exit 1; renice -n 10 -p $$ >/dev/null 2>&1; exec sh -c \"$1\" </dev/null";

/// How a command competes with others for the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Priority {
    Normal,
    /// A check of the program's own: nobody waits at the keyboard for it. It also leaves no caches behind and watches nothing.
    Low,
}

#[derive(Debug)]
pub(super) struct Group {
    /// Taken off before the shell is reaped.
    watchdog: Option<Watchdog>,
    shell: Option<Child>,
    id: Pid,
}

impl Group {
    /// Starts a command; both of its outputs come through one pipe, in order. It begins once its leash is on.
    pub(super) fn spawn(root: &Path, command: &str, priority: Priority) -> io::Result<(Group, Receiver)> {
        let (reader, writer) = io::pipe()?;
        let (gate, mut opener) = io::pipe()?;
        let shell = Command::new("sh")
            .args(["-c", if priority == Priority::Low { LOW_GATE } else { GATE }, "sh", command])
            .current_dir(root)
            .env_clear()
            .envs(environment_of(priority))
            .stdin(gate)
            .stdout(writer.try_clone()?)
            .stderr(writer)
            .process_group(0)
            .spawn()?;
        let id = i32::try_from(shell.id()).ok().and_then(Pid::from_raw);
        let id = id.ok_or_else(|| io::Error::other("the process has no number"))?;
        let mut group = Group { watchdog: None, shell: Some(shell), id };
        // Without one the group is dropped, and ended, right here.
        group.watchdog = Some(Watchdog::start(id)?);
        opener.write_all(b"\n")?;
        Ok((group, Receiver::from_owned_fd(OwnedFd::from(reader))?))
    }

    /// Waits for the shell, and leaves it unreaped.
    pub(super) async fn ended(&self) -> End {
        let id = self.id;
        let wait = tokio::task::spawn_blocking(move || {
            loop {
                match waitid(WaitId::Pid(id), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT) {
                    Err(rustix::io::Errno::INTR) => {}
                    Ok(Some(status)) => match (status.exit_status(), status.terminating_signal()) {
                        (Some(code), _) => return End::Exit(code),
                        (None, Some(signal)) => return End::Signal(signal),
                        (None, None) => {}
                    },
                    Ok(None) | Err(_) => return End::Signal(Signal::KILL.as_raw()),
                }
            }
        });
        wait.await.unwrap_or(End::Signal(Signal::KILL.as_raw()))
    }

    pub(super) fn signal(&self, signal: Signal) {
        // It fails only where nobody is left to get it.
        let _ = kill_process_group(self.id, signal);
    }

    /// Whether any process of the group runs; those that wait to be reaped do not.
    #[cfg(target_os = "linux")]
    pub(super) fn is_alive(&self) -> bool {
        let Ok(processes) = std::fs::read_dir("/proc") else { return true };
        processes.flatten().any(|process| {
            let stat = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
            runs_in(&stat, self.id.as_raw_nonzero().get())
        })
    }

    /// Whether any process of the group runs; those that wait to be reaped do not.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn is_alive(&self) -> bool {
        let group = self.id.as_raw_nonzero().to_string();
        let Ok(listed) = Command::new("ps").args(["-axo", "pgid=,stat="]).output() else { return true };
        String::from_utf8_lossy(&listed.stdout).lines().any(|line| {
            let mut fields = line.split_ascii_whitespace();
            fields.next() == Some(group.as_str())
                && !fields.next().is_some_and(|state| state.starts_with('Z'))
        })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Killed while the leash is still on: the program may be ending around us. Nothing is reaped before it is off.
        self.signal(Signal::KILL);
        self.watchdog = None;
        if let Some(mut shell) = self.shell.take()
            && !matches!(shell.try_wait(), Ok(Some(_)))
        {
            // Killed but not gone yet: somebody has to reap it, and not us here.
            std::thread::spawn(move || shell.wait());
        }
    }
}

/// Whether a line of `/proc/N/stat` is of a running process of this group: `1 (name) S parent group …`, where the name may
/// hold anything.
#[cfg(target_os = "linux")]
fn runs_in(stat: &str, group: i32) -> bool {
    let Some((_, fields)) = stat.rsplit_once(')') else { return false };
    let mut fields = fields.split_ascii_whitespace();
    let state = fields.next();
    let its_group = fields.nth(1).and_then(|field| field.parse::<i32>().ok());
    its_group == Some(group) && !matches!(state, None | Some("Z" | "X"))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::runs_in;

    #[test]
    fn a_process_is_known_by_its_group() {
        assert!(runs_in("12 (a) b (c)) S 1 40 40 0", 40));
        assert!(!runs_in("12 (sh) Z 1 40 40 0", 40));
        assert!(!runs_in("12 (sh) S 1 41 40 0", 40));
        assert!(!runs_in("", 40));
    }
}
