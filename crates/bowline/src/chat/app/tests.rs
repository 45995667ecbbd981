//! The chat without a terminal: events in, effects out.

use bowline_core::entry::{Body, Stop, TurnEnd, Usage};
use bowline_core::servers::Runs;
use bowline_host::launch::Ask;

use super::super::history::History;
use super::super::keys::Key;
use super::{App, Effect, Event, Found, Launched, Phase, Picked};
use crate::rows::Row;

fn app() -> App {
    App::new(80, false, History::in_memory(), Box::new(|_| false))
}

fn typed(app: &mut App, text: &str) -> Vec<Effect> {
    text.chars().for_each(|c| drop(app.step(Event::Key(Key::Char(c)), 0)));
    app.step(Event::Key(Key::Enter), 0)
}

fn launched() -> Event {
    Event::Launched(Box::new(Launched {
        session: "s".to_owned(),
        model: "m".to_owned(),
        window: 8192,
        runs: Runs::Here,
        worktree: None,
        instructions: Vec::new(),
        notices: Vec::new(),
        before: Vec::new(),
    }))
}

fn ended(stop: Stop) -> Event {
    Event::Ended(Ok(Box::new(TurnEnd {
        checkpoint: None,
        stop,
        text: String::new(),
        changes: Vec::new(),
        waiting: 0,
        denied: Vec::new(),
        usage: Usage::default(),
        reason: None,
        hint: None,
        check: None,
        is_check_unknown: false,
    })))
}

fn found(is_there: bool) -> Event {
    let picked = Picked { name: "m".to_owned(), window: 8192, about: Row::default() };
    let picked = if is_there { Ok(picked) } else { Err("none".to_owned()) };
    Event::Found(Box::new(Found { models: Vec::new(), picked }))
}

fn not_launched(is_without_model: bool) -> Event {
    Event::NotLaunched { words: "no".to_owned(), is_without_model }
}

/// What goes out to a session.
fn out(effects: &[Effect]) -> String {
    let said = effects.iter().map(|effect| match effect {
        Effect::Launch { ask: Ask::Task { text, .. } | Ask::Continue { hint: Some(text), .. }, .. } => {
            format!("{text} ")
        }
        Effect::Say { body, .. } => match body.as_ref() {
            Body::Queued(queued) if !queued.withdrawn => format!("{} ", queued.text),
            body => body.steering().map_or(String::new(), |text| format!("{text} ")),
        },
        _ => String::new(),
    });
    said.collect()
}

#[test]
fn a_stopped_turn_continues_with_enter_or_with_a_hint() {
    let mut app = app();
    assert_eq!(out(&typed(&mut app, "task")), "task ");
    app.step(launched(), 0);
    app.step(ended(Stop::Guard), 0);
    let effects = app.step(Event::Key(Key::Enter), 0);
    assert!(
        matches!(effects[..], [Effect::Launch { ask: Ask::Continue { hint: None, .. }, .. }]),
        "{effects:?}"
    );
    app.step(launched(), 0);
    app.step(ended(Stop::Limit), 0);
    let effects = typed(&mut app, "look in src");
    let hint = "look in src".to_owned();
    assert!(
        matches!(&effects[..], [Effect::Launch { ask: Ask::Continue { hint: Some(text), .. }, .. }] if *text == hint)
    );
    app.step(launched(), 0);
    app.step(ended(Stop::Cancelled), 0);
    let effects = typed(&mut app, "something else");
    assert!(matches!(&effects[..], [Effect::Launch { ask: Ask::Task { .. }, .. }]), "{effects:?}");
}

#[test]
fn what_is_queued_before_there_is_a_session_is_stored_with_it() {
    let mut app = app();
    typed(&mut app, "one");
    assert_eq!(out(&typed(&mut app, "two")), "", "there is no session to store it in");
    assert_eq!(out(&app.step(launched(), 0)), "two ");
    let effects = app.step(ended(Stop::Done), 0);
    assert!(matches!(effects[..], [Effect::Launch { ask: Ask::Next, .. }]), "{effects:?}");
}

#[test]
fn ctrl_c_stops_then_leaves() {
    let mut app = app();
    typed(&mut app, "task");
    app.step(launched(), 0);
    let effects = app.step(Event::Key(Key::Stop), 0);
    assert!(
        matches!(&effects[..], [Effect::Say { body, .. }] if matches!(**body, Body::Input(_))),
        "{effects:?}"
    );
    let effects = app.step(Event::Key(Key::Stop), 0);
    assert!(matches!(effects[..], [Effect::Leave(crate::exit::Exit::Interrupted)]), "{effects:?}");
}

/// A generator that is the same everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// Each message is a word of its own: after every event it went out, waits, or stands in the input.
#[test]
fn nothing_that_was_sent_is_lost() {
    for seed in 0..200 {
        let (mut app, mut dice) = (app(), Dice(seed));
        let mut gone = String::new();
        let mut sent = Vec::new();
        for turn in 0..60 {
            let is_launching = matches!(app.phase, Phase::Starting { .. });
            let is_running = matches!(app.phase, Phase::Running { .. });
            let effects = match dice.roll(10) {
                0..3 => {
                    let word = format!("word{turn}x");
                    sent.push(word.clone());
                    typed(&mut app, &format!(" {word}"))
                }
                3 => app.step(Event::Key(Key::Enter), 0),
                // With a draft it goes to earlier messages, and Down brings the draft back.
                4 if app.editor.is_empty() => app.step(Event::Key(Key::Up), 0),
                5 => app.step(Event::Key(Key::Escape), 0),
                6 => app.step(found(dice.roll(2) == 0), 0),
                _ if is_launching => match dice.roll(4) {
                    0 => app.step(not_launched(dice.roll(2) == 0), 0),
                    _ => app.step(launched(), 0),
                },
                _ if is_running => {
                    let stops = [Stop::Done, Stop::Cancelled, Stop::Guard];
                    app.step(ended(stops[usize::try_from(dice.roll(3)).unwrap()]), 0)
                }
                _ => Vec::new(),
            };
            gone.push_str(&out(&effects));
            let queued: String =
                app.queue.iter().map(|(_, message)| format!("{} ", message.text())).collect();
            let here =
                [app.editor.text_expanded(), app.sent.clone().unwrap_or_default().into_parts().0, queued]
                    .join(" ");
            for word in &sent {
                assert!(gone.contains(word) || here.contains(word), "seed {seed}: {word} is lost at {turn}");
            }
        }
    }
}
