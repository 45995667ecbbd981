//! Tools as the model knows them: the form a tool has in a request, and a call read into a typed value. What there is to
//! know about each tool stands in one [table](self::table).

mod change;
pub mod parse;
mod table;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) use change::forms as change_forms;
pub use change::{
    CHANGE, ChangeCall, Comments, Doubts, HELD_BACK, Helpers, LOST_CALL, NOTHING_TO_ADD, UNCHANGED, chosen,
};
pub use parse::{Rejected, parse};
pub use table::{Effect, Ledger, by_alias, effect, example, is_offered, kind, ledger, of_mode, specs};

/// A tool as it stands in a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    /// A JSON schema of an object.
    pub parameters: Value,
}

/// One argument of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub name: String,
    pub schema: Value,
    pub is_required: bool,
}

impl ToolSpec {
    /// In one line: `view_file {path, start_line?: integer, end_line?: integer}`.
    pub fn brief(&self) -> String {
        let field = |field: &Field| {
            let kind = field.schema.get("type").and_then(Value::as_str).filter(|kind| *kind != "string");
            let kind = kind.map_or(String::new(), |kind| format!(": {kind}"));
            format!("{}{}{kind}", field.name, if field.is_required { "" } else { "?" })
        };
        let fields: Vec<String> = self.fields().iter().map(field).collect();
        format!("{} {{{}}}", self.name, fields.join(", "))
    }

    /// Its arguments in their simplest form: a list of objects, which stands for several calls in one, is left out, and
    /// what such an object must have the single form must have too.
    pub fn fields(&self) -> Vec<Field> {
        let names = |schema: &Value| -> Vec<String> {
            let required = schema.get("required").and_then(Value::as_array);
            required.into_iter().flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect()
        };
        let many =
            |schema: &Value| schema.get("items").filter(|items| items.get("properties").is_some()).cloned();
        let properties = self.parameters.get("properties").and_then(Value::as_object);
        let properties = || properties.into_iter().flatten();
        let mut required = names(&self.parameters);
        required.extend(properties().filter_map(|(_, schema)| many(schema)).flat_map(|items| names(&items)));
        properties()
            .filter(|(_, schema)| many(schema).is_none())
            .map(|(name, schema)| Field {
                name: name.clone(),
                schema: schema.clone(),
                is_required: required.contains(name),
            })
            .collect()
    }
}

/// A call whose arguments fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolCall {
    ViewFile { path: String, start_line: Option<i64>, end_line: Option<i64> },
    ListDir { path: Option<String> },
    FindFiles { pattern: String, path: Option<String> },
    Grep { pattern: String, path: Option<String>, glob: Option<String>, context: i64 },
    EditFile { path: String, edits: Vec<TextEdit>, replace: Replace },
    WriteFile { path: String, content: String },
    RunCommand { command: String, timeout_s: Option<i64> },
    Change(ChangeCall),
}

/// Replace this text by that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEdit {
    pub old: String,
    pub new: String,
}

/// How many places an edit is meant for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replace {
    One,
    All,
}

impl ToolCall {
    pub fn name(&self) -> &'static str {
        match self {
            ToolCall::ViewFile { .. } => "view_file",
            ToolCall::ListDir { .. } => "list_dir",
            ToolCall::FindFiles { .. } => "find_files",
            ToolCall::Grep { .. } => "grep",
            ToolCall::EditFile { .. } => "edit_file",
            ToolCall::WriteFile { .. } => "write_file",
            ToolCall::RunCommand { .. } => "run_command",
            ToolCall::Change(_) => CHANGE,
        }
    }

    /// One line for the user.
    pub fn title(&self) -> String {
        match self {
            ToolCall::ViewFile { path, start_line, end_line } => match (start_line, end_line) {
                (None, None) => path.clone(),
                (start, Some(end)) => format!("{path} {}-{end}", start.unwrap_or(1)),
                (Some(start), None) => format!("{path} from {start}"),
            },
            ToolCall::ListDir { path } => path.clone().unwrap_or_else(|| ".".to_owned()),
            ToolCall::FindFiles { pattern, path } => within(pattern, path.as_deref()),
            ToolCall::Grep { pattern, path, .. } => within(pattern, path.as_deref()),
            ToolCall::EditFile { path, .. } | ToolCall::WriteFile { path, .. } => path.clone(),
            ToolCall::RunCommand { command, .. } => command.lines().next().unwrap_or_default().to_owned(),
            ToolCall::Change(change) => change.title(),
        }
    }
}

fn within(pattern: &str, path: Option<&str>) -> String {
    path.map_or_else(|| pattern.to_owned(), |path| format!("{pattern} in {path}"))
}
