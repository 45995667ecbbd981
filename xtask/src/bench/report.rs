//! The figures, as a table for people and as JSON for programs. A median and the least of the runs after the first start;
//! the first start stands apart, because it also makes what later ones find.

use super::measure::{Measured, Run};
use serde_json::{Value, json};
use std::fmt::Write;

/// The program the others are compared with.
const OURS: &str = "bowline";
const KIB_PER_MB: f64 = 1000.0 * 1000.0 / 1024.0;

pub(crate) struct Row {
    pub(crate) program: &'static str,
    pub(crate) first: Measured,
    pub(crate) later: Vec<Measured>,
}

pub(crate) struct Rows {
    pub(crate) runs: usize,
    pub(crate) rows: Vec<Row>,
    /// Programs that are not installed.
    pub(crate) absent: Vec<&'static str>,
}

impl Row {
    pub(crate) fn new(program: &'static str, first: Measured) -> Self {
        Self { program, first, later: Vec::new() }
    }

    fn figures(&self) -> Option<Figures> {
        let Measured::Run(first) = &self.first else { return None };
        let runs: Vec<&Run> = self
            .later
            .iter()
            .filter_map(|measured| match measured {
                Measured::Run(run) => Some(run),
                Measured::Failed(_) => None,
            })
            .collect();
        let times = sorted(runs.iter().map(|run| run.first_request_ms));
        let memory = sorted(runs.iter().map(|run| run.peak_kib as f64 / KIB_PER_MB));
        let bytes = sorted(runs.iter().map(|run| run.request_bytes as f64));
        Some(Figures {
            runs: runs.len(),
            median_ms: median(&times)?,
            least_ms: *times.first()?,
            first_ms: first.first_request_ms,
            peak_mb: median(&memory)?,
            request_bytes: median(&bytes)?,
        })
    }

    /// What has to be said beside the figures, or instead of them.
    fn remark(&self) -> Option<String> {
        let all = || std::iter::once(&self.first).chain(&self.later);
        let remarks = all().filter_map(|measured| match measured {
            Measured::Run(run) => run.oddity.as_ref(),
            Measured::Failed(why) => Some(why),
        });
        let remarks: Vec<&String> = remarks.collect();
        let first = remarks.first()?;
        Some(format!("{} ({} of {} runs): {first}", self.program, remarks.len(), all().count()))
    }
}

struct Figures {
    runs: usize,
    median_ms: f64,
    least_ms: f64,
    first_ms: f64,
    peak_mb: f64,
    request_bytes: f64,
}

impl Rows {
    pub(crate) fn table(&self) -> String {
        let ours = self.rows.iter().find(|row| row.program == OURS).and_then(Row::figures);
        let mut text = format!(
            "{:<10}{:>11}{:>9}{:>9}{:>8}{:>11}{:>8}{:>11}{:>8}\n",
            "program", "median ms", "min ms", "1st ms", "ratio", "peak MB", "ratio", "bytes", "ratio"
        );
        for row in &self.rows {
            let Some(figures) = row.figures() else { continue };
            let ratio = |own: fn(&Figures) -> f64| match &ours {
                Some(ours) => format!("{:.2}", own(&figures) / own(ours)),
                None => "-".to_owned(),
            };
            // Writing into a string cannot fail.
            let _ = writeln!(
                text,
                "{:<10}{:>11.1}{:>9.1}{:>9.1}{:>8}{:>11.1}{:>8}{:>11}{:>8}",
                row.program,
                figures.median_ms,
                figures.least_ms,
                figures.first_ms,
                ratio(|figures| figures.median_ms),
                figures.peak_mb,
                ratio(|figures| figures.peak_mb),
                figures.request_bytes,
                ratio(|figures| figures.request_bytes),
            );
        }
        let _ = writeln!(
            text,
            "\nFrom start to the first request to the model, {} runs each, alternately; ratios to {OURS}; floor: a program that \
             only sends a request.",
            self.runs
        );
        for remark in self.rows.iter().filter_map(Row::remark) {
            let _ = writeln!(text, "{remark}");
        }
        if !self.absent.is_empty() {
            let _ = writeln!(text, "not installed: {}", self.absent.join(", "));
        }
        text
    }

    pub(crate) fn json(&self) -> Value {
        let programs: Vec<Value> = self
            .rows
            .iter()
            .map(|row| {
                let figures = row.figures().map(|figures| {
                    json!({
                        "runs": figures.runs,
                        "first_request_ms": {
                            "median": figures.median_ms, "min": figures.least_ms, "first_start": figures.first_ms,
                        },
                        "peak_mb": figures.peak_mb,
                        "request_bytes": figures.request_bytes,
                    })
                });
                json!({ "program": row.program, "figures": figures, "remark": row.remark() })
            })
            .collect();
        json!({ "runs": self.runs, "programs": programs, "not_installed": self.absent })
    }
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}

fn median(sorted: &[f64]) -> Option<f64> {
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        0 => Some(f64::midpoint(*sorted.get(middle.checked_sub(1)?)?, *sorted.get(middle)?)),
        _ => sorted.get(middle).copied(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(first_request_ms: f64, peak_kib: u64) -> Measured {
        Measured::Run(Run { first_request_ms, peak_kib, request_bytes: 100, oddity: None })
    }

    #[test]
    fn medians_of_odd_and_even_counts() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[1.0, 2.0, 9.0]), Some(2.0));
        assert_eq!(median(&[1.0, 2.0, 4.0, 9.0]), Some(3.0));
    }

    #[test]
    fn the_table_compares_with_ours_and_names_what_is_missing() {
        let rows = vec![
            Row { program: OURS, first: run(90.0, 0), later: vec![run(20.0, 31_250), run(10.0, 31_250)] },
            Row { program: "slow", first: run(900.0, 0), later: vec![run(150.0, 62_500)] },
            Row::new("broken", Measured::Failed("sent no request".to_owned())),
        ];
        let rows = Rows { runs: 2, rows, absent: vec!["codex"] };
        let table = rows.table();
        let line = |start: &str| {
            table.lines().find(|line| line.starts_with(start)).unwrap().split_whitespace().collect::<Vec<_>>()
        };
        assert_eq!(
            line("bowline"),
            ["bowline", "15.0", "10.0", "90.0", "1.00", "32.0", "1.00", "100", "1.00"]
        );
        assert_eq!(line("slow"), ["slow", "150.0", "150.0", "900.0", "10.00", "64.0", "2.00", "100", "1.00"]);
        assert!(table.contains("broken (1 of 1 runs): sent no request\n"));
        assert!(table.ends_with("not installed: codex\n"));
        assert_eq!(rows.json()["programs"][2]["figures"], Value::Null);
    }
}
