//! Arguments under other names and in other types than the schema has them, where the meaning is plain and nothing is
//! lost: `filePath` for `path`, `"10"` for 10, `"True"` for true, one value where a list is due, a JSON text where an
//! object is.
//!
//! The text of an edit is only renamed, never converted.

use serde_json::{Map, Value};

use super::name::folded;
use crate::tools::ToolSpec;

/// Folded names of other harnesses, by ours.
const ALIASES: [(&str, &[&str]); 11] = [
    (
        "path",
        &[
            "file",
            "filepath",
            "filename",
            "targetfile",
            "absolutepath",
            "relativepath",
            "dir",
            "directory",
            "folder",
            "dirpath",
            "relativeworkspacepath",
        ],
    ),
    ("old", &["oldstring", "oldstr", "oldtext", "search", "searchtext", "find", "original", "before"]),
    ("new", &["newstring", "newstr", "newtext", "replace", "replacement", "replacewith", "updated", "after"]),
    ("content", &["contents", "text", "filetext", "filecontent", "data", "body", "code"]),
    (
        "pattern",
        &["query", "regex", "regexp", "search", "searchpattern", "searchterm", "globpattern", "expression"],
    ),
    ("command", &["cmd", "script", "shellcommand", "bashcommand", "input", "code"]),
    ("start_line", &["start", "from", "linestart", "firstline", "startlineoneindexed", "beginline"]),
    ("end_line", &["end", "to", "lineend", "lastline", "endlineoneindexed", "endlineoneindexedinclusive"]),
    ("timeout_s", &["timeout", "timeoutseconds", "timeoutsec"]),
    ("glob", &["include", "filepattern", "includepattern", "fileglob"]),
    ("replace_all", &["all", "global", "replaceeverywhere"]),
];

const VERBATIM: [&str; 3] = ["old", "new", "content"];

/// The arguments as the schema has them, as far as that is plain.
pub(super) fn fit(spec: &ToolSpec, arguments: &Value, repairs: &mut Vec<String>) -> Value {
    let (Some(given), Some(due)) =
        (arguments.as_object(), spec.parameters.get("properties").and_then(Value::as_object))
    else {
        return arguments.clone();
    };
    let required: Vec<&str> = spec
        .parameters
        .get("required")
        .and_then(Value::as_array)
        .map_or_else(Vec::new, |names| names.iter().filter_map(Value::as_str).collect());
    let mut fitted = Map::new();
    for (key, value) in given {
        let name = if due.contains_key(key) { Some(key.as_str()) } else { renamed(key, due, given) };
        match name {
            None => repairs.push(format!("argument {key} ignored")),
            Some(name) if fitted.contains_key(name) => repairs.push(format!("argument {key} ignored")),
            Some(name) => {
                if name != key {
                    repairs.push(format!("argument {key} → {name}"));
                }
                if is_meant_absent(name, value, due.get(name), &required) {
                    repairs.push(format!("argument {name} left out"));
                    continue;
                }
                let value = coerced(name, value, due.get(name), repairs);
                fitted.insert(name.to_owned(), value);
            }
        }
    }
    Value::Object(fitted)
}

/// The one argument of the schema that `key` can only mean, and that is not given itself.
fn renamed<'a>(key: &str, due: &'a Map<String, Value>, given: &Map<String, Value>) -> Option<&'a str> {
    let key = folded(key);
    let is_free = |name: &&String| !given.contains_key(*name);
    let same = due.keys().filter(is_free).find(|name| folded(name) == key);
    let alias = || {
        let is_alias = |name: &&String| {
            ALIASES.iter().any(|(ours, aliases)| *ours == name.as_str() && aliases.contains(&key.as_str()))
        };
        due.keys().filter(is_free).find(is_alias)
    };
    same.or_else(alias).map(String::as_str)
}

/// A small model fills in every argument there is: yes or no for a text or a number it need not give, an empty list.
fn is_meant_absent(name: &str, value: &Value, schema: Option<&Value>, required: &[&str]) -> bool {
    let due = schema.and_then(|schema| schema.get("type")).and_then(Value::as_str).unwrap_or_default();
    let is_free = !required.contains(&name) && !VERBATIM.contains(&name);
    let is_empty = match value {
        Value::Bool(_) => due != "boolean",
        Value::Object(fields) => fields.is_empty() && due != "object",
        Value::Array(list) => list.is_empty() && due != "array",
        Value::String(text) => text.trim().is_empty() && due != "string",
        _ => false,
    };
    is_free && is_empty
}

fn coerced(name: &str, value: &Value, schema: Option<&Value>, repairs: &mut Vec<String>) -> Value {
    let due = schema.and_then(|schema| schema.get("type")).and_then(Value::as_str).unwrap_or_default();
    let better = if VERBATIM.contains(&name) { None } else { convert(value, due) };
    match better {
        Some(better) => {
            repairs.push(format!("argument {name} made {due}"));
            better
        }
        None => value.clone(),
    }
}

/// The value in the type that is due, where nothing is lost.
fn convert(value: &Value, due: &str) -> Option<Value> {
    match (due, value) {
        ("integer", Value::String(text)) => text.trim().parse::<i64>().ok().map(Value::from),
        ("integer", Value::Number(number)) => {
            let float = number.as_f64().filter(|_| !number.is_i64())?;
            let is_whole = float.fract() == 0.0 && float.abs() < 1e15;
            is_whole.then(|| Value::from(float as i64))
        }
        ("boolean", Value::String(text)) => match text.trim().to_lowercase().as_str() {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        ("string", Value::Number(number)) => Some(Value::String(number.to_string())),
        ("string", Value::Array(list)) => match list.as_slice() {
            [Value::String(only)] => Some(Value::String(only.clone())),
            _ => None,
        },
        ("array", Value::String(text)) => serde_json::from_str(text).ok().filter(Value::is_array),
        ("array", Value::Object(_)) => Some(Value::Array(vec![value.clone()])),
        ("object", Value::String(text)) => serde_json::from_str(text).ok().filter(Value::is_object),
        _ => None,
    }
}
