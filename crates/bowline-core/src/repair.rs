//! Tool-call repair: a small model gets the form wrong while meaning the right thing.
//!
//! A call written into the text is lifted out first (`lift.rs`). Then, in this order: the arguments become JSON (`json.rs`), the tool gets the name it has (`name.rs`), the arguments the names
//! and types of its schema (`fields.rs`). What was mended is said in words, for the user to see.
//!
//! What always holds: a valid call is never changed; the text of an edit is never guessed, only its encoding is mended; no
//! input panics or takes more than linear time.

mod fields;
mod json;
mod lift;
mod name;

use serde_json::{Map, Value};

use crate::tools::{self, ToolSpec};

pub use lift::{Lifted, lift};

/// A call as it is run and replayed.
#[derive(Debug, Clone, PartialEq)]
pub struct Repaired {
    /// As the session's tools call it, or the model's own where none fits.
    pub tool: String,
    /// None where the text could not be made an object.
    pub arguments: Option<Value>,
    /// What was mended, in order.
    pub repairs: Vec<String>,
}

/// Mends a call as far as nothing has to be guessed.
pub fn repair(name: &str, text: &str, specs: &[ToolSpec]) -> Repaired {
    let mut repairs = Vec::new();
    let arguments = object(text, &mut repairs);
    let tool = match name::known(name, specs) {
        Some(tool) if tool != name => {
            repairs.push(format!("tool name {name} → {tool}"));
            tool
        }
        _ => name.to_owned(),
    };
    let arguments = arguments.map(|arguments| fit(&tool, arguments, specs, &mut repairs));
    Repaired { tool, arguments, repairs }
}

/// The one tool that takes arguments of these names, where a call has lost its own.
pub fn tool_of(text: &str, specs: &[ToolSpec]) -> Option<String> {
    let value: Value = serde_json::from_str(text).ok().or_else(|| json::mend(text))?;
    let given = value.as_object().filter(|given| !given.is_empty())?;
    let fits = |spec: &&ToolSpec| {
        let fields = spec.fields();
        let is_known = |name: &String| fields.iter().any(|field| field.name == *name);
        let is_given = |field: &tools::Field| given.contains_key(&field.name);
        given.keys().all(is_known) && fields.iter().filter(|field| field.is_required).all(is_given)
    };
    let mut fitting = specs.iter().filter(fits);
    let tool = fitting.next()?.name.clone();
    // One that fits two is neither.
    fitting.next().is_none().then_some(tool)
}

/// The arguments as an object.
fn object(text: &str, repairs: &mut Vec<String>) -> Option<Value> {
    if text.trim().is_empty() {
        return Some(Value::Object(Map::new()));
    }
    let value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(_) => {
            let value = json::mend(text)?;
            repairs.push("arguments were no JSON".to_owned());
            value
        }
    };
    let is_fit = |value: &Value| value.is_object() && json::is_shallow(value);
    let Value::String(inner) = value else { return Some(value).filter(is_fit) };
    let value: Value = serde_json::from_str(&inner).ok().or_else(|| json::mend(&inner)).filter(is_fit)?;
    repairs.push("arguments were encoded twice".to_owned());
    Some(value)
}

fn fit(tool: &str, arguments: Value, specs: &[ToolSpec], repairs: &mut Vec<String>) -> Value {
    let is_valid = |arguments: &Value| matches!(tools::parse(tool, arguments), Some(Ok(_)));
    let Some(spec) = specs.iter().find(|spec| spec.name == tool) else { return arguments };
    if is_valid(&arguments) {
        return arguments;
    }
    let mut mended = Vec::new();
    let fitted = fields::fit(spec, &arguments, &mut mended);
    // What does not help is not done: the model reads its own arguments in the rejection.
    if is_valid(&fitted) {
        repairs.append(&mut mended);
        return fitted;
    }
    arguments
}
