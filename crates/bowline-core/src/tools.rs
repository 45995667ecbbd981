//! The basic tools as the model knows them: name, words, schema; and a call read into a typed value.
//!
//! What a tool *does* is the host's. The words stand in Markdown files and the schemas in JSON files beside this one,
//! written by hand: generated schemas carry titles and formats that a small window has no room for. The order of
//! [`BASIC`] is the order in every request and never changes within a session.

pub mod parse;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::entry::Access;
use crate::item::ItemKind;

pub use parse::{Rejected, parse};

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

/// Whether a call may change anything: reads run side by side, a write runs alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Reads,
    Writes,
}

struct Basic {
    name: &'static str,
    words: &'static str,
    schema: &'static str,
    /// Arguments as they should be, for a model that got them wrong twice.
    example: &'static str,
    effect: Effect,
    kind: ItemKind,
}

macro_rules! basic {
    ($name:literal, $effect:ident, $kind:ident) => {
        Basic {
            name: $name,
            words: include_str!(concat!("tools/", $name, ".md")),
            schema: include_str!(concat!("tools/", $name, ".json")),
            example: include_str!(concat!("tools/", $name, ".example.json")),
            effect: Effect::$effect,
            kind: ItemKind::$kind,
        }
    };
}

const BASIC: [Basic; 7] = [
    basic!("view_file", Reads, Read),
    basic!("list_dir", Reads, Read),
    basic!("find_files", Reads, Search),
    basic!("grep", Reads, Search),
    basic!("edit_file", Writes, Edit),
    basic!("write_file", Writes, Edit),
    basic!("run_command", Writes, Command),
];

/// The tools of a session: all of them, or those that only read.
pub fn specs(access: Access) -> Vec<ToolSpec> {
    BASIC
        .iter()
        .filter(|basic| access == Access::Write || basic.effect == Effect::Reads)
        .map(|basic| ToolSpec {
            name: basic.name.to_owned(),
            description: basic.words.trim().to_owned(),
            parameters: serde_json::from_str(basic.schema).unwrap_or(Value::Null),
        })
        .collect()
}

/// Whether a tool of this name may change anything; an unknown one is taken to.
pub fn effect(tool: &str) -> Effect {
    BASIC.iter().find(|basic| basic.name == tool).map_or(Effect::Writes, |basic| basic.effect)
}

/// One call of this tool with its arguments filled in.
pub fn example(tool: &str) -> Option<&'static str> {
    BASIC.iter().find(|basic| basic.name == tool).map(|basic| basic.example.trim())
}

/// What a client calls an item of this tool.
pub fn kind(tool: &str) -> ItemKind {
    BASIC.iter().find(|basic| basic.name == tool).map_or(ItemKind::Tool, |basic| basic.kind)
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
        }
    }
}

fn within(pattern: &str, path: Option<&str>) -> String {
    path.map_or_else(|| pattern.to_owned(), |path| format!("{pattern} in {path}"))
}
