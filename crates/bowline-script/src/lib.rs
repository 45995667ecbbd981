//! A scripted model server at the HTTP boundary, as strict as real ones are.
//!
//! Three layers, each usable without the next:
//! - [`scenario`]: a plain-text file that holds a project, what the user does and what the model answers;
//! - [`player`]: the answers as bytes and waits, pure, for a simulation on a virtual clock;
//! - [`server`]: the player behind a real socket, for tests of a whole program and for demonstrations.
//!
//! It is no proxy, holds no model and never improvises: a request it has no answer for, or one that a strict chat
//! template would refuse, is answered with an error *and* remembered as a violation.
//!
//! The format of a scenario is described in this crate's README.

pub mod player;
pub mod profile;
pub mod reply;
pub mod scenario;
pub mod server;
pub mod strict;

pub use player::{Answer, Play, Player, Recorded};
pub use profile::{Kind, Profile, Schema};
pub use reply::Reply;
pub use scenario::{Act, ActKind, Input, Scenario, ScenarioError, Verdict, replace_section};
pub use server::Server;

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
