//! What each kind of step is for, as one record: which request it sends, how the answer is read, who reads it, and what
//! follows when the answer is complete and when there will be none.
//!
//! The rest of the turn machine asks the record and never the kind of step, so that a new kind is a new record. What always
//! holds: only a step that reads calls can run a tool.

use super::Machine;
use super::asking::Asking;
use crate::entry::StepPurpose;

pub(super) struct Purpose {
    pub(super) prompt: Prompt,
    pub(super) reading: Reading,
    pub(super) audience: Audience,
    pub(super) room: Room,
    /// What follows when the answer is complete.
    pub(super) answered: fn(&mut Machine, &Asking, i64),
    /// What follows if the request fails or does not fit into the context window.
    pub(super) failed: Without,
    /// What follows if the answer repeats itself.
    pub(super) looped: Without,
}

/// Which messages a request has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prompt {
    /// The conversation, extended at its end.
    Conversation,
    /// A short prompt of its own.
    Own,
}

/// How an answer is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// It may call tools, in the form of the session's calling mode.
    Calls,
    /// Its text is all that counts.
    Words,
    /// Only its first code fence counts, and the stream is closed behind it.
    Fence,
}

/// Who reads an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Audience {
    /// It is published while it streams.
    User,
    /// Only the program reads it.
    Program,
}

/// What happens if the prompt is too long for the context window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// The conversation is compacted first.
    IsMade,
    /// The request is sent if it fits.
    IsTaken,
}

/// What follows if there will be no answer.
#[derive(Clone, Copy)]
pub(super) enum Without {
    /// The turn depends on the answer: the request is sent again, and in the end the turn stops with the reason.
    TurnStops,
    /// The program continues without it, as this says.
    GoesOn(fn(&mut Machine, i64)),
}

const WORK: Purpose = Purpose {
    prompt: Prompt::Conversation,
    reading: Reading::Calls,
    audience: Audience::User,
    room: Room::IsMade,
    answered: Machine::work_answered,
    failed: Without::TurnStops,
    looped: Without::TurnStops,
};

const SUMMARY: Purpose = Purpose {
    prompt: Prompt::Conversation,
    reading: Reading::Words,
    audience: Audience::User,
    room: Room::IsTaken,
    answered: |machine, _, now| machine.end_out_of_steps(now),
    failed: Without::GoesOn(Machine::end_out_of_steps),
    looped: Without::GoesOn(Machine::end_out_of_steps),
};

const COMPACTION: Purpose = Purpose {
    prompt: Prompt::Conversation,
    reading: Reading::Words,
    audience: Audience::Program,
    room: Room::IsTaken,
    answered: |machine, asking, now| machine.apply_compaction(Some(asking.assembly.text()), now),
    failed: Without::GoesOn(|machine, now| machine.apply_compaction(None, now)),
    looped: Without::GoesOn(|machine, now| machine.apply_compaction(None, now)),
};

const WRITE: Purpose = Purpose {
    prompt: Prompt::Own,
    reading: Reading::Fence,
    audience: Audience::Program,
    room: Room::IsTaken,
    answered: Machine::text_written,
    failed: Without::TurnStops,
    looped: Without::GoesOn(Machine::nothing_written),
};

/// No model is asked, so nothing of it is ever looked at but the words.
const PROGRAM: Purpose = Purpose {
    prompt: Prompt::Own,
    reading: Reading::Words,
    audience: Audience::Program,
    room: Room::IsTaken,
    answered: |machine, _, now| machine.nothing_written(now),
    failed: Without::TurnStops,
    looped: Without::TurnStops,
};

impl StepPurpose {
    pub(super) fn record(self) -> &'static Purpose {
        match self {
            StepPurpose::Work => &WORK,
            StepPurpose::Summary => &SUMMARY,
            StepPurpose::Compaction => &COMPACTION,
            StepPurpose::Write => &WRITE,
            StepPurpose::Program => &PROGRAM,
        }
    }
}
