//! `=== file`: one file of the project before the run.
//!
//! The path is relative and stays inside the project; the bytes are exactly those that will lie there.

use super::ScenarioError;
use super::lex;
use super::sections::Section;

/// A file of the project before the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectFile {
    /// Relative, with `/`.
    pub path: String,
    pub bytes: Vec<u8>,
    /// Permission bits, if they matter.
    pub mode: Option<u32>,
}

#[derive(PartialEq, Eq)]
enum Ending {
    Kept,
    Absent,
}

pub(super) fn file(section: &Section) -> Result<ProjectFile, ScenarioError> {
    let wrong = |wrong: String, due: &str| ScenarioError::new(section.line, wrong, due);
    let mut words = section.words.split_whitespace();
    let path =
        words.next().ok_or_else(|| wrong("a file without a path".to_owned(), "=== file src/main.rs"))?;
    if path.starts_with('/') || path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return Err(wrong(format!("`{path}` is no path inside the project"), "a relative path without `..`"));
    }
    let (mut mode, mut bytes) = (None, section.body.clone().into_bytes());
    let mut ending = Ending::Kept;
    for word in words {
        match word {
            "crlf" => bytes = section.body.replace('\n', "\r\n").into_bytes(),
            "base64" => {
                bytes =
                    lex::base64(&section.body).map_err(|said| ScenarioError::said(section.line, &said))?;
            }
            "no-newline" => ending = Ending::Absent,
            _ => {
                let bits = word.strip_prefix("mode=").and_then(|bits| u32::from_str_radix(bits, 8).ok());
                let due = "crlf, base64, no-newline or mode=755";
                mode =
                    Some(bits.filter(|bits| *bits <= 0o777).ok_or_else(|| wrong(format!("`{word}`"), due))?);
            }
        }
    }
    if ending == Ending::Absent && bytes.last() == Some(&b'\n') {
        bytes.pop();
        bytes.pop_if(|byte| *byte == b'\r');
    }
    Ok(ProjectFile { path: path.to_owned(), bytes, mode })
}
