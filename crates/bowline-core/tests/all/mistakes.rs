//! The mistake guard, phase by phase. A phase is a word, a call a letter: F T J D A fail, each of another kind; S succeeds,
//! W succeeds and changed something; N has no result, I was interrupted, U was declined.

use bowline_core::guard::mistakes::Mistakes;
use bowline_core::guard::{Seen, Verdict, Weight};
use bowline_core::outcome::Outcome;

fn seen(letter: char) -> Seen {
    let (outcome, weight) = match letter {
        'F' => (Outcome::ExecError, Weight::Plain),
        'T' => (Outcome::ToolNotFound, Weight::Plain),
        'J' => (Outcome::SchemaReject, Weight::Plain),
        'D' => (Outcome::PermissionDenied, Weight::Plain),
        'A' => (Outcome::ApiError, Weight::Plain),
        'S' => (Outcome::Success, Weight::Plain),
        'W' => (Outcome::Success, Weight::Changed),
        'N' => (Outcome::NoResult, Weight::Plain),
        'I' => (Outcome::Interrupted, Weight::Plain),
        'U' => (Outcome::PermissionDenied, Weight::Declined),
        other => panic!("no such call: {other}"),
    };
    Seen { outcome, weight }
}

#[test]
fn phases() {
    crate::cases::check("mistakes.cases", |input| {
        let mut guard = Mistakes::default();
        let mut text = String::new();
        for (n, phase) in input.split_whitespace().enumerate() {
            let seen: Vec<Seen> = phase.chars().map(seen).collect();
            match guard.phase(&seen) {
                Verdict::Pass => {}
                Verdict::Nudge { sentinel, .. } => {
                    text.push_str(&format!(
                        "{}: nudge {}\n",
                        n + 1,
                        serde_json::to_string(&sentinel).unwrap()
                    ));
                }
                Verdict::Stop { sentinel } => {
                    text.push_str(&format!(
                        "{}: stop {}\n",
                        n + 1,
                        serde_json::to_string(&sentinel).unwrap()
                    ));
                    break;
                }
            }
        }
        if text.is_empty() { "nothing\n".to_owned() } else { text }
    });
}
