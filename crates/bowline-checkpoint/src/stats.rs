//! Looks at every file the index knows: gone, possibly changed, or as it was; and its permissions.

use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, Mode, OFlags, Stat, openat, statat};

use crate::index::{Index, Known};
use crate::paths::{Name, parent};

/// Below this many files one thread is quicker.
const FILES_PER_THREAD: usize = 4_000;
const THREADS_MAX: usize = 8;

/// How a known file stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stand {
    /// Not there, or below something that is no folder any more.
    Gone,
    /// A folder, a pipe, a socket: nothing that can be captured under this name.
    Other,
    Suspect {
        mode: Option<u32>,
        bytes: u64,
        /// Git would not look at it.
        is_alike: bool,
    },
    /// With its permissions, which a link has not.
    Same { mode: Option<u32> },
}

/// What was seen.
#[derive(Debug, Default)]
pub(crate) struct Look {
    /// One for each known file, in its order.
    pub(crate) stands: Vec<Stand>,
    /// The permissions of their folders; one may come twice.
    pub(crate) folders: Vec<(Name, u32)>,
}

pub(crate) fn look(root: &Path, index: &Index) -> std::io::Result<Look> {
    let known = &index.known;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = cores.min(THREADS_MAX).min(known.len() / FILES_PER_THREAD + 1);
    let chunk = known.len().div_ceil(threads).max(1);
    let top = open(root)?;
    let top = &top;
    std::thread::scope(|scope| {
        let looks: Vec<_> =
            known.chunks(chunk).map(|known| scope.spawn(move || look_at(top, index, known))).collect();
        let mut all = Look { stands: Vec::with_capacity(known.len()), folders: Vec::new() };
        for look in looks {
            match look.join() {
                Ok(part) => {
                    all.stands.extend(part.stands);
                    all.folders.extend(part.folders);
                }
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(all)
    })
}

fn look_at(top: &OwnedFd, index: &Index, known: &[Known]) -> Look {
    let mut folders = Folders { top, open: Vec::new(), modes: Vec::new() };
    let stands = known
        .iter()
        .map(|known| {
            let Some(stat) = folders.stat(&known.name) else { return Stand::Gone };
            let kind = stat.st_mode & 0o170_000;
            if kind != 0o100_000 && kind != 0o120_000 {
                return Stand::Other;
            }
            let mode = (kind == 0o100_000).then_some(stat.st_mode & 0o7777);
            if index.is_suspect(known, &stat) {
                let bytes = u64::try_from(stat.st_size).unwrap_or(0);
                Stand::Suspect { mode, bytes, is_alike: known.is_alike(&stat) }
            } else {
                Stand::Same { mode }
            }
        })
        .collect();
    Look { stands, folders: folders.modes }
}

/// The folders of the last file, open: those of the next one are mostly the same. A link is no folder.
struct Folders<'t> {
    top: &'t OwnedFd,
    open: Vec<(Vec<u8>, OwnedFd)>,
    modes: Vec<(Name, u32)>,
}

impl Folders<'_> {
    fn stat(&mut self, name: &[u8]) -> Option<Stat> {
        let folder = parent(name);
        while let Some((open, _)) = self.open.last()
            && !crate::paths::is_within(folder, open)
        {
            self.open.pop();
        }
        loop {
            let at = self.open.last().map_or(self.top, |(_, fd)| fd);
            let is_there = self.open.last().map_or(folder.is_empty(), |(open, _)| open.len() == folder.len());
            if is_there {
                let start = if folder.is_empty() { 0 } else { folder.len() + 1 };
                return statat(at, &name[start..], AtFlags::SYMLINK_NOFOLLOW).ok();
            }
            let from = self.open.last().map_or(0, |(open, _)| open.len() + 1);
            let rest = &folder[from..];
            let end = rest.iter().position(|byte| *byte == b'/').unwrap_or(rest.len());
            let fd = open_at(at, &rest[..end]).ok()?;
            let name = folder[..from + end].to_vec();
            if let Ok(stat) = rustix::fs::fstat(&fd) {
                self.modes.push((name.clone(), stat.st_mode & 0o7777));
            }
            self.open.push((name, fd));
        }
    }
}

const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

#[cfg(target_os = "linux")]
const LOOK: OFlags = FOLDER.union(OFlags::PATH);
#[cfg(not(target_os = "linux"))]
const LOOK: OFlags = FOLDER;

fn open(root: &Path) -> std::io::Result<OwnedFd> {
    Ok(rustix::fs::open(root, LOOK, Mode::empty())?)
}

fn open_at(at: &OwnedFd, name: &[u8]) -> std::io::Result<OwnedFd> {
    Ok(openat(at, name, LOOK, Mode::empty())?)
}
