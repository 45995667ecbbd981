//! Finds the files that contain the text of an edit that was meant for another file.
//!
//! Small models see two files and name the wrong one, then vary the text until they are lost. The text itself says where
//! it belongs.

use super::Tool;
use super::walk::Next;
use crate::walk::is_file;
use crate::workspace::Resolved;

const NAMES_MAX: usize = 3;
/// What is looked at, at most.
const FILES_MAX: usize = 2_000;
const FILE_BYTES_MAX: u64 = 1024 * 1024;
const BYTES_MAX: u64 = 32 * 1024 * 1024;
/// Less stands in too many places to say anything.
const LETTERS_MIN: usize = 4;

/// Where `old` stands, in words; nothing where it stands nowhere else.
pub(super) fn elsewhere(tool: &Tool<'_>, wanted: &Resolved, old: &str) -> Option<String> {
    let old = old.trim();
    if old.chars().filter(|c| c.is_alphanumeric()).count() < LETTERS_MIN {
        return None;
    }
    let names = files_with(tool, wanted, old.as_bytes());
    let other = if names.len() == 1 { "that file" } else { "the right one" };
    (!names.is_empty()).then(|| format!("`old` stands in {}: edit {other}.", names.join(", ")))
}

fn files_with(tool: &Tool<'_>, wanted: &Resolved, old: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    let (mut files, mut bytes) = (0, 0);
    // A search that was stopped says what it saw.
    let _ = tool.walk(tool.workspace.root(), None, |entry| {
        let size = entry.metadata().map_or(0, |metadata| metadata.len());
        if !is_file(entry) || entry.path() == wanted.real || size > FILE_BYTES_MAX {
            return Ok(Next::GoOn);
        }
        files += 1;
        bytes += size;
        let content = std::fs::read(entry.path()).unwrap_or_default();
        if memchr::memmem::find(&content, old).is_some() {
            names.push(tool.workspace.display(entry.path()));
        }
        let is_enough = names.len() >= NAMES_MAX || files >= FILES_MAX || bytes >= BYTES_MAX;
        Ok(if is_enough { Next::Stop } else { Next::GoOn })
    });
    names
}
