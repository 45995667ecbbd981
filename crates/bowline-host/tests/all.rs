//! All tests of the crate in one binary.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "all/process.rs"]
mod process;
#[path = "all/tools.rs"]
mod tools;
#[path = "all/tools_cases.rs"]
mod tools_cases;
#[path = "all/workspace.rs"]
mod workspace;
