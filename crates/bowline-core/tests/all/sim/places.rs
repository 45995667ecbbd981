//! Places of the project in memory: a plain scanner instead of grammars. A line that is not indented and looks like
//! `def name` or `NAME = …` begins a place, which ends before the next one.

use bowline_core::item::{ChangeState, FileEdit};
use bowline_core::outcome::Outcome;
use bowline_core::place::{self, Change, Found, Place, PlaceKind, PlaceText, Survey};
use bowline_core::tool_output::ToolOutput;
use bowline_core::tools::ChangeCall;

use super::project::Project;

/// A place and its lines, counted from 0, the last one left out.
struct Part {
    name: String,
    kind: PlaceKind,
    lines: std::ops::Range<usize>,
}

fn parts(lines: &[String]) -> Vec<Part> {
    let name_of = |line: &str| {
        let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_');
        let function = line.strip_prefix("def ").and_then(|rest| rest.split('(').next());
        let constant = line.split_once(" = ").map(|(name, _)| name);
        (function.map(|name| (name, PlaceKind::Function)))
            .or(constant.map(|name| (name, PlaceKind::Constant)))
            .filter(|(name, _)| is_name(name))
            .map(|(name, kind)| (name.to_owned(), kind))
    };
    let mut parts: Vec<Part> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if let Some((name, kind)) = name_of(line) {
            parts.iter_mut().next_back().into_iter().for_each(|last| last.lines.end = at);
            parts.push(Part { name, kind, lines: at..lines.len() });
        }
    }
    parts
}

impl Project {
    pub(crate) fn survey(&self) -> Survey {
        let mut places = Vec::new();
        for (path, lines) in &self.files {
            let found = |place: Place, kind: PlaceKind, range: std::ops::Range<usize>| Found {
                place,
                kind,
                first_line: range.start as i64 + 1,
                last_line: range.end as i64,
                head: lines.get(range.start).cloned().unwrap_or_default(),
                uses: place::identifiers(&lines[range.clone()].join("\n")),
                calls: place::calls(&lines[range.clone()].join("\n")),
                options: place::options(&lines[range.clone()].join("\n")),
                numbers: place::numbers(&lines[range].join("\n")),
                is_test: place::is_test_path(path),
            };
            places.push(found(Place::file(path), PlaceKind::File, 0..lines.len()));
            places.extend(parts(lines).into_iter().map(|part| {
                found(Place { path: path.clone(), name: Some(part.name) }, part.kind, part.lines)
            }));
        }
        Survey { places, files: self.files.keys().cloned().collect(), ..Survey::default() }
    }

    pub(crate) fn read_place(&self, place: &Place, change: Change) -> Option<PlaceText> {
        if change == Change::Create {
            return Some(PlaceText::default());
        }
        let lines = self.files.get(&place.path)?;
        let text = match &place.name {
            None => lines.join("\n"),
            Some(name) => {
                let part = parts(lines).into_iter().find(|part| part.name == *name)?;
                lines[part.lines].join("\n")
            }
        };
        Some(PlaceText { hidden: text.lines().next().map(str::to_owned), text, ..PlaceText::default() })
    }

    /// Carries out a change of a place.
    pub(crate) fn change(&mut self, call: &ChangeCall) -> ToolOutput {
        let refused = |why: &str| {
            ToolOutput::new(Outcome::ExecError, format!("{} was not changed: {why}.", call.place.label()))
        };
        let path = &call.place.path;
        let text = call.text.clone().unwrap_or_default();
        if call.change == Change::Create {
            if self.files.contains_key(path) {
                return refused("the file exists");
            }
            self.put(path, &text);
            return landed(path, format!("{path} created."));
        }
        let Some(lines) = self.files.get(path).cloned() else { return refused("there is no such file") };
        let name = call.place.name.clone().unwrap_or_default();
        let part = parts(&lines).into_iter().find(|part| part.name == name);
        let range = match (&call.place.name, part) {
            (None, _) => 0..lines.len(),
            (Some(_), Some(part)) => part.lines,
            (Some(_), None) => return refused("there is no such place"),
        };
        let new: Vec<String> = match call.change {
            Change::Rewrite if !text.contains(&name) => return refused("the text does not define it"),
            Change::Rewrite => text.lines().map(str::to_owned).collect(),
            Change::AddAfter => {
                [&lines[range.clone()], &text.lines().map(str::to_owned).collect::<Vec<_>>()].concat()
            }
            Change::Remove => Vec::new(),
            Change::Rename => {
                let to = call.to.clone().unwrap_or_default();
                let all: Vec<String> = self.files.keys().cloned().collect();
                for path in all {
                    let text = self.files[&path].join("\n").replace(&name, &to);
                    self.put(&path, &text);
                }
                return landed(path, format!("{name} renamed to {to}."));
            }
            Change::Create => unreachable!("handled above"),
        };
        if new == lines[range.clone()] {
            return refused("the text is the same as before");
        }
        let mut all = lines;
        all.splice(range, new);
        self.put(path, &all.join("\n"));
        landed(path, format!("{} changed.", call.place.label()))
    }
}

fn landed(path: &str, text: String) -> ToolOutput {
    let edit = FileEdit {
        path: path.to_owned(),
        added: 1,
        removed: 1,
        diff: String::new(),
        rung: "place".to_owned(),
        state: ChangeState::Applied,
        patch: None,
    };
    ToolOutput { edits: vec![edit], ..ToolOutput::new(Outcome::Success, text) }
}
