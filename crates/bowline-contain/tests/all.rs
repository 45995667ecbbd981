//! All tests of the crate in one binary, against the real kernel.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "all/attacks.rs"]
mod attacks;
#[path = "all/commands.rs"]
mod commands;
#[path = "all/ends.rs"]
mod ends;
#[path = "all/files.rs"]
mod files;
#[path = "all/missing_layers.rs"]
mod missing_layers;
#[path = "all/network.rs"]
mod network;
#[path = "all/ordinary_user.rs"]
mod ordinary_user;
#[path = "all/refusals.rs"]
mod refusals;
#[path = "all/scene.rs"]
mod scene;
