//! A request in the form of OpenAI's chat completions.

use serde_json::{Value, json};

use super::{Request, assistant, head, sampling};
use crate::payload::{Message, MessageCall};

pub(super) fn body(request: &Request) -> Value {
    let mut fields = head(request);
    fields.insert("max_tokens".to_owned(), request.dialect.reserve.into());
    fields.insert("stream".to_owned(), true.into());
    fields.insert("stream_options".to_owned(), json!({ "include_usage": true }));
    fields.extend(sampling(request.dialect.sampling));
    if let Some(slot) = request.dialect.slot {
        fields.insert("id_slot".to_owned(), slot.into());
    }
    if let Some(schema) = request.schema() {
        let named = json!({ "name": "answer", "strict": true, "schema": schema });
        fields.insert("response_format".to_owned(), json!({ "type": "json_schema", "json_schema": named }));
    }
    if request.dialect.tells_progress {
        fields.insert("return_progress".to_owned(), true.into());
    }
    Value::Object(fields)
}

pub(super) fn message(message: &Message) -> Value {
    match message {
        Message::User { text } => json!({ "role": "user", "content": text }),
        Message::Tool { call, text, .. } => json!({ "role": "tool", "tool_call_id": call, "content": text }),
        Message::Assistant { text, reasoning, calls } => assistant(text, reasoning.as_ref(), calls, call),
    }
}

/// The arguments are a string that holds JSON.
fn call(call: &MessageCall) -> Value {
    let function = json!({ "name": call.tool, "arguments": call.text });
    json!({ "id": call.id, "type": "function", "function": function })
}
