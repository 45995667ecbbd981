//! A model, a server and a user that misbehave in every way that was seen, drawn by seed.
//!
//! The model has habits: it does the same thing for a while, as small models do, and now and then something else.

use bowline_core::checkpoint::{Captured, Compared, Taken};
use bowline_core::entry::{Answer, Body, Input, PermissionAnswered, Queued, Scope};
use bowline_core::mode::Mode;
use bowline_core::outcome::Outcome;
use bowline_core::place::{Change, Place, PlaceText, Survey};
use bowline_core::tool_output::{Grant, Question, ToolDone, ToolOutput};
use bowline_core::tools::ToolCall;
use bowline_core::turn::{Effect, Life};
use bowline_core::typed::Typed;
use bowline_core::wire::Request;
use bowline_script::Reply;
use bowline_script::reply::{Call, Field, Pieces, Quirk, Step};
use serde_json::{Value, json};

use super::{arguments, fault, places, words};
use crate::sim::Cast;
use crate::sim::project::{Project, pattern_of};
use crate::sim::random::Random;

pub(super) struct Fool {
    random: Random,
    project: Project,
    habit: Habit,
    /// Calls that a habit repeats.
    cycle: Vec<(String, Value)>,
    /// Answers so far.
    n: usize,
    /// Of a hundred answers, those the server spoils.
    faults: u64,
    /// Of a hundred effects, those somebody says something after.
    interruptions: u64,
    is_late: bool,
    keeps_stale_events: bool,
    /// What it said of what only we should say.
    said: Vec<&'static str>,
}

#[derive(Debug, Clone, Copy)]
enum Habit {
    /// One call after the other out of `cycle`.
    Cycle,
    SameFailingEdit,
    DifferentFailures,
    FailAndRead,
    EditAndRedTest,
    SlowCommand,
    Offsets,
    Nothing,
    ThoughtsOnly,
    Anything,
    BrokenArguments,
    OddNames,
    Written,
    Flood,
    Words,
}

const HABITS: [(u32, Habit); 15] = [
    (4, Habit::Cycle),
    (1, Habit::SameFailingEdit),
    (2, Habit::DifferentFailures),
    (2, Habit::FailAndRead),
    (1, Habit::EditAndRedTest),
    (1, Habit::SlowCommand),
    (1, Habit::Offsets),
    (1, Habit::Nothing),
    (1, Habit::ThoughtsOnly),
    (6, Habit::Anything),
    (4, Habit::BrokenArguments),
    (2, Habit::OddNames),
    (4, Habit::Written),
    (1, Habit::Flood),
    (1, Habit::Words),
];

impl Fool {
    pub(super) fn new(mut random: Random) -> Fool {
        let mut project = Project::default();
        for path in ["src/a.rs", "src/b.rs", "README.md"] {
            let lines: Vec<String> = (0..12).map(|line| format!("line {line}")).collect();
            project.put(path, &lines.join("\n"));
        }
        project.put("src/c.py", places::SOURCE);
        let habit = random.weighted(&HABITS);
        let mut fool = Fool {
            project,
            habit,
            cycle: Vec::new(),
            n: 0,
            faults: *random.pick(&[0, 0, 5, 15, 40]),
            interruptions: *random.pick(&[0, 0, 1, 4, 12]),
            is_late: random.chance(30),
            keeps_stale_events: random.chance(30),
            said: Vec::new(),
            random,
        };
        fool.draw_habit();
        fool
    }

    fn draw_habit(&mut self) {
        self.habit = self.random.weighted(&HABITS);
        let period = *self.random.pick(&[1, 1, 2, 3, 6]);
        self.cycle = (0..period).map(|_| arguments::fitting(&mut self.random)).collect();
    }

