//! A file's change as the user sees it: a diff, which no model ever reads; and what it takes to take it back.

use std::time::Duration;

use bowline_core::item::{ChangeState, FileEdit};
use bowline_core::limits::PATCH_BYTES_MAX;
use bowline_edit::Patch;
use similar::{ChangeTag, TextDiff};

const DIFF_CHARS_MAX: usize = 200_000;
/// Past this the diff is coarser, not later.
const DIFF_MS_MAX: u64 = 500;

/// The change of one file, with its diff; `old` is none where there was no file.
pub fn file_edit(path: &str, old: Option<&[u8]>, new: &[u8], rung: &str) -> FileEdit {
    let patch = Some(Patch::between(old, new)).filter(|patch| patch.bytes() <= PATCH_BYTES_MAX);
    let (old, new) = (String::from_utf8_lossy(old.unwrap_or_default()), String::from_utf8_lossy(new));
    let (old, new): (&str, &str) = (&old, &new);
    let diff = TextDiff::configure().timeout(Duration::from_millis(DIFF_MS_MAX)).diff_lines(old, new);
    let (mut added, mut removed) = (0, 0);
    for change in diff.iter_all_changes() {
        match change.tag() {
            ChangeTag::Insert => added += 1,
            ChangeTag::Delete => removed += 1,
            ChangeTag::Equal => {}
        }
    }
    let mut text = diff.unified_diff().header(&format!("a/{path}"), &format!("b/{path}")).to_string();
    if let Some((at, _)) = text.char_indices().nth(DIFF_CHARS_MAX) {
        text.truncate(at);
        text.push_str("\n… the rest of the diff is left out\n");
    }
    let state = ChangeState::Applied;
    FileEdit { path: path.to_owned(), added, removed, diff: text, rung: rung.to_owned(), state, patch }
}
