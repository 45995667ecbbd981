//! When checkpoints are taken, and what waits for them: the machine event by event.

use bowline_core::checkpoint::{Captured, Checkpoint, Moment, Taken};
use bowline_core::entry::{Access, Answer, Body, Change, Entry, Input, PermissionAnswered, Scope};
use bowline_core::mode::Mode;
use bowline_core::outcome::Outcome;
use bowline_core::servers::ServerKind;
use bowline_core::timeline::Timeline;
use bowline_core::tool_output::{Question, ToolDone, ToolOutput};
use bowline_core::turn::{CheckPolicy, Effect, Event, Machine, Opening, Permission, Setup};
use bowline_core::view::View;
use bowline_core::wire::{CallPiece, Delta};
use bowline_core::{policy, recover};
use serde_json::{Value, json};

use crate::session;

/// A session as its log, and the run that is under way.
struct Played {
    log: Vec<Entry>,
    machine: Machine,
    /// What was done in this run, in words.
    done: Vec<String>,
    calls: u64,
}

fn setup(access: Access, permission: Permission) -> Setup {
    Setup {
        dialect: ServerKind::OpenAi.dialect("coder", 100_000),
        access,
        edits: Default::default(),
        permission,
        steps_max: 20,
        time_ms_max: None,
        takes_checkpoints: true,
        tokens_per_s: None,
        calling: Default::default(),
        checks: CheckPolicy::default(),
    }
}

impl Played {
    fn open(access: Access, permission: Permission) -> Played {
        let body = session::started(Access::Write, 100_000, Mode::Native);
        let log = vec![Entry { session: "s".to_owned(), seq: 1, at_ms: 0, turn: None, body }];
        let machine = Machine::new(&log, setup(access, permission));
        let mut played = Played { log, machine, done: Vec::new(), calls: 0 };
        played.begin(Opening::task("Do it.\nNow."));
        played
    }

    fn begin(&mut self, opening: Opening) {
        let effects = self.machine.open(opening, &View::of(&self.log), 0);
        self.take(effects);
    }

    fn go_on(&mut self) {
        self.machine = Machine::new(&self.log, setup(Access::Write, Permission::Yes));
        self.calls = 0;
        self.begin(Opening::go_on());
    }

    fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Append(bodies) => bodies.into_iter().for_each(|body| self.append(body)),
                Effect::RunTool { item, grant, .. } => self.done.push(format!("run {item} {grant:?}")),
                Effect::TakeCheckpoint { moment, since } => {
                    let since = since.map_or(String::new(), |since| format!(" since {since}"));
                    self.done.push(format!("take {moment:?}{since}"));
                }
                Effect::EndTools => self.done.push("end tools".to_owned()),
                Effect::CallModel { .. } => self.calls += 1,
                Effect::HandBack(end) => self.done.push(format!("hand back {}", end.stop.word())),
                _ => {}
            }
        }
    }

    fn append(&mut self, body: Body) {
        match &body {
            Body::Checkpoint(Checkpoint { moment, error: Some(error), .. }) => {
                self.done.push(format!("{moment:?} failed: {error}"));
            }
            Body::Checkpoint(taken) => {
                self.done
                    .push(format!("{:?} {} of {}: {}", taken.moment, taken.id, taken.message, taken.label));
            }
            Body::PermissionAsked(asked) => self.done.push(format!("asked {}", asked.item)),
            _ => {}
        }
        let seq = self.log.last().map_or(0, |entry| entry.seq) + 1;
        let turn = Some(self.machine.turn().to_owned());
        self.log.push(Entry { session: "s".to_owned(), seq, at_ms: 0, turn, body });
    }

    fn event(&mut self, event: Event) {
        let effects = self.machine.step(event, 1_000);
        self.take(effects);
    }

    fn says(&mut self, deltas: Vec<Delta>) {
        let call = self.calls;
        self.event(Event::Deltas { call, deltas });
        self.event(Event::Ended { call });
    }

    fn taken(&mut self, moment: Moment, id: &str, changes: &[(&str, i64, i64)]) {
        let change = |(path, added, removed): &(&str, i64, i64)| Change {
            path: (*path).to_owned(),
            added: *added,
            removed: *removed,
        };
        let changes = changes.iter().map(change).collect();
        let captured = Captured { commit: format!("c-{id}"), changes, ..Captured::default() };
        self.event(Event::Checkpointed {
            moment,
            taken: Taken { id: id.to_owned(), captured: Ok(captured) },
        });
    }

    fn failed(&mut self, moment: Moment) {
        let captured = Err("the disk is full".to_owned());
        self.event(Event::Checkpointed { moment, taken: Taken { id: "k0".to_owned(), captured } });
    }

    fn tool(&mut self, item: &str, done: ToolDone) {
        self.event(Event::Tool { item: item.to_owned(), done });
    }

    fn stop(&mut self) {
        let body = Body::Input(Input::stop("web"));
        self.event(Event::Input { seq: 99, body: Box::new(body) });
    }

    /// What was done since the last time.
    fn done(&mut self) -> String {
        std::mem::take(&mut self.done).join(", ")
    }

    fn changes(&self) -> Vec<(String, i64, i64)> {
        let changes = View::of(&self.log).end.unwrap().changes;
        changes.into_iter().map(|change| (change.path, change.added, change.removed)).collect()
    }
}

