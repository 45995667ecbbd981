//! The core's tests: cases in plain sections, properties, the budget of the prompt, and whole sessions played in memory.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "tests read their case files and may fail loudly"
)]

#[path = "all/cases.rs"]
mod cases;

#[path = "all/agenda.rs"]
mod agenda;
#[path = "all/budget.rs"]
mod budget;
#[path = "all/checkpoints.rs"]
mod checkpoints;
#[path = "all/context_usage.rs"]
mod context_usage;
#[path = "all/doom.rs"]
mod doom;
#[path = "all/exam.rs"]
mod exam;
#[path = "all/failure.rs"]
mod failure;
#[path = "all/fuzz.rs"]
mod fuzz;
#[path = "all/honest.rs"]
mod honest;
#[path = "all/ledger.rs"]
mod ledger;
#[path = "all/lift.rs"]
mod lift;
#[path = "all/meter.rs"]
mod meter;
#[path = "all/mistakes.rs"]
mod mistakes;
#[path = "all/mode.rs"]
mod mode;
#[path = "all/named_check.rs"]
mod named_check;
#[path = "all/parse.rs"]
mod parse;
#[path = "all/pick.rs"]
mod pick;
#[path = "all/policy.rs"]
mod policy;
#[path = "all/queue.rs"]
mod queue;
#[path = "all/repair.rs"]
mod repair;
#[path = "all/request.rs"]
mod request;
#[path = "all/retry.rs"]
mod retry;
#[path = "all/rewriting.rs"]
mod rewriting;
#[path = "all/servers.rs"]
mod servers;
#[path = "all/session.rs"]
mod session;
#[path = "all/sim.rs"]
mod sim;
#[path = "all/stream.rs"]
mod stream;
#[path = "all/task.rs"]
mod task;
#[path = "all/text_loop.rs"]
mod text_loop;
#[path = "all/timeline.rs"]
mod timeline;
#[path = "all/truncate.rs"]
mod truncate;
#[path = "all/turn.rs"]
mod turn;
#[path = "all/wire.rs"]
mod wire;
