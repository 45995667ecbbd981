//! All tests of the crate in one binary.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "all/additions.rs"]
mod additions;
#[path = "all/cases.rs"]
mod cases;
#[path = "all/hostile.rs"]
mod hostile;
#[path = "all/names.rs"]
mod names;
#[path = "all/properties.rs"]
mod properties;
#[path = "all/removals.rs"]
mod removals;
#[path = "all/renames.rs"]
mod renames;
#[path = "all/rewrites.rs"]
mod rewrites;
#[path = "all/transforms.rs"]
mod transforms;
