//! A request in the form of OpenAI's chat completions.

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
        fields.insert("max_tokens".to_owned(), request.dialect.reserve.into());
        fields.insert("stream".to_owned(), true.into());
        fields.insert("stream_options".to_owned(), json!({ "include_usage": true }));
        if request.dialect.tells_progress {
            fields.insert("return_progress".to_owned(), true.into());
        }
    }
    body
}

pub(super) fn message(said: &Said) -> Value {
    match said {
        Said::User { text } => json!({ "role": "user", "content": text }),
        Said::Tool { call, text, .. } => json!({ "role": "tool", "tool_call_id": call, "content": text }),
        Said::Assistant { text, reasoning, calls } => {
            let mut fields = Map::new();
            fields.insert("role".to_owned(), "assistant".into());
            fields.insert("content".to_owned(), text.as_str().into());
            if let Some((field, thoughts)) = reasoning {
                fields.insert(field.name().to_owned(), thoughts.as_str().into());
            }
            if !calls.is_empty() {
                let calls = calls.iter().map(|call| {
                    json!({
                        "id": call.id,
                        "type": "function",
                        "function": { "name": call.tool, "arguments": call.text },
                    })
                });
                fields.insert("tool_calls".to_owned(), calls.collect());
            }
            Value::Object(fields)
        }
    }
}
