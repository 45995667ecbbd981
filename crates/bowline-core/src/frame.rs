//! The wire form: an entry as a client gets it, one JSON object with the entry's `seq`; and the few frames that are not
//! stored.
//!
//! Every entry is a frame. The first entry's prompt and schemas are left out of its frame, and so are the places and the
//! prompt of a step, what the model reads of a check, what it takes to rewind a change, and all of a restore or a rewind that is only
//! announced.

use serde_json::{Map, Value, json};

use crate::entry::{Body, Entry};

/// The version of every frame.
pub const FRAME_VERSION: i64 = 1;

/// The frame of an entry.
pub fn frame(entry: &Entry) -> Value {
    let mut fields = Map::new();
    fields.insert("v".to_owned(), FRAME_VERSION.into());
    fields.insert("seq".to_owned(), entry.seq.into());
    fields.insert("session".to_owned(), entry.session.as_str().into());
    fields.insert("turn".to_owned(), entry.turn.clone().into());
    fields.insert("at_ms".to_owned(), entry.at_ms.into());
    fields.insert("type".to_owned(), entry.body.kind().into());
    if matches!(entry.body, Body::Restoring(_) | Body::Rewinding(_)) {
        return Value::Object(fields);
    }
    if let Value::Object(mut body) = entry.body.to_json() {
        if matches!(entry.body, Body::SessionStarted(_)) {
            body.shift_remove("prompt");
            body.shift_remove("tools");
            body.shift_remove("shown");
        }
        // What the model is offered or asked is for the model: like the tools, it is no news to a client.
        if matches!(entry.body, Body::StepStarted(_)) {
            body.shift_remove("offered");
            body.shift_remove("choice");
            body.shift_remove("prompt");
        }
        if matches!(entry.body, Body::Checked(_)) {
            body.shift_remove("words");
            body.shift_remove("report");
            body.shift_remove("excerpt");
        }
        let edits = match &entry.body {
            Body::Change(_) => body.get_mut("changes"),
            _ => body.get_mut("item").and_then(|item| item.pointer_mut("/result/edits")),
        };
        for edit in edits.and_then(Value::as_array_mut).into_iter().flatten() {
            edit.as_object_mut().and_then(|edit| edit.shift_remove("patch"));
        }
        fields.extend(body);
    }
    Value::Object(fields)
}

/// What is waited for: told, not stored, not replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    pub cause: WaitCause,
    pub percent: Option<i64>,
    pub since_ms: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitCause {
    /// The server loads the model.
    Load,
    /// Another session is being served.
    Slot,
    /// It reads the prompt.
    Prompt,
    /// It failed, and is asked again.
    Retry,
}

impl Waiting {
    /// The frame, which has no `seq`.
    pub fn frame(&self, session: &str, turn: &str, at_ms: i64) -> Value {
        let cause = match self.cause {
            WaitCause::Load => "load",
            WaitCause::Slot => "slot",
            WaitCause::Prompt => "prompt",
            WaitCause::Retry => "retry",
        };
        let mut frame = json!({
            "v": FRAME_VERSION,
            "session": session,
            "turn": turn,
            "at_ms": at_ms,
            "type": "waiting",
            "for": cause,
            "since_ms": self.since_ms,
        });
        if let (Some(percent), Value::Object(fields)) = (self.percent, &mut frame) {
            fields.insert("percent".to_owned(), percent.into());
        }
        frame
    }
}
