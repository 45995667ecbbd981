//! What a process that died left open, ended: the entries its successor appends before anything else.
//!
//! Open calls end `interrupted` and are never repeated by themselves; open text keeps what had come; the message and the
//! turn end `failed`, and can be continued.

use crate::changes;
use crate::entry::{Body, Entry, Message, Status, Stop, TurnEnd, Usage};
use crate::item::{CallResult, Item, ItemStatus};
use crate::outcome::Outcome;
use crate::payload::INTERRUPTED;
use crate::review::Review;
use crate::timeline;
use crate::view::View;
use crate::visible::visible;

/// Empty where nothing is open.
pub fn close(entries: &[Entry]) -> Vec<Body> {
    let view = View::of(entries);
    let mut bodies: Vec<Body> =
        view.running().map(|item| Body::ItemCompleted { item: closed(item) }).collect();
    for open in view.streaming() {
        let message = Message { status: Status::Failed, ..open.message.clone() };
        bodies.push(Body::MessageCompleted { message });
    }
    if view.turn.is_some() && view.end.is_none() {
        let turn = view.turn.as_deref();
        bodies.push(Body::TurnFailed(TurnEnd {
            stop: Stop::Failed,
            text: String::new(),
            changes: changes::of_turn(entries, turn),
            check: None,
            is_check_unknown: false,
            waiting: i64::try_from(Review::of(entries).pending().count()).unwrap_or(i64::MAX),
            denied: Vec::new(),
            usage: usage_of_turn(entries, turn),
            checkpoint: timeline::checkpoint_of(entries, turn),
            reason: Some("The process that ran this turn ended before the turn did.".to_owned()),
            hint: Some("bowline run -c continues from here".to_owned()),
        }));
    }
    bodies
}

fn closed(item: &Item) -> Item {
    let mut item = item.clone();
    item.status = ItemStatus::Failed;
    if item.call.is_some() {
        item.result = Some(CallResult {
            outcome: Outcome::Interrupted,
            text: INTERRUPTED.to_owned(),
            duration_ms: 0,
            edits: Vec::new(),
            output: None,
            exit_code: None,
        });
    }
    item
}

fn usage_of_turn(entries: &[Entry], turn: Option<&str>) -> Usage {
    let mut usage = Usage::default();
    for entry in visible(entries).into_iter().filter(|entry| entry.turn.as_deref() == turn) {
        if let Body::StepCompleted(step) = &entry.body {
            usage.add(step.usage);
        }
    }
    usage
}
