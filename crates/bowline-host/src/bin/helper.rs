//! The helper of a sandbox, and nothing else: small, for tests that start many.

use std::process::ExitCode;

fn main() -> ExitCode {
    bowline_host::sandbox::helper_main().unwrap_or(ExitCode::FAILURE)
}
