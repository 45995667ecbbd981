//! Writes lines to stdout and stderr. Unlike the standard macros, a closed pipe neither ends a turn nor makes the program
//! panic.

use std::io::Write as _;

/// Prints a line to stdout: the answer, or what the command was asked for.
pub(crate) fn print_line(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}");
    let _ = out.flush();
}

/// Prints a line to stderr: everything else.
pub(crate) fn eprint_line(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Prints text to stderr without a line break: a question, the status line.
pub(crate) fn eprint_now(text: &str) {
    let mut out = std::io::stderr().lock();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}
