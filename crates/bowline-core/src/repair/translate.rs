//! What other harnesses count or say differently: said in our arguments, as far as one of them is free.
//!
//! Where harnesses disagree on a meaning:
//! - `offset` is the number of the first line, counted from 1 as most of them count, and 0 is the first line too. A model
//!   that counts from 0 sees one line twice when it pages through a file, and misses none.
//! - `timeout` is in seconds, unless it is a multiple of 1,000: then it is in milliseconds. (No command may take more than
//!   1,800 s.)
//! - The folder of a command has no argument of ours. It becomes a `cd` in front of the command, where the permission rules
//!   and the user see it.

use serde_json::{Map, Value};

use super::fields::convert;
use super::name::folded;
use super::report::RepairReport;

const OFFSET: &[&str] = &["offset", "lineoffset"];
const LIMIT: &[&str] = &["limit", "maxlines", "numlines", "linecount", "count"];
const RANGE: &[&str] = &["viewrange", "linerange", "range", "lines"];
const MILLISECONDS: &[&str] = &["timeoutms", "timeoutmillis", "timeoutmilliseconds"];
const COMMAND_FOLDER: &[&str] =
    &["workdir", "cwd", "workingdir", "workingdirectory", "directory", "dir", "dirpath", "folder", "cd"];
const AROUND: &[&str] =
    &["a", "b", "c", "contextlines", "aftercontext", "beforecontext", "linesafter", "linesbefore"];
const ANY_CASE: &[&str] = &["i", "ignorecase", "caseinsensitive"];
const LITERAL: &[&str] = &["literal", "literaltext", "fixedstrings", "fixedstring"];
const IS_PATTERN: &[&str] = &["isregexp", "isregex", "useregex"];

/// A command as a list of words, as codex has it: `["bash", "-lc", "cargo test"]`.
pub(super) fn command_line(value: &Value) -> Option<Value> {
    let words: Vec<&str> = value.as_array()?.iter().map(Value::as_str).collect::<Option<_>>()?;
    match words.as_slice() {
        [] => None,
        [only] => Some(Value::from(*only)),
        ["bash" | "sh" | "zsh" | "/bin/bash" | "/bin/sh", "-c" | "-lc", line] => Some(Value::from(*line)),
        words => Some(words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ").into()),
    }
}

/// Says in our arguments what is left of a call when all names are fitted, as far as there is a free one. What it returns
/// is why the call must not run: it asks for something whose opposite would be done.
pub(super) fn translate(
    tool: &str,
    fitted: &mut Map<String, Value>,
    rest: &mut Vec<(String, Value)>,
    report: &mut RepairReport,
) -> Option<String> {
    let mut translation = Translation { fitted, rest, report };
    match tool {
        "view_file" => translation.lines(),
        "grep" => translation.search(),
        "run_command" => translation.command(),
        "write_file" => return translation.appended(),
        _ => {}
    }
    None
}

struct Translation<'a> {
    fitted: &'a mut Map<String, Value>,
    rest: &'a mut Vec<(String, Value)>,
    report: &'a mut RepairReport,
}

