//! An honest small model in constrained mode: it chooses places, writes their new text, looks at files, runs tests.
//!
//! What makes it honest: a change mostly lands. Sometimes the first text for a place is refused and the second one lands;
//! sometimes a place is given up and another one is chosen. At most four texts in a row are refused, and even in the
//! worst session about half of the places land. What is looked at has not been looked at before.

use std::collections::{HashMap, HashSet};

use bowline_core::outcome::Outcome;
use bowline_core::place::{Change, Offered, Place, PlaceText, Survey};
use bowline_core::tool_output::{Grant, ToolDone, ToolOutput};
use bowline_core::tools::ToolCall;
use bowline_core::wire::Request;
use bowline_script::Reply;
use bowline_script::reply::Finish;
use serde_json::{Value, json};

use super::shell::Shell;
use crate::sim::Cast;
use crate::sim::project::Project;
use crate::sim::random::Random;

/// Tries at one place before the program goes on to another one.
const TRIES: usize = 2;
/// Texts refused in a row: two places given up.
const MISSES_IN_ROW_MAX: usize = 4;
/// Looks in a row before a place is chosen.
const LOOKS_IN_ROW_MAX: usize = 3;

pub(super) struct Rewriter {
    random: Random,
    project: Project,
    shell: Shell,
    /// What is being written.
    writing: Option<(Place, Change)>,
    /// How many texts for each place are refused before one lands, and how many were written.
    fates: HashMap<(Place, Change), (usize, usize)>,
    /// Places given up in this turn.
    given_up: usize,
    misses_in_row: usize,
    looks_in_row: usize,
    looked_at: HashSet<String>,
    /// For names and texts nobody used before.
    fresh: usize,
    pub(super) calls: usize,
    pub(super) misses: usize,
    /// Texts that landed at the second try.
    pub(super) second_tries: usize,
    /// Places given up in the whole session.
    pub(super) given_up_at_all: usize,
}

impl Rewriter {
    pub(super) fn new(seed: u64) -> Rewriter {
        let mut random = Random::new(seed);
        let mut project = Project::default();
        for file in 0..random.between(1, 5) {
            let parts: Vec<String> = (1..=random.between(1, 6))
                .map(|part| format!("def part_{file}_{part}(items):\n    return items[{part}]\n\n"))
                .collect();
            let folder = random.pick(&["src/", "", "tests/"]);
            project
                .put(&format!("{folder}file{file}.py"), &format!("LIMIT_{file} = 10\n{}", parts.join("\n")));
        }
        project.put("src/main.py", "def main():\n    print('ready')\n");
        let shell = Shell::new(&mut random);
        Rewriter {
            random,
            project,
            shell,
            writing: None,
            fates: HashMap::new(),
            given_up: 0,
            misses_in_row: 0,
            looks_in_row: 0,
            looked_at: HashSet::new(),
            fresh: 0,
            calls: 0,
            misses: 0,
            second_tries: 0,
            given_up_at_all: 0,
        }
    }

    fn fresh(&mut self) -> usize {
        self.fresh += 1;
        self.fresh
    }

    fn file(&mut self) -> String {
        let paths: Vec<&String> = self.project.files.keys().collect();
        (*self.random.pick(&paths)).clone()
    }

    fn function(&mut self) -> String {
        let is_name = |line: &&String| line.starts_with("def ");
        let lines = self.project.files.values().flatten().filter(is_name);
        let names: Vec<&str> =
            lines.filter_map(|line| line.strip_prefix("def ")?.split('(').next()).collect();
        if names.is_empty() { "main".to_owned() } else { (*self.random.pick(&names)).to_owned() }
    }

