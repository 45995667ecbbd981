//! A reply in Ollama's own protocol: a JSON object a line, or one body.
//!
//! A call comes whole, its arguments an object, when it is complete; the last line has the counts and the times in
//! nanoseconds. Arguments that are no object can't be sent at all: there the real server gives up with an error.

use serde_json::{Map, Value, json};

use super::frame::{Frame, Plays};
use super::{CREATED_AT, Play};
use crate::reply::{Call, Done, Field, Quirk, Step};

const LOAD_NS: u64 = 21_000_000;

/// The answer as lines.
pub(super) fn stream(frame: &Frame<'_>) -> Vec<Play> {
    let mut plays = Plays::new(frame.reply.wire);
    let mut calls = 0;
    for step in &frame.reply.steps {
        match step {
            Step::Text(pieces) => {
                for piece in pieces.split() {
                    line(&mut plays, frame, &chunk(frame, &json!({"role": "assistant", "content": piece})));
                }
            }
            Step::Reasoning { pieces, field } => {
                let name = field.unwrap_or(Field::Thinking).name();
                for piece in pieces.split() {
                    let message = json!({"role": "assistant", "content": "", name: piece});
                    line(&mut plays, frame, &chunk(frame, &message));
                }
            }
            Step::Call(call) => {
                let id = frame.ids.get(calls).cloned().unwrap_or_default();
                let Some(value) = tool_call(call, &id, calls) else {
                    line(&mut plays, frame, &json!({"error": unparsed(call)}));
                    return plays.done();
                };
                calls += 1;
                let message = json!({"role": "assistant", "content": "", "tool_calls": [value]});
                line(&mut plays, frame, &chunk(frame, &message));
            }
            Step::WaitMs(ms) => plays.push(Play::Wait(*ms)),
            Step::Ping => plays.bytes(end_of_line(frame).as_bytes().to_vec()),
            Step::ProgressPercent(_) => {}
            Step::Raw(bytes) => plays.bytes(bytes.clone()),
            Step::Error(message) => {
                line(&mut plays, frame, &json!({"error": message}));
                return plays.done();
            }
            Step::End(end) => {
                plays.end(*end);
                return plays.done();
            }
        }
    }
    if frame.reply.done == Done::Sent {
        line(&mut plays, frame, &last(frame, &json!({"role": "assistant", "content": ""})));
    }
    plays.done()
}

/// The answer as one body; `Err` holds the error that takes its place.
pub(super) fn whole(frame: &Frame<'_>) -> Result<Value, Value> {
    let mut message = Map::new();
    message.insert("role".to_owned(), json!("assistant"));
    message.insert("content".to_owned(), json!(frame.reply.content()));
    let mut calls = Vec::new();
    for step in &frame.reply.steps {
        match step {
            Step::Reasoning { pieces, field } => {
                let name = field.unwrap_or(Field::Thinking).name().to_owned();
                let before = message.get(&name).and_then(Value::as_str).unwrap_or_default().to_owned();
                message.insert(name, json!(before + &pieces.text));
            }
            Step::Call(call) => {
                let id = frame.ids.get(calls.len()).cloned().unwrap_or_default();
                let value =
                    tool_call(call, &id, calls.len()).ok_or_else(|| json!({"error": unparsed(call)}))?;
                calls.push(value);
            }
            _ => {}
        }
    }
    if !calls.is_empty() {
        message.insert("tool_calls".to_owned(), json!(calls));
    }
    Ok(last(frame, &Value::Object(message)))
}

fn chunk(frame: &Frame<'_>, message: &Value) -> Value {
    if frame.reply.wire.minimal {
        return json!({"message": message});
    }
    json!({"model": frame.model, "created_at": CREATED_AT, "message": message, "done": false})
}

fn last(frame: &Frame<'_>, message: &Value) -> Value {
    let mut value = json!({"model": frame.model, "created_at": CREATED_AT, "message": message, "done": true});
    match frame.finish() {
        // Ollama has no word of its own for an answer that ends with calls.
        Some("tool_calls") => value["done_reason"] = json!("stop"),
        Some(reason) => value["done_reason"] = json!(reason),
        None => {}
    }
    if frame.reports_usage() {
        let prompt_ns = (frame.prompt_ms() * 1e6) as u64;
        let output_ns = (frame.output_ms() * 1e6) as u64;
        value["total_duration"] = json!(LOAD_NS + prompt_ns + output_ns);
        value["load_duration"] = json!(LOAD_NS);
        value["prompt_eval_count"] = json!(frame.counts.prompt);
        value["prompt_eval_duration"] = json!(prompt_ns);
        value["eval_count"] = json!(frame.counts.output);
        value["eval_duration"] = json!(output_ns);
    }
    value
}

fn tool_call(call: &Call, id: &str, at: usize) -> Option<Value> {
    let arguments: Value = serde_json::from_str(&call.arguments.text).ok()?;
    let has = |quirk| call.quirks.contains(&quirk);
    let mut function = Map::new();
    if !has(Quirk::NoIndex) {
        function.insert("index".to_owned(), json!(if has(Quirk::SameIndex) { 0 } else { at }));
    }
    function.insert("name".to_owned(), json!(call.name));
    function.insert("arguments".to_owned(), arguments.is_object().then_some(arguments)?);
    let mut value = Map::new();
    if !has(Quirk::NoId) {
        value.insert("id".to_owned(), json!(id));
    }
    value.insert("function".to_owned(), Value::Object(function));
    Some(Value::Object(value))
}

fn unparsed(call: &Call) -> String {
    format!("error parsing tool call: raw='{}', err=the arguments are not a JSON object", call.arguments.text)
}

fn line(plays: &mut Plays, frame: &Frame<'_>, value: &Value) {
    plays.bytes(format!("{value}{}", end_of_line(frame)).into_bytes());
}

fn end_of_line(frame: &Frame<'_>) -> &'static str {
    if frame.reply.wire.crlf { "\r\n" } else { "\n" }
}
