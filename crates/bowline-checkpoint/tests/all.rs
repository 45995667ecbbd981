//! All tests of the crate in one binary, against the real git.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "all/borrowed.rs"]
mod borrowed;
#[path = "all/case.rs"]
mod case;
#[path = "all/changing_files.rs"]
mod changing_files;
#[path = "all/concurrent.rs"]
mod concurrent;
#[path = "all/ground.rs"]
mod ground;
#[path = "all/kills.rs"]
mod kills;
#[path = "all/random_edits.rs"]
mod random_edits;
#[path = "all/random_trees.rs"]
mod random_trees;
#[path = "all/repository.rs"]
mod repository;
#[path = "all/retention.rs"]
mod retention;
#[path = "all/situation.rs"]
mod situation;
#[path = "all/situations.rs"]
mod situations;
#[path = "all/tree_state.rs"]
mod tree_state;
