//! A request in Ollama's own protocol.
//!
//! Its OpenAI endpoint ignores `num_ctx` and `keep_alive` and drops the head of a long prompt with status 200; here the
//! window is asked for, and a prompt that does not fit is refused instead of cut.

use serde_json::{Map, Value, json};

use super::{Request, assistant, head, sampling};
use crate::payload::{Message, MessageCall};

pub(super) fn body(request: &Request) -> Value {
    let mut fields = head(request);
    fields.insert("stream".to_owned(), true.into());
    fields.insert("truncate".to_owned(), false.into());
    fields.insert("shift".to_owned(), false.into());
    fields.insert("keep_alive".to_owned(), "30m".into());
    if let Some(schema) = request.schema() {
        fields.insert("format".to_owned(), schema);
    }
    let mut options = Map::new();
    options.insert("num_ctx".to_owned(), request.dialect.window.into());
    options.insert("num_predict".to_owned(), request.dialect.reserve.into());
    options.extend(sampling(request.dialect.sampling));
    fields.insert("options".to_owned(), Value::Object(options));
    Value::Object(fields)
}

pub(super) fn message(message: &Message) -> Value {
    match message {
        Message::User { text } => json!({ "role": "user", "content": text }),
        Message::Tool { call, tool, text } => {
            json!({ "role": "tool", "tool_name": tool, "tool_call_id": call, "content": text })
        }
        Message::Assistant { text, reasoning, calls } => assistant(text, reasoning.as_ref(), calls, call),
    }
}

/// The arguments are an object.
fn call(call: &MessageCall) -> Value {
    json!({ "id": call.id, "function": { "name": call.tool, "arguments": call.arguments } })
}
