//! A request in Ollama's own protocol.
//!
//! Its OpenAI endpoint ignores `num_ctx` and `keep_alive` and drops the head of a long prompt with status 200; here the
//! window is asked for, and a prompt that does not fit is refused instead of cut.

use serde_json::{Map, Value, json};

use super::Request;
use crate::payload::Said;

pub(super) fn body(request: &Request) -> Value {
    let mut body = json!({
        "model": request.dialect.model,
        "messages": request.messages(),
    });
    if let Value::Object(fields) = &mut body {
        let tools = request.tools();
        if !tools.is_empty() {
            fields.insert("tools".to_owned(), Value::Array(tools));
        }
        fields.insert("stream".to_owned(), true.into());
        fields.insert("truncate".to_owned(), false.into());
        fields.insert("shift".to_owned(), false.into());
        fields.insert("keep_alive".to_owned(), "30m".into());
        let options = json!({ "num_ctx": request.dialect.window, "num_predict": request.dialect.reserve });
        fields.insert("options".to_owned(), options);
    }
    body
}

pub(super) fn message(said: &Said) -> Value {
    match said {
        Said::User { text } => json!({ "role": "user", "content": text }),
        Said::Tool { call, tool, text } => {
            json!({ "role": "tool", "tool_name": tool, "tool_call_id": call, "content": text })
        }
        Said::Assistant { text, reasoning, calls } => {
            let mut fields = Map::new();
            fields.insert("role".to_owned(), "assistant".into());
            fields.insert("content".to_owned(), text.as_str().into());
            if let Some((field, thoughts)) = reasoning {
                fields.insert(field.name().to_owned(), thoughts.as_str().into());
            }
            if !calls.is_empty() {
                let calls = calls.iter().map(|call| {
                    json!({ "id": call.id, "function": { "name": call.tool, "arguments": call.arguments } })
                });
                fields.insert("tool_calls".to_owned(), calls.collect());
            }
            Value::Object(fields)
        }
    }
}
