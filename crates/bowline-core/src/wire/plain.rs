//! A conversation without structured calls, for text and constrained mode: only system, user and assistant.
//!
//! The tools stand in the system prompt, one line each (115 prompt tokens for five tools, against 430 as schemas). A call is
//! part of the assistant's text, in the form it is asked for; the results of a step are one message of the user's.

use std::borrow::Cow;

use serde_json::{Value, json};

use crate::mode::Mode;
use crate::payload::{Message, MessageCall, Offer, Payload};
use crate::prompts;
use crate::tools::{self, ToolSpec};

/// The system message of this mode.
pub(super) fn system(payload: &Payload) -> Cow<'_, str> {
    let words = match payload.mode {
        Mode::Native => return Cow::Borrowed(&payload.system),
        Mode::Text => prompts::TEXT,
        Mode::Constrained => prompts::CONSTRAINED,
    };
    let lines: Vec<String> = payload.offered_tools().iter().map(line).collect();
    let tools = words.trim().replace("{tools}", &lines.join("\n"));
    let system = match (payload.mode, payload.system.strip_prefix(prompts::DEFAULT.trim())) {
        // It has words of its own: shorter, and about the tools that this mode has.
        (Mode::Constrained, Some(rest)) => format!("{tools}{rest}"),
        _ => format!("{}\n\n{tools}", payload.system),
    };
    Cow::Owned(system)
}

/// `- grep {pattern, path?, glob?, context?: integer}: Search the text of files with a regular expression.`
fn line(spec: &ToolSpec) -> String {
    let sentence = spec.description.split_inclusive(". ").next().unwrap_or_default().trim();
    format!("- {}: {sentence}", spec.brief())
}

/// The messages of this mode.
pub(super) fn messages(payload: &Payload) -> Vec<Message> {
    let mut plain: Vec<Message> = Vec::new();
    let mut is_after_result = false;
    for message in &payload.messages {
        let is_result = matches!(message, Message::Tool { .. });
        match message {
            Message::Tool { tool, text, .. } => {
                let result = format!("Result of {tool}:\n{text}");
                match plain.last_mut() {
                    Some(Message::User { text }) if is_after_result => {
                        text.push_str("\n\n");
                        text.push_str(&result);
                    }
                    _ => plain.push(Message::User { text: result }),
                }
            }
            Message::Assistant { text, reasoning, calls } => plain.push(Message::Assistant {
                text: spoken(payload.mode, text, calls),
                reasoning: reasoning.clone(),
                calls: Vec::new(),
            }),
            user @ Message::User { .. } => plain.push(user.clone()),
        }
        is_after_result = is_result;
    }
    plain
}

/// What the model said, in the form it is asked for.
fn spoken(mode: Mode, text: &str, calls: &[MessageCall]) -> String {
    let object = |call: &MessageCall| json!({ "name": call.tool, "arguments": call.arguments }).to_string();
    match (mode, calls) {
        (Mode::Constrained, []) => json!({ "message": text }).to_string(),
        (Mode::Constrained, calls) => calls.iter().map(object).collect::<Vec<_>>().join("\n"),
        (_, calls) => {
            let fence = |call: &MessageCall| format!("```json\n{}\n```", object(call));
            let text = Some(text.to_owned()).filter(|text| !text.is_empty());
            text.into_iter().chain(calls.iter().map(fence)).collect::<Vec<_>>().join("\n\n")
        }
    }
}

/// The places that can be chosen in this request, as a list.
pub(super) fn places(payload: &Payload) -> Option<String> {
    let places = payload.offer.places();
    let is_choice = payload.mode == Mode::Constrained && !places.is_empty();
    is_choice.then(|| {
        let lines: Vec<String> =
            places.iter().map(|offered| format!("- {}", offered.place.label())).collect();
        prompts::PLACES.trim().replace("{places}", &lines.join("\n"))
    })
}

/// What an answer in constrained mode must look like: a message or one call, as far as they make sense now.
pub(super) fn schema(payload: &Payload) -> Value {
    let offer = &payload.offer;
    let tools = payload.offered_tools();
    let offered = tools.iter().filter(|spec| offer.has(&spec.name));
    let mut forms: Vec<Value> = offered.flat_map(|spec| call_schemas(spec, offer)).collect();
    if offer.can_answer() || forms.is_empty() {
        forms.push(object(&[("message", json!({ "type": "string" }))], &["message"]));
    }
    json!({ "anyOf": forms })
}

/// The forms a call of this tool can have: one, except for a choice of places.
fn call_schemas(spec: &ToolSpec, offer: &Offer) -> Vec<Value> {
    let call = |arguments: Value| {
        let name = json!({ "const": spec.name });
        object(&[("name", name), ("arguments", arguments)], &["name", "arguments"])
    };
    if spec.name == tools::CHANGE {
        return tools::change_forms(offer.places()).into_iter().map(call).collect();
    }
    let fields = spec.fields();
    let properties: Vec<(&str, Value)> =
        fields.iter().map(|field| (field.name.as_str(), field.schema.clone())).collect();
    let required: Vec<&str> =
        fields.iter().filter(|field| field.is_required).map(|field| field.name.as_str()).collect();
    vec![call(object(&properties, &required))]
}

fn object(properties: &[(&str, Value)], required: &[&str]) -> Value {
    let properties: serde_json::Map<String, Value> =
        properties.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}
