//! Tool-call repair: a small model gets the form wrong while meaning the right thing.
//!
//! A call written into the text is lifted out first (`lift.rs`). Then, in this order: the arguments become JSON (`json.rs`),
//! the tool gets the name it has here (`name.rs`), and the arguments get the names and types of its schema (`fields.rs`; what
//! other harnesses call them: `dialect.rs`; how they count: `translate.rs`; lists of edits: `edits.rs`). Every repair is put into
//! words for the user; what was ignored is also told to the model.
//!
//! What always holds: a valid call without unknown names is never changed; the text of an edit is never guessed, only its
//! encoding is repaired; no input panics or takes more than linear time.

mod dialect;
mod edits;
mod fields;
mod json;
mod lift;
mod name;
mod report;
mod translate;

use serde_json::{Map, Value};

use crate::tools::parse::parse_fields;
use crate::tools::{self, ToolSpec};

pub use lift::{Lifted, lift};

/// A call as it is run and replayed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Repaired {
    /// As the session's tools call it, or the model's own where none fits.
    pub tool: String,
    /// None where the text could not be made an object.
    pub arguments: Option<Value>,
    /// What was repaired, in order, for the user.
    pub repairs: Vec<String>,
    /// What the model is told after the result: which of its arguments were ignored.
    pub note: Option<String>,
    /// Why the call must not run although it parses: it asks for something the tool does not do, and leaving that out
    /// would do something else.
    pub refused: Option<String>,
}

/// Repairs a call as far as nothing has to be guessed.
pub fn repair(name: &str, text: &str, specs: &[ToolSpec]) -> Repaired {
    let mut repaired = Repaired::default();
    let arguments = object(text, &mut repaired.repairs);
    let (tool, arguments) = named(name, arguments, specs, &mut repaired.repairs);
    repaired.tool = tool;
    if let Some(arguments) = arguments {
        fit(arguments, specs, &mut repaired);
    }
    repaired
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
    // Arguments that fit two tools name neither.
    fitting.next().is_none().then_some(tool)
}

/// The arguments as an object.
fn object(text: &str, repairs: &mut Vec<String>) -> Option<Map<String, Value>> {
    if text.trim().is_empty() {
        return Some(Map::new());
    }
    let value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(_) => {
            let value = json::mend(text)?;
            repairs.push("arguments were no JSON".to_owned());
            value
        }
    };
    let fields = |value: Value| match value {
        value if !json::is_shallow(&value) => None,
        Value::Object(fields) => Some(fields),
        _ => None,
    };
    let Value::String(inner) = value else { return fields(value) };
    let value = serde_json::from_str(&inner).ok().or_else(|| json::mend(&inner)).and_then(fields)?;
    repairs.push("arguments were encoded twice".to_owned());
    Some(value)
}

/// The tool that is meant, and its arguments: an editor of another harness says in `command` which of ours it is.
fn named(
    name: &str,
    mut arguments: Option<Map<String, Value>>,
    specs: &[ToolSpec],
    repairs: &mut Vec<String>,
) -> (String, Option<Map<String, Value>>) {
    let tool = name::known(name, specs).or_else(|| {
        let fields = arguments.as_mut()?;
        let tool = name::of_editor(name, fields.get("command")?.as_str()?, specs)?;
        fields.shift_remove("command");
        Some(tool)
    });
    match tool {
        Some(tool) if tool != name => {
            repairs.push(format!("tool name {name} → {tool}"));
            (tool, arguments)
        }
        _ => (name.to_owned(), arguments),
    }
}

/// Gives the arguments the names and types of the schema, where the call needs it and where it helps: the model reads its
/// own arguments in a rejection.
fn fit(arguments: Map<String, Value>, specs: &[ToolSpec], repaired: &mut Repaired) {
    let tool = repaired.tool.as_str();
    let is_valid =
        |arguments: &Map<String, Value>| matches!(parse_fields(tool, Some(arguments)), Some(Ok(_)));
    let spec = specs.iter().find(|spec| spec.name == tool);
    let is_due = |spec: &&ToolSpec| !is_valid(&arguments) || !fields::are_known(spec, &arguments);
    let Some(spec) = spec.filter(is_due) else {
        repaired.arguments = Some(Value::Object(arguments));
        return;
    };
    let fitted = fields::fit(spec, &arguments);
    // A call that is valid without its unknown arguments stays valid, whatever they meant.
    let fitted = if fitted.refused.is_none() && !is_valid(&fitted.arguments) && is_valid(&arguments) {
        fields::without_unknown(spec, &arguments)
    } else {
        fitted
    };
    repaired.refused = fitted.refused;
    if repaired.refused.is_none() && is_valid(&fitted.arguments) {
        repaired.note = fitted.report.note(spec);
        repaired.repairs.extend(fitted.report.repairs);
        repaired.arguments = Some(Value::Object(fitted.arguments));
    } else {
        repaired.arguments = Some(Value::Object(arguments));
    }
}
