//! An honest developer as a model: reads, searches, edits, tests, waits for servers, and misses now and then.
//!
//! What makes it honest: it never asks twice in a row for the very same thing without a reason, a failure it sees again
//! and again makes it try something else, and at most one of its calls in ten misses.

use std::collections::HashSet;

use bowline_core::tool_output::{Grant, ToolDone};
use bowline_core::tools::ToolCall;
use bowline_core::wire::Request;
use bowline_script::Reply;
use bowline_script::reply::{Call, Pieces, Step};
use serde_json::{Value, json};

use super::shell::Shell;
use crate::sim::Cast;
use crate::sim::project::Project;
use crate::sim::random::Random;

/// Misses in a row after which it looks before it goes on.
const MISSES_IN_ROW_MAX: usize = 4;

pub(super) struct Developer {
    random: Random,
    project: Project,
    shell: Shell,
    steps_left: usize,
    /// In percent, as long as one call in ten is not passed.
    miss_rate: u64,
    /// Steps at the start in which nothing misses: what is saved may come in a bad patch.
    clean_steps: usize,
    pub(super) calls: usize,
    pub(super) misses: usize,
    misses_in_row: usize,
    /// What is under way over several steps.
    errand: Option<Errand>,
    last: Vec<Made>,
    /// Arguments of all calls so far.
    looked_at: HashSet<String>,
    /// For names and texts nobody used before.
    fresh: usize,
}

enum Errand {
    /// Asks until the server is up.
    Poll(Poll),
    /// Runs a command with one number after the other: each failure says something else, or something is found in time.
    Count { kind: Counted, from: usize, left: usize },
    /// Reads the long file from here on.
    Page { from: usize },
}

/// Rounds of calls that end with the one that asks.
struct Poll {
    command: String,
    /// What comes before it in each round.
    before: Vec<Before>,
    /// Whether a round is one step.
    is_at_once: bool,
    rounds: usize,
    /// Calls of the round that are still to be made, the next one last.
    due: Vec<Made>,
}

/// A call of a poll that does not ask.
#[derive(Clone)]
enum Before {
    /// The same read each time.
    Read(Made),
    Sleep,
    /// A longer pause at each round.
    LongerSleep,
}

#[derive(Clone, Copy)]
enum Counted {
    /// Tests that fail for different reasons.
    Test,
    /// Ports at which nothing answers, and then the one that does.
    Port,
}

