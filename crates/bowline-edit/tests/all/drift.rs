//! Edits that drift on their way, in every way models are known for: each lands as it was meant or is refused.
//!
//! The samples are edits of the files in `tests/corpus`, drawn by number; `cargo xtask bench edits` measures the same
//! drifts on real ones. `cargo test drift -- --nocapture` prints the figures.

#[path = "../drift/operators.rs"]
mod operators;
#[path = "samples.rs"]
mod samples;

use std::collections::BTreeMap;

use bowline_edit::{Edit, Mode, apply_with};
use operators::{Class, Draw, Drifted, operators};

#[derive(Default)]
struct Figures {
    right: usize,
    refused: usize,
    wrong: usize,
}

#[test]
fn drifted_edits_land_as_meant_or_are_refused() {
    let samples = samples::all();
    assert!(samples.len() >= 100, "{} samples", samples.len());
    let mut figures: BTreeMap<(Class, &str), Figures> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (number, sample) in samples.iter().enumerate() {
        for operator in operators() {
            let mut draw = Draw::new(number as u64 + 1);
            let name = operator.name;
            let Some(drifted) = (operator.drift)(sample, &mut draw) else { continue };
            let entry = figures.entry((operator.class, name)).or_default();
            match outcome(&drifted) {
                Outcome::Right => entry.right += 1,
                Outcome::Refused => entry.refused += 1,
                Outcome::Wrong(got) => {
                    entry.wrong += 1;
                    wrong.push(format!("##### {name}, sample {number}\n{}", describe(&drifted, &got)));
                }
            }
        }
    }
    for ((_, name), figures) in &figures {
        println!(
            "{name:32} right {:5}  refused {:5}  wrong {:5}",
            figures.right, figures.refused, figures.wrong
        );
    }
    let sum = |of: fn(&Figures) -> usize| figures.values().map(of).sum::<usize>();
    println!(
        "{:32} right {:5}  refused {:5}  wrong {:5}",
        "all",
        sum(|figures| figures.right),
        sum(|figures| figures.refused),
        sum(|figures| figures.wrong)
    );
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    for ((class, name), figures) in &figures {
        let landed = figures.right * 100 / (figures.right + figures.refused).max(1);
        // A line left out beside the change is a conflict, and what is misremembered may always be refused.
        let least = match class {
            Class::Guesses => 0,
            Class::LeftOut => 25,
            Class::Typos => 93,
            // Where both lost the first indentation, and a string may hold the spaces, there is not always one reading.
            _ if name.starts_with("first indent") || name.starts_with("spaces collapsed") => 75,
            _ => 93,
        };
        assert!(landed >= least, "{name}: only {landed} % land");
    }
}

enum Outcome {
    Right,
    Refused,
    Wrong(String),
}

fn outcome(drifted: &Drifted) -> Outcome {
    let edit = Edit::one(&drifted.old, &drifted.new);
    let made = apply_with(Some(drifted.before.as_bytes()), &[edit], Mode::Careful);
    match (made, &drifted.after) {
        (Ok(made), Some(after)) if made.content == after.as_bytes() => Outcome::Right,
        (Ok(made), None) if made.content == drifted.before.as_bytes() => Outcome::Right,
        (Ok(made), _) => Outcome::Wrong(String::from_utf8_lossy(&made.content).into_owned()),
        (Err(_), Some(_)) => Outcome::Refused,
        (Err(_), None) => Outcome::Right,
    }
}

fn describe(drifted: &Drifted, got: &str) -> String {
    let wanted = drifted.after.as_deref().unwrap_or("nothing changed\n");
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let (wanted, got) = (lines(wanted), lines(got));
    let front = wanted.iter().zip(&got).take_while(|(a, b)| a == b).count();
    let back = wanted.iter().rev().zip(got.iter().rev()).take_while(|(a, b)| a == b).count();
    let part = |lines: &[String]| {
        let end = (lines.len().saturating_sub(back) + 1).max(front).min(lines.len());
        lines[front.saturating_sub(1)..end].iter().take(30).cloned().collect::<Vec<_>>().join("\n")
    };
    format!(
        "--- old\n{}\n--- new\n{}\n--- wanted\n{}\n--- got\n{}",
        drifted.old,
        drifted.new,
        part(&wanted),
        part(&got)
    )
}
