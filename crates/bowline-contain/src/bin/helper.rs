//! The helper as a program of its own, for callers whose program is too large to be started once for each command. It does
//! nothing unless a cell starts it.

use std::process::ExitCode;

fn main() -> ExitCode {
    bowline_contain::helper_main().unwrap_or(ExitCode::FAILURE)
}
