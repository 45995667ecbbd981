//! The machine event by event, where a scenario cannot say what comes when.

use bowline_core::entry::{Access, Answer, Body, Entry, Input, PermissionAnswered, Scope};
use bowline_core::frame::WaitCause;
use bowline_core::mode::Mode;
use bowline_core::outcome::Outcome;
use bowline_core::servers::ServerKind;
use bowline_core::tool_output::{Grant, Question, ToolDone, ToolOutput};
use bowline_core::turn::{CheckPolicy, Effect, Event, Machine, Opening, Permission, Setup};
use bowline_core::typed::Typed;
use bowline_core::view::View;
use bowline_core::wire::{CallPiece, Delta};
use serde_json::{Value, json};

use crate::session;

struct Played {
    machine: Machine,
    /// Everything that was to be done so far.
    effects: Vec<Effect>,
    now: i64,
}

impl Played {
    fn open(permission: Permission) -> Played {
        let dialect = ServerKind::OpenAi.dialect("coder", 100_000);
        let setup = Setup {
            dialect,
            access: Access::Write,
            edits: Default::default(),
            permission,
            steps_max: 20,
            time_ms_max: None,
            takes_checkpoints: false,
            tokens_per_s: None,
            calling: Default::default(),
            checks: CheckPolicy::default(),
        };
        let body = session::started(Access::Write, 100_000, Mode::Native);
        let log = [Entry { session: "s".to_owned(), seq: 1, at_ms: 0, turn: None, body }];
        let mut machine = Machine::new(&log, setup);
        let opening = Opening::task("Do it.");
        let effects = machine.open(opening, &View::of(&log), 0);
        Played { machine, effects, now: 0 }
    }

    fn event(&mut self, event: Event) -> Vec<Effect> {
        self.now += 1_000;
        let effects = self.machine.step(event, self.now);
        self.effects.extend(effects.clone());
        effects
    }

    /// The model's whole answer to its `call`-th request.
    fn answer(&mut self, call: u64, deltas: Vec<Delta>) {
        self.event(Event::Deltas { call, deltas });
        self.event(Event::Ended { call });
    }

    fn tool(&mut self, item: &str, done: ToolDone) -> Vec<Effect> {
        self.event(Event::Tool { item: item.to_owned(), done })
    }

    fn is_over(&self) -> bool {
        matches!(self.effects.last(), Some(Effect::HandBack(_)))
    }

    fn appended(&self) -> impl Iterator<Item = &Body> {
        self.effects.iter().flat_map(|effect| match effect {
            Effect::Append(bodies) => bodies.as_slice(),
            _ => &[],
        })
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

fn text(words: &str) -> Vec<Delta> {
    vec![Delta::Text(words.to_owned())]
}

fn output() -> ToolDone {
    ToolDone::Output(ToolOutput::new(Outcome::Success, "a.rs lines 1-1 of 1"))
}

fn ask() -> ToolDone {
    let (what, pattern) = ("read /etc/hosts".to_owned(), "view_file(/etc/hosts)".to_owned());
    ToolDone::Ask(Question { what, pattern, also: Vec::new() })
}

/// Who waits for a slot is told so once; and that the wait is over, before the server has said anything.
#[test]
fn a_slot_that_is_got_is_shown_at_once() {
    let shown = |effects: &[Effect]| -> Vec<(WaitCause, i64)> {
        effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Show(waiting) => Some((waiting.cause, waiting.since_ms)),
                _ => None,
            })
            .collect()
    };
    let mut played = Played::open(Permission::Yes);
    let queued = || Event::Deltas { call: 1, deltas: vec![Delta::Queued] };
    let alive = || Event::Deltas { call: 1, deltas: vec![Delta::Alive] };
    assert_eq!(shown(&played.event(queued())), [(WaitCause::Slot, 0)]);
    assert_eq!(shown(&played.event(queued())), []);
    assert_eq!(shown(&played.event(alive())), [(WaitCause::Prompt, 3_000)]);
    assert_eq!(shown(&played.event(alive())), []);
}

