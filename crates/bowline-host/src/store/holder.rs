//! Who holds a lease: a process, named so that any other process on its machine can tell whether it still runs.
//!
//! A pid alone does not do: pids are used again. On Linux a process is its pid with the time it started, and a machine is
//! one boot of one kernel together with the pid namespace (two containers on one host cannot see each other's processes).
//! Elsewhere a machine is its host name and the start time is unknown (0), so a pid that came to be used again looks
//! alive until the lease's grace is over.

use std::fmt;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

/// A process on a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// Without white space.
    machine: String,
    pid: i32,
    /// In clock ticks since the machine started; 0 where it cannot be known.
    start: u64,
}

/// What can be said of a process from here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whereabouts {
    /// It runs on this machine.
    Alive,
    /// It ran on this machine and is gone; one that has ended and was not waited for (a zombie) is gone too.
    Gone,
    /// It is another machine's, or in another container.
    Elsewhere,
}

impl Holder {
    /// This process.
    pub fn current() -> Holder {
        let pid = rustix::process::getpid().as_raw_pid();
        let start = match process(pid) {
            Process::Runs { start } => start,
            Process::Hidden | Process::Gone => 0,
        };
        Holder { machine: machine(), pid, start }
    }

    /// A process of this machine, if it runs.
    pub fn of_process(pid: i32) -> Option<Holder> {
        match process(pid) {
            Process::Runs { start } => Some(Holder { machine: machine(), pid, start }),
            Process::Hidden => Some(Holder { machine: machine(), pid, start: 0 }),
            Process::Gone => None,
        }
    }

    /// A holder from its text, as stored with a lease.
    pub fn parse(text: &str) -> Option<Holder> {
        let mut words = text.split(' ');
        let holder = Holder {
            machine: words.next()?.to_owned(),
            pid: words.next()?.parse().ok()?,
            start: words.next()?.parse().ok()?,
        };
        words.next().is_none().then_some(holder)
    }

    pub fn pid(&self) -> i32 {
        self.pid
    }

    /// Where the process is now.
    pub fn whereabouts(&self) -> Whereabouts {
        if self.machine != machine() {
            return Whereabouts::Elsewhere;
        }
        match process(self.pid) {
            Process::Runs { start } if start == self.start || self.start == 0 => Whereabouts::Alive,
            Process::Hidden => Whereabouts::Alive,
            Process::Runs { .. } | Process::Gone => Whereabouts::Gone,
        }
    }

    /// Whether it runs on this machine.
    pub fn is_alive(&self) -> bool {
        self.whereabouts() == Whereabouts::Alive
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {} {}", self.machine, self.pid, self.start)
    }
}

/// What this machine says of a pid.
enum Process {
    Runs {
        start: u64,
    },
    /// It exists, and nothing more can be seen of it.
    Hidden,
    Gone,
}

fn process(pid: i32) -> Process {
    match std::fs::read_to_string(format!("/proc/{pid}/stat")).ok().as_deref().and_then(Stat::parse) {
        Some(stat) if stat.has_ended => return Process::Gone,
        Some(stat) => return Process::Runs { start: stat.start },
        None => {}
    }
    let Some(pid) = Pid::from_raw(pid) else { return Process::Gone };
    match test_kill_process(pid) {
        Err(Errno::SRCH) => Process::Gone,
        _ => Process::Hidden,
    }
}

/// What is needed of `/proc/PID/stat`.
#[derive(Debug, PartialEq, Eq)]
struct Stat {
    has_ended: bool,
    start: u64,
}

impl Stat {
    fn parse(text: &str) -> Option<Stat> {
        /// Counted after the command's name, which stands in parentheses and may hold parentheses and blanks itself.
        const STATE_AT: usize = 0;
        const START_AT: usize = 19;
        let (_, after_name) = text.rsplit_once(')')?;
        let fields: Vec<&str> = after_name.split_ascii_whitespace().collect();
        Some(Stat {
            has_ended: matches!(*fields.get(STATE_AT)?, "Z" | "X" | "x"),
            start: fields.get(START_AT)?.parse().ok()?,
        })
    }
}

#[cfg(target_os = "linux")]
fn machine() -> String {
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let namespace = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    one_word(&format!("{}/{}", boot.trim(), namespace.display()))
}

#[cfg(not(target_os = "linux"))]
fn machine() -> String {
    one_word(&rustix::system::uname().nodename().to_string_lossy())
}

fn one_word(text: &str) -> String {
    text.chars().map(|letter| if letter.is_whitespace() || letter == '\0' { '_' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commands_name_may_hold_anything() {
        let stat = "42 (a) b (R) 1) S 1 42 42 0 -1 4194304 124 0 0 0 0 0 0 0 20 0 1 0 119564 3932160 501";
        assert_eq!(Stat::parse(stat), Some(Stat { has_ended: false, start: 119_564 }));
        let zombie = "42 (Z) Z 1 42 42 0 -1 4194304 124 0 0 0 0 0 0 0 20 0 1 0 7 0 0";
        assert_eq!(Stat::parse(zombie), Some(Stat { has_ended: true, start: 7 }));
        assert_eq!(Stat::parse("42 (cut"), None);
    }

    #[test]
    fn this_process_is_alive_and_survives_its_text() {
        let holder = Holder::current();
        assert!(holder.is_alive());
        assert_eq!(Holder::parse(&holder.to_string()), Some(holder));
        assert_eq!(Holder::parse("machine 12"), None);
        assert_eq!(Holder::parse("machine 12 3 4"), None);
    }

    #[test]
    fn a_pid_used_again_is_not_its_former_process() {
        let now = Holder::current();
        let before = Holder { start: now.start + 1, ..now.clone() };
        assert_eq!(before.whereabouts(), Whereabouts::Gone);
        let elsewhere = Holder { machine: "other".to_owned(), ..now };
        assert_eq!(elsewhere.whereabouts(), Whereabouts::Elsewhere);
    }
}
