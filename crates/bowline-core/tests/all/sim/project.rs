//! A project in memory: files that are lists of lines, and the file tools on them, answering in the words of the real ones.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use bowline_core::item::{ChangeState, FileEdit};
use bowline_core::outcome::Outcome;
use bowline_core::tool_output::{Grant, Question, ToolDone, ToolOutput};
use bowline_core::tools::{Replace, TextEdit, ToolCall};

/// Lines shown where none are asked for.
const LINES_DEFAULT: i64 = 200;
/// Lines shown around a change.
const AROUND_LINES: usize = 2;

#[derive(Default)]
pub(crate) struct Project {
    pub(crate) files: BTreeMap<String, Vec<String>>,
}

impl Project {
    pub(crate) fn put(&mut self, path: &str, text: &str) {
        self.files.insert(path.to_owned(), text.lines().map(str::to_owned).collect());
    }

    /// Runs a call of a file tool; a command is whoever has this project's matter.
    pub(crate) fn run(&mut self, call: &ToolCall, grant: Grant) -> ToolDone {
        let path = path_of(call);
        let is_outside = path.starts_with('/') || path.starts_with("..");
        if is_outside && grant != Grant::Outside {
            let what = format!("use {path}, outside the project");
            return ToolDone::Ask(Question { what, pattern: pattern_of(call), also: Vec::new() });
        }
        ToolDone::Output(match call {
            ToolCall::ViewFile { start_line, end_line, .. } => self.view(path, *start_line, *end_line),
            ToolCall::ListDir { .. } => self.list(path),
            ToolCall::FindFiles { pattern, .. } => self.find(pattern),
            ToolCall::Grep { pattern, .. } => self.grep(pattern),
            ToolCall::EditFile { edits, replace, .. } => self.edit(path, edits, *replace),
            ToolCall::WriteFile { content, .. } => self.write(path, content),
            ToolCall::RunCommand { .. } => ToolOutput::new(Outcome::ExecError, "no command is run here"),
            ToolCall::Change(change) => self.change(change),
        })
    }

    fn missing(&self, path: &str) -> ToolOutput {
        let near: Vec<&str> = self.files.keys().take(3).map(String::as_str).collect();
        let text = format!("There is no {path}. There are: {}.", near.join(", "));
        ToolOutput::new(Outcome::ExecError, text)
    }

    fn view(&self, path: &str, start: Option<i64>, end: Option<i64>) -> ToolOutput {
        let Some(lines) = self.files.get(path) else { return self.missing(path) };
        let start = start.unwrap_or(1);
        let end = end.unwrap_or(start.saturating_add(LINES_DEFAULT - 1)).min(lines.len() as i64);
        if start > lines.len() as i64 {
            let text = format!("{path} has {} lines: line {start} is past its end.", lines.len());
            return ToolOutput::new(Outcome::NoResult, text);
        }
        let mut text = format!("{path} lines {start}-{end} of {}", lines.len());
        let shown = lines.iter().zip(1..).skip(start as usize - 1).take((end - start + 1) as usize);
        for (line, number) in shown {
            let _ = write!(text, "\n{number}| {line}");
        }
        ToolOutput::new(Outcome::Success, text)
    }

    fn list(&self, path: &str) -> ToolOutput {
        let folder = path.trim_end_matches('/');
        let prefix = if folder == "." { String::new() } else { format!("{folder}/") };
        let below = self.files.iter().filter_map(|(file, lines)| Some((file.strip_prefix(&prefix)?, lines)));
        let mut names: Vec<String> = below
            .map(|(file, lines)| match file.split_once('/') {
                Some((folder, _)) => format!("{folder}/"),
                None => format!("{file}  {} B", lines.iter().map(|line| line.len() + 1).sum::<usize>()),
            })
            .collect();
        names.dedup();
        if names.is_empty() {
            return self.missing(path);
        }
        ToolOutput::new(Outcome::Success, format!("{path}: {} names\n{}", names.len(), names.join("\n")))
    }

