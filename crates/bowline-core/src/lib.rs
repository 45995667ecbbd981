//! The decisions of bowline: log, fold, turn machine, payload, wire forms.
//!
//! Nothing here touches a file, a clock, the environment, the network or a thread, and nothing panics: time and ids come
//! in as arguments, and whatever a model says is a value.

pub mod entry;
pub mod item;
pub mod outcome;
pub mod sentinel;
pub mod tool_done;
pub mod tools;
