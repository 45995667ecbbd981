//! A reply as chat completions: server-sent events, or one JSON body.
//!
//! The form is llama.cpp's, which the others' differ from only by what they leave out. Every quirk a reply asks for is
//! rendered here and nowhere else.

use serde_json::{Map, Value, json};

use super::frame::{Frame, Plays, output_bytes};
use super::{CREATED_S, Play, count};
use crate::reply::{Call, Done, Field, Quirk, Step};

/// The answer as a stream of events.
pub(super) fn stream(frame: &Frame<'_>) -> Vec<Play> {
    let mut stream =
        Stream { frame, plays: Plays::new(frame.reply.wire), opened: false, calls: 0, output_bytes: 0 };
    for step in &frame.reply.steps {
        if stream.step(step) == Flow::Ended {
            return stream.plays.done();
        }
    }
    stream.close();
    stream.plays.done()
}

/// The answer as one body.
pub(super) fn whole(frame: &Frame<'_>) -> Value {
    let content = frame.reply.content();
    let mut message = Map::new();
    message.insert("role".to_owned(), json!("assistant"));
    message.insert("content".to_owned(), if content.is_empty() { Value::Null } else { json!(content) });
    for step in &frame.reply.steps {
        if let Step::Reasoning { pieces, field } = step {
            let name = field.unwrap_or(Field::ReasoningContent).name().to_owned();
            let before = message.get(&name).and_then(Value::as_str).unwrap_or_default().to_owned();
            message.insert(name, json!(before + &pieces.text));
        }
    }
    let calls: Vec<Value> =
        frame.reply.calls().zip(&frame.ids).map(|(call, id)| whole_call(call, id)).collect();
    if let Some(call) = frame.reply.calls().find(|call| call.quirks.contains(&Quirk::Legacy)) {
        message
            .insert("function_call".to_owned(), json!({"name": call.name, "arguments": call.arguments.text}));
    } else if !calls.is_empty() {
        message.insert("tool_calls".to_owned(), json!(calls));
    }
    let mut body = json!({
        "id": answer_id(frame),
        "object": "chat.completion",
        "created": CREATED_S,
        "model": frame.model,
        "choices": [{"index": 0, "message": message, "finish_reason": frame.finish()}],
    });
    if frame.reports_usage() {
        body["usage"] = usage(frame);
        if frame.profile.kind.is_llamacpp() {
            body["timings"] = frame.timings();
        }
    }
    body
}

fn whole_call(call: &Call, id: &str) -> Value {
    let mut value =
        json!({"type": "function", "function": {"name": call.name, "arguments": arguments(call)}});
    if !call.quirks.contains(&Quirk::NoId) {
        value["id"] = json!(id);
    }
    value
}

fn arguments(call: &Call) -> Value {
    if call.quirks.contains(&Quirk::Object)
        && let Ok(value) = serde_json::from_str::<Value>(&call.arguments.text)
    {
        return value;
    }
    json!(call.arguments.text)
}

fn usage(frame: &Frame<'_>) -> Value {
    let counts = frame.counts;
    json!({
        "prompt_tokens": counts.prompt,
        "completion_tokens": counts.output,
        "total_tokens": counts.prompt + counts.output,
        "prompt_tokens_details": {"cached_tokens": counts.cached},
    })
}

fn answer_id(frame: &Frame<'_>) -> String {
    format!("chatcmpl-{}", frame.number)
}

#[derive(PartialEq, Eq)]
enum Flow {
    Goes,
    Ended,
}

struct Stream<'a> {
    frame: &'a Frame<'a>,
    plays: Plays,
    opened: bool,
    calls: usize,
    output_bytes: usize,
}

