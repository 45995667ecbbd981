//! The wire forms of the model's servers: a request into bytes, bytes into deltas.
//!
//! Two protocols, one decoder. This knows JSON and lines, not HTTP: what carries the bytes is the host's.

mod decode;
mod lines;
mod ollama;
mod openai;
mod pieces;
mod plain;

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value};

pub use decode::Decoder;
pub(crate) use decode::error_text;
pub use pieces::{CallPiece, Delta, Finish};

use crate::item::ReasoningField;
use crate::mode::Mode;
use crate::payload::{Message, MessageCall, Payload};
use crate::sampling::Sampling;
use crate::thinking::{Thinking, ThinkingField};
use crate::tools::ToolSpec;

/// How a server is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// Chat completions, server-sent events.
    OpenAi,
    /// Ollama's own, one JSON object a line.
    Ollama,
}

impl Protocol {
    /// Whether a call comes only when it is whole: silence before it says nothing.
    pub fn sends_whole_calls(self) -> bool {
        self == Protocol::Ollama
    }

    /// The path of a chat request below the server's base.
    pub fn chat_path(self) -> &'static str {
        match self {
            Protocol::OpenAi => "/chat/completions",
            Protocol::Ollama => "/api/chat",
        }
    }
}

/// What a request says beside its messages.
#[derive(Debug, Clone, PartialEq)]
pub struct Dialect {
    pub protocol: Protocol,
    /// The model's name on its server.
    pub model: String,
    /// Tokens the server has allocated, or is asked to allocate.
    pub window: i64,
    /// The most the answer may take. Tokens.
    pub reserve: i64,
    /// Whether the server tells how far it has read the prompt (llama.cpp).
    pub tells_progress: bool,
    pub thinking: Thinking,
    pub thinking_field: ThinkingField,
    pub sampling: Sampling,
    /// The temperature that the user set, which holds for every request.
    pub temperature_set: Option<f64>,
    /// The slot to be used, where the server has several (llama.cpp).
    pub slot: Option<i64>,
}

impl Dialect {
    /// For answers that must be right rather than varied: temperature 0, unless the user set one, or the model is to think
    /// (makers of thinking models advise against 0).
    pub fn exact(&self) -> Sampling {
        match self.thinking {
            Thinking::Low | Thinking::High => self.sampling,
            Thinking::Auto | Thinking::Off => {
                Sampling { temperature: Some(self.temperature_set.unwrap_or(0.0)), ..self.sampling }
            }
        }
    }
}

/// A request as it goes over the wire.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    pub dialect: Dialect,
    pub payload: Arc<Payload>,
    /// In this request alone, after the text of its last message; a user's message of its own where the model spoke last.
    pub note: Option<String>,
}

impl Request {
    /// The body.
    pub fn body(&self) -> Vec<u8> {
        let value = match self.dialect.protocol {
            Protocol::OpenAi => openai::body(self),
            Protocol::Ollama => ollama::body(self),
        };
        serde_json::to_vec(&value).unwrap_or_default()
    }

    /// What structured tools take of it.
    pub fn tool_bytes(&self) -> usize {
        tools_bytes(&self.payload)
    }

    /// The prompt as a template renders it, about: what is counted in tokens. Bytes.
    pub fn prompt_bytes(&self) -> usize {
        prompt_bytes(&self.payload, self.note.as_deref())
    }

    /// What must stay byte for byte from one request to the next: the tools, then each message, notes left out.
    pub fn stable_pieces(&self) -> Vec<String> {
        std::iter::once(Value::Array(self.tools()))
            .chain(self.messages_with(None))
            .map(|piece| piece.to_string())
            .collect()
    }

    /// Structured tools, in native mode alone.
    fn tools(&self) -> Vec<Value> {
        match self.payload.mode {
            Mode::Native => self.payload.tools.iter().map(tool).collect(),
            Mode::Text | Mode::Constrained => Vec::new(),
        }
    }

    /// What the answer is bound to, in constrained mode alone.
    fn schema(&self) -> Option<Value> {
        (self.payload.mode == Mode::Constrained).then(|| plain::schema(&self.payload))
    }

    fn messages(&self) -> Vec<Value> {
        self.messages_with(full_note(&self.payload, self.note.as_deref()).as_deref())
    }

