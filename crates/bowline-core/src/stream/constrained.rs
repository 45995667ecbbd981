//! Reads an answer in constrained mode, also while it streams in: one JSON object, `{"message": …}` or
//! `{"name": …, "arguments": …}`.
//!
//! A server that ignores the schema answers in prose: that is text like any other.

use serde_json::Value;

/// What the object says so far.
#[derive(Debug, PartialEq)]
pub(super) enum ConstrainedAnswer {
    Message(String),
    Call {
        name: String,
        /// Whole, or as far as it has come.
        arguments: String,
    },
    /// Too little has arrived to tell.
    Open,
    /// The answer is not such an object.
    Prose,
}

pub(super) fn read(text: &str) -> ConstrainedAnswer {
    let text = text.trim();
    if text.is_empty() {
        return ConstrainedAnswer::Open;
    }
    if !text.starts_with('{') {
        return ConstrainedAnswer::Prose;
    }
    match serde_json::from_str::<Value>(text) {
        Ok(value) => whole(&value),
        Err(_) => part(text),
    }
}

fn whole(value: &Value) -> ConstrainedAnswer {
    let word = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    match (word("name"), value.get("arguments"), word("message")) {
        (Some(name), Some(arguments), _) => {
            ConstrainedAnswer::Call { name, arguments: arguments.to_string() }
        }
        (None, None, Some(message)) => ConstrainedAnswer::Message(message),
        _ => ConstrainedAnswer::Prose,
    }
}

fn part(text: &str) -> ConstrainedAnswer {
    let after = |rest: &str, token: &str| rest.trim_start().strip_prefix(token).map(str::to_owned);
    let Some(inner) = after(text, "{") else { return ConstrainedAnswer::Prose };
    if let Some(value) = after(&inner, "\"message\"").and_then(|rest| after(&rest, ":")) {
        return after(&value, "\"")
            .map_or(ConstrainedAnswer::Open, |string| ConstrainedAnswer::Message(string_part(&string).0));
    }
    let name =
        after(&inner, "\"name\"").and_then(|rest| after(&rest, ":")).and_then(|rest| after(&rest, "\""));
    let Some((name, Some(rest))) = name.map(|name| string_part(&name)) else {
        return ConstrainedAnswer::Open;
    };
    let arguments = after(&rest, ",")
        .and_then(|rest| after(&rest, "\"arguments\""))
        .and_then(|rest| after(&rest, ":"))
        .unwrap_or_default();
    ConstrainedAnswer::Call { name, arguments: arguments.trim_start().to_owned() }
}

/// A JSON string behind its opening quote, decoded as far as it has come, and what follows its end.
fn string_part(text: &str) -> (String, Option<String>) {
    let mut is_escaped = false;
    let mut end = None;
    for (at, c) in text.char_indices() {
        match c {
            '"' if !is_escaped => {
                end = Some(at);
                break;
            }
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    let body = text.get(..end.unwrap_or(text.len())).unwrap_or_default();
    let rest = end.and_then(|end| text.get(end + 1..)).map(str::to_owned);
    (decoded(body), rest)
}

/// The inside of a JSON string; an escape that is cut off at its end is left out.
fn decoded(body: &str) -> String {
    /// A pair of `\uXXXX`, cut off before its last digit.
    const ESCAPE_CHARS_MAX: usize = 12;
    for dropped in 0..=ESCAPE_CHARS_MAX.min(body.len()) {
        let kept = body.get(..body.len() - dropped);
        let value = kept.and_then(|kept| serde_json::from_str::<String>(&format!("\"{kept}\"")).ok());
        if let Some(value) = value {
            return value;
        }
    }
    // No JSON string at all (a raw line break, say): better shown as it is than not.
    body.to_owned()
}
