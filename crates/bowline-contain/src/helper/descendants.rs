//! Ends everything a helper has started where no namespace does it: found through `/proc`, killed and reaped, until nothing
//! is left that we may kill. Processes that changed their user stay, for nobody but root can end them.

use rustix::process::{Pid, Signal, WaitOptions, kill_process, test_kill_process_group, waitpid};

use crate::channel::retry;

/// Whoever forks faster than we kill is not followed for ever.
const ROUNDS_MAX: usize = 1000;

/// The caller has to be the reaper of its descendants: each round ends one generation.
pub(super) fn end_all() {
    for _ in 0..ROUNDS_MAX {
        let killed: Vec<Pid> =
            children().into_iter().filter(|child| kill_process(*child, Signal::KILL).is_ok()).collect();
        if killed.is_empty() {
            return;
        }
        for child in killed {
            let _ = retry(|| waitpid(Some(child), WaitOptions::empty()));
        }
    }
}

fn children() -> Vec<Pid> {
    let own = std::process::id();
    processes().into_iter().filter(|process| process.parent == own).filter_map(|found| found.pid()).collect()
}

/// Whether a process of this group runs; those that wait to be reaped do not.
pub(super) fn group_is_alive(leader: Pid) -> bool {
    // Looking through all processes of the system takes longer than most commands.
    if test_kill_process_group(leader).is_err() {
        return false;
    }
    let group = leader.as_raw_nonzero().get().unsigned_abs();
    processes().iter().any(|process| process.group == group && process.runs)
}

/// A line of `/proc/N/stat`.
#[derive(Debug, PartialEq, Eq)]
struct Process {
    id: u32,
    parent: u32,
    group: u32,
    runs: bool,
}

impl Process {
    /// `1 (name) S parent group session …`, where the name may hold anything.
    fn of(stat: &str) -> Option<Process> {
        let (front, fields) = stat.rsplit_once(')')?;
        let id = front.split_once(' ')?.0.parse().ok()?;
        let mut fields = fields.split_ascii_whitespace();
        let runs = !matches!(fields.next()?, "Z" | "X");
        let parent = fields.next()?.parse().ok()?;
        let group = fields.next()?.parse().ok()?;
        Some(Process { id, parent, group, runs })
    }

    fn pid(&self) -> Option<Pid> {
        i32::try_from(self.id).ok().and_then(Pid::from_raw)
    }
}

fn processes() -> Vec<Process> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries
        .flatten()
        .filter(|entry| entry.file_name().as_encoded_bytes().first().is_some_and(u8::is_ascii_digit))
        .filter_map(|entry| Process::of(&std::fs::read_to_string(entry.path().join("stat")).ok()?))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read_whatever_it_is_called() {
        let expected = Process { id: 12, parent: 1, group: 41, runs: true };
        assert_eq!(Process::of("12 (a) b (c)) S 1 41 40 0 -1"), Some(expected));
        assert!(Process::of("12 (sh) Z 1 41 40 0").is_some_and(|process| !process.runs));
        assert_eq!(Process::of(""), None);
    }
}