impl Stream<'_> {
    fn step(&mut self, step: &Step) -> Flow {
        match step {
            Step::Text(pieces) => {
                self.open();
                for piece in pieces.split() {
                    self.output_bytes += piece.len();
                    self.delta(&json!({"content": piece}));
                }
            }
            Step::Reasoning { pieces, field } => {
                let name = field.unwrap_or(Field::ReasoningContent).name();
                self.open();
                for piece in pieces.split() {
                    self.output_bytes += piece.len();
                    self.delta(&json!({name: piece}));
                }
            }
            Step::Call(call) => {
                self.call(call);
                self.output_bytes += output_bytes(step);
            }
            Step::WaitMs(ms) => self.plays.push(Play::Wait(*ms)),
            Step::Ping => self.line(":"),
            Step::ProgressPercent(percent) => self.progress(*percent),
            Step::Raw(bytes) => self.plays.bytes(bytes.clone()),
            Step::Error(message) => {
                self.event(&json!({"error": {"code": 500, "message": message, "type": "server_error"}}));
                return Flow::Ended;
            }
            Step::End(end) => {
                self.plays.end(*end);
                return Flow::Ended;
            }
        }
        Flow::Goes
    }

    fn call(&mut self, call: &Call) {
        let has = |quirk| call.quirks.contains(&quirk);
        if has(Quirk::Legacy) {
            return self.legacy_call(call);
        }
        let index = if has(Quirk::SameIndex) { 0 } else { self.calls };
        let id = self.frame.ids.get(self.calls).cloned().unwrap_or_default();
        self.calls += 1;
        let later_is_odd = has(Quirk::EmptyLater) || has(Quirk::NullLater);
        let in_pieces = call.arguments.chars.is_some() || later_is_odd;
        let mut first = Map::new();
        if !has(Quirk::NoIndex) {
            first.insert("index".to_owned(), json!(index));
        }
        let mut later = first.clone();
        if !has(Quirk::NoId) {
            first.insert("id".to_owned(), json!(id));
        }
        first.insert("type".to_owned(), json!("function"));
        let start = if in_pieces { json!("") } else { arguments(call) };
        first.insert("function".to_owned(), json!({"name": call.name, "arguments": start}));
        self.delta(&json!({"tool_calls": [first]}));
        if !in_pieces {
            return;
        }
        let blank = if has(Quirk::NullLater) { Value::Null } else { json!("") };
        if later_is_odd {
            later.insert("id".to_owned(), blank.clone());
            later.insert("type".to_owned(), blank.clone());
        }
        for piece in call.arguments.split() {
            let function = if later_is_odd {
                json!({"name": blank, "arguments": piece})
            } else {
                json!({"arguments": piece})
            };
            later.insert("function".to_owned(), function);
            self.delta(&json!({"tool_calls": [later]}));
        }
    }

    fn legacy_call(&mut self, call: &Call) {
        self.calls += 1;
        if call.arguments.chars.is_none() {
            self.delta(&json!({"function_call": {"name": call.name, "arguments": call.arguments.text}}));
            return;
        }
        self.delta(&json!({"function_call": {"name": call.name, "arguments": ""}}));
        for piece in call.arguments.split() {
            self.delta(&json!({"function_call": {"arguments": piece}}));
        }
    }

    /// Told only to those who asked, as the real server does.
    fn progress(&mut self, percent: u8) {
        if !self.frame.asked.return_progress {
            return;
        }
        let counts = self.frame.counts;
        let new = counts.prompt.saturating_sub(counts.cached);
        let mut chunk = self.chunk(&json!({"role": "assistant", "content": null}), Value::Null);
        chunk["prompt_progress"] = json!({
            "total": counts.prompt,
            "cache": counts.cached,
            "processed": counts.cached + new * u64::from(percent) / 100,
            "time_ms": (self.frame.prompt_ms() * f64::from(percent) / 100.0) as u64,
        });
        self.event(&chunk);
    }

    fn delta(&mut self, delta: &Value) {
        self.open();
        let chunk = self.chunk(delta, Value::Null);
        self.event(&chunk);
    }

    /// The first chunk says who speaks.
    fn open(&mut self) {
        if self.opened || self.frame.reply.wire.minimal {
            return;
        }
        self.opened = true;
        let chunk = self.chunk(&json!({"role": "assistant", "content": null}), Value::Null);
        self.event(&chunk);
    }

    fn close(&mut self) {
        self.open();
        let frame = self.frame;
        let timings = frame.reports_usage() && frame.profile.kind.is_llamacpp();
        if let Some(reason) = frame.finish() {
            let mut chunk = self.chunk(&json!({}), json!(reason));
            if timings && !frame.asked.include_usage {
                chunk["timings"] = frame.timings();
            }
            self.event(&chunk);
        }
        if frame.reports_usage() && frame.asked.include_usage {
            let mut chunk = self.chunk(&json!({}), Value::Null);
            chunk["choices"] = json!([]);
            chunk["usage"] = usage(frame);
            if timings {
                chunk["timings"] = frame.timings();
            }
            self.event(&chunk);
        }
        if frame.reply.done == Done::Sent {
            self.data("[DONE]");
        }
    }

    fn chunk(&self, delta: &Value, finish: Value) -> Value {
        let frame = self.frame;
        if frame.reply.wire.minimal {
            let mut choice = json!({"delta": delta});
            if !finish.is_null() {
                choice["finish_reason"] = finish;
            }
            return json!({"choices": [choice]});
        }
        let mut chunk = json!({
            "id": answer_id(frame),
            "object": "chat.completion.chunk",
            "created": CREATED_S,
            "model": frame.model,
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        });
        if frame.reply.wire.usage_null {
            chunk["usage"] = Value::Null;
        } else if frame.reply.wire.usage_each {
            let mut counts = frame.counts;
            counts.output = count::tokens(self.output_bytes).min(counts.output);
            chunk["usage"] = json!({
                "prompt_tokens": counts.prompt,
                "completion_tokens": counts.output,
                "total_tokens": counts.prompt + counts.output,
            });
        }
        chunk
    }

    fn event(&mut self, value: &Value) {
        self.data(&value.to_string());
    }

    fn data(&mut self, text: &str) {
        let space = if self.frame.reply.wire.no_space { "" } else { " " };
        self.line(&format!("data:{space}{text}"));
    }

    fn line(&mut self, text: &str) {
        let end = if self.frame.reply.wire.crlf { "\r\n" } else { "\n" };
        self.plays.bytes(format!("{text}{end}{end}").into_bytes());
    }
}
