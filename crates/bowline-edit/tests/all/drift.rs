//! Edits that drift on their way, in every way models are known for: each lands as it was meant or is refused.
//!
//! The samples are edits of the files in `tests/corpus`, drawn by number. `BOWLINE_DRIFT` names a folder with samples of
//! another origin, each a folder with `before`, `old` and `new`; `cargo test drift -- --nocapture` prints the figures.

#[path = "drift/operators.rs"]
mod operators;
#[path = "drift/samples.rs"]
mod samples;

use std::collections::BTreeMap;

use bowline_edit::{Edit, Mode, apply_with};
use operators::{Drifted, OPERATORS};
use samples::Sample;

#[derive(Default)]
struct Figures {
    right: usize,
    refused: usize,
    wrong: usize,
}

/// Xorshift: the same draws everywhere.
pub(crate) struct Draw(u64);

impl Draw {
    pub(crate) fn new(seed: u64) -> Draw {
        Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        for _ in 0..3 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
        }
        (self.0 % bound.max(1) as u64) as usize
    }
}

#[test]
fn drifted_edits_land_as_meant_or_are_refused() {
    let samples = samples::all();
    assert!(samples.len() >= 100, "{} samples", samples.len());
    let mut figures: BTreeMap<&str, Figures> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (number, sample) in samples.iter().enumerate() {
        for (name, operator) in OPERATORS {
            let mut draw = Draw::new(number as u64 + 1);
            let Some(drifted) = operator(sample, &mut draw) else { continue };
            let entry = figures.entry(name).or_default();
            match outcome(&drifted) {
                Outcome::Right => entry.right += 1,
                Outcome::Refused => entry.refused += 1,
                Outcome::Wrong(got) => {
                    entry.wrong += 1;
                    wrong.push(format!("##### {name}, sample {number}\n{}", told(&drifted, &got)));
                }
            }
        }
    }
    for (name, figures) in &figures {
        println!(
            "{name:28} right {:5}  refused {:5}  wrong {:5}",
            figures.right, figures.refused, figures.wrong
        );
    }
    let sum = |of: fn(&Figures) -> usize| figures.values().map(of).sum::<usize>();
    println!(
        "{:28} right {:5}  refused {:5}  wrong {:5}",
        "all",
        sum(|figures| figures.right),
        sum(|figures| figures.refused),
        sum(|figures| figures.wrong)
    );
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    for (name, figures) in &figures {
        let landed = figures.right * 100 / (figures.right + figures.refused).max(1);
        // A line left out beside the change is a conflict, and a word of four letters says too little for a typo in it.
        let least =
            if name.starts_with("line left out") || name.starts_with("typo per line") { 35 } else { 70 };
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

fn told(drifted: &Drifted, got: &str) -> String {
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

/// The sample's edit as it is, which must be right for the others to mean anything.
pub(crate) fn plain(sample: &Sample, _: &mut Draw) -> Option<Drifted> {
    Some(Drifted::new(sample, sample.old.clone(), sample.new.clone()))
}