    fn messages_with(&self, note: Option<&str>) -> Vec<Value> {
        let message = match self.dialect.protocol {
            Protocol::OpenAi => openai::message,
            Protocol::Ollama => ollama::message,
        };
        let system = serde_json::json!({ "role": "system", "content": plain::system(&self.payload) });
        let all = match self.payload.mode {
            Mode::Native => Cow::Borrowed(&self.payload.messages),
            Mode::Text | Mode::Constrained => Cow::Owned(plain::messages(&self.payload)),
        };
        let last = all.len().saturating_sub(1);
        let messages =
            all.iter().enumerate().map(|(n, plain)| message(&noted(plain, note.filter(|_| n == last))));
        let is_own = matches!(all.last(), Some(Message::Assistant { .. }));
        let own = note.filter(|_| is_own).map(|note| message(&Message::User { text: note.to_owned() }));
        std::iter::once(system).chain(messages).chain(own).collect()
    }
}

/// The prompt as a template renders it, about.
pub(crate) fn prompt_bytes(payload: &Payload, note: Option<&str>) -> usize {
    fixed_bytes(payload) + payload.bytes() + full_note(payload, note).map_or(0, |note| note.len())
}

/// What stands at the end of one request alone: the note, and the places that can be chosen.
fn full_note<'a>(payload: &Payload, note: Option<&'a str>) -> Option<Cow<'a, str>> {
    match (note, plain::places(payload)) {
        (note, None) => note.map(Cow::Borrowed),
        (None, Some(places)) => Some(Cow::Owned(places)),
        (Some(note), Some(places)) => Some(Cow::Owned(format!("{note}\n\n{places}"))),
    }
}

/// What stands before the messages: system and tools.
pub(crate) fn fixed_bytes(payload: &Payload) -> usize {
    tools_bytes(payload) + plain::system(payload).len()
}

fn tools_bytes(payload: &Payload) -> usize {
    match payload.mode {
        Mode::Native => payload.tools.iter().map(tool_bytes).sum(),
        Mode::Text | Mode::Constrained => 0,
    }
}

/// A message with a one-off note after its text. Only a user's or a tool's can carry one.
fn noted(message: &Message, note: Option<&str>) -> Message {
    let mut message = message.clone();
    if let (Some(note), Message::User { text } | Message::Tool { text, .. }) = (note, &mut message) {
        text.push_str("\n\n");
        text.push_str(note);
    }
    message
}

/// What both protocols begin with.
fn head(request: &Request) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("model".to_owned(), request.dialect.model.as_str().into());
    fields.insert("messages".to_owned(), Value::Array(request.messages()));
    let tools = request.tools();
    if !tools.is_empty() {
        fields.insert("tools".to_owned(), Value::Array(tools));
    }
    let dialect = &request.dialect;
    dialect.thinking.say(dialect.thinking_field, &dialect.model, &mut fields);
    fields
}

/// The sampling values there are, under the names every local server knows.
fn sampling(sampling: Sampling) -> impl Iterator<Item = (String, Value)> {
    let values = [
        ("temperature", sampling.temperature.map(Value::from)),
        ("top_p", sampling.top_p.map(Value::from)),
        ("top_k", sampling.top_k.map(Value::from)),
        ("min_p", sampling.min_p.map(Value::from)),
    ];
    values.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)))
}

/// The model's own message: its thoughts go back in the field they came in.
fn assistant(
    text: &str,
    reasoning: Option<&(ReasoningField, String)>,
    calls: &[MessageCall],
    call: fn(&MessageCall) -> Value,
) -> Value {
    let mut fields = Map::new();
    fields.insert("role".to_owned(), "assistant".into());
    fields.insert("content".to_owned(), text.into());
    if let Some((field, thoughts)) = reasoning {
        fields.insert(field.name().to_owned(), thoughts.as_str().into());
    }
    if !calls.is_empty() {
        fields.insert("tool_calls".to_owned(), calls.iter().map(call).collect());
    }
    Value::Object(fields)
}

/// The length of a tool's form on the wire.
fn tool_bytes(spec: &ToolSpec) -> usize {
    /// What stands around its name, its words and its schema.
    const FRAME_BYTES: usize = 90;
    let mut counter = Counter(0);
    // A counter takes everything.
    let _ = serde_json::to_writer(&mut counter, &spec.parameters);
    counter.0 + spec.name.len() + spec.description.len() + FRAME_BYTES
}

struct Counter(usize);

impl std::io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn tool(spec: &ToolSpec) -> Value {
    serde_json::json!({
        "type": "function",
        "function": {
            "name": spec.name,
            "description": spec.description,
            "parameters": spec.parameters,
        }
    })
}
