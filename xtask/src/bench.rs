//! `cargo xtask bench run`: what a user waits for before the model hears anything, beside a program that does nothing else
//! and beside other agents that are installed here. Everything is run alternately in one go, so that a busy machine slows
//! all of them alike. The figures are for reading; nothing fails because of them.

pub(crate) mod chat;
pub(crate) mod checkpoints;
pub(crate) mod classify;
#[cfg(target_os = "linux")]
pub(crate) mod contain;
mod contender;
pub(crate) mod edits;
pub(crate) mod floor;
mod measure;
mod memory;
pub(crate) mod prefix;
mod recorder;
mod report;
pub(crate) mod tasks;

use crate::command::{Profile, built_bowline};
use anyhow::{Context, Result, bail};
use contender::Contender;
use measure::Measured;
use recorder::Recorder;
use report::{Row, Rows};

const RUNS_DEFAULT: usize = 20;
const RUNS_MAX: usize = 1000;

enum Format {
    Table,
    Json,
}

pub(crate) fn run(flags: &[&str]) -> Result<()> {
    let (runs, format) = parse(flags)?;
    let bowline = built_bowline(Profile::Release)?;
    let recorder = Recorder::start()?;
    let folder = tempfile::tempdir().context("no temporary folder")?;
    let (contenders, absent) = contender::all(&bowline, &recorder.base_url(), folder.path())?;

    let mut rows: Vec<Row> = Vec::new();
    let mut present = Vec::new();
    for contender in contenders {
        eprintln!("bench: first start of {}", contender.name);
        let first = measure::measure(&contender, &recorder)?;
        rows.push(Row::new(contender.name, first));
        present.push(contender);
    }
    for number in 1..=runs {
        eprintln!("bench: run {number} of {runs}");
        one_round(&present, &mut rows, &recorder)?;
    }

    let rows = Rows { runs, rows, absent };
    match format {
        Format::Table => print!("{}", rows.table()),
        Format::Json => println!("{}", rows.json()),
    }
    Ok(())
}

/// Each program once, in turn. One whose first start failed is left out: the report says why.
fn one_round(contenders: &[Contender], rows: &mut [Row], recorder: &Recorder) -> Result<()> {
    for (contender, row) in contenders.iter().zip(rows) {
        if matches!(row.first, Measured::Run(_)) {
            row.later.push(measure::measure(contender, recorder)?);
        }
    }
    Ok(())
}

fn parse(flags: &[&str]) -> Result<(usize, Format)> {
    let mut runs = RUNS_DEFAULT;
    let mut format = Format::Table;
    let mut rest = flags.iter();
    while let Some(flag) = rest.next() {
        match *flag {
            "--json" => format = Format::Json,
            "--runs" => {
                let number = rest.next().and_then(|number| number.parse().ok());
                runs = number
                    .filter(|number| (1..=RUNS_MAX).contains(number))
                    .with_context(|| format!("--runs takes a number from 1 to {RUNS_MAX}"))?;
            }
            other => bail!("`{other}` is no flag of bench run; there are --runs N and --json"),
        }
    }
    Ok((runs, format))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_read_or_refused() {
        assert!(matches!(parse(&[]), Ok((RUNS_DEFAULT, Format::Table))));
        assert!(matches!(parse(&["--json", "--runs", "3"]), Ok((3, Format::Json))));
        for wrong in [&["--runs"][..], &["--runs", "0"], &["--runs", "many"], &["--fast"]] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }
}
