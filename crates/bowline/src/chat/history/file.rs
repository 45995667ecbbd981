//! The file of the history: lines are added at its end, and now and then it is made shorter.
//!
//! What always holds: a line is added in one write, so that two programs can't tear each other's; a shorter file takes the
//! place of the old one whole; and only its owner can read it. A lock keeps a line from being added to a file that is just
//! being replaced; where there are no locks it goes on without.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::super::editor::clean;
use super::super::written::Written;
use super::{BYTES_MAX, ENTRIES_MAX, TEXT_BYTES_MAX, newest};

/// How much is read from the end of a file that nobody shortened.
const READ_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// What is left when a file is made shorter, so that this isn't done with every line.
const ENTRIES_LEFT: usize = ENTRIES_MAX / 4 * 3;
const BYTES_LEFT: usize = BYTES_MAX / 4 * 3;

const LOCK_TRIES: u32 = 100;
const LOCK_WAIT: Duration = Duration::from_millis(5);

/// How often a file may be replaced while it is being opened.
const OPEN_TRIES: u32 = 5;

/// None but those that make sense, the oldest first.
pub(super) fn read(path: &Path) -> io::Result<Vec<Written>> {
    // Opening a pipe would wait for somebody to write.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    Ok(entries(&end(&mut File::open(path)?)?))
}

fn end(file: &mut File) -> io::Result<Vec<u8>> {
    let bytes = file.metadata()?.len();
    file.seek(SeekFrom::Start(bytes.saturating_sub(READ_BYTES_MAX)))?;
    let mut end = Vec::new();
    file.take(READ_BYTES_MAX).read_to_end(&mut end)?;
    Ok(end)
}

fn entries(lines: &[u8]) -> Vec<Written> {
    let mut entries: Vec<Written> = lines.split(|byte| *byte == b'\n').filter_map(entry).collect();
    entries.dedup();
    entries
}

fn entry(line: &[u8]) -> Option<Written> {
    let message = match serde_json::from_slice(line).ok()? {
        Value::String(text) => Written::typed(&text),
        mixed => {
            let typed = serde_json::from_value(mixed.get("typed")?.clone()).ok()?;
            Written::new(mixed.get("text")?.as_str()?.to_owned(), typed)
        }
    };
    let message = message.map(clean);
    let text = message.text();
    (!text.trim().is_empty() && text.len() <= TEXT_BYTES_MAX).then_some(message)
}

/// A message that was typed as a whole is its text.
fn line(message: &Written) -> String {
    let line = match message.is_typed() {
        true => json!(message.text()),
        false => {
            let (text, typed) = message.clone().into_parts();
            json!({ "text": text, "typed": typed })
        }
    };
    format!("{line}\n")
}

pub(super) fn append(path: &Path, message: &Written) -> io::Result<()> {
    let mut file = open(path)?;
    let bytes = file.metadata()?.len();
    // A line that a crash cut short must not take this one with it.
    let mut last = [b'\n'];
    if bytes > 0 {
        file.read_exact_at(&mut last, bytes - 1)?;
    }
    let start = if last == [b'\n'] { "" } else { "\n" };
    file.write_all(format!("{start}{}", line(message)).as_bytes())?;
    let lines = end(&mut file)?;
    if lines.len() > BYTES_MAX || lines.iter().filter(|byte| **byte == b'\n').count() > ENTRIES_MAX {
        shorten(path, &entries(&lines))?;
    }
    Ok(())
}

/// The file that is there now, locked if that is possible.
fn open(path: &Path) -> io::Result<File> {
    let is_other = std::fs::metadata(path).is_ok_and(|found| !found.is_file());
    if is_other {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut tries = 0;
    loop {
        let file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path)?;
        lock(&file);
        tries += 1;
        let opened = file.metadata()?;
        let is_current =
            std::fs::metadata(path).is_ok_and(|now| (now.dev(), now.ino()) == (opened.dev(), opened.ino()));
        if is_current || tries == OPEN_TRIES {
            return Ok(file);
        }
    }
}

fn lock(file: &File) {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Err(std::fs::TryLockError::WouldBlock) => std::thread::sleep(LOCK_WAIT),
            Ok(()) | Err(std::fs::TryLockError::Error(_)) => return,
        }
    }
}

fn shorten(path: &Path, entries: &[Written]) -> io::Result<()> {
    let lines: Vec<String> = entries.iter().map(line).collect();
    let kept = lines.len() - newest(lines.iter().map(String::len), ENTRIES_LEFT, BYTES_LEFT);
    let folder = path.parent().unwrap_or(Path::new("."));
    // Readable by its owner only, as temporary files are.
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    new.write_all(lines[kept..].concat().as_bytes())?;
    new.persist(path)?;
    Ok(())
}
