//! Snapshots of a work tree, and restores that lose nothing.
//!
//! A [`Store`] keeps checkpoints of one work tree in a bare git directory of its own, outside the tree. It borrows what the
//! user's repository already has, and changes nothing in it: not HEAD, no branch, not the index, the stash, a reflog or a
//! hook. A restore is a [`Plan`] first, which can be shown; it is carried out only on files that are still as the plan saw
//! them, and `kill -9` at any moment leaves something that [`Store::settle`] finishes or takes back.
//!
//! What always holds: nothing is overwritten or deleted that the checkpoint of the moment before does not hold.

mod apply;
mod atomic_file;
mod diff;
mod failure;
mod git;
mod ignored;
mod index;
mod journal;
mod lock;
mod maintenance;
mod metadata;
mod paths;
mod pin;
mod plan;
mod planning;
mod recover;
mod seed;
mod settings;
mod snapshot;
mod stats;
mod store;
mod take;
mod untracked;
mod user_repository;
mod work;

pub use apply::Step;
pub use failure::Failure;
pub use maintenance::Health;
pub use plan::{Action, Cause, Kept, Plan, PlanRequest, Planned, UserChanges, WhyKept};
pub use settings::Settings;
pub use snapshot::{Difference, NotCaptured, Snapshot, Status, WhyNot};
pub use store::Store;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
