//! Every drift of every hunk, applied, and what came of it held against the truth.

use super::hunk::Hunk;
use super::operators::{Draw, Drifted, Operator, operators};
use anyhow::Result;
use bowline_edit::{Edit, Mode, apply_with};
use std::path::Path;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The file is as it should be after the edit.
    Right,
    /// Refused, though it was meant for this file.
    Missed,
    /// Refused, or said to be in place, as it should.
    Refused,
    /// Anything else.
    Wrong,
}

impl Verdict {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Verdict::Right => "right",
            Verdict::Missed => "missed",
            Verdict::Refused => "refused",
            Verdict::Wrong => "wrong",
        }
    }
}

pub(crate) struct Trial {
    /// The number of the hunk.
    pub(crate) hunk: usize,
    pub(crate) operator: &'static Operator,
    pub(crate) verdict: Verdict,
    /// What it was, kept where it did not go right.
    kept: Option<Kept>,
}

struct Kept {
    drifted: Drifted,
    /// The text that came of it, or why there is none.
    got: String,
}

/// All of them, in the order of the hunks.
pub(crate) fn all(hunks: &[Hunk], seed: u64) -> Vec<Trial> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let share = hunks.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let started: Vec<_> = hunks
            .chunks(share)
            .enumerate()
            .map(|(number, chunk)| scope.spawn(move || part(chunk, number * share, seed)))
            .collect();
        started.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    })
}

fn part(hunks: &[Hunk], first: usize, seed: u64) -> Vec<Trial> {
    let mut trials = Vec::new();
    for (at, hunk) in hunks.iter().enumerate() {
        let number = first + at;
        for operator in operators() {
            let mut draw = Draw::new(seed.wrapping_mul(1_000_003).wrapping_add(number as u64 + 1));
            let Some(drifted) = (operator.drift)(&hunk.sample, &mut draw) else { continue };
            let (verdict, got) = judged(&drifted);
            let is_kept = matches!(verdict, Verdict::Missed | Verdict::Wrong);
            let kept = is_kept.then_some(Kept { drifted, got });
            trials.push(Trial { hunk: number, operator, verdict, kept });
        }
    }
    trials
}

fn judged(drifted: &Drifted) -> (Verdict, String) {
    let edit = Edit::one(&drifted.old, &drifted.new);
    match (apply_with(Some(drifted.before.as_bytes()), &[edit], Mode::Careful), &drifted.after) {
        (Ok(made), after) => {
            let due = after.as_ref().unwrap_or(&drifted.before);
            let verdict = match (made.content == due.as_bytes(), after) {
                (true, Some(_)) => Verdict::Right,
                (true, None) => Verdict::Refused,
                (false, _) => Verdict::Wrong,
            };
            (verdict, String::from_utf8_lossy(&made.content).into_owned())
        }
        (Err(refusal), Some(_)) => (Verdict::Missed, refusal.to_string()),
        (Err(refusal), None) => (Verdict::Refused, refusal.to_string()),
    }
}

impl Trial {
    /// The edit, and where what came of it differs from what should have.
    pub(crate) fn told(&self) -> String {
        let Some(Kept { drifted, got }) = &self.kept else { return String::new() };
        let edit = format!("--- old\n{}\n--- new\n{}", drifted.old, drifted.new);
        if self.verdict == Verdict::Missed {
            return format!("{edit}\n--- refused\n{got}\n");
        }
        let due = drifted.after.as_deref().unwrap_or(&drifted.before);
        let (due, got) = (due.lines().collect::<Vec<_>>(), got.lines().collect::<Vec<_>>());
        let front = due.iter().zip(&got).take_while(|(a, b)| a == b).count();
        let back = due.iter().rev().zip(got.iter().rev()).take_while(|(a, b)| a == b).count();
        let part = |lines: &[&str]| {
            let end = (lines.len().saturating_sub(back) + 1).max(front).min(lines.len());
            lines[front.saturating_sub(2).min(end)..end].join("\n")
        };
        format!("{edit}\n--- wanted\n{}\n--- got\n{}\n", part(&due), part(&got))
    }
}

/// Writes each case that did not go right into a folder of its own; how many there are.
pub(crate) fn dump(folder: &Path, hunks: &[Hunk], trials: &[Trial]) -> Result<usize> {
    let mut written = 0;
    for trial in trials {
        let Some(Kept { drifted, got }) = &trial.kept else { continue };
        let operator = trial.operator.name.replace(", ", "-").replace(' ', "_");
        let hunk = &hunks[trial.hunk];
        let case = folder.join(trial.verdict.word()).join(operator).join(format!("{:04}", trial.hunk));
        std::fs::create_dir_all(&case)?;
        let due = drifted.after.as_deref().unwrap_or(&drifted.before);
        let files = [("before", drifted.before.as_str()), ("old", &drifted.old), ("new", &drifted.new)];
        for (name, text) in files.into_iter().chain([("expected", due), ("got", got)]) {
            std::fs::write(case.join(name), text)?;
        }
        let language = hunk.language.name();
        std::fs::write(case.join("about"), format!("{}\n{language}\n\n{}", hunk.origin, trial.told()))?;
        written += 1;
    }
    Ok(written)
}
