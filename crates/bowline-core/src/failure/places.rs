//! Places in the project: which files of an output are the user's own, and where a traceback leads.

use super::Place;
use crate::task::Frame;
use crate::task::traces::{frame, traces};

/// Parts of paths that belong to a language or to a dependency.
const FOREIGN: &[&str] = &[
    "site-packages",
    "dist-packages",
    "node_modules",
    "/rustc/",
    ".cargo/registry",
    ".rustup/",
    "/usr/lib",
    "/usr/share",
    "/usr/bin",
    "/usr/include",
    "/usr/local/",
    "/lib/python",
    "/libexec/",
    ".pyenv/",
    "/gems/",
    "/pkg/mod/",
    "/go/src/",
    "/src/testing/",
    "/src/runtime/",
    "_testmain.go",
    "/.m2/",
    "/.gradle/",
    "/vendor/",
    "importlib/",
    "node:",
    "internal/",
    "webpack:",
    "build-script-build",
];

pub(super) fn is_own(path: &str) -> bool {
    !path.is_empty() && !path.starts_with('<') && !FOREIGN.iter().any(|part| path.contains(part))
}

pub(super) fn place(path: &str, line: u32) -> Option<Place> {
    let path = path.trim().trim_start_matches("file://");
    is_own(path).then(|| Place { path: path.to_owned(), line })
}

/// `src/cart.rs:12:5` or `src/cart.rs:12`.
pub(super) fn parsed(text: &str) -> Option<Place> {
    let (path, line, _) = frame::place(text.trim().trim_end_matches(':'))?;
    if path.contains(char::is_whitespace) { None } else { place(path, line) }
}

/// Where a part of an output leads: the innermost frame in the project, or the first line that a compiler names.
pub(super) fn innermost(lines: &[&str]) -> Option<Place> {
    let traces = traces(lines);
    let is_file = |path: &str| path.contains(['.', '/']);
    let of_frame = |frame: &Frame| place(&frame.path, frame.line).filter(|place| is_file(&place.path));
    let frame = traces.frames.iter().rev().find_map(of_frame);
    frame.or_else(|| traces.locations.iter().find_map(|location| place(&location.path, location.line)))
}
