//! What a request for the new text of a place says beside the task, and which answers are refused before any tool sees them.

use bowline_core::agenda::{Order, Reason, Showing, Writing};
use bowline_core::place::{Change, Place, PlaceText};
use bowline_core::rewriting::{Done, can_avoid_crash, keeps_signature, prompt};

use crate::cases::check;

const OLD: &str = "/// Milliseconds.\npub fn parse(text: &str) -> u64 {\n    let (clock, millis) = text.split_once(',').unwrap();\n    clock.len() as u64\n}\n";

fn writing(reason: Reason) -> Writing {
    let place = Place { path: "src/time.rs".to_owned(), name: Some("parse".to_owned()) };
    let order = Order { place, change: Change::Rewrite, to: None };
    Writing::new(order, Showing::Text, reason)
}

fn crashed() -> Writing {
    writing(Reason::Crashed { line: "let (clock, millis) = text.split_once(',').unwrap();".to_owned() })
}

#[test]
fn a_repair_keeps_the_signature() {
    let other = OLD.replace("u64 {", "Option<u64> {");
    assert!(keeps_signature(&crashed(), OLD, OLD));
    assert!(!keeps_signature(&crashed(), OLD, &other));
    // A definition on one line is not looked at.
    let line = "def parse(text): return text[0]\n";
    assert!(keeps_signature(&crashed(), line, "def parse(text): return text[:1]\n"));
    // A task may ask for another one.
    assert!(keeps_signature(&writing(Reason::Task), OLD, &other));
}

#[test]
fn a_repair_changes_what_leads_to_the_crash() {
    let behind = OLD.replace("clock.len()", "millis.len()");
    let line = OLD.replace(".unwrap()", ".unwrap_or((text, \"0\"))");
    let before =
        OLD.replace("    let (clock", "    if text.is_empty() {\n        return 0;\n    }\n    let (clock");
    assert!(!can_avoid_crash(&crashed(), OLD, OLD));
    assert!(!can_avoid_crash(&crashed(), OLD, &behind));
    assert!(!can_avoid_crash(&crashed(), OLD, behind.strip_prefix("/// Milliseconds.\n").unwrap()));
    assert!(can_avoid_crash(&crashed(), OLD, &line));
    assert!(can_avoid_crash(&crashed(), OLD, &before));
    assert!(can_avoid_crash(&writing(Reason::Task), OLD, OLD));
    // The line that a traceback names begins the statement.
    let several = "def parse(items):\n    return sum(\n        item.price for item in items\n    )\n";
    let crash = writing(Reason::Crashed {
        line: "return sum(\n        item.price for item in items\n    )".to_owned(),
    });
    assert!(can_avoid_crash(&crash, several, &several.replace("item.price for", "item.price or 0 for")));
    assert!(!can_avoid_crash(&crash, several, several));
}

/// A case is the language, the reason (`task`, `broken LINE | ERROR` or `crashed LINE`) and the task, a line each; what comes of it
/// is what stands between the task and the last sentence of the request.
#[test]
fn requests_say_what_is_easily_overlooked() {
    check("requests_for_text.cases", |input| {
        let mut lines = input.splitn(3, '\n');
        let [language, reason, task] = [(); 3].map(|()| lines.next().unwrap_or_default().trim_end());
        let (kind, rest) = reason.split_once(' ').unwrap_or((reason, ""));
        let reason = match kind {
            "task" => Reason::Task,
            "broken" => {
                let (line, error) = rest.split_once(" | ").unwrap();
                Reason::Broken { line: line.to_owned(), error: error.to_owned() }
            }
            "crashed" => Reason::Crashed { line: rest.to_owned() },
            other => panic!("no reason {other}"),
        };
        let place =
            PlaceText { text: "CODE".to_owned(), language: language.to_owned(), ..PlaceText::default() };
        let prompt = prompt(task, &writing(reason), &place, &Done::default());
        let (_, rest) = prompt.split_once(&format!("Task: {task}")).unwrap();
        let (paragraphs, _) = rest.rsplit_once("Write ").unwrap();
        paragraphs.trim().to_owned()
    });
}
