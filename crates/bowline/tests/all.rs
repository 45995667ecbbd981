//! The real program, end to end: its command line, over real HTTP against a scripted model server, in temporary folders.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "all/bad_input.rs"]
mod bad_input;
#[path = "all/changes.rs"]
mod changes;
#[path = "all/chat.rs"]
mod chat;
#[path = "all/chat_asking.rs"]
mod chat_asking;
#[path = "all/chat_early.rs"]
mod chat_early;
#[path = "all/chat_hostile.rs"]
mod chat_hostile;
#[path = "all/chat_hostile_places.rs"]
mod chat_hostile_places;
#[path = "all/chat_model.rs"]
mod chat_model;
#[path = "all/chat_output.rs"]
mod chat_output;
#[path = "all/chat_plain.rs"]
mod chat_plain;
#[path = "all/chat_queue.rs"]
mod chat_queue;
#[path = "all/chat_resume.rs"]
mod chat_resume;
#[path = "all/chat_shell.rs"]
mod chat_shell;
#[path = "all/chat_size.rs"]
mod chat_size;
#[path = "all/chat_stop.rs"]
mod chat_stop;
#[path = "all/chat_typing.rs"]
mod chat_typing;
#[path = "all/chat_undo.rs"]
mod chat_undo;
#[path = "all/chat_worktree.rs"]
mod chat_worktree;
#[path = "all/checkpoints.rs"]
mod checkpoints;
#[path = "all/classify.rs"]
mod classify;
#[path = "all/completions.rs"]
mod completions;
#[path = "all/config.rs"]
mod config;
#[path = "all/crash.rs"]
mod crash;
#[path = "all/demo.rs"]
mod demo;
#[path = "all/doctor.rs"]
mod doctor;
#[path = "all/edit.rs"]
mod edit;
#[path = "all/exits.rs"]
mod exits;
#[path = "all/fork.rs"]
mod fork;
#[path = "all/harness.rs"]
mod harness;
#[path = "all/leases.rs"]
mod leases;
#[path = "all/log.rs"]
mod log;
#[path = "all/messages.rs"]
mod messages;
#[path = "all/models.rs"]
mod models;
#[path = "all/modes.rs"]
mod modes;
#[path = "all/on_terminal.rs"]
mod on_terminal;
#[path = "all/other_process.rs"]
mod other_process;
#[path = "all/permissions.rs"]
mod permissions;
#[path = "../../bowline-host/tests/all/postgres.rs"]
mod postgres;
#[path = "all/reference.rs"]
mod reference;
#[path = "all/review.rs"]
mod review;
#[cfg(target_os = "linux")]
#[path = "all/sandbox.rs"]
mod sandbox;
#[path = "all/screen.rs"]
mod screen;
#[path = "all/seen_files.rs"]
mod seen_files;
#[path = "all/sessions.rs"]
mod sessions;
#[path = "all/sessions_more.rs"]
mod sessions_more;
#[path = "all/signals.rs"]
mod signals;
#[path = "all/slots.rs"]
mod slots;
#[path = "all/store.rs"]
mod store;
#[path = "all/successful_run.rs"]
mod successful_run;
#[path = "all/tasks.rs"]
mod tasks;
#[path = "all/terminal.rs"]
mod terminal;
#[path = "all/trust.rs"]
mod trust;
#[path = "all/typed.rs"]
mod typed;
#[path = "all/undo.rs"]
mod undo;
#[path = "all/undo_killed.rs"]
mod undo_killed;
#[path = "all/worktree.rs"]
mod worktree;
