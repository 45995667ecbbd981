//! All tests of the crate in one binary.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "all/cases.rs"]
mod cases;
#[path = "all/properties.rs"]
mod properties;
