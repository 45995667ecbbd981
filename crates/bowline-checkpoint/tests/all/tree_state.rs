//! The complete state of a folder: each path with its kind, bytes and permissions, ignored ones and empty folders too.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

/// Above this, a file is told by its size and its ends. Bytes.
const WHOLE_MAX: u64 = 64 << 20;
const END: u64 = 1 << 16;

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Thing {
    File {
        mode: u32,
        bytes: u64,
        sum: Vec<u8>,
        /// How it begins, for whoever reads a failure.
        opening: Vec<u8>,
    },
    Unreadable {
        mode: u32,
        bytes: u64,
    },
    Link(PathBuf),
    Folder(u32),
    Special(String),
}

/// A folder, as seen at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen(pub(crate) BTreeMap<PathBuf, Thing>);

/// What tells whether a file was written anew with the same bytes: inode and time of the last change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stamps(pub(crate) BTreeMap<PathBuf, (u64, i64, i64)>);

/// All below `root`, without what `skip` names (with all below it).
pub(crate) fn look(root: &Path, skip: &[&str]) -> (Seen, Stamps) {
    let mut seen = BTreeMap::new();
    let mut stamps = BTreeMap::new();
    let mut open = vec![PathBuf::new()];
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(root.join(&folder)) else { continue };
        for entry in entries {
            let entry = entry.unwrap();
            let path = folder.join(entry.file_name());
            if skip.iter().any(|skip| path == Path::new(skip)) {
                continue;
            }
            // Another process may take it away between the two looks; then it is not there.
            let Ok(metadata) = fs::symlink_metadata(root.join(&path)) else { continue };
            let thing = thing(&root.join(&path), &metadata);
            if metadata.is_dir() {
                open.push(path.clone());
            } else {
                stamps.insert(path.clone(), (metadata.ino(), metadata.mtime(), metadata.mtime_nsec()));
            }
            seen.insert(path, thing);
        }
    }
    (Seen(seen), Stamps(stamps))
}

fn thing(path: &Path, metadata: &fs::Metadata) -> Thing {
    let mode = metadata.mode() & 0o7777;
    let kind = metadata.file_type();
    if kind.is_dir() {
        Thing::Folder(mode)
    } else if kind.is_symlink() {
        Thing::Link(fs::read_link(path).unwrap_or_default())
    } else if kind.is_file() {
        match digest(path, metadata.len()) {
            Some((sum, opening)) => Thing::File { mode, bytes: metadata.len(), sum, opening },
            None => Thing::Unreadable { mode, bytes: metadata.len() },
        }
    } else {
        let name = if kind.is_fifo() {
            "pipe"
        } else if kind.is_socket() {
            "socket"
        } else {
            "device"
        };
        Thing::Special(format!("{name} {mode:o}"))
    }
}

fn digest(path: &Path, bytes: u64) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut file = fs::File::open(path).ok()?;
    let mut read = Vec::new();
    if bytes <= WHOLE_MAX {
        file.read_to_end(&mut read).ok()?;
    } else {
        file.by_ref().take(END).read_to_end(&mut read).ok()?;
        file.seek(SeekFrom::End(-i64::try_from(END).ok()?)).ok()?;
        file.take(END).read_to_end(&mut read).ok()?;
    }
    let opening = read[..read.len().min(60)].to_vec();
    Some((Sha256::digest(&read).to_vec(), opening))
}

pub(crate) fn file(mode: u32, bytes: &[u8]) -> Thing {
    Thing::File {
        mode,
        bytes: bytes.len() as u64,
        sum: Sha256::digest(bytes).to_vec(),
        opening: bytes[..bytes.len().min(60)].to_vec(),
    }
}

impl fmt::Debug for Thing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Thing::File { mode, bytes, opening, .. } => {
                write!(formatter, "file {mode:04o} {bytes} bytes \"{}\"", opening.escape_ascii())
            }
            Thing::Unreadable { mode, bytes } => write!(formatter, "unreadable {mode:04o} {bytes} bytes"),
            Thing::Link(target) => write!(formatter, "link to {target:?}"),
            Thing::Folder(mode) => write!(formatter, "folder {mode:04o}"),
            Thing::Special(name) => write!(formatter, "{name}"),
        }
    }
}

impl Seen {
    /// All lines in which the two differ; empty where they do not.
    pub(crate) fn against(&self, expected: &Seen) -> String {
        let mut lines = String::new();
        let paths = self.0.keys().chain(expected.0.keys().filter(|path| !self.0.contains_key(*path)));
        for path in paths {
            let (is, should) = (self.0.get(path), expected.0.get(path));
            if is != should {
                let say =
                    |thing: Option<&Thing>| thing.map_or("absent".to_owned(), |thing| format!("{thing:?}"));
                lines += &format!("  {path:?}: is {}, should be {}\n", say(is), say(should));
            }
        }
        lines
    }

    /// Takes what `from` has at `path` and below in place of what is here.
    pub(crate) fn put(&mut self, path: &Path, from: &Seen) {
        self.0.retain(|known, _| !known.starts_with(path));
        let below = from.0.iter().filter(|(known, _)| known.starts_with(path));
        self.0.extend(below.map(|(path, thing)| (path.clone(), thing.clone())));
    }
}
