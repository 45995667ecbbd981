//! The one decoder: JSON values of either protocol into deltas.
//!
//! It looks for what is there and ignores the rest, since no two servers send the same: a delta without an index,
//! arguments as an object, a whole message in a stream, an error with status 200. It never fails: what it can't read is
//! a [`Delta::Error`].

use serde_json::Value;

use super::lines::{Line, Lines};
use super::pieces::{CallPiece, Delta, Finish};
use crate::entry::Usage;
use crate::item::ReasoningField;
use crate::limits::WIRE_NUMBER_MAX;

#[derive(Debug, Default)]
pub struct Decoder {
    lines: Lines,
    ended: bool,
}

impl Decoder {
    pub fn new() -> Decoder {
        Decoder::default()
    }

    /// The next bytes of the body.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Delta> {
        let lines = self.lines.push(bytes);
        self.deltas(lines)
    }

    /// The body has ended.
    pub fn finish(&mut self) -> Vec<Delta> {
        let lines = self.lines.finish();
        self.deltas(lines)
    }

    /// Whether the server said that it is done: a connection lost from here on loses nothing, and a body that ends without
    /// it was cut.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    fn deltas(&mut self, lines: Vec<Line>) -> Vec<Delta> {
        let mut deltas = Vec::new();
        for line in lines {
            match line {
                Line::Alive => deltas.push(Delta::Alive),
                Line::Done => self.ended = true,
                Line::Unreadable(text) => deltas.push(Delta::Error(not_json(&text))),
                Line::Json(value) => self.value(&value, &mut deltas),
            }
        }
        deltas
    }

    fn value(&mut self, value: &Value, deltas: &mut Vec<Delta>) {
        if let Some(error) = value.get("error").filter(|error| !error.is_null()) {
            deltas.push(Delta::Error(error_text(error)));
            return;
        }
        let before = deltas.len();
        if let Some(percent) = progress(value) {
            deltas.push(Delta::Progress { percent });
        }
        if let Some(message) = value.get("message") {
            say(message, deltas);
        }
        if value.get("done").and_then(Value::as_bool) == Some(true) {
            self.ended = true;
            deltas.push(Delta::Finish(finish(value.get("done_reason"))));
            deltas.push(Delta::Usage(ollama_usage(value)));
        }
        for choice in value.get("choices").and_then(Value::as_array).into_iter().flatten() {
            for message in [choice.get("delta"), choice.get("message")].into_iter().flatten() {
                say(message, deltas);
            }
            // A whole message in place of a stream is its own end.
            self.ended |= choice.get("message").is_some();
            if choice.get("finish_reason").is_some_and(Value::is_string) {
                self.ended = true;
                deltas.push(Delta::Finish(finish(choice.get("finish_reason"))));
            }
        }
        if let Some(usage) = openai_usage(value) {
            deltas.push(Delta::Usage(usage));
        }
        if deltas.len() == before {
            deltas.push(Delta::Alive);
        }
    }
}

/// A message or a delta of one: reasoning first, then text, then calls.
fn say(message: &Value, deltas: &mut Vec<Delta>) {
    for field in [ReasoningField::ReasoningContent, ReasoningField::Reasoning, ReasoningField::Thinking] {
        if let Some(text) = text(message.get(field.name())) {
            deltas.push(Delta::Reasoning { field, text });
            // Some gateways repeat the same thoughts in a second field.
            break;
        }
    }
    if let Some(text) = text(message.get("content")) {
        deltas.push(Delta::Text(text));
    }
    for call in message.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
        let function = call.get("function").unwrap_or(call);
        deltas.push(Delta::Call(piece(call, function)));
    }
    if let Some(function) = message.get("function_call").filter(|call| call.is_object()) {
        deltas.push(Delta::Call(CallPiece { index: Some(0), ..piece(&Value::Null, function) }));
    }
}

fn piece(call: &Value, function: &Value) -> CallPiece {
    CallPiece {
        index: call.get("index").or_else(|| function.get("index")).and_then(Value::as_i64),
        id: text(call.get("id")),
        name: text(function.get("name")),
        arguments: match function.get("arguments") {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        },
    }
}

/// A non-empty string; content in parts is joined.
fn text(value: Option<&Value>) -> Option<String> {
    let text = match value? {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str)).collect()
        }
        _ => return None,
    };
    Some(text).filter(|text| !text.is_empty())
}

fn finish(reason: Option<&Value>) -> Finish {
    match reason.and_then(Value::as_str) {
        Some("length" | "max_tokens") => Finish::Length,
        _ => Finish::Ended,
    }
}

/// A count or a time, from 0 up to a bound: a server may say anything.
fn number(value: Option<&Value>) -> i64 {
    scaled(value, 1.0)
}

fn scaled(value: Option<&Value>, units: f64) -> i64 {
    let float = value.and_then(Value::as_f64).unwrap_or(0.0) / units;
    float.clamp(0.0, WIRE_NUMBER_MAX) as i64
}

fn openai_usage(value: &Value) -> Option<Usage> {
    let usage = value.get("usage").filter(|usage| usage.is_object());
    let timings = value.get("timings").filter(|timings| timings.is_object());
    if usage.is_none() && timings.is_none() {
        return None;
    }
    let mut told = Usage::default();
    if let Some(usage) = usage {
        let cached = usage.get("prompt_tokens_details").and_then(|details| details.get("cached_tokens"));
        told.prompt_cached = number(cached);
        told.prompt_new = (number(usage.get("prompt_tokens")) - told.prompt_cached).max(0);
        told.output = number(usage.get("completion_tokens"));
    }
    if let Some(timings) = timings {
        if usage.is_none() || timings.get("cache_n").is_some() {
            told.prompt_cached = number(timings.get("cache_n"));
            told.prompt_new = number(timings.get("prompt_n"));
        }
        told.output = told.output.max(number(timings.get("predicted_n")));
        told.prefill_ms = number(timings.get("prompt_ms"));
        told.decode_ms = number(timings.get("predicted_ms"));
    }
    Some(told)
}

fn ollama_usage(value: &Value) -> Usage {
    const NS_PER_MS: f64 = 1_000_000.0;
    let ms = |name: &str| scaled(value.get(name), NS_PER_MS);
    Usage {
        prompt_new: number(value.get("prompt_eval_count")),
        prompt_cached: 0,
        output: number(value.get("eval_count")),
        load_ms: ms("load_duration"),
        prefill_ms: ms("prompt_eval_duration"),
        decode_ms: ms("eval_duration"),
    }
}

fn progress(value: &Value) -> Option<i64> {
    let progress = value.get("prompt_progress")?;
    let total = number(progress.get("total")).max(1);
    Some((number(progress.get("processed")) * 100 / total).clamp(0, 100))
}

/// The words of an error, wherever the server put them.
pub(crate) fn error_text(error: &Value) -> String {
    match error {
        Value::String(text) => text.clone(),
        other => {
            other.get("message").and_then(Value::as_str).map_or_else(|| other.to_string(), str::to_owned)
        }
    }
}

fn not_json(text: &str) -> String {
    let start: String = text.trim().chars().take(80).collect();
    format!("the server sent what is neither events nor JSON: {start}")
}