    /// What the model would say, were its server sound.
    fn meant(&mut self) -> Vec<Step> {
        self.n += 1;
        if self.random.chance(12) {
            self.draw_habit();
        }
        let n = self.n;
        let random = &mut self.random;
        let mut steps = Vec::new();
        if random.chance(15) {
            let field = *random.pick(&[
                None,
                Some(Field::ReasoningContent),
                Some(Field::Reasoning),
                Some(Field::Thinking),
            ]);
            steps.push(Step::Reasoning { pieces: pieces(random, "I think of it. "), field });
        }
        if random.chance(15) {
            let text = words::text(random);
            steps.push(Step::Text(pieces(random, &text)));
        }
        let calls = match self.habit {
            Habit::Cycle => vec![self.cycle[n % self.cycle.len()].clone()],
            Habit::SameFailingEdit => vec![edit("gone", "gone again")],
            Habit::DifferentFailures => vec![arguments::failing(random, n)],
            Habit::FailAndRead if n.is_multiple_of(2) => vec![arguments::failing(random, n)],
            Habit::FailAndRead => vec![view(json!({ "path": "src/a.rs", "start_line": 1 + n % 7 }))],
            Habit::EditAndRedTest if n.is_multiple_of(2) => vec![edit("line 1", &format!("line 1{n}"))],
            Habit::EditAndRedTest => vec![("run_command".to_owned(), json!({ "command": "make test" }))],
            Habit::SlowCommand => vec![("run_command".to_owned(), json!({ "command": "slow" }))],
            Habit::Offsets => vec![view(json!({ "path": "src/a.rs", "start_line": 100 + 50 * n }))],
            Habit::Nothing => return Vec::new(),
            Habit::ThoughtsOnly => {
                let tagged = format!("<think>{}", words::soup(random, 5));
                return vec![if random.chance(50) {
                    Step::Reasoning { pieces: pieces(random, "hm"), field: None }
                } else {
                    Step::Text(Pieces::whole(tagged))
                }];
            }
            Habit::Anything => {
                (0..random.weighted(&[(6, 1), (2, 2), (1, 5)])).map(|_| arguments::fitting(random)).collect()
            }
            Habit::Flood => (0..random.below(41)).map(|_| arguments::fitting(random)).collect(),
            Habit::BrokenArguments | Habit::OddNames => vec![arguments::fitting(random)],
            Habit::Written => {
                let text = words::written(random);
                return vec![Step::Text(pieces(random, &text))];
            }
            Habit::Words => return vec![self.words()],
        };
        for (name, value) in calls {
            let call = self.call(name, &value);
            steps.push(Step::Call(call));
        }
        steps
    }

    /// Calls as a mode without structured ones has them, or nearly.
    fn written(&mut self, steps: Vec<Step>, mode: Mode) -> Vec<Step> {
        let random = &mut self.random;
        let written = |step: Step| match step {
            Step::Call(call) => {
                let object =
                    format!("{{\"name\": {}, \"arguments\": {}}}", json!(call.name), call.arguments.text);
                let text = if mode == Mode::Text { format!("\n```json\n{object}\n```") } else { object };
                Step::Text(pieces(random, &text))
            }
            Step::Text(said) if mode == Mode::Constrained => {
                let text = json!({ "message": said.text }).to_string();
                Step::Text(Pieces { text, ..said })
            }
            step => step,
        };
        steps.into_iter().map(written).collect()
    }

    fn words(&mut self) -> Step {
        let mut text = words::text(&mut self.random);
        if self.random.chance(20) {
            let sentinel = *self.random.pick(&words::SENTINELS);
            self.said.push(sentinel);
            text.push_str(sentinel);
        }
        Step::Text(pieces(&mut self.random, &text))
    }

    fn call(&mut self, name: String, value: &Value) -> Call {
        let random = &mut self.random;
        let is_broken = matches!(self.habit, Habit::BrokenArguments) || random.chance(4);
        let is_odd = matches!(self.habit, Habit::OddNames) || random.chance(3);
        let text = if is_broken { arguments::broken(random, value) } else { value.to_string() };
        let quirks = if random.chance(25) { vec![random.pick(&Quirk::ALL).1] } else { Vec::new() };
        let id =
            random.chance(10).then(|| (*random.pick(&["call_1", "x", "", "i00000001", "👩"])).to_owned());
        let name = if is_odd { arguments::odd_name(random) } else { name };
        Call { name, arguments: pieces(random, &text), quirks, id }
    }

    fn command(&mut self, command: &str) -> (ToolOutput, i64) {
        let (code, text, ms) = match command.split(' ').next().unwrap_or_default() {
            "true" => (0, "ok\n".to_owned(), 20),
            "make" => (2, "1 passed, 3 failed in 0.3 s\nmake: *** [test] Error 1\n".to_owned(), 300),
            "slow" => (1, "still not there\n".to_owned(), 6_000),
            "soup" => (
                self.random.between(0, 255),
                words::soup(&mut self.random, 40),
                self.random.between(1, 40_000),
            ),
            _ => (127, format!("sh: {command}: not found\n"), 5),
        };
        let outcome = match code {
            0 => Outcome::Success,
            126 | 127 => Outcome::ExecError,
            _ => Outcome::NoResult,
        };
        let output = ToolOutput {
            exit_code: Some(code),
            ..ToolOutput::new(outcome, format!("{text}exit code {code}"))
        };
        (output, ms)
    }

    fn answer_in_words(&mut self, item: &str) -> Body {
        let answer = *self.random.pick(&[Answer::Yes, Answer::No]);
        let reason = self.random.chance(40).then(|| words::soup(&mut self.random, 4));
        Body::PermissionAnswered(PermissionAnswered {
            item: item.to_owned(),
            answer,
            scope: *self.random.pick(&[Scope::Once, Scope::Session, Scope::Project]),
            reason,
            by: "web".to_owned(),
        })
    }
}