impl Translation<'_> {
    /// Takes the first argument of one of these names whose value can be read.
    fn take<T>(&mut self, names: &[&str], read: impl Fn(&Value) -> Option<T>) -> Option<(String, T)> {
        let found = self.rest.iter().enumerate().find_map(|(at, (key, value))| {
            names.contains(&folded(key).as_str()).then(|| read(value)).flatten().map(|value| (at, value))
        });
        let (at, value) = found?;
        Some((self.rest.remove(at).0, value))
    }

    fn number(&self, name: &str) -> Option<i64> {
        self.fitted.get(name).and_then(Value::as_i64)
    }

    /// Gives a free argument its value; one that is given already has precedence.
    fn give(&mut self, key: &str, name: &str, value: i64) {
        match self.number(name) {
            Some(given) if given == value => self.report.left_out(key),
            Some(_) => self.report.ignored(key),
            None => {
                self.report.renamed(key, name);
                self.fitted.insert(name.to_owned(), value.into());
            }
        }
    }

    /// `offset` and `limit`, `view_range: [3, 9]`, `lines: "3-9"`.
    fn lines(&mut self) {
        if let Some((key, (start, end))) = self.take(RANGE, range) {
            self.give(&key, "start_line", start);
            if let Some(end) = end {
                self.give(&key, "end_line", end);
            }
        }
        if let Some((key, offset)) = self.take(OFFSET, |value| whole(value).filter(|offset| *offset >= 0)) {
            self.give(&key, "start_line", offset.max(1));
        }
        if let Some((key, limit)) = self.take(LIMIT, |value| whole(value).filter(|limit| *limit >= 1)) {
            let start = self.number("start_line").unwrap_or(1);
            self.give(&key, "end_line", start.saturating_add(limit - 1));
        }
    }

    /// `-i`, `-A`, `-B`, `-C`, a text instead of a pattern.
    fn search(&mut self) {
        for _ in AROUND {
            let Some((key, lines)) = self.take(AROUND, |value| whole(value).filter(|lines| *lines >= 0))
            else {
                break;
            };
            let lines = lines.max(self.number("context").unwrap_or(0));
            self.report.renamed(&key, "context");
            self.fitted.insert("context".to_owned(), lines.into());
        }
        // Lines always have their numbers.
        if let Some((key, _)) = self.take(&["n", "linenumbers"], flag) {
            self.report.left_out(&key);
        }
        let literal = self.take(LITERAL, |value| flag(value).filter(|flag| *flag));
        let literal = literal.or_else(|| self.take(IS_PATTERN, |value| flag(value).filter(|flag| !flag)));
        if let Some((key, _)) = literal {
            self.rewrite(&key, "pattern", "pattern with its signs escaped", escaped);
        }
        let any_case = self.take(ANY_CASE, |value| flag(value).filter(|flag| *flag));
        let any_case =
            any_case.or_else(|| self.take(&["casesensitive"], |value| flag(value).filter(|flag| !flag)));
        if let Some((key, _)) = any_case {
            self.rewrite(&key, "pattern", "(?i) in pattern", |pattern| format!("(?i){pattern}"));
        }
    }

    /// Another unit for the time limit, and the folder to run in.
    fn command(&mut self) {
        let positive = |value: &Value| whole(value).filter(|number| *number >= 1);
        if let Some((key, given)) = self.take(MILLISECONDS, positive) {
            self.give(&key, "timeout_s", given.saturating_add(999) / 1000);
        }
        if let Some((key, given)) = self.take(&["timeout"], positive) {
            if given % 1000 == 0 && self.number("timeout_s").is_none() {
                self.report.milliseconds(&key, given, given / 1000);
                self.fitted.insert("timeout_s".to_owned(), (given / 1000).into());
            } else {
                self.give(&key, "timeout_s", given);
            }
        }
        let folder = |value: &Value| value.as_str().map(str::trim).map(str::to_owned);
        if let Some((key, folder)) = self.take(COMMAND_FOLDER, folder) {
            match folder.as_str() {
                "" | "." | "./" => self.report.left_out(&key),
                folder => {
                    self.rewrite(&key, "command", "cd in command", |command| in_folder(folder, command));
                }
            }
        }
    }

    fn rewrite(&mut self, key: &str, name: &str, how: &str, rewrite: impl Fn(&str) -> String) {
        if let Some(Value::String(text)) = self.fitted.get_mut(name) {
            *text = rewrite(text);
            self.report.renamed(key, how);
        }
    }

    /// A file that was to grow must not be replaced.
    fn appended(&self) -> Option<String> {
        let is_append = |(key, value): &&(String, Value)| match folded(key).as_str() {
            "append" => flag(value) == Some(true),
            "mode" => matches!(value.as_str(), Some("a" | "append")),
            _ => false,
        };
        let (key, _) = self.rest.iter().find(is_append)?;
        Some(format!(
            "write_file: there is no `{key}`, it writes whole files. Use edit_file to add to a file."
        ))
    }
}

fn whole(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| convert(value, "integer")?.as_i64())
}

fn flag(value: &Value) -> Option<bool> {
    value.as_bool().or_else(|| convert(value, "boolean")?.as_bool())
}

/// The first line and the last, if there is one: `[3, 9]`, `[3, -1]`, `"3-9"`.
fn range(value: &Value) -> Option<(i64, Option<i64>)> {
    let numbers: Vec<i64> = match value {
        Value::Array(list) => list.iter().map(whole).collect::<Option<_>>()?,
        Value::String(text) => {
            let parts = text.trim().split(['-', ':', ',']);
            parts.map(|part| part.trim().parse().ok()).collect::<Option<_>>()?
        }
        _ => return None,
    };
    match numbers.as_slice() {
        [start] => Some(((*start).max(1), None)),
        [start, end] => Some(((*start).max(1), Some(*end).filter(|end| *end >= 1))),
        _ => None,
    }
}

/// A text as a regular expression that matches it alone.
fn escaped(text: &str) -> String {
    let mut pattern = String::new();
    for c in text.chars() {
        if "\\.+*?()|[]{}^$".contains(c) {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

/// A command that runs in a folder, or not at all if there is no such folder.
fn in_folder(folder: &str, command: &str) -> String {
    let folder = quoted(folder);
    // What `&&` does not bind as a whole.
    let is_list = command.contains([';', '\n'])
        || command.contains("||")
        || command.replace("&&", "").replace(">&", "").contains('&');
    if is_list { format!("cd {folder} && {{ {command}\n}}") } else { format!("cd {folder} && {command}") }
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