type Made = (&'static str, Value);

fn command(text: &str) -> Made {
    ("run_command", json!({ "command": text }))
}

impl Poll {
    /// The calls of the next round.
    fn round(&mut self) -> Vec<Made> {
        self.rounds += 1;
        let call = |before: &Before| match before {
            Before::Read(made) => made.clone(),
            Before::Sleep => command("sleep 2"),
            Before::LongerSleep => command(&format!("sleep {}", 1 << self.rounds)),
        };
        let mut round: Vec<Made> = self.before.iter().map(call).collect();
        round.push(command(&self.command));
        round
    }
}

impl Developer {
    pub(super) fn new(seed: u64) -> Developer {
        let mut random = Random::new(seed);
        let mut project = Project::default();
        for n in 0..random.between(4, 9) {
            let lines: Vec<String> =
                (1..=random.between(8, 40)).map(|line| format!("fn part_{n}_{line}() {{}}")).collect();
            let folder = random.pick(&["src", "src/parse", "tests", "docs"]);
            project.put(&format!("{folder}/file{n}.rs"), &lines.join("\n"));
        }
        let lines: Vec<String> = (1..=200).map(|line| format!("entry {line}")).collect();
        project.put("CHANGES.md", &lines.join("\n"));
        let steps_left = if random.chance(5) { random.between(20, 45) } else { random.between(3, 8) };
        let shell = Shell::new(&mut random);
        let miss_rate = *random.pick(&[0, 10, 25, 60]);
        let clean_steps = if random.chance(30) { random.below(20) } else { 0 };
        Developer {
            random,
            project,
            shell,
            steps_left: steps_left as usize,
            miss_rate,
            clean_steps,
            calls: 0,
            misses: 0,
            misses_in_row: 0,
            errand: None,
            last: Vec::new(),
            looked_at: HashSet::new(),
            fresh: 0,
        }
    }

    fn fresh(&mut self) -> usize {
        self.fresh += 1;
        self.fresh
    }

    fn file(&mut self) -> String {
        let paths: Vec<&String> = self.project.files.keys().filter(|path| path.ends_with(".rs")).collect();
        (*self.random.pick(&paths)).clone()
    }

    /// The calls of one step.
    fn step(&mut self) -> Vec<Made> {
        if let Some(errand) = self.errand.take() {
            return self.go_on(errand);
        }
        let count = self.random.weighted(&[(7, 1), (2, 2), (1, 4)]);
        match self.random.below(20) {
            0..8 => (0..count).map(|_| self.one(Developer::look)).collect(),
            8..13 => (0..count.min(2)).map(|_| self.one(Developer::change)).collect(),
            13..15 => vec![self.one(Developer::change), self.one(Developer::test)],
            15..18 => vec![self.one(Developer::test)],
            18 if self.random.chance(50) => self.go_on(Errand::Page { from: 1 }),
            18 => self.start_counting(),
            _ => self.start_server(),
        }
    }

    /// One call, or a miss in its place where it may be one.
    fn one(&mut self, call: fn(&mut Developer) -> Made) -> Made {
        self.calls += 1;
        let may_miss =
            self.clean_steps == 0 && self.misses * 10 < self.calls && self.misses_in_row < MISSES_IN_ROW_MAX;
        if may_miss && self.random.chance(self.miss_rate) {
            self.misses += 1;
            self.misses_in_row += 1;
            return self.miss();
        }
        self.misses_in_row = 0;
        loop {
            let made = call(self);
            if !self.last.contains(&made) || made.0 == "run_command" {
                return made;
            }
        }
    }

    fn look(&mut self) -> Made {
        let path = self.file();
        match self.random.below(10) {
            0..3 => ("view_file", json!({ "path": path })),
            3..6 => {
                let start = self.random.between(1, 8);
                let end = start + self.random.between(0, 12);
                ("view_file", json!({ "path": path, "start_line": start, "end_line": end }))
            }
            6 => ("list_dir", json!({ "path": self.random.pick(&[".", "src"]) })),
            7 => {
                let n = self.random.below(14);
                ("find_files", json!({ "pattern": format!("*file{n}*") }))
            }
            8 => {
                let (n, line) = (self.random.below(8), self.random.below(30));
                ("grep", json!({ "pattern": format!("part_{n}_{line}("), "context": self.random.below(3) }))
            }
            _ => ("grep", json!({ "pattern": format!("nowhere_{}", self.fresh()) })),
        }
    }

    fn look_anew(&mut self) -> Made {
        loop {
            let made = self.look();
            if !self.looked_at.contains(&made.1.to_string()) {
                return made;
            }
        }
    }

    fn change(&mut self) -> Made {
        let fresh = self.fresh();
        if self.random.chance(20) {
            let path = if self.random.chance(50) { self.file() } else { format!("src/new{fresh}.rs") };
            return (
                "write_file",
                json!({ "path": path, "content": format!("fn first_{fresh}() {{}}\nfn second_{fresh}() {{}}\n") }),
            );
        }
        let path = self.file();
        let lines = &self.project.files[&path];
        let old = lines[self.random.below(lines.len())].clone();
        ("edit_file", json!({ "path": path, "old": old, "new": format!("fn better_{fresh}() {{}}") }))
    }

    fn test(&mut self) -> Made {
        let commands = ["cargo test", "cargo test config", "cargo test parse", "cargo build", "git status"];
        let command = *self.random.weighted(&[
            (6, &commands[0]),
            (1, &commands[1]),
            (1, &commands[2]),
            (1, &commands[3]),
            (1, &commands[4]),
        ]);
        if self.shell.may_repeat(command) {
            ("run_command", json!({ "command": command }))
        } else {
            self.change()
        }
    }

    fn miss(&mut self) -> Made {
        let fresh = self.fresh();
        match self.random.below(7) {
            0 | 1 => ("view_file", json!({ "path": format!("src/fil{fresh}.rs") })),
            2 => {
                ("edit_file", json!({ "path": self.file(), "old": format!("fn gone_{fresh}()"), "new": "" }))
            }
            3 => ("edit_file", json!({ "path": self.file(), "new": format!("fn later_{fresh}()") })),
            4 => ("view_file", json!({ "start_line": fresh })),
            5 => ("browse_web", json!({ "url": format!("http://localhost/{fresh}") })),
            _ => ("run_command", json!({ "command": format!("pyhton check{fresh}.py") })),
        }
    }

    fn start_server(&mut self) -> Vec<Made> {
        let command = format!("curl -sf localhost:{}/health", 8000 + self.fresh());
        let tries = self.random.between(0, 6) as usize;
        self.shell.start_server(&command, tries);
        let read = Before::Read(self.look_anew());
        let before = match self.random.below(8) {
            0..3 => Vec::new(),
            3 => vec![Before::Sleep],
            4 => vec![Before::LongerSleep],
            5 => vec![read, Before::Sleep],
            6 => vec![Before::Sleep, read],
            _ => vec![read, Before::LongerSleep],
        };
        let is_at_once = self.random.chance(30);
        self.go_on(Errand::Poll(Poll { command, before, is_at_once, rounds: 0, due: Vec::new() }))
    }

    fn start_counting(&mut self) -> Vec<Made> {
        let kind = *self.random.pick(&[Counted::Test, Counted::Port]);
        let left = self.random.between(2, if matches!(kind, Counted::Test) { 15 } else { 9 }) as usize;
        // Far from each other, so that no two errands ask for the same.
        let from = 100 * self.fresh();
        if matches!(kind, Counted::Port) {
            let last = Developer::count(kind, from + left - 1);
            self.shell.start_server(&last, 0);
        }
        self.go_on(Errand::Count { kind, from, left })
    }

    fn count(kind: Counted, number: usize) -> String {
        match kind {
            Counted::Test => format!("pytest test_{number}.py"),
            Counted::Port => format!("curl -sf localhost:{number}"),
        }
    }

    fn go_on(&mut self, errand: Errand) -> Vec<Made> {
        // Sometimes something else comes between: something new, since nothing has changed meanwhile.
        if self.random.chance(15) {
            let made = self.one(Developer::look_anew);
            self.errand = Some(errand);
            return vec![made];
        }
        self.calls += 1;
        match errand {
            Errand::Page { from } => {
                let page = self.random.between(15, 40) as usize;
                if from + page <= 200 {
                    self.errand = Some(Errand::Page { from: from + page });
                }
                let end = (from + page - 1).min(200);
                vec![("view_file", json!({ "path": "CHANGES.md", "start_line": from, "end_line": end }))]
            }
            Errand::Poll(poll) => self.poll(poll),
            Errand::Count { kind, from, left } => {
                if left > 1 {
                    self.errand = Some(Errand::Count { kind, from: from + 1, left: left - 1 });
                }
                vec![command(&Developer::count(kind, from))]
            }
        }
    }

    /// The next calls of a poll, up to and with the try that finds the server up.
    fn poll(&mut self, mut poll: Poll) -> Vec<Made> {
        if poll.due.is_empty() {
            poll.due = poll.round();
            poll.due.reverse();
        }
        let mut step: Vec<Made> = Vec::new();
        let calls = if poll.is_at_once { poll.due.len() } else { 1 };
        step.extend((0..calls).filter_map(|_| poll.due.pop()));
        self.calls += step.len() - 1;
        let is_asked = poll.due.is_empty();
        if !(is_asked && self.shell.is_up(&poll.command)) {
            self.errand = Some(Errand::Poll(poll));
        }
        step
    }
}

impl Cast for Developer {
    fn reply(&mut self, _request: &Request) -> Reply {
        if self.steps_left == 0 && self.errand.is_none() {
            return Reply::text("All of it is done.");
        }
        self.steps_left = self.steps_left.saturating_sub(1);
        self.clean_steps = self.clean_steps.saturating_sub(1);
        let made = self.step();
        let mut steps = Vec::new();
        if self.random.chance(20) {
            steps.push(Step::Text(Pieces::whole(format!("Next is number {}.", self.calls))));
        }
        for (name, arguments) in &made {
            self.looked_at.insert(arguments.to_string());
            steps.push(Step::Call(Call {
                name: (*name).to_owned(),
                arguments: Pieces::whole(arguments.to_string()),
                quirks: Vec::new(),
                id: None,
            }));
        }
        self.last = made;
        Reply { steps, ..Reply::default() }
    }

    fn run(&mut self, call: &ToolCall, grant: Grant) -> (ToolDone, i64) {
        if let ToolCall::RunCommand { command, .. } = call {
            let ms = self.random.weighted(&[(6, 300), (3, 2_000), (1, 9_000)]) + self.random.between(0, 900);
            return (ToolDone::Output(self.shell.run(command, ms)), ms);
        }
        let done = self.project.run(call, grant);
        if let ToolDone::Output(output) = &done
            && !output.edits.is_empty()
        {
            self.shell.changed(&mut self.random);
        }
        (done, 1)
    }
}
