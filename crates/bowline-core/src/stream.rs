//! Deltas put together: text, reasoning and calls of one answer.
//!
//! It stands what servers do to calls on the wire (no index, shared indices, names repeated, arguments whole) and takes
//! `<think>` out of the text, also a lone `</think>`, and calls that stand in it. It judges nothing: whether a call makes sense is for the turn.

mod calls;
mod tags;

use crate::entry::Usage;
use crate::item::ReasoningField;
use crate::limits::ANSWER_BYTES_MAX;
use crate::repair::lift;
use crate::tools::ToolSpec;
use crate::wire::{Delta, Finish};

pub use calls::{Origin, RawCall};

use calls::Calls;
use tags::Tags;

/// An answer as far as it has come.
#[derive(Debug, Default)]
pub struct Assembly {
    tags: Tags,
    field: Option<ReasoningField>,
    fielded: String,
    calls: Calls,
    usage: Usage,
    finish: Option<Finish>,
    error: Option<String>,
    bytes: usize,
    percent: Option<i64>,
}

impl Assembly {
    /// Takes one delta; says whether it was a token (and not a mere sign of life).
    pub fn push(&mut self, delta: Delta) -> bool {
        match delta {
            Delta::Text(text) => {
                self.grow(text.len());
                self.tags.push(&text);
                true
            }
            Delta::Reasoning { field, text } => {
                self.grow(text.len());
                self.field = Some(field);
                self.fielded.push_str(&text);
                true
            }
            Delta::Call(piece) => {
                let named = [&piece.id, &piece.name].into_iter().flatten().map(String::len).sum::<usize>();
                self.grow(named + piece.arguments.len());
                self.calls.push(piece);
                true
            }
            Delta::Usage(usage) => {
                self.usage = usage;
                false
            }
            Delta::Finish(finish) => {
                self.finish = Some(finish);
                false
            }
            Delta::Error(error) => {
                self.error.get_or_insert(error);
                false
            }
            Delta::Progress { percent } => {
                self.percent = Some(percent);
                false
            }
            Delta::Alive => false,
        }
    }

    fn grow(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > ANSWER_BYTES_MAX {
            self.error.get_or_insert("the answer is longer than any window".to_owned());
        }
    }

    /// No more will come: what was held back as the possible start of a tag is text after all.
    pub fn close(&mut self) {
        self.tags.close();
    }

    /// Takes the calls a whole answer has written into its text, where it has no others.
    pub fn lift(&mut self, specs: &[ToolSpec]) {
        if self.calls().is_empty()
            && let Some(lifted) = lift(self.text(), specs)
        {
            self.tags.replace_text(lifted.text);
            self.calls.lift(lifted.calls);
        }
    }

    pub fn text(&self) -> &str {
        self.tags.text()
    }

    pub fn reasoning(&self) -> &str {
        if self.fielded.is_empty() { self.tags.thoughts() } else { &self.fielded }
    }

    /// The field the reasoning came in; none where it came as tags.
    pub fn field(&self) -> Option<ReasoningField> {
        self.field.filter(|_| !self.fielded.is_empty())
    }

    pub fn calls(&self) -> &[RawCall] {
        self.calls.list()
    }

    pub fn usage(&self) -> Usage {
        self.usage
    }

    pub fn finish(&self) -> Option<Finish> {
        self.finish
    }

    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// How much of the prompt the server has read, in percent, if it tells.
    pub fn percent(&self) -> Option<i64> {
        self.percent
    }

    /// Whether a call's arguments are no complete JSON, as they are when a stream breaks off inside a call.
    pub fn is_call_open(&self) -> bool {
        self.calls().iter().any(|call| !call.is_complete())
    }
}
