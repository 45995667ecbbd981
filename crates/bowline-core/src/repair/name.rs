//! A tool's name as other harnesses call it: another case, other separators, a namespace before it, or one of a few
//! well-known aliases.

use crate::tools::{self, ToolSpec};

/// One tool for all that is done to a file, as some harnesses have it: its argument `command` says which of ours is meant.
const EDITORS: [&str; 5] =
    ["texteditor", "strreplaceeditor", "strreplacebasededittool", "strreplaceedittool", "fileeditor"];
const EDITOR_COMMANDS: [(&str, &[&str]); 3] = [
    ("view_file", &["view", "read", "open"]),
    ("edit_file", &["strreplace", "replace", "edit"]),
    ("write_file", &["create", "write"]),
];

/// The session's tool that is meant by this command of another harness's editor.
pub(super) fn of_editor(name: &str, command: &str, specs: &[ToolSpec]) -> Option<String> {
    let behind = behind_namespace(name);
    let is_editor = [name, behind].into_iter().any(|name| EDITORS.contains(&folded(name).as_str()));
    let command = folded(command);
    let is_meant = |(_, commands): &&(&str, &[&str])| commands.contains(&command.as_str());
    let (tool, _) = EDITOR_COMMANDS.iter().filter(|_| is_editor).find(is_meant)?;
    specs.iter().any(|spec| spec.name == *tool).then(|| (*tool).to_owned())
}

/// What stands behind a namespace: `functions.view_file`, `mcp__files__view_file`.
fn behind_namespace(name: &str) -> &str {
    let behind = name.rsplit(['.', ':', '/']).next().unwrap_or(name);
    behind.rsplit("__").next().unwrap_or(behind)
}

/// The session's tool that is meant, if it is plain which.
pub(super) fn known(name: &str, specs: &[ToolSpec]) -> Option<String> {
    let has = |tool: &str| specs.iter().any(|spec| spec.name == tool);
    if has(name) {
        return Some(name.to_owned());
    }
    [name, behind_namespace(name)].into_iter().map(folded).find_map(|folded_name| {
        let spec = specs.iter().find(|spec| folded(&spec.name) == folded_name);
        let alias = || tools::by_alias(&folded_name).filter(|tool| has(tool)).map(str::to_owned);
        spec.map(|spec| spec.name.clone()).or_else(alias)
    })
}

/// Without case and separators.
pub(super) fn folded(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
