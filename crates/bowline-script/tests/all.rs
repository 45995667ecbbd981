//! The tests of the scripted server, in one binary.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "all/blocks.rs"]
mod blocks;
#[path = "all/play.rs"]
mod play;
#[path = "all/scenario.rs"]
mod scenario;
#[path = "all/socket.rs"]
mod socket;
#[path = "all/strict.rs"]
mod strict;
#[path = "all/wire.rs"]
mod wire;
