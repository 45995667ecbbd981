//! What a failed command was refused, read from what it printed: the error that the kernel gave it, and the path or address
//! beside it. An error counts only if this cell would give it, so an ordinary mistake of the command's is none.
//!
//! It reads what a command wrote and believes none of it: a refusal is a hint for people and models, and decides nothing.

mod addresses;
mod paths;

use std::fmt;
use std::path::{Path, PathBuf};

use crate::child::Status;
use crate::plan::{OWN_FOLDERS, Plan};
use crate::profile::Profile;

pub(crate) use addresses::listens_outside;

/// How many different refusals are told.
const REFUSALS_MAX: usize = 3;
/// How much of the end of an output is looked at.
const OUTPUT_BYTES_MAX: usize = 256 * 1024;
/// How far from its error a path may stand.
const LINES_BESIDE: usize = 3;
/// How a process ends that a filter of system calls kills.
const SIGSYS: i32 = 31;

/// Something that a command was not allowed to do, in words for a user or a model.
///
/// ```
/// use bowline_contain::Refusal;
/// let refusal = Refusal::Network { address: Some("example.org".to_owned()) };
/// assert_eq!(refusal.to_string(), "it tried to reach example.org: the network is closed for commands that were not approved");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// It tried to write outside of what its profile may write.
    Write {
        /// Where, if it said so.
        path: Option<PathBuf>,
        /// Whose rule it is.
        profile: Profile,
    },
    /// It tried to change what is protected inside a writable folder.
    Protected {
        /// What it tried to change.
        path: PathBuf,
    },
    /// It tried to open something hidden.
    Hidden {
        /// What it tried to open.
        path: PathBuf,
    },
    /// It tried to reach something outside of the cell.
    Network {
        /// What, if it said so.
        address: Option<String>,
    },
    /// It tried to reach a server that runs on this machine, outside of the cell.
    Server {
        /// The server's port.
        port: u16,
    },
    /// It made a system call that no command may make.
    SystemCall,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Write { path, profile } => {
                match path {
                    Some(path) => write!(formatter, "it tried to write {}: ", path.display())?,
                    None => formatter.write_str("it tried to write a file: ")?,
                }
                formatter.write_str(match profile {
                    Profile::Read => "a command that was taken for one that only reads can write temporary files alone",
                    _ => "commands that were not approved can write only in the project and in caches of its tools",
                })
            }
            Refusal::Protected { path } => {
                write!(formatter, "it tried to change {}: it is read-only for commands that were not approved", path.display())
            }
            Refusal::Hidden { path } => {
                write!(formatter, "it tried to open {}: it is hidden from commands that were not approved", path.display())
            }
            Refusal::Network { address } => {
                let address = address.as_deref().unwrap_or("the network");
                write!(formatter, "it tried to reach {address}: the network is closed for commands that were not approved")
            }
            Refusal::Server { port } => {
                write!(
                    formatter,
                    "it tried to reach port {port} of this machine: servers that were not started in this turn are closed \
                     for commands that were not approved"
                )
            }
            Refusal::SystemCall => formatter.write_str(
                "it made a system call that is closed for commands that were not approved, or is a program of 32 bits",
            ),
        }
    }
}

/// What is known of the cell and the machine.
pub(crate) struct View<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) profile: Profile,
    /// Where the command ran.
    pub(crate) folder: &'a Path,
    /// Whether something outside listens on this port.
    pub(crate) listens: &'a dyn Fn(u16) -> bool,
}

/// An error as programs print it, and what it can mean here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    ReadOnly,
    Denied,
    Unreachable,
    Refused,
}

/// In lower case, as C libraries, runtimes and tools word it.
const PHRASES: [(&str, Kind); 21] = [
    ("read-only file system", Kind::ReadOnly),
    ("erofs", Kind::ReadOnly),
    ("permission denied", Kind::Denied),
    ("operation not permitted", Kind::Denied),
    ("eacces", Kind::Denied),
    ("eperm", Kind::Denied),
    ("network is unreachable", Kind::Unreachable),
    ("enetunreach", Kind::Unreachable),
    ("could not resolve host", Kind::Unreachable),
    ("couldn't resolve host", Kind::Unreachable),
    ("unable to resolve host", Kind::Unreachable),
    ("temporary failure in name resolution", Kind::Unreachable),
    ("temporary failure resolving", Kind::Unreachable),
    ("name or service not known", Kind::Unreachable),
    ("nodename nor servname provided", Kind::Unreachable),
    ("failed to lookup address information", Kind::Unreachable),
    ("eai_again", Kind::Unreachable),
    ("enotfound", Kind::Unreachable),
    ("dial tcp: lookup", Kind::Unreachable),
    ("connection refused", Kind::Refused),
    ("econnrefused", Kind::Refused),
];

