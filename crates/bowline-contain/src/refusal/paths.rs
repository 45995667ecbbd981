//! Paths in a line that a program printed, likeliest first. Anything may look like one; whoever asks checks them.

use std::path::{Component, Path, PathBuf};

const QUOTES: [(char, char); 5] = [('\'', '\''), ('"', '"'), ('`', '`'), ('‘', '’'), ('“', '”')];
const EDGES: [char; 12] = ['\'', '"', '`', '(', ')', '[', ']', ',', ';', ':', '<', '>'];

/// `place` is where the error begins: what stands right before it is a path in many tools' words.
pub(super) fn in_line(line: &str, place: Option<usize>) -> Vec<String> {
    let mut found: Vec<String> = quoted(line);
    let words = line.split_whitespace().map(|word| word.trim_matches(EDGES));
    found.extend(words.filter(|word| word.starts_with('/') && word.len() > 1).map(ToOwned::to_owned));
    if let Some(before) = place.and_then(|place| line.get(..place)) {
        let before = before.trim_end().trim_end_matches([':', '(', ' ']);
        let segment = before.rsplit(": ").next().unwrap_or(before);
        let last = segment.split_whitespace().next_back().unwrap_or_default().trim_matches(EDGES);
        if !last.is_empty() {
            found.push(last.to_owned());
        }
    }
    found
}

fn quoted(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(start) = rest.find(|character| QUOTES.iter().any(|(open, _)| *open == character)) {
        let Some(open) = rest.get(start..).and_then(|rest| rest.chars().next()) else { break };
        let after = rest.get(start + open.len_utf8()..).unwrap_or_default();
        let close = QUOTES.iter().find(|(first, _)| *first == open).map_or(open, |(_, close)| *close);
        match after.find(close) {
            Some(end) => {
                found.extend(after.get(..end).filter(|path| !path.is_empty()).map(ToOwned::to_owned));
                rest = after.get(end + close.len_utf8()..).unwrap_or_default();
            }
            // An apostrophe.
            None => rest = after,
        }
    }
    found
}

/// From the folder of the command, without `.` and `..`; links are not followed.
pub(super) fn resolve(folder: &Path, path: &str) -> PathBuf {
    let mut resolved = PathBuf::new();
    for component in folder.join(path).components() {
        match component {
            Component::ParentDir => {
                resolved.pop();
            }
            Component::CurDir => {}
            other => resolved.push(other),
        }
    }
    resolved
}