    /// What the user asks for next.
    pub(super) fn task(&mut self) -> String {
        // Each message is a run of its own, in which every guard and every place begins anew.
        self.fates.clear();
        (self.given_up, self.misses_in_row, self.looks_in_row) = (0, 0, 0);
        let name = self.function();
        let fresh = self.fresh();
        match self.random.below(8) {
            0..3 => {
                let names: Vec<String> =
                    (0..self.random.between(1, 9)).map(|_| format!("{}()", self.function())).collect();
                format!("Fix {} for empty lists.", names.join(", "))
            }
            3 => "Empty lists crash the checkout, fix it.".to_owned(),
            4 => format!("Fix the bug in {}.", self.file()),
            5 => {
                format!("Rename `{name}` to `better_{fresh}`, and fix {}() for empty lists.", self.function())
            }
            6 => format!("Add a function fresh_{fresh}() to {} and use it in {name}().", self.file()),
            _ => format!("Write a file docs/page{fresh}.md about this project."),
        }
    }

    /// How many texts for a new place will be refused.
    fn fate(&mut self) -> usize {
        let fates = [(14, 0), (4, 1), (3, TRIES)];
        let refused = self.random.weighted(&fates);
        if refused == TRIES && 2 * self.given_up > self.fates.len() + 1 {
            return 1;
        }
        self.given_up += usize::from(refused == TRIES);
        refused
    }

    /// The new text of a place.
    fn text(&mut self, place: &Place, change: Change) -> Reply {
        self.calls += 1;
        let (fresh, key) = (self.fresh(), (place.clone(), change));
        if !self.fates.contains_key(&key) {
            let refused = self.fate();
            self.fates.insert(key.clone(), (refused, 0));
        }
        let Some((refused, written)) = self.fates.get_mut(&key) else { unreachable!("it was put there") };
        *written += 1;
        let is_refused = *written <= *refused && self.misses_in_row < MISSES_IN_ROW_MAX;
        let is_second = *written == TRIES;
        if is_refused {
            self.misses += 1;
            self.misses_in_row += 1;
            self.given_up_at_all += usize::from(is_second);
            return self.vain_text(place, change);
        }
        self.misses_in_row = 0;
        self.second_tries += usize::from(is_second);
        let name = place.own_name().unwrap_or("main");
        let text = match change {
            Change::Rewrite if name.starts_with("LIMIT") => format!("{name} = {fresh}0"),
            Change::Rewrite => format!("def {name}(items):\n    return items[:{fresh}]"),
            _ => format!("def fresh_{fresh}(items):\n    return items"),
        };
        let before = *self.random.pick(&["", "", "Here is the code:\n\n"]);
        let after = *self.random.pick(&["", "\n", "\nIt is done.\n```python\nmain()\n```\n"]);
        Reply::text(format!("{before}```python\n{text}\n```{after}"))
    }

    /// A text that will be refused: the same as before, one without the definition, one that is cut off, or none.
    fn vain_text(&mut self, place: &Place, change: Change) -> Reply {
        let is_rewrite = change == Change::Rewrite;
        match self.random.below(4) {
            0 if is_rewrite => {
                let known = self.project.read_place(place, change).unwrap_or_default();
                Reply::text(format!("```python\n{}\n```", known.text))
            }
            1 if is_rewrite && place.name.is_some() => {
                Reply::text("```python\ndef other(items):\n    return 0\n```")
            }
            2 => Reply {
                finish: Finish::Named("length".to_owned()),
                ..Reply::text("```python\ndef part(items):\n    return it")
            },
            _ => Reply::text("```python\n```"),
        }
    }

    /// A place of the offer that was not tried yet.
    fn choice(&mut self, places: &[Offered]) -> Option<Value> {
        if places.is_empty() {
            return None;
        }
        if self.random.chance(5) {
            return Some(json!({ "change": "create", "to": format!("src/new{}.py", self.fresh()) }));
        }
        let can_add = places.iter().any(|offered| offered.changes.contains(&Change::AddAfter));
        let change = if can_add && self.random.chance(10) { Change::AddAfter } else { Change::Rewrite };
        let is_new = |offered: &&Offered| {
            let key = (offered.place.clone(), change);
            offered.changes.contains(&change) && !self.fates.contains_key(&key)
        };
        let new: Vec<&Offered> = places.iter().filter(is_new).collect();
        let all: Vec<&Offered> = places.iter().filter(|offered| offered.changes.contains(&change)).collect();
        let from = if new.is_empty() { all } else { new };
        let place = self.random.pick(&from).place.label();
        Some(json!({ "place": place, "change": change.word() }))
    }

