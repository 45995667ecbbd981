//! All tests of the crate in one binary, against the real kernel.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "all/commands.rs"]
mod commands;
#[path = "all/ordinary_user.rs"]
mod ordinary_user;
#[path = "all/scene.rs"]
mod scene;
