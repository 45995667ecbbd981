//! Everything bowline does to the world: the engine that carries out effects, model servers, workspace, processes, store.
//!
//! Few decisions are made here: those are the core's.

pub mod changes;
pub mod check_run;
pub mod checkpoint_cleanup;
pub mod checks;
pub mod clock;
pub mod config;
pub mod engine;
pub mod exam;
pub mod fault;
pub mod glimpse;
pub mod home;
pub mod instructions;
pub mod launch;
pub mod leftovers;
pub mod model;
pub mod permission;
pub mod process;
pub mod project;
pub mod restore;
pub mod sandbox;
pub mod seen_files;
pub mod server_slots;
pub mod servers;
pub mod session;
pub mod session_input;
pub mod shell;
pub mod snapshots;
pub mod store;
pub mod survey;
pub mod sweep;
pub mod toolbox;
pub mod tools;
pub mod walk;
pub mod workspace;
pub mod worktree;
