//! The decisions of bowline: log, fold, turn machine, payload, wire forms.
//!
//! Nothing here touches a file, a clock, the environment, the network or a thread, and nothing panics: time and ids come
//! in as arguments, and whatever a model says is a value.

pub mod agenda;
pub mod change_decision;
pub mod changes;
pub mod check;
pub mod checkpoint;
pub mod compact;
pub mod context_usage;
pub mod entry;
pub mod exam;
pub mod failure;
pub mod frame;
pub mod guard;
pub mod ids;
pub mod item;
pub mod limits;
pub mod mode;
pub mod outcome;
pub mod patch_form;
pub mod payload;
pub mod place;
pub mod policy;
pub mod prompts;
pub mod recover;
pub mod repair;
pub mod restore_entry;
pub mod retry;
pub mod review;
pub mod rewind_entry;
pub mod rewriting;
pub mod sampling;
pub mod sentinel;
pub mod servers;
pub mod stream;
pub mod task;
pub mod thinking;
pub mod timeline;
pub mod tool_output;
pub mod tools;
pub mod truncate;
pub mod turn;
pub mod typed;
pub mod view;
pub mod visible;
pub mod window;
pub mod wire;