fn calls(list: &[(&str, Value)]) -> Vec<Delta> {
    let piece = |(index, (name, arguments)): (i64, &(&str, Value))| {
        Delta::Call(CallPiece {
            index: Some(index),
            id: Some(format!("c{index}")),
            name: Some((*name).to_owned()),
            arguments: arguments.to_string(),
        })
    };
    (0..).zip(list).map(piece).collect()
}

fn read() -> (&'static str, Value) {
    ("view_file", json!({ "path": "a.rs" }))
}

fn write(path: &str) -> (&'static str, Value) {
    ("write_file", json!({ "path": path, "content": "x" }))
}

fn command() -> (&'static str, Value) {
    ("run_command", json!({ "command": "ls" }))
}

fn text() -> Vec<Delta> {
    vec![Delta::Text("Done.".to_owned())]
}

fn output() -> ToolDone {
    ToolDone::Output(ToolOutput::new(Outcome::Success, "done"))
}

fn question() -> ToolDone {
    let (what, pattern) = ("write a.rs".to_owned(), "write_file(a.rs)".to_owned());
    ToolDone::Ask(Question { what, pattern, also: Vec::new() })
}

#[test]
fn the_first_call_that_writes_waits_for_the_checkpoint_and_the_end_for_the_other_one() {
    let mut played = Played::open(Access::Write, Permission::Yes);
    played.says(calls(&[read(), command(), write("b.rs")]));
    assert_eq!(played.done(), "run i00000001 Inside");
    played.tool("i00000001", output());
    assert_eq!(played.done(), "take Before");
    // Being woken changes nothing.
    played.event(Event::Tick);
    assert_eq!(played.done(), "");
    played.taken(Moment::Before, "k1", &[]);
    assert_eq!(played.done(), "Before k1 of m2: Do it., run i00000002 Inside");
    played.tool("i00000002", output());
    played.tool("i00000003", output());
    assert_eq!(played.done(), "run i00000003 Inside");
    played.says(text());
    assert_eq!(played.done(), "end tools, take After since c-k1");
    // What comes late is for nobody.
    played.tool("i00000003", output());
    played.event(Event::Tick);
    played.taken(Moment::Before, "k9", &[]);
    assert_eq!(played.done(), "");
    played.taken(Moment::After, "k2", &[("made.txt", 3, 0)]);
    assert_eq!(played.done(), "After k2 of m2: Do it., end tools, hand back done");
    assert_eq!(played.changes(), [("made.txt".to_owned(), 3, 0)]);
    let view = View::of(&played.log);
    assert_eq!(view.end.unwrap().checkpoint.as_deref(), Some("k1"));
    assert_eq!(view.messages[1].message.checkpoint.as_deref(), Some("k1"));
}

#[test]
fn a_turn_that_only_reads_takes_none() {
    for (access, calls_made) in [(Access::Write, vec![read()]), (Access::ReadOnly, vec![write("a.rs")])] {
        let mut played = Played::open(access, Permission::Yes);
        played.says(calls(&calls_made));
        played.tool("i00000001", output());
        played.says(text());
        assert!(!played.done().contains("take"), "{access:?}");
        assert!(played.machine.is_over());
    }
}

#[test]
fn each_run_takes_its_own_and_the_anchor_stays() {
    let mut played = Played::open(Access::Write, Permission::Yes);
    played.says(calls(&[read()]));
    played.stop();
    played.done();
    for (n, changed) in [(1, "a.rs"), (2, "b.rs")] {
        played.go_on();
        played.says(calls(&[write("a.rs")]));
        played.taken(Moment::Before, &format!("k{n}"), &[]);
        let item = played.done().rsplit(' ').nth(1).unwrap().to_owned();
        played.tool(&item, output());
        played.says(text());
        played.taken(Moment::After, &format!("l{n}"), &[(changed, 1, 0)]);
        assert!(played.done().contains(&format!("After l{n} of m2: Do it.")));
    }
    assert_eq!(played.changes(), [("a.rs".to_owned(), 1, 0), ("b.rs".to_owned(), 1, 0)]);
    let turns = Timeline::of(&played.log).turns();
    assert_eq!((turns.len(), turns[0].runs.len()), (1, 3));
    assert_eq!((turns[0].anchor.as_str(), turns[0].checkpoint.as_deref()), ("m2", Some("k1")));
    assert_eq!(View::of(&played.log).messages[1].message.checkpoint.as_deref(), Some("k1"));
}

#[test]
fn a_stop_does_not_wait() {
    let mut played = Played::open(Access::Write, Permission::Yes);
    played.says(calls(&[write("a.rs")]));
    played.stop();
    assert_eq!(played.done(), "take Before, end tools, end tools, hand back cancelled");
    played.taken(Moment::Before, "k1", &[]);
    assert_eq!(played.done(), "");
    assert_eq!(recover::close(&played.log), []);

    let mut played = Played::open(Access::Write, Permission::Yes);
    played.says(calls(&[write("a.rs")]));
    played.taken(Moment::Before, "k1", &[]);
    played.stop();
    assert!(played.done().ends_with("end tools, end tools, take After since c-k1"));
    played.stop();
    assert_eq!(played.done(), "end tools, hand back cancelled");
    let after = Timeline::of(&played.log).turns()[0].runs[0].pair.clone().unwrap().after;
    assert_eq!(after, None, "nobody knows yet what it did");
}

