//! Whole sessions in memory: the machine, a scripted model at the HTTP boundary, a project that is a map, a virtual clock.
//!
//! Whoever plays with the machine is a [`Cast`]: it gives the model's answers, runs the calls and speaks for the user.
//! Nothing here touches a file, a process or a thread, so that thousands of sessions take seconds. The same cast gives
//! the same session, to the byte.

#[path = "sim/check.rs"]
mod check;
#[path = "sim/ends.rs"]
mod ends;
#[path = "sim/places.rs"]
mod places;
#[path = "sim/process.rs"]
mod process;
#[path = "sim/project.rs"]
pub(crate) mod project;
#[path = "sim/random.rs"]
pub(crate) mod random;
#[path = "sim/transcript.rs"]
mod transcript;
#[path = "sim/world.rs"]
mod world;

use bowline_core::checkpoint::{Captured, Compared, Taken};
use bowline_core::entry::Body;
use bowline_core::place::{Change, Place, PlaceText, Survey};
use bowline_core::tool_output::{Grant, ToolDone};
use bowline_core::tools::ToolCall;
use bowline_core::turn::{Effect, Life};
use bowline_core::wire::Request;
use bowline_script::Reply;

pub(crate) use check::Watch;
pub(crate) use transcript::Transcript;
pub(crate) use world::World;

/// Who plays with the machine: the model, its server, the tools, the user.
pub(crate) trait Cast {
    /// What the model, or its server, answers to this request.
    fn reply(&mut self, request: &Request) -> Reply;

    /// What running a call gives, and how many milliseconds it takes.
    fn run(&mut self, call: &ToolCall, grant: Grant) -> (ToolDone, i64);

    /// What a survey of the project finds.
    fn survey(&mut self) -> Survey {
        Survey::default()
    }

    /// The text of a place.
    fn read_place(&mut self, _place: &Place, _change: Change) -> Option<PlaceText> {
        None
    }

    /// What taking a checkpoint gives, and how many milliseconds it takes.
    fn checkpoint(&mut self, id: String) -> (Taken, i64) {
        let captured = Captured { commit: format!("files of {id}"), ..Captured::default() };
        (Taken { id, captured: Ok(captured) }, 5)
    }

    /// How the files differ from the first checkpoint of the turn, where that can be told.
    fn compare(&mut self) -> Option<Compared> {
        None
    }

    /// What the server says when it is asked whether it still works.
    fn life(&mut self) -> Life {
        Life::Idle
    }

    /// What somebody says after this effect, and in how many milliseconds.
    fn outside(&mut self, _effect: &Effect) -> Option<(i64, Body)> {
        None
    }

    /// The answer to a question that nobody has answered so far, when nothing else will happen.
    fn answer(&mut self, item: &str) -> Body {
        panic!("nobody answers the question about {item}")
    }

    /// How many milliseconds late the next thing is noticed.
    fn late_ms(&mut self) -> i64 {
        0
    }

    /// Whether news of what is over may still come: it was under way when it ended.
    fn keeps_stale_events(&self) -> bool {
        false
    }

    /// Whether the machine is woken once more than it asked for.
    fn is_restless(&mut self) -> bool {
        false
    }

    /// Whether the model or the user said this, so that it may stand in a request.
    fn has_said(&self, _text: &str) -> bool {
        false
    }
}
