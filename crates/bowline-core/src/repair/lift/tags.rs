//! Calls in the tags of model families: Qwen's and Hermes' `<tool_call>`, Qwen-Coder's `<function=…>`, Mistral's
//! `[TOOL_CALLS]`, the harmony channels of gpt-oss.

use serde_json::{Map, Value};

use super::json;
use super::{Found, starts};

type Calls = Vec<(String, String)>;

const TOOL_CALL: &str = "<tool_call>";
const TOOL_CALL_END: &str = "</tool_call>";
const FUNCTION: &str = "<function=";
const FUNCTION_END: &str = "</function>";
const PARAMETER: &str = "<parameter=";
const PARAMETER_END: &str = "</parameter>";
const MISTRAL: &str = "[TOOL_CALLS]";

/// `<tool_call>…</tool_call>`, one after the other; the last may lack its end.
pub(super) fn tool_calls(text: &str) -> Option<Found> {
    starts(text, TOOL_CALL).find_map(|at| Some((at, blocks(text.get(at..)?)?)))
}

fn blocks(mut rest: &str) -> Option<Calls> {
    let mut calls = Vec::new();
    while !rest.trim().is_empty() {
        let inner = rest.trim_start().strip_prefix(TOOL_CALL)?;
        let (inner, after) = inner.split_once(TOOL_CALL_END).unwrap_or((inner, ""));
        let inner = inner.trim();
        let mut found = if inner.starts_with(FUNCTION) { function_list(inner)? } else { json::calls(inner)? };
        calls.append(&mut found);
        rest = after;
    }
    Some(calls)
}

/// `<function=NAME><parameter=KEY>VALUE</parameter></function>`, one after the other.
pub(super) fn functions(text: &str) -> Option<Found> {
    // Some templates open `<tool_call>` in the prompt, so that only its end is in the answer.
    let body = text.strip_suffix(TOOL_CALL_END).unwrap_or(text).trim_end();
    starts(body, FUNCTION).find_map(|at| Some((at, function_list(body.get(at..)?)?)))
}

fn function_list(mut rest: &str) -> Option<Calls> {
    let mut calls = Vec::new();
    while !rest.trim().is_empty() {
        let inner = rest.trim_start().strip_prefix(FUNCTION)?;
        let (name, inner) = inner.split_once('>')?;
        // A value may hold anything, also the tag's end: the call ends behind its last parameter.
        let (fields, after) = parameters(inner)?;
        calls.push((name.trim().to_owned(), Value::Object(fields).to_string()));
        rest = after;
    }
    (!calls.is_empty()).then_some(calls)
}

fn parameters(mut rest: &str) -> Option<(Map<String, Value>, &str)> {
    let mut fields = Map::new();
    loop {
        let next = rest.trim_start();
        if let Some(after) = next.strip_prefix(FUNCTION_END) {
            return Some((fields, after));
        }
        let inner = next.strip_prefix(PARAMETER)?;
        let (key, inner) = inner.split_once('>')?;
        let (value, after) = inner.split_once(PARAMETER_END)?;
        // The template puts a line break after the tag and before its end.
        let value = value.strip_prefix('\n').unwrap_or(value);
        let value = value.strip_suffix('\n').unwrap_or(value);
        fields.insert(key.trim().to_owned(), Value::String(value.to_owned()));
        rest = after;
    }
}

/// `[TOOL_CALLS][{…}]`, or `[TOOL_CALLS]name[ARGS]{…}`.
pub(super) fn mistral(text: &str) -> Option<Found> {
    let at = text.find(MISTRAL)?;
    let mut calls = Vec::new();
    for part in text.get(at + MISTRAL.len()..)?.split(MISTRAL) {
        let part = part.trim();
        match json::calls(part) {
            Some(mut found) => calls.append(&mut found),
            None => {
                let (name, arguments) = part.split_at_checked(part.find(['{', '['])?)?;
                let arguments = arguments.strip_prefix("[ARGS]").unwrap_or(arguments);
                serde_json::from_str::<Map<String, Value>>(arguments).ok()?;
                calls.push((name.trim().to_owned(), arguments.to_owned()));
            }
        }
    }
    Some((at, calls))
}

/// `<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{…}<|call|>`.
pub(super) fn harmony(text: &str) -> Option<Found> {
    const TO: &str = "to=functions.";
    const MESSAGE: &str = "<|message|>";
    let to = text.rfind(TO)?;
    let rest = text.get(to + TO.len()..)?;
    let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let (_, arguments) = rest.split_once(MESSAGE)?;
    let arguments = arguments.trim().trim_end_matches("<|call|>").trim_end();
    serde_json::from_str::<Map<String, Value>>(arguments).ok()?;
    let head = text.get(..to)?;
    let start = ["<|start|>assistant", "<|channel|>"].iter().filter_map(|mark| head.rfind(mark)).min();
    Some((start.unwrap_or(to), vec![(name, arguments.to_owned())]))
}
