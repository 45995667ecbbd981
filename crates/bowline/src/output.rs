//! Lines to stdout and stderr. A reader that went away neither ends a turn nor makes the program panic, as the standard
//! macros would.

use std::io::Write as _;

/// The answer, or what was asked for.
pub(crate) fn print_line(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}");
    let _ = out.flush();
}

/// Everything else.
pub(crate) fn eprint_line(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Without a line break, at once: a question, the status line.
pub(crate) fn eprint_now(text: &str) {
    let mut out = std::io::stderr().lock();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}