/// What a command was refused; nothing if it ended well or may do everything.
pub(crate) fn read(view: &View<'_>, status: Status, output: &str) -> Vec<Refusal> {
    if view.profile == Profile::Open || status == Status::Exited(0) {
        return Vec::new();
    }
    let mut start = output.len().saturating_sub(OUTPUT_BYTES_MAX);
    while !output.is_char_boundary(start) {
        start += 1;
    }
    let lines: Vec<&str> = output.get(start..).unwrap_or_default().lines().collect();
    let mut refusals = Vec::new();
    if status == Status::Killed(SIGSYS) || status == Status::Exited(128 + SIGSYS) {
        refusals.push(Refusal::SystemCall);
    }
    for (number, line) in lines.iter().enumerate() {
        let lower = line.to_ascii_lowercase();
        let found = PHRASES.iter().find_map(|(phrase, kind)| Some((lower.find(phrase)?, *kind)));
        let Some((place, kind)) = found else { continue };
        let Some(refusal) = view.judge(&lines, number, place, kind) else { continue };
        if !refusals.contains(&refusal) && refusals.len() < REFUSALS_MAX {
            refusals.push(refusal);
        }
    }
    refusals
}

impl View<'_> {
    fn judge(&self, lines: &[&str], number: usize, place: usize, kind: Kind) -> Option<Refusal> {
        let line = lines.get(number)?;
        match kind {
            Kind::ReadOnly => self.path_beside(lines, number, place, Wanted::Write).or({
                // Whatever it was, only this cell's mounts say so.
                Some(Refusal::Write { path: None, profile: self.profile })
            }),
            Kind::Denied => {
                let wanted = if speaks_of_writing(line) { Wanted::Write } else { Wanted::Read };
                self.path_beside(lines, number, place, wanted).or_else(|| self.socket_beside(lines, number))
            }
            Kind::Unreachable => {
                Some(Refusal::Network { address: addresses::named(lines, number, LINES_BESIDE) })
            }
            Kind::Refused => {
                let port = addresses::port(line)?;
                // Where nobody listens outside either, it is no affair of ours.
                (self.listens)(port).then_some(Refusal::Server { port })
            }
        }
    }

    /// In its own line first, then in those above, then below: some tools print the path apart from the error.
    fn path_beside(&self, lines: &[&str], number: usize, place: usize, wanted: Wanted) -> Option<Refusal> {
        let own = paths::in_line(lines.get(number)?, Some(place));
        let above = (1..=LINES_BESIDE).filter_map(|back| lines.get(number.checked_sub(back)?));
        let below = (1..=LINES_BESIDE).filter_map(|ahead| lines.get(number + ahead));
        let beside = above.chain(below).flat_map(|line| paths::in_line(line, None));
        own.into_iter().chain(beside).find_map(|path| self.refused(&path, wanted))
    }

    /// What this cell has against a path.
    fn refused(&self, path: &str, wanted: Wanted) -> Option<Refusal> {
        let path = paths::resolve(self.folder, path);
        let is_in = |folders: &[PathBuf]| folders.iter().any(|folder| path.starts_with(folder));
        if is_in(&self.plan.hidden) {
            return Some(Refusal::Hidden { path });
        }
        if wanted == Wanted::Read {
            return None;
        }
        if is_in(&self.plan.protected) {
            return Some(Refusal::Protected { path });
        }
        let is_temporary = OWN_FOLDERS.iter().any(|own| path.starts_with(own));
        let may = is_temporary || (self.profile == Profile::Build && is_in(&self.plan.writable));
        (!may).then_some(Refusal::Write { path: Some(path), profile: self.profile })
    }

    /// A command that only reads opens no socket; whoever tries is not permitted, and names no address.
    fn socket_beside(&self, lines: &[&str], number: usize) -> Option<Refusal> {
        if self.profile != Profile::Read {
            return None;
        }
        let start = number.saturating_sub(LINES_BESIDE);
        let beside = lines.get(start..=number)?;
        let speaks = beside.iter().any(|line| {
            let lower = line.to_ascii_lowercase();
            ["socket", "connect", "bind("].iter().any(|word| lower.contains(word))
        });
        speaks.then(|| Refusal::Network { address: addresses::named(lines, number, LINES_BESIDE) })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Read,
    Write,
}

fn speaks_of_writing(line: &str) -> bool {
    const WORDS: [&str; 12] = [
        "append", "copy", "create", "creat", "link", "mkdir", "move", "remove", "rename", "touch", "unlink",
        "writ",
    ];
    let lower = line.to_ascii_lowercase();
    WORDS.iter().any(|word| lower.contains(word))
}

#[cfg(test)]
mod tests;
