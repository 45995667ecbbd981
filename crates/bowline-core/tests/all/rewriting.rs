//! Which texts for a place are refused before any tool sees them.

use bowline_core::agenda::{Order, Reason, Showing, Writing};
use bowline_core::place::{Change, Place};
use bowline_core::rewriting::{can_avoid_crash, keeps_signature};

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
