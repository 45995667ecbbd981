//! Arguments under other names and in other types than the schema has them, where the meaning is plain and nothing is
//! lost: `filePath` for `path`, `"10"` for 10, `"True"` for true, one value where a list is expected, a JSON text where an
//! object is.
//!
//! The text of an edit is only renamed, never converted. What is left when all names are fitted goes to `translate.rs`, and
//! what it does not understand either is ignored.

use serde_json::{Map, Value};

use super::report::RepairReport;
use super::{dialect, edits, translate};
use crate::tools::ToolSpec;

/// Arguments that are taken as they are, also when they are empty.
const VERBATIM: [&str; 3] = ["old", "new", "content"];
/// Whole numbers that count from 1: a model that has none to give writes 0 or -1.
const COUNTED_FROM_ONE: [&str; 3] = ["start_line", "end_line", "timeout_s"];

/// Arguments as the schema has them, as far as that is plain.
pub(super) struct Fitted {
    pub(super) arguments: Map<String, Value>,
    pub(super) report: RepairReport,
    /// Why the call must not run as it is.
    pub(super) refused: Option<String>,
}

/// Whether all names are the schema's own, also inside a list of edits.
pub(super) fn are_known(spec: &ToolSpec, given: &Map<String, Value>) -> bool {
    let Some(schema) = Schema::of(spec) else { return true };
    given.iter().all(|(key, value)| schema.has(key) && edits::are_known(key, value))
}

pub(super) fn fit(spec: &ToolSpec, given: &Map<String, Value>) -> Fitted {
    let mut fitting = Fitting { fitted: Map::new(), rest: Vec::new(), report: RepairReport::default() };
    let Some(schema) = Schema::of(spec) else {
        return Fitted { arguments: given.clone(), report: fitting.report, refused: None };
    };
    for (key, value) in given {
        match schema.name_of(&spec.name, key, given) {
            Some(name) => fitting.take(&schema, name, key, value),
            None => fitting.rest.push((key.clone(), value.clone())),
        }
    }
    let Fitting { mut fitted, mut rest, mut report } = fitting;
    let refused = translate::translate(&spec.name, &mut fitted, &mut rest, &mut report)
        .or_else(|| edits::fit(&mut fitted, &mut report));
    for (key, value) in rest {
        let is_said =
            fitted.iter().any(|(name, own)| *own == value && dialect::means(&spec.name, &key, name));
        if is_said || says_nothing(&value) { report.left_out(&key) } else { report.ignored(&key) }
    }
    Fitted { arguments: fitted, report, refused }
}

/// The arguments that the schema knows, and nothing else.
pub(super) fn without_unknown(spec: &ToolSpec, given: &Map<String, Value>) -> Fitted {
    let mut report = RepairReport::default();
    let mut arguments = given.clone();
    if let Some(schema) = Schema::of(spec) {
        given.keys().filter(|key| !schema.has(key)).for_each(|key| report.ignored(key));
        arguments.retain(|key, _| schema.has(key));
    }
    Fitted { arguments, report, refused: None }
}

/// Whether an argument nobody knows asks for anything: one that is empty or off does not.
fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

/// What a tool takes.
struct Schema<'a> {
    due: &'a Map<String, Value>,
    required: Vec<&'a str>,
}

impl<'a> Schema<'a> {
    fn of(spec: &'a ToolSpec) -> Option<Schema<'a>> {
        let due = spec.parameters.get("properties").and_then(Value::as_object)?;
        let required = spec.parameters.get("required").and_then(Value::as_array);
        let required = required.into_iter().flatten().filter_map(Value::as_str).collect();
        Some(Schema { due, required })
    }

    fn has(&self, key: &str) -> bool {
        self.due.contains_key(key)
    }

    fn kind(&self, name: &str) -> &'a str {
        let schema = self.due.get(name);
        schema.and_then(|schema| schema.get("type")).and_then(Value::as_str).unwrap_or_default()
    }

    /// The one argument that `key` can only mean, and that is not given itself.
    fn name_of(&self, tool: &str, key: &str, given: &Map<String, Value>) -> Option<&'a str> {
        if let Some((name, _)) = self.due.get_key_value(key) {
            return Some(name);
        }
        let is_meant = |name: &&String| is_free(name, given) && dialect::means(tool, key, name);
        self.due.keys().find(is_meant).map(String::as_str)
    }

    /// A small model fills in every argument there is: yes or no for a text or a number it need not give, an empty list,
    /// the line 0.
    fn is_meant_absent(&self, name: &str, value: &Value) -> bool {
        let kind = self.kind(name);
        let is_optional = !self.required.contains(&name) && !VERBATIM.contains(&name);
        let is_empty = match value {
            Value::Null => true,
            Value::Bool(_) => kind != "boolean",
            Value::Object(fields) => fields.is_empty() && kind != "object",
            Value::Array(list) => list.is_empty(),
            Value::String(text) => text.trim().is_empty(),
            Value::Number(number) => {
                COUNTED_FROM_ONE.contains(&name) && number.as_f64().is_some_and(|number| number < 1.0)
            }
        };
        is_optional && is_empty
    }

    /// The value in the type that is expected, if it is not and can be.
    fn coerced(&self, name: &str, value: &Value) -> Option<Value> {
        match name {
            name if VERBATIM.contains(&name) => None,
            "command" => translate::command_line(value).or_else(|| convert(value, "string")),
            name => convert(value, self.kind(name)),
        }
    }
}

/// Whether an argument is not given, or given without anything in it.
fn is_free(name: &str, given: &Map<String, Value>) -> bool {
    match given.get(name) {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.trim().is_empty() && !VERBATIM.contains(&name),
        Some(Value::Array(list)) => list.is_empty(),
        Some(_) => false,
    }
}

/// Arguments on their way to the names of the schema.
struct Fitting {
    fitted: Map<String, Value>,
    /// What has no name of the schema.
    rest: Vec<(String, Value)>,
    report: RepairReport,
}

impl Fitting {
    fn take(&mut self, schema: &Schema<'_>, name: &str, key: &str, value: &Value) {
        if schema.is_meant_absent(name, value) {
            self.report.left_out(key);
            return;
        }
        let is_own = name == key;
        let is_taken = self.fitted.contains_key(name) && !is_free(name, &self.fitted);
        if is_taken && (is_own || self.fitted.get(name) == Some(value)) {
            self.report.left_out(key);
        } else if is_taken {
            self.report.ignored(key);
        } else {
            let better = schema.coerced(name, value);
            let is_converted = better.is_some();
            let value = better.unwrap_or_else(|| value.clone());
            // An argument of another harness that can't be read as ours stops no call that does not need it.
            let is_needed = schema.required.contains(&name) || VERBATIM.contains(&name);
            if !is_own && !is_needed && !is_of(&value, schema.kind(name)) {
                self.report.ignored(key);
                return;
            }
            if !is_own {
                self.report.renamed(key, name);
            }
            if is_converted {
                self.report.converted(name, schema.kind(name));
            }
            self.fitted.insert(name.to_owned(), value);
        }
    }
}

fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "integer" => value.is_i64(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        _ => true,
    }
}

/// The value in the type that is expected, where nothing is lost.
pub(super) fn convert(value: &Value, kind: &str) -> Option<Value> {
    match (kind, value) {
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
