//! All tests of the crate in one binary.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "all/checkpoint_cleanup.rs"]
mod checkpoint_cleanup;
#[path = "all/commands.rs"]
mod commands;
#[path = "all/config.rs"]
mod config;
#[path = "all/config_set.rs"]
mod config_set;
#[path = "all/detect_check.rs"]
mod detect_check;
#[path = "all/engine.rs"]
mod engine;
#[path = "all/flags_fuzz.rs"]
mod flags_fuzz;
#[path = "all/postgres.rs"]
mod postgres;
#[path = "all/process.rs"]
mod process;
#[path = "all/restore.rs"]
mod restore;
#[cfg(target_os = "linux")]
#[path = "all/sandbox.rs"]
mod sandbox;
#[path = "all/session.rs"]
mod session;
#[path = "all/shell_fuzz.rs"]
mod shell_fuzz;
#[path = "all/sim.rs"]
mod sim;
#[path = "all/store.rs"]
mod store;
#[path = "all/store_allow_rules.rs"]
mod store_allow_rules;
#[path = "all/store_change.rs"]
mod store_change;
#[path = "all/store_checkpoints.rs"]
mod store_checkpoints;
#[path = "all/store_lease.rs"]
mod store_lease;
#[path = "all/store_log.rs"]
mod store_log;
#[path = "all/store_look.rs"]
mod store_look;
#[path = "all/store_notes.rs"]
mod store_notes;
#[path = "all/store_open.rs"]
mod store_open;
#[path = "all/store_search.rs"]
mod store_search;
#[path = "all/store_tables.rs"]
mod store_tables;
#[path = "all/store_trust.rs"]
mod store_trust;
#[path = "all/store_worktrees.rs"]
mod store_worktrees;
#[path = "all/tools.rs"]
mod tools;
#[path = "all/tools_cases.rs"]
mod tools_cases;
#[path = "all/workspace.rs"]
mod workspace;
