//! `cargo xtask bench edits`: real edits that drift in the ways models drift, applied by `bowline-edit` in careful mode.
//!
//! The edits are hunks of real changes: from the git history of repositories (this one's without a flag), and from
//! successive versions of well-known packages, which are downloaded at run time and kept below `target/`. The truth of
//! each is the file after that hunk. Nothing fails because of the figures; they are for reading, and `--dump` writes what
//! went wrong to study it.

mod cut;
mod flags;
mod history;
mod hunk;
mod language;
#[path = "../../../crates/bowline-edit/tests/drift/operators.rs"]
mod operators;
mod packages;
mod report;
mod trial;

use std::time::Instant;

use anyhow::{Result, bail};
use flags::Flags;
use hunk::Hunk;
use operators::Draw;
use trial::Verdict;

use crate::command::root;

pub(crate) fn run(flags: &[&str]) -> Result<()> {
    let flags = Flags::parse(flags)?;
    let mut hunks = Vec::new();
    let mut repositories = flags.repositories.clone();
    if repositories.is_empty() && !flags.packages {
        repositories.push(root());
    }
    for repository in &repositories {
        eprintln!("bench: hunks of {}", repository.display());
        hunks.extend(history::hunks(repository, flags.hunks, flags.seed)?);
    }
    if flags.packages {
        hunks.extend(packages::hunks(flags.hunks, flags.seed)?);
    }
    let hunks = hunk::drawn(hunks, flags.hunks, &mut Draw::new(flags.seed));
    if hunks.is_empty() {
        bail!("there is no hunk to measure with: name repositories with --repo, or take --packages");
    }
    let start = Instant::now();
    let trials = trial::all(&hunks, flags.seed);
    let took = start.elapsed();
    let report = report::Report::new(&hunks, &trials, flags.seed, took);
    print!("{}", report.table());
    if let Some(path) = &flags.json {
        std::fs::write(path, format!("{:#}\n", report.json()))?;
    }
    if let Some(folder) = &flags.dump {
        let written = trial::dump(folder, &hunks, &trials)?;
        eprintln!("bench: {written} cases that did not go right are in {}", folder.display());
    }
    shown(&hunks, &trials, flags.show);
    Ok(())
}

/// The first cases that went wrong, in full.
fn shown(hunks: &[Hunk], trials: &[trial::Trial], count: usize) {
    let wrong = trials.iter().filter(|trial| trial.verdict == Verdict::Wrong).take(count);
    for trial in wrong {
        println!("\n##### {} · {}\n{}", trial.operator.name, hunks[trial.hunk].origin, trial.told());
    }
}