    fn find(&self, pattern: &str) -> ToolOutput {
        let wanted = pattern.replace('*', "");
        let paths: Vec<&str> =
            self.files.keys().filter(|path| path.contains(&wanted)).map(String::as_str).collect();
        if paths.is_empty() {
            return ToolOutput::new(Outcome::NoResult, format!("No file in the project fits `{pattern}`."));
        }
        ToolOutput::new(Outcome::Success, paths.join("\n"))
    }

    fn grep(&self, pattern: &str) -> ToolOutput {
        let mut hits = Vec::new();
        for (path, lines) in &self.files {
            let found = lines.iter().zip(1..).filter(|(line, _)| line.contains(pattern));
            hits.extend(found.map(|(line, number)| format!("{path}:{number}: {line}")));
        }
        if hits.is_empty() {
            return ToolOutput::new(Outcome::NoResult, format!("Nothing in the project fits `{pattern}`."));
        }
        hits.truncate(10);
        ToolOutput::new(Outcome::Success, hits.join("\n"))
    }

    fn edit(&mut self, path: &str, edits: &[TextEdit], replace: Replace) -> ToolOutput {
        let Some(lines) = self.files.get(path) else { return self.missing(path) };
        let before = lines.join("\n");
        let mut after = before.clone();
        for TextEdit { old, new } in edits {
            let places = if old.is_empty() { 0 } else { after.matches(old.as_str()).count() };
            let why = match (places, replace) {
                _ if old == new => "`old` and `new` are the same",
                (0, _) => "`old` was not found in it",
                (2.., Replace::One) => "`old` stands in it more than once",
                _ => {
                    after = after.replace(old.as_str(), new);
                    continue;
                }
            };
            return ToolOutput::new(Outcome::ExecError, format!("{path} was not changed: {why}."));
        }
        let at = before.lines().zip(after.lines()).position(|(old, new)| old != new).unwrap_or(0);
        self.put(path, &after);
        let mut text = format!("{path}: 1 place changed (exact match). Now:");
        let first = at.saturating_sub(AROUND_LINES);
        for (line, number) in after.lines().zip(1..).skip(first).take(2 * AROUND_LINES + 1) {
            let _ = write!(text, "\n{number}| {line}");
        }
        changed(path, text)
    }

    fn write(&mut self, path: &str, content: &str) -> ToolOutput {
        let before = self.files.get(path).map(|lines| lines.join("\n"));
        self.put(path, content);
        let lines = self.files.get(path).map_or(0, Vec::len);
        if before.as_deref() == Some(content.trim_end_matches('\n')) {
            return ToolOutput::new(Outcome::Success, format!("{path} already reads so."));
        }
        let verb = if before.is_some() { "overwritten" } else { "created" };
        changed(path, format!("{path} {verb}, {lines} lines."))
    }
}

fn path_of(call: &ToolCall) -> &str {
    match call {
        ToolCall::ViewFile { path, .. }
        | ToolCall::EditFile { path, .. }
        | ToolCall::WriteFile { path, .. } => path,
        ToolCall::ListDir { path } | ToolCall::FindFiles { path, .. } | ToolCall::Grep { path, .. } => {
            path.as_deref().unwrap_or(".")
        }
        ToolCall::RunCommand { .. } => ".",
        ToolCall::Change(change) => &change.place.path,
    }
}

/// What *always* would allow of a call.
pub(crate) fn pattern_of(call: &ToolCall) -> String {
    format!("{}({})", call.name(), path_of(call))
}

fn changed(path: &str, text: String) -> ToolOutput {
    let edit = FileEdit {
        path: path.to_owned(),
        added: 1,
        removed: 1,
        diff: String::new(),
        rung: "exact".to_owned(),
        state: ChangeState::Applied,
        patch: None,
    };
    ToolOutput { edits: vec![edit], ..ToolOutput::new(Outcome::Success, text) }
}