    /// Something that was not looked at before, with a tool that is offered.
    fn look(&mut self, request: &Request) -> (&'static str, Value) {
        loop {
            let fresh = self.fresh();
            let (tool, arguments) = match self.random.below(4) {
                0 => ("view_file", json!({ "path": self.file() })),
                1 => ("view_file", json!({ "path": self.file(), "start_line": 1, "end_line": fresh })),
                2 => ("grep", json!({ "pattern": self.function(), "context": fresh })),
                _ => ("find_files", json!({ "pattern": format!("*file{}*", fresh % 5), "path": "." })),
            };
            let is_new = !self.looked_at.contains(&arguments.to_string()) || fresh > 10_000;
            if request.payload.offer.has(tool) && is_new {
                self.looked_at.insert(arguments.to_string());
                return (tool, arguments);
            }
        }
    }

    fn action(&mut self, request: &Request) -> (&'static str, Value) {
        let offer = &request.payload.offer;
        let can_look = offer.has("view_file") || offer.has("grep");
        let can_choose = offer.has("change") && !offer.places().is_empty();
        let may_test = offer.has("run_command") && self.shell.may_repeat("cargo test");
        let is_looking = can_look && self.looks_in_row < LOOKS_IN_ROW_MAX && self.random.chance(30);
        if may_test && self.random.chance(if can_choose { 10 } else { 60 }) {
            return ("run_command", json!({ "command": "cargo test" }));
        }
        if can_choose && !is_looking {
            self.looks_in_row = 0;
            let chosen = self.choice(offer.places()).unwrap_or_default();
            return ("change", chosen);
        }
        self.looks_in_row += 1;
        self.calls += 1;
        self.look(request)
    }
}

impl Cast for Rewriter {
    fn reply(&mut self, request: &Request) -> Reply {
        if let Some((place, change)) = self.writing.take() {
            return self.text(&place, change);
        }
        let offer = &request.payload.offer;
        if offer.can_answer() && (offer.places().is_empty() || self.random.chance(2)) {
            return Reply::text(json!({ "message": "All of it is done." }).to_string());
        }
        let (name, arguments) = self.action(request);
        Reply::text(json!({ "name": name, "arguments": arguments }).to_string())
    }

    fn run(&mut self, call: &ToolCall, grant: Grant) -> (ToolDone, i64) {
        if let ToolCall::RunCommand { command, .. } = call {
            let ms = self.random.weighted(&[(6, 300), (3, 2_000), (1, 9_000)]) + self.random.between(0, 900);
            return (ToolDone::Output(self.shell.run(command, ms)), ms);
        }
        if let ToolCall::Change(change) = call
            && change.change == Change::Rename
            && self.misses_in_row < MISSES_IN_ROW_MAX
            && self.random.chance(10)
        {
            self.misses += 1;
            self.misses_in_row += 1;
            let text = format!("{} was not changed: the name is taken.", change.place.label());
            return (ToolDone::Output(ToolOutput::new(Outcome::ExecError, text)), 1);
        }
        let done = self.project.run(call, grant);
        if let ToolDone::Output(output) = &done
            && !output.edits.is_empty()
        {
            self.shell.changed(&mut self.random);
        }
        (done, 1)
    }

    fn survey(&mut self) -> Survey {
        self.project.survey()
    }

    fn read_place(&mut self, place: &Place, change: Change) -> Option<PlaceText> {
        self.writing = Some((place.clone(), change));
        self.project.read_place(place, change)
    }
}
