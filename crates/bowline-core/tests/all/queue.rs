//! The queue as a client sees it, said line by line: `q1 text` queues or changes, `q1 taken back`, `turn q1` runs it.

use bowline_core::entry::{Access, Body, Entry, Queued, TurnStarted};
use bowline_core::typed::Typed;
use bowline_core::view::View;

fn entry(line: &str, seq: i64) -> Entry {
    let body = match line.split_once(' ').unwrap() {
        ("turn", id) => Body::TurnStarted(TurnStarted {
            text: "as it was read".to_owned(),
            typed: Typed::nothing(),
            message: "m1".to_owned(),
            access: Access::Write,
            queued: Some(id.to_owned()),
            check: None,
        }),
        (id, text) => {
            let withdrawn = text == "taken back";
            let text = if withdrawn { String::new() } else { text.to_owned() };
            Body::Queued(Queued {
                id: id.to_owned(),
                text,
                typed: Typed::nothing(),
                by: "web".to_owned(),
                withdrawn,
            })
        }
    };
    let body = Body::from_json(body.kind(), 1, body.to_json()).unwrap();
    Entry { session: "s".to_owned(), seq, at_ms: 0, turn: None, body }
}

#[test]
fn what_waits() {
    crate::cases::check("queue.cases", |input| {
        let entries: Vec<Entry> = input.lines().zip(1..).map(|(line, seq)| entry(line, seq)).collect();
        let queue = View::of(&entries).queue;
        let lines: Vec<String> =
            queue.iter().map(|queued| format!("{} {}", queued.id, queued.text)).collect();
        if lines.is_empty() { "nothing".to_owned() } else { lines.join("\n") }
    });
}

/// What was written before a message could be taken back is read as before.
#[test]
fn an_earlier_entry_is_read() {
    let stored = serde_json::json!({ "id": "q1", "text": "later", "by": "web" });
    let body = Body::from_json("queued", 1, stored.clone()).unwrap();
    assert!(matches!(&body, Body::Queued(Queued { withdrawn: false, .. })));
    assert_eq!(body.to_json(), stored);
}
