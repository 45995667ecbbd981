//! Arguments into a typed call, or a rejection whose words name the field, what was given and what is expected.
//!
//! No argument is guessed here: what does not fit is rejected. An optional argument that is `null`, an empty list or an empty
//! text counts as absent, because small models fill in every argument there is.

use serde_json::{Map, Value};

use super::{ChangeCall, Replace, TextEdit, ToolCall};

/// Why arguments do not fit, for the model to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected(pub String);

/// Reads a call of a tool that exists. `None`: there is no such tool.
pub fn parse(tool: &str, arguments: &Value) -> Option<Result<ToolCall, Rejected>> {
    parse_fields(tool, arguments.as_object())
}

/// The same for arguments that are known to be an object, or known to be none.
pub(crate) fn parse_fields(
    tool: &str,
    arguments: Option<&Map<String, Value>>,
) -> Option<Result<ToolCall, Rejected>> {
    let fields = Fields { tool, map: arguments };
    let call = match tool {
        "view_file" => fields.view_file(),
        "list_dir" => fields.list_dir(),
        "find_files" => fields.find_files(),
        "grep" => fields.grep(),
        "edit_file" => fields.edit_file(),
        "write_file" => fields.write_file(),
        "run_command" => fields.run_command(),
        super::CHANGE => fields.change(),
        _ => return None,
    };
    Some(call)
}

struct Fields<'a> {
    tool: &'a str,
    map: Option<&'a Map<String, Value>>,
}