#[test]
fn news_of_a_call_that_has_ended_is_ignored() {
    for late in [output(), ask()] {
        let mut played = Played::open(Permission::Yes);
        played.answer(1, calls(&[("view_file", json!({ "path": "a.rs" }))]));
        played.tool("i00000001", output());
        // The model is asked again by now.
        assert_eq!(played.tool("i00000001", late.clone()), []);
        let two = [("view_file", json!({ "path": "b.rs" })), ("view_file", json!({ "path": "c.rs" }))];
        played.answer(2, calls(&two));
        played.tool("i00000002", output());
        // The other call of the step still runs.
        assert_eq!(played.tool("i00000002", late), []);
        played.tool("i00000003", output());
        played.answer(3, text("Done."));
        assert!(played.is_over());
    }
}

#[test]
fn a_declined_read_is_no_mistake_and_neither_are_its_copies() {
    let mut played = Played::open(Permission::Nobody);
    let read = ("view_file", json!({ "path": "/etc/hosts" }));
    played.answer(1, calls(&[read.clone(), read.clone(), read.clone(), read]));
    played.tool("i00000001", ask());
    played.answer(2, text("Then without it."));
    assert!(played.is_over());
    let sentinels: Vec<&Body> = played.appended().filter(|body| matches!(body, Body::Sentinel(_))).collect();
    assert!(sentinels.is_empty(), "{sentinels:?}");
}

#[test]
fn an_answer_for_the_session_is_not_asked_again() {
    for scope in [Scope::Once, Scope::Session, Scope::Project] {
        let mut played = Played::open(Permission::Ask);
        let read = ("view_file", json!({ "path": "/etc/hosts" }));
        played.answer(1, calls(std::slice::from_ref(&read)));
        played.tool("i00000001", ask());
        let answered = PermissionAnswered {
            item: "i00000001".to_owned(),
            answer: Answer::Yes,
            scope,
            reason: None,
            by: "web".to_owned(),
        };
        let event = Event::Input { seq: 50, body: Box::new(Body::PermissionAnswered(answered)) };
        let effects = played.event(event);
        let keeps = |effect: &Effect| matches!(effect, Effect::KeepAllowed { patterns } if patterns == &["view_file(/etc/hosts)"]);
        assert_eq!(effects.iter().any(keeps), scope == Scope::Project);
        played.tool("i00000001", output());
        played.answer(2, calls(&[read]));
        let effects = played.tool("i00000002", ask());
        let is_run = |effect: &Effect| matches!(effect, Effect::RunTool { grant: Grant::Outside, .. });
        assert_eq!(effects.iter().any(is_run), scope != Scope::Once, "{effects:?}");
    }
}

#[test]
fn steering_at_a_blank_beginning_cuts_no_answer() {
    let mut played = Played::open(Permission::Yes);
    let deltas = text("<think>Hm.</think> ");
    played.event(Event::Deltas { call: 1, deltas });
    let steer = Input::steer("Be brief.", Typed::all("Be brief."), "web");
    let effects = played.event(Event::Input { seq: 50, body: Box::new(Body::Input(steer)) });
    // Nothing was said yet: the model is neither cut nor asked again as if it had answered nothing.
    assert_eq!(effects, []);
    played.answer(1, text("It is done."));
    assert!(!played.is_over(), "what the user said was not read");
}

#[test]
fn numbers_come_back_from_the_log_as_they_were() {
    for number in ["9228354762898212203.9228354762898212203e8", "-8.818572804340113e43", "1.7e-6", "-0.0"] {
        let mut played = Played::open(Permission::Yes);
        let weight: Value = serde_json::from_str(number).unwrap();
        played.answer(1, calls(&[("view_file", json!({ "path": "a.rs", "weight": weight }))]));
        for body in played.appended() {
            let value = serde_json::from_str(&body.to_json().to_string()).unwrap();
            assert_eq!(&Body::from_json(body.kind(), 1, value).unwrap(), body);
        }
    }
}
