//! One scripted answer of the model: what is played in order, and how it looks on the wire.
//!
//! Plain data, independent of the protocol it will be rendered in. Nothing follows a step that ends the connection.

/// One scripted answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reply {
    /// Where it stands in the scenario, for messages; 0 when it was made in code.
    pub line: usize,
    pub times: Times,
    pub steps: Vec<Step>,
    pub finish: Finish,
    pub usage: Usage,
    pub done: Done,
    pub form: Form,
    pub wire: Wire,
    /// An HTTP error in place of an answer.
    pub status: Option<Status>,
    pub headers: Vec<(String, String)>,
    pub slot: Slot,
}

/// How often a reply is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    Count(u32),
    Ever,
}

impl Default for Times {
    fn default() -> Self {
        Self::Count(1)
    }
}

/// One thing played, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    Text(Pieces),
    Reasoning { pieces: Pieces, field: Option<Field> },
    Call(Call),
    WaitMs(u64),
    Ping,
    ProgressPercent(u8),
    Raw(Vec<u8>),
    Error(String),
    End(End),
}

/// The ends that a server doesn't mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Closed before any byte.
    Refuse,
    /// A clean end in the middle.
    Cut,
    Reset,
    /// Open and silent for ever.
    Hang,
}

/// Text, and in pieces of how many characters it is sent; `None` is all at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pieces {
    pub text: String,
    pub chars: Option<usize>,
}

impl Pieces {
    pub fn whole(text: impl Into<String>) -> Self {
        Self { text: text.into(), chars: None }
    }

    /// The text in its pieces; an empty text is one empty piece.
    pub fn split(&self) -> Vec<String> {
        match self.chars {
            None | Some(0) => vec![self.text.clone()],
            Some(_) if self.text.is_empty() => vec![String::new()],
            Some(chars) => {
                let all: Vec<char> = self.text.chars().collect();
                all.chunks(chars).map(|piece| piece.iter().collect()).collect()
            }
        }
    }
}

/// The field that carries reasoning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    ReasoningContent,
    Reasoning,
    Thinking,
}

impl Field {
    pub fn name(self) -> &'static str {
        match self {
            Self::ReasoningContent => "reasoning_content",
            Self::Reasoning => "reasoning",
            Self::Thinking => "thinking",
        }
    }
}

/// A tool call. The arguments are the model's own text and need not be JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub name: String,
    pub arguments: Pieces,
    pub quirks: Vec<Quirk>,
    /// The id to send; `None` is a fresh one.
    pub id: Option<String>,
}

/// How servers deviate in the form of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quirk {
    NoIndex,
    NoId,
    /// Arguments as an object where a string is due.
    Object,
    /// Every call has index 0; only the ids differ.
    SameIndex,
    /// `function_call`, as before there were tool calls.
    Legacy,
    /// Later deltas repeat id, type and name as empty strings.
    EmptyLater,
    /// Later deltas repeat id, type and name as null.
    NullLater,
}

impl Quirk {
    pub const ALL: [(&'static str, Quirk); 7] = [
        ("no-index", Quirk::NoIndex),
        ("no-id", Quirk::NoId),
        ("object", Quirk::Object),
        ("same-index", Quirk::SameIndex),
        ("legacy", Quirk::Legacy),
        ("empty-later", Quirk::EmptyLater),
        ("null-later", Quirk::NullLater),
    ];
}

/// The reason given for the end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Finish {
    /// `tool_calls` when there was one, else `stop`.
    #[default]
    Fitting,
    Absent,
    Named(String),
}

/// What is reported of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Usage {
    /// Counted by the player.
    #[default]
    Counted,
    Absent,
    /// Given by the script; what it leaves out is counted.
    Given {
        prompt: Option<u64>,
        cached: Option<u64>,
        output: Option<u64>,
    },
}

/// Whether the end is announced (`[DONE]`, Ollama's last line).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Done {
    #[default]
    Sent,
    Absent,
}

/// Whether a stream that was asked for is sent as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    #[default]
    AsAsked,
    /// One JSON body, whatever was asked for.
    Whole,
}

/// Quirks of the framing. All may be combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wire {
    /// Lines end with CR LF.
    pub crlf: bool,
    /// `data:` without a space.
    pub no_space: bool,
    /// Chunks without id, object, index and the rest.
    pub minimal: bool,
    /// Usage so far in every chunk.
    pub usage_each: bool,
    /// `"usage": null` in every chunk but the last.
    pub usage_null: bool,
    /// Every write in pieces of so many bytes, through characters too.
    pub split_bytes: Option<usize>,
}

/// An HTTP status with its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    pub code: u16,
    pub body: String,
}

/// What the server says of its slot while this reply is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Slot {
    #[default]
    Busy,
    /// It has lost the request: the slot is idle (llama.cpp), the model no longer loaded (Ollama).
    Idle,
}

impl Reply {
    /// A reply of text alone.
    pub fn text(text: impl Into<String>) -> Self {
        Self { steps: vec![Step::Text(Pieces::whole(text))], ..Self::default() }
    }

    /// How it ends the connection, if it does.
    pub fn end(&self) -> Option<End> {
        self.steps.iter().find_map(|step| match step {
            Step::End(end) => Some(*end),
            _ => None,
        })
    }

    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.steps.iter().filter_map(|step| match step {
            Step::Call(call) => Some(call),
            _ => None,
        })
    }

    /// All text of the answer.
    pub fn content(&self) -> String {
        self.steps
            .iter()
            .filter_map(|step| match step {
                Step::Text(pieces) => Some(pieces.text.as_str()),
                _ => None,
            })
            .collect()
    }
}
