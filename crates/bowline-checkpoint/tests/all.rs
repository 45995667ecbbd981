//! All tests of the crate in one binary, against the real git.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "all/at_once.rs"]
mod at_once;
#[path = "all/borrowed.rs"]
mod borrowed;
#[path = "all/busy.rs"]
mod busy;
#[path = "all/case.rs"]
mod case;
#[path = "all/drawn.rs"]
mod drawn;
#[path = "all/ground.rs"]
mod ground;
#[path = "all/keeping.rs"]
mod keeping;
#[path = "all/kills.rs"]
mod kills;
#[path = "all/repository.rs"]
mod repository;
#[path = "all/seen.rs"]
mod seen;
#[path = "all/situation.rs"]
mod situation;
#[path = "all/situations.rs"]
mod situations;
