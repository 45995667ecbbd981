//! Paths in a line that a program printed, likeliest first. Anything may look like one; whoever asks checks them.

use std::path::{Component, Path, PathBuf};

const QUOTES: [(char, char); 5] = [('\'', '\''), ('"', '"'), ('`', '`'), ('‘', '’'), ('“', '”')];
const EDGES: [char; 12] = ['\'', '"', '`', '(', ')', '[', ']', ',', ';', ':', '<', '>'];

/// Lines that name where a program was, not what it wanted.
const TRACES: [&str; 2] = ["File \"", "at "];
/// After one of these a bare word is a path.
const VERBS: [&str; 5] = ["create", "directory", "open", "remove", "touch"];

/// `place` is where the error begins: what stands right before it is a path in many tools' words.
pub(super) fn in_line(line: &str, place: Option<usize>) -> Vec<String> {
    if TRACES.iter().any(|trace| line.trim_start().starts_with(trace)) {
        return Vec::new();
    }
    let mut found: Vec<String> = quoted(line);
    found.extend(place.and_then(|place| right_before(line.get(..place)?)));
    // A first word with a colon is the program that speaks.
    let words =
        line.split_whitespace().enumerate().filter(|(index, word)| *index > 0 || !word.ends_with(':'));
    let words = words.map(|(_, word)| word.trim_matches(EDGES));
    found.extend(words.filter(|word| word.starts_with('/') && word.len() > 1).map(ToOwned::to_owned));
    found
}

/// The last word before an error, if it looks like a path.
fn right_before(text: &str) -> Option<String> {
    let text = text.trim_end().trim_end_matches([':', '(', ' ']);
    let segment = text.rsplit(": ").next().unwrap_or(text);
    let word = segment.split_whitespace().next_back()?.trim_matches(EDGES);
    let is_path = word.contains(['/', '.']) || VERBS.iter().any(|verb| segment.contains(verb));
    (is_path && !word.is_empty()).then(|| word.to_owned())
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
