//! JSON that is plainly a call: an object with the name of a tool and an object of arguments, alone, in a list, one after
//! the other, in fences.

use serde_json::Value;

use super::{Found, STARTS_MAX};
use crate::repair::json::mend;

type Calls = Vec<(String, String)>;

const NAMES: [&str; 4] = ["name", "tool", "tool_name", "function_name"];
const ARGUMENTS: [&str; 5] = ["arguments", "parameters", "args", "input", "params"];

/// Calls in fences or bare at the end of the text, and where they begin.
pub(super) fn fenced_or_bare(text: &str) -> Option<Found> {
    fenced(text).or_else(|| bare(text))
}

/// One or several fences at the end, with nothing but blanks between.
fn fenced(text: &str) -> Option<Found> {
    let mut start = text.len();
    let mut blocks = Vec::new();
    while let Some(body) = text.get(..start)?.trim_end().strip_suffix("```") {
        let open = body.rfind("```")?;
        let inner = body.get(open + 3..)?;
        let inner = inner.split_once('\n').map_or(inner, |(_, lines)| lines);
        let Some(calls) = calls(inner) else { break };
        blocks.push(calls);
        start = open;
        if blocks.len() >= STARTS_MAX {
            break;
        }
    }
    blocks.reverse();
    let calls: Calls = blocks.into_iter().flatten().collect();
    (!calls.is_empty()).then_some((start, calls))
}

/// From the beginning of a line to the end of the text.
fn bare(text: &str) -> Option<Found> {
    let at_line_start = |(at, c): (usize, char)| {
        let before = text.get(..at)?.trim_end_matches([' ', '\t']);
        let is_start = matches!(c, '{' | '[') && (before.is_empty() || before.ends_with('\n'));
        is_start.then_some(at)
    };
    let starts = text.char_indices().filter_map(at_line_start).take(STARTS_MAX);
    starts.into_iter().find_map(|at| Some((at, calls(text.get(at..)?)?)))
}

/// The calls a JSON text consists of.
pub(super) fn calls(text: &str) -> Option<Calls> {
    let strict: Result<Vec<Value>, _> = serde_json::Deserializer::from_str(text).into_iter().collect();
    let values = match strict {
        Ok(values) => values,
        Err(_) => vec![mend(text)?],
    };
    let mut calls = Vec::new();
    for value in &values {
        match value {
            Value::Array(list) => {
                for value in list {
                    calls.push(call(value)?);
                }
            }
            value => calls.push(call(value)?),
        }
    }
    (!calls.is_empty()).then_some(calls)
}

/// An object that is plainly a call.
fn call(value: &Value) -> Option<(String, String)> {
    let fields = value.as_object()?;
    if let Some(inner) = fields.get("function").filter(|inner| inner.is_object()) {
        return call(inner);
    }
    let mut names = NAMES.iter().chain(["function", "action"].iter());
    let name = names.find_map(|key| fields.get(*key).and_then(Value::as_str))?;
    let arguments = ARGUMENTS.iter().find_map(|key| fields.get(*key));
    let arguments = match arguments {
        Some(Value::String(text)) => text.clone(),
        Some(object @ Value::Object(_)) => object.to_string(),
        // A tool without arguments.
        None if fields.len() == 1 => "{}".to_owned(),
        _ => return None,
    };
    Some((name.to_owned(), arguments))
}
