//! Deltas put together: text, reasoning and calls of one answer.
//!
//! It stands what servers do to calls on the wire (no index, shared indices, names repeated, arguments whole) and takes
//! `<think>` out of the text, also a lone `</think>`, and calls that stand in it; an answer bound to a schema becomes text or a
//! call. It judges nothing: whether a call makes sense is for the turn.

mod calls;
mod constrained;
mod hold_back;
mod tags;

use std::borrow::Cow;

use crate::entry::Usage;
use crate::guard::text::{Ground, TextLoop, Watch, ground};
use crate::item::ReasoningField;
use crate::limits::ANSWER_BYTES_MAX;
use crate::mode::Mode;
use crate::repair::{lift, tool_of};
use crate::tools::ToolSpec;
use crate::wire::{Delta, Finish};

pub use calls::{Origin, RawCall};

use calls::Calls;
use constrained::ConstrainedAnswer;
use tags::Tags;

/// One of the streams an answer consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    Text,
    Thoughts,
    Arguments,
}

/// An answer as far as it has come.
#[derive(Debug, Default)]
pub struct Assembly {
    /// How the answer is to be read. A bound one becomes text or a call when it is closed.
    mode: Mode,
    tags: Tags,
    field: Option<ReasoningField>,
    fielded: String,
    calls: Calls,
    usage: Usage,
    finish: Option<Finish>,
    error: Option<String>,
    bytes: usize,
    percent: Option<i64>,
    /// Whether a schema was asked for, and the whole answer does not fit it.
    is_unbound: bool,
    watches: Watches,
}

/// What the guard against text loops has seen of each stream.
#[derive(Debug, Default)]
struct Watches {
    text: Watch,
    thoughts: Watch,
    arguments: Watch,
    /// The call whose arguments are watched.
    call: usize,
}

impl Assembly {
    pub fn new(mode: Mode) -> Assembly {
        Assembly { mode, ..Assembly::default() }
    }

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
            Delta::Queued | Delta::Alive => false,
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
        if std::mem::take(&mut self.mode) != Mode::Constrained || !self.calls().is_empty() {
            return;
        }
        match constrained::read(self.text()) {
            ConstrainedAnswer::Message(message) => self.tags.replace_text(message),
            ConstrainedAnswer::Call { name, arguments } => {
                self.tags.replace_text(String::new());
                self.calls.lift(vec![(name, arguments)]);
            }
            ConstrainedAnswer::Prose => self.is_unbound = true,
            ConstrainedAnswer::Open => {}
        }
    }

    /// Whether the answer was to be bound to a schema and was not: the server has ignored it.
    pub fn is_unbound(&self) -> bool {
        self.is_unbound
    }

    /// The stream that has begun to repeat itself, if one has.
    pub fn looping(&mut self) -> Option<(Stream, TextLoop)> {
        let mut watches = std::mem::take(&mut self.watches);
        if watches.call != self.calls().len() {
            (watches.call, watches.arguments) = (self.calls().len(), Watch::default());
        }
        let in_text = if self.mode == Mode::Constrained { |_: &str| Ground::Code } else { ground };
        let arguments = self.calls().last().map_or("", |call| call.arguments.as_str());
        let found = (watches.text.look(self.text(), in_text).map(|found| (Stream::Text, found)))
            .or_else(|| {
                watches.thoughts.look(self.reasoning(), ground).map(|found| (Stream::Thoughts, found))
            })
            .or_else(|| {
                let found = watches.arguments.look(arguments, |_| Ground::Code);
                found.map(|found| (Stream::Arguments, found))
            });
        self.watches = watches;
        found
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

    /// Takes the half of a call an answer was cut off in, so that it is seen for what it is.
    pub fn take_cut_call(&mut self) {
        let shown = hold_back::shown(self.text());
        let rest = self.text().get(shown.len()..).unwrap_or_default();
        let object = rest.find('{').and_then(|at| rest.get(at..)).unwrap_or_default();
        if let (true, ConstrainedAnswer::Call { name, arguments }) =
            (self.calls().is_empty(), constrained::read(object))
        {
            let shown = shown.trim_end().to_owned();
            self.tags.replace_text(shown);
            self.calls.lift(vec![(name, arguments)]);
        }
    }

    /// Cuts what repeats itself, where `found` says.
    pub fn cut_loop(&mut self, stream: Stream, found: TextLoop) {
        match stream {
            Stream::Text => self.tags.cut_text(found.keep_bytes),
            Stream::Thoughts if self.fielded.is_empty() => self.tags.cut_thoughts(found.keep_bytes),
            Stream::Thoughts => self.fielded.truncate(found.keep_bytes),
            // Half a call is dropped whole.
            Stream::Arguments => {}
        }
    }

    /// Takes the call out of a server's error.
    pub fn take_unread(&mut self, raw: &str, specs: &[ToolSpec]) {
        self.close();
        let lifted = lift(raw, specs).and_then(|lifted| lifted.calls.into_iter().next());
        let call = lifted.unwrap_or_else(|| (tool_of(raw, specs).unwrap_or_default(), raw.to_owned()));
        self.calls.take_unread(call);
    }

    pub fn text(&self) -> &str {
        self.tags.text()
    }

    /// The text as far as it can't turn out to be a call.
    pub fn visible(&self) -> Cow<'_, str> {
        if self.mode != Mode::Constrained {
            return Cow::Borrowed(hold_back::shown(self.text()));
        }
        match constrained::read(self.text()) {
            ConstrainedAnswer::Message(message) => Cow::Owned(message),
            ConstrainedAnswer::Call { .. } | ConstrainedAnswer::Open => Cow::Borrowed(""),
            ConstrainedAnswer::Prose => Cow::Borrowed(self.text()),
        }
    }

    /// Whether there is text and no call, not even the beginning of one.
    pub fn is_pure_text(&self) -> bool {
        let visible = self.visible();
        let is_whole = self.mode == Mode::Constrained || visible.len() == self.text().len();
        self.calls().is_empty() && !visible.trim().is_empty() && is_whole
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
