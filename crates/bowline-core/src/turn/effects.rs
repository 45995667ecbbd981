//! What reaches the turn machine from outside, and what it asks the engine to do.

use crate::change_decision::ChangeDecisions;
use crate::check::{CheckEnd, CheckRequest};
use crate::checkpoint::{Compared, Moment, Taken};
use crate::entry::{Body, ModelRef, TurnEnd};
use crate::frame::Waiting;
use crate::mode::ModeBy;
use crate::place::{Change, Place, PlaceText, Query, Survey};
use crate::retry::Failure;
use crate::tool_output::{Grant, ToolDone};
use crate::tools::ToolCall;
use crate::wire::{Delta, Request};

use super::{Allocated, Life};

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Pieces of the answer to model call `call`.
    Deltas {
        call: u64,
        deltas: Vec<Delta>,
    },
    /// Its body has ended as it should.
    Ended {
        call: u64,
    },
    Failed {
        call: u64,
        failure: Failure,
    },
    /// The server was asked whether it still works on the call.
    Life {
        call: u64,
        life: Life,
    },
    Tool {
        item: String,
        done: ToolDone,
    },
    /// What came of taking one.
    Checkpointed {
        moment: Moment,
        taken: Taken,
    },
    /// How the files differ from the checkpoint that was named; none if that is unknown.
    FilesCompared(Option<Box<Compared>>),
    /// What came of the check.
    Checked(CheckEnd),
    /// The changes that were taken back; none if they stay.
    Rewound(Option<Box<ChangeDecisions>>),
    /// Files as they are now, each path with its text. A file that could not be read is missing.
    FilesRead(Vec<(String, String)>),
    /// What there is in the project, for the step that is due.
    Surveyed(Box<Survey>),
    /// The text of a place; none if there is no such place any more.
    PlaceRead(Option<Box<PlaceText>>),
    /// An entry from outside.
    Input {
        seq: i64,
        body: Box<Body>,
    },
    /// What the server has allocated, now that the model is loaded.
    Allocated(Allocated),
    /// The time of [`Machine::wake_at`] has come.
    Tick,
}

/// What is to be done, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Stored before anything after it is done.
    Append(Vec<Body>),
    CallModel {
        call: u64,
        request: Box<Request>,
    },
    /// Close the stream, whatever it still has to say.
    CloseModel {
        call: u64,
    },
    AskLife {
        call: u64,
    },
    /// Ask the server how the model it has just loaded lies in its memory.
    AskAllocated,
    RunTool {
        item: String,
        call: ToolCall,
        grant: Grant,
    },
    /// Look at the project: which places it has that a task may be about.
    Survey(Query),
    /// Read the text of a place, for a change of this kind.
    ReadPlace {
        place: Place,
        change: Change,
    },
    /// Save the files as they are. What came of it comes as an event, whatever it is.
    TakeCheckpoint {
        moment: Moment,
        /// The commit to compare them with.
        since: Option<String>,
    },
    /// Compare the files with this commit of a checkpoint. What came of it comes as an event, whatever it is.
    CompareFiles {
        since: String,
    },
    /// Run the project's check. What came of it comes as an event, whatever it is.
    RunCheck(Box<CheckRequest>),
    /// Take these changes of the session back, all of them or none.
    Rewind {
        changes: Vec<String>,
    },
    /// Read files of the project as text.
    ReadFiles {
        paths: Vec<String>,
    },
    /// Stop running calls and end all processes they left.
    EndTools,
    Show(Waiting),
    /// For the model's next sessions.
    Remember {
        model: Box<ModelRef>,
        by: ModeBy,
    },
    /// That the model's server does not bind an answer to a schema.
    RememberUnbound {
        model: Box<ModelRef>,
    },
    /// What the server really has, where it told more.
    RememberWindow {
        model: Box<ModelRef>,
        reported_window: i64,
    },
    /// What the user allowed for this project, for its next sessions.
    KeepAllowed {
        patterns: Vec<String>,
    },
    /// The turn hands back. Nothing follows.
    HandBack(Box<TurnEnd>),
}