impl Cast for Fool {
    fn reply(&mut self, request: &Request) -> Reply {
        let mut steps = self.meant();
        let is_choosing = self.random.chance(60);
        if places::is_writing(request) {
            let text = places::written(&mut self.random, request);
            steps = vec![Step::Text(pieces(&mut self.random, &text))];
        } else if let Some(choice) = places::chosen(&mut self.random, request).filter(|_| is_choosing) {
            steps = vec![Step::Text(pieces(&mut self.random, &choice))];
        } else if request.payload.mode != Mode::Native && self.random.chance(85) {
            steps = self.written(steps, request.payload.mode);
        }
        let reply = fault::dressed(&mut self.random, Reply { steps, ..Reply::default() });
        if self.random.chance(self.faults) { fault::troubled(&mut self.random, reply) } else { reply }
    }

    fn run(&mut self, call: &ToolCall, grant: Grant) -> (ToolDone, i64) {
        let is_write = matches!(
            call,
            ToolCall::EditFile { .. }
                | ToolCall::WriteFile { .. }
                | ToolCall::RunCommand { .. }
                | ToolCall::Change(_)
        );
        if is_write && grant == Grant::Unsaved {
            let what = "write without a checkpoint".to_owned();
            return (ToolDone::Ask(Question { what, pattern: pattern_of(call), also: Vec::new() }), 1);
        }
        if let ToolCall::RunCommand { command, .. } = call {
            let (output, ms) = self.command(command);
            return (ToolDone::Output(output), ms);
        }
        (self.project.run(call, grant), self.random.between(0, 60))
    }

    fn survey(&mut self) -> Survey {
        self.project.survey()
    }

    fn read_place(&mut self, place: &Place, change: Change) -> Option<PlaceText> {
        // It may be gone since it was chosen.
        self.random.chance(95).then(|| self.project.read_place(place, change))?
    }

    fn compare(&mut self) -> Option<Compared> {
        let paths = if self.random.chance(50) { vec!["src/a.rs".to_owned()] } else { Vec::new() };
        self.random.chance(80).then_some(Compared { paths, state: None })
    }

    fn checkpoint(&mut self, id: String) -> (Taken, i64) {
        let captured = Captured { commit: format!("files of {id}"), ..Captured::default() };
        let captured = if self.random.chance(85) { Ok(captured) } else { Err("the disk is full".to_owned()) };
        (Taken { id, captured }, self.random.between(0, 200))
    }

    fn life(&mut self) -> Life {
        *self.random.pick(&[Life::Working, Life::Idle, Life::Gone])
    }

    fn outside(&mut self, effect: &Effect) -> Option<(i64, Body)> {
        let asked = match effect {
            Effect::Append(bodies) => bodies.iter().find_map(|body| match body {
                Body::PermissionAsked(asked) => Some(asked.item.clone()),
                _ => None,
            }),
            _ => None,
        };
        if let Some(item) = asked {
            return self
                .random
                .chance(60)
                .then(|| (self.random.between(0, 5_000), self.answer_in_words(&item)));
        }
        if !self.random.chance(self.interruptions) {
            return None;
        }
        let by = "web".to_owned();
        let body = match self.random.below(10) {
            0 => Body::Input(Input::stop(by)),
            // A few ids, so that some are changed, and some taken back, before and after they run.
            1 => {
                let withdrawn = self.random.chance(30);
                let text = if withdrawn { String::new() } else { "And then?".to_owned() };
                let (id, typed) = (format!("q{}", self.random.below(4)), Typed::all(&text));
                Body::Queued(Queued { id, text, typed, by, withdrawn })
            }
            2 => self.answer_in_words("i00000003"),
            _ => {
                let text = words::soup(&mut self.random, 4);
                Body::Input(Input::steer(text.clone(), Typed::all(&text), by))
            }
        };
        Some((self.random.between(0, 3_000), body))
    }

    fn answer(&mut self, item: &str) -> Body {
        self.answer_in_words(item)
    }

    fn late_ms(&mut self) -> i64 {
        if self.is_late && self.random.chance(20) { self.random.between(0, 120) } else { 0 }
    }

    fn keeps_stale_events(&self) -> bool {
        self.keeps_stale_events
    }

    fn is_restless(&mut self) -> bool {
        self.is_late && self.random.chance(3)
    }

    fn has_said(&self, text: &str) -> bool {
        self.said.contains(&text)
    }
}

fn edit(old: &str, new: &str) -> (String, Value) {
    ("edit_file".to_owned(), json!({ "path": "src/a.rs", "old": old, "new": new }))
}

fn view(arguments: Value) -> (String, Value) {
    ("view_file".to_owned(), arguments)
}

/// At once, or in pieces of a few characters.
fn pieces(random: &mut Random, text: &str) -> Pieces {
    // A long text in single characters only takes time.
    let chars = random.chance(25).then(|| 1 + random.below(9) + text.len() / 20);
    Pieces { text: text.to_owned(), chars }
}