/// Check 16: it does not stop the turn. What it would have held is asked about, each time.
#[test]
fn check_16_a_checkpoint_that_fails_is_said_and_makes_writing_a_question() {
    let mut played = Played::open(Access::Write, Permission::Ask);
    played.says(calls(&[write("a.rs"), read(), write("a.rs")]));
    played.failed(Moment::Before);
    let done = "take Before, Before failed: the disk is full, run i00000001 Unsaved";
    assert_eq!(played.done(), done);
    played.tool("i00000001", question());
    assert_eq!(played.done(), "asked i00000001");
    let always = |item: &str| PermissionAnswered {
        item: item.to_owned(),
        answer: Answer::Yes,
        scope: Scope::Session,
        reason: None,
        by: "web".to_owned(),
    };
    let body = Box::new(Body::PermissionAnswered(always("i00000001")));
    played.event(Event::Input { seq: 50, body });
    assert_eq!(played.done(), "run i00000001 Outside");
    played.tool("i00000001", output());
    played.tool("i00000002", output());
    assert_eq!(played.done(), "run i00000002 Unsaved, run i00000003 Unsaved");
    played.tool("i00000003", question());
    assert_eq!(played.done(), "asked i00000003");
    let body = Box::new(Body::PermissionAnswered(always("i00000003")));
    played.event(Event::Input { seq: 51, body });
    played.tool("i00000003", output());
    played.says(text());
    assert_eq!(played.done(), "run i00000003 Outside, end tools, hand back done");
    assert_eq!(View::of(&played.log).end.unwrap().checkpoint, None);
    // The next run tries again.
    played.go_on();
    played.says(calls(&[write("a.rs")]));
    assert_eq!(played.done(), "take Before");
}

#[test]
fn what_the_user_said_beforehand_holds_without_a_checkpoint_too() {
    for (permission, done) in
        [(Permission::Yes, "asked i00000001, run i00000001 Outside"), (Permission::Nobody, "asked i00000001")]
    {
        let mut played = Played::open(Access::Write, permission);
        played.says(calls(&[write("a.rs")]));
        played.failed(Moment::Before);
        played.done();
        played.tool("i00000001", question());
        assert_eq!(played.done(), done);
    }
}

/// One that fails at the end leaves what the calls said they did.
#[test]
fn a_failed_end_is_told_from_the_edits() {
    let mut played = Played::open(Access::Write, Permission::Yes);
    played.says(calls(&[command()]));
    played.taken(Moment::Before, "k1", &[]);
    played.tool("i00000001", output());
    played.says(text());
    played.failed(Moment::After);
    assert!(played.done().ends_with("After failed: the disk is full, end tools, hand back done"));
    assert_eq!(played.changes(), []);
    assert_eq!(Timeline::of(&played.log).undo().unwrap().commit.as_deref(), Some("c-k1"));
}

#[test]
fn only_what_the_tables_know_as_reading_passes_without_a_checkpoint() {
    // The parsing of commands is the host's; what it gives is judged here.
    let parts = |program: &str, arguments: &[&str]| policy::command::Command {
        text: program.to_owned(),
        parts: Ok(vec![policy::command::Part {
            words: std::iter::once(program)
                .chain(arguments.iter().copied())
                .map(|word| policy::command::Word::Known(word.to_owned()))
                .collect(),
            ..policy::command::Part::default()
        }]),
    };
    let own = policy::project_checks::ProjectChecks {
        kinds: [policy::project_checks::Kind::Cargo].into(),
        ..Default::default()
    };
    let reads =
        |program: &str, arguments: &[&str]| policy::only_reads(&parts(program, arguments), &own, &Everything);
    assert!(reads("cat", &["a.rs"]) && reads("ls", &[]) && reads("echo", &["x"]));
    assert!(!reads("touch", &["a.rs"]) && !reads("mkdir", &["b"]) && !reads("cargo", &["test"]));
    assert!(!reads("python", &["x.py"]));
}

struct Everything;

impl policy::paths::ProjectFiles for Everything {
    fn place(&self, _folder: &str, path: &str) -> policy::paths::Place {
        policy::paths::Place { at: policy::paths::PathKind::Captured, shown: path.to_owned() }
    }

    fn places(&self, folder: &str, pattern: &str) -> Vec<policy::paths::Place> {
        vec![self.place(folder, pattern)]
    }

    fn has_plain_names(&self, _folder: &str, _path: &str) -> bool {
        true
    }

    fn holds_secret(&self, _folder: &str, _path: &str, _takes_in: policy::paths::TakesIn<'_>) -> bool {
        false
    }

    fn checks_in(&self, _: &str) -> policy::project_checks::ProjectChecks {
        Default::default()
    }
}
