//! All tests of the crate in one binary.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::disallowed_types
)]

#[path = "all/cases.rs"]
mod cases;
#[path = "all/checks.rs"]
mod checks;
#[path = "all/drift.rs"]
mod drift;
#[path = "all/fuzzed.rs"]
mod fuzzed;
#[path = "all/moved_on.rs"]
mod moved_on;
#[path = "all/omission.rs"]
mod omission;
#[path = "all/properties.rs"]
mod properties;
#[path = "all/rewind.rs"]
mod rewind;
