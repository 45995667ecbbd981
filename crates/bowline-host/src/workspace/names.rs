//! Names of files: how they are shown, and which are refused by name alone.

use std::ffi::OsStr;
use std::path::Path;

/// Refused as any part of a path, in any case of letters: on some file systems `.GIT` is `.git`.
const REFUSED: [&str; 2] = [".git", ".bowline"];

pub(crate) fn is_refused(name: &OsStr) -> bool {
    REFUSED.iter().any(|refused| name.eq_ignore_ascii_case(refused))
}

/// A path on one line: `/` between its parts, control characters escaped, what is not UTF-8 replaced.
pub fn printable(path: &Path) -> String {
    let text = path.to_string_lossy();
    if !text.contains(char::is_control) {
        return text.into_owned();
    }
    text.chars()
        .flat_map(|char| {
            let escaped: Box<dyn Iterator<Item = char>> = if char.is_control() {
                Box::new(char.escape_default())
            } else {
                Box::new(std::iter::once(char))
            };
            escaped
        })
        .collect()
}