impl Fields<'_> {
    fn get(&self, name: &str) -> Result<Option<&Value>, Rejected> {
        match self.map {
            None => Err(Rejected(format!("{}: the arguments must be a JSON object.", self.tool))),
            Some(map) => Ok(map.get(name).filter(|value| !value.is_null())),
        }
    }

    fn reject(&self, name: &str, due: &str, given: Option<&Value>) -> Rejected {
        let given = given.map_or("nothing".to_owned(), brief);
        Rejected(format!("{}: `{name}` must be {due}; given: {given}.", self.tool))
    }

    fn text(&self, name: &str) -> Result<Option<String>, Rejected> {
        match self.get(name)? {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => Err(self.reject(name, "a string", Some(other))),
        }
    }

    /// A text that need not be given; an empty one says nothing.
    fn optional_text(&self, name: &str) -> Result<Option<String>, Rejected> {
        Ok(self.text(name)?.filter(|text| !text.trim().is_empty()))
    }

    fn due_text(&self, name: &str) -> Result<String, Rejected> {
        self.text(name)?.ok_or_else(|| self.reject(name, "a string", None))
    }

    fn number(&self, name: &str) -> Result<Option<i64>, Rejected> {
        match self.get(name)? {
            None => Ok(None),
            Some(value) => {
                value.as_i64().map(Some).ok_or_else(|| self.reject(name, "a whole number", Some(value)))
            }
        }
    }

    fn flag(&self, name: &str) -> Result<bool, Rejected> {
        match self.get(name)? {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(self.reject(name, "true or false", Some(other))),
        }
    }

    fn view_file(&self) -> Result<ToolCall, Rejected> {
        let (start_line, end_line) = (self.number("start_line")?, self.number("end_line")?);
        for (name, line) in [("start_line", start_line), ("end_line", end_line)] {
            if line.is_some_and(|line| line < 1) {
                return Err(self.reject(name, "a line number from 1 on", self.get(name)?));
            }
        }
        if let (Some(start), Some(end)) = (start_line, end_line)
            && end < start
        {
            return Err(self.reject("end_line", &format!("at least {start}"), self.get("end_line")?));
        }
        Ok(ToolCall::ViewFile { path: self.due_text("path")?, start_line, end_line })
    }

    fn list_dir(&self) -> Result<ToolCall, Rejected> {
        Ok(ToolCall::ListDir { path: self.optional_text("path")? })
    }

    fn find_files(&self) -> Result<ToolCall, Rejected> {
        Ok(ToolCall::FindFiles { pattern: self.due_text("pattern")?, path: self.optional_text("path")? })
    }

    fn grep(&self) -> Result<ToolCall, Rejected> {
        Ok(ToolCall::Grep {
            pattern: self.due_text("pattern")?,
            path: self.optional_text("path")?,
            glob: self.optional_text("glob")?,
            context: self.number("context")?.unwrap_or(0).max(0),
        })
    }

    fn edit_file(&self) -> Result<ToolCall, Rejected> {
        let path = self.due_text("path")?;
        let replace = if self.flag("replace_all")? { Replace::All } else { Replace::One };
        let mut edits: Vec<TextEdit> = match self.get("edits")? {
            None => Vec::new(),
            Some(Value::Array(list)) => {
                let filled = list.iter().enumerate().filter(|(_, edit)| !is_blank(edit));
                filled.map(|(n, edit)| self.one_edit(n, edit)).collect::<Result<_, _>>()?
            }
            other => return Err(self.reject("edits", "a list of {old, new}", other)),
        };
        if edits.is_empty() {
            edits.push(TextEdit { old: self.due_text("old")?, new: self.due_text("new")? });
        } else if let Some(edit) = self.edit_beside()?
            && !edits.contains(&edit)
        {
            edits.push(edit);
        }
        Ok(ToolCall::EditFile { path, edits, replace })
    }

    /// `old` and `new` beside a filled `edits` are one more edit, unless there is nothing in them.
    fn edit_beside(&self) -> Result<Option<TextEdit>, Rejected> {
        let (old, new) = (self.text("old")?, self.text("new")?);
        if [&old, &new].into_iter().flatten().all(String::is_empty) {
            return Ok(None);
        }
        Ok(Some(TextEdit { old: self.due_text("old")?, new: self.due_text("new")? }))
    }

    fn one_edit(&self, n: usize, edit: &Value) -> Result<TextEdit, Rejected> {
        let text = |name: &str| match edit.get(name) {
            Some(Value::String(text)) => Ok(text.clone()),
            other => Err(self.reject(&format!("edits[{n}].{name}"), "a string", other)),
        };
        Ok(TextEdit { old: text("old")?, new: text("new")? })
    }

    fn write_file(&self) -> Result<ToolCall, Rejected> {
        Ok(ToolCall::WriteFile { path: self.due_text("path")?, content: self.due_text("content")? })
    }

    /// What the model chose has been completed by the program: a call that was not is no choice of the offer.
    fn change(&self) -> Result<ToolCall, Rejected> {
        let given = self.get("place")?;
        let call = self.map.and_then(|map| ChangeCall::of(&Value::Object(map.clone())));
        call.map(ToolCall::Change).ok_or_else(|| self.reject("place", "a place of the list", given))
    }

    fn run_command(&self) -> Result<ToolCall, Rejected> {
        let command = self.due_text("command")?;
        if command.trim().is_empty() {
            return Err(self.reject("command", "a shell command", self.get("command")?));
        }
        let timeout_s = self.number("timeout_s")?;
        if timeout_s.is_some_and(|seconds| seconds < 1) {
            return Err(self.reject("timeout_s", "at least 1", self.get("timeout_s")?));
        }
        Ok(ToolCall::RunCommand { command, timeout_s })
    }
}

/// Whether an edit of a list was left empty: an object without any text in it.
fn is_blank(edit: &Value) -> bool {
    let says_nothing = |value: &Value| value.is_null() || value.as_str() == Some("");
    edit.as_object().is_some_and(|fields| fields.values().all(says_nothing))
}

/// A value short enough to be quoted.
fn brief(value: &Value) -> String {
    const CHARS_MAX: usize = 60;
    let text = value.to_string();
    match text.char_indices().nth(CHARS_MAX) {
        None => text,
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
    }
}
