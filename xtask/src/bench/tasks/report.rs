//! What is printed about the runs: a line for each as it ends, the totals, and the same as JSON. The columns are always the
//! same, so that two reports can be laid side by side.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Value, json};

use super::frames::Figures;
use super::judge::Verdict;
use super::supervise::End;

/// What a user takes for too long.
const LONG: Duration = Duration::from_secs(180);

/// One task, played once.
pub(crate) struct Run {
    pub(crate) task: String,
    pub(crate) kind: &'static str,
    pub(crate) set: &'static str,
    /// From 1.
    pub(crate) round: usize,
    pub(crate) verdict: Verdict,
    pub(crate) end: End,
    pub(crate) took: Duration,
    pub(crate) figures: Figures,
}

impl Run {
    /// The program said that all is well, and it was not.
    fn is_false_done(&self) -> bool {
        !self.verdict.is_solved() && self.end == End::Exit(0)
    }

    fn exit(&self) -> String {
        match self.end {
            End::Exit(code) => code.to_string(),
            End::Signal(number) => format!("s{number}"),
            End::Time => "–".to_owned(),
        }
    }

    pub(crate) fn line(&self) -> String {
        let solved = if self.verdict.is_solved() { "yes" } else { "no" };
        let mut why = match &self.verdict {
            Verdict::Solved => String::new(),
            other => other.name().to_owned(),
        };
        let detail = self.verdict.detail();
        if !detail.is_empty() {
            let _ = write!(why, ": {detail}");
        }
        let line = format!(
            "{:<36} {solved:<6} {:>4} {:>6} {:>9} {:>8} {:>8.1}  {why}",
            self.task,
            self.exit(),
            self.figures.calls,
            self.figures.read_anew,
            self.figures.written,
            self.took.as_secs_f64(),
        );
        line.trim_end().to_owned()
    }

    fn json(&self) -> Value {
        let code = match self.end {
            End::Exit(code) => Some(code),
            End::Signal(_) | End::Time => None,
        };
        json!({
            "task": self.task,
            "kind": self.kind,
            "set": self.set,
            "round": self.round,
            "solved": self.verdict.is_solved(),
            "verdict": self.verdict.name(),
            "detail": self.verdict.detail(),
            "false_done": self.is_false_done(),
            "exit_code": code,
            "mode": self.figures.mode,
            "calls": self.figures.calls,
            "read_anew": self.figures.read_anew,
            "cached": self.figures.cached,
            "written": self.figures.written,
            "seconds": self.took.as_secs_f64(),
        })
    }
}

pub(crate) fn head() -> String {
    format!(
        "{:<36} {:<6} {:>4} {:>6} {:>9} {:>8} {:>8}  why not",
        "task", "solved", "exit", "calls", "read anew", "written", "seconds"
    )
}

/// How often each task was solved, in the order of the first round; nothing for a single round.
pub(crate) fn by_task(runs: &[Run]) -> String {
    let mut lines = String::new();
    if runs.iter().all(|run| run.round == 1) {
        return lines;
    }
    for first in runs.iter().filter(|run| run.round == 1) {
        let own: Vec<&Run> = runs.iter().filter(|run| run.task == first.task).collect();
        let solved = own.iter().filter(|run| run.verdict.is_solved()).count();
        let _ = writeln!(lines, "{:<36} solved {solved} of {}", first.task, own.len());
    }
    lines.push('\n');
    lines
}

/// What all runs come to.
pub(crate) struct Totals {
    runs: usize,
    solved: usize,
    calls: f64,
    read_anew: f64,
    written: f64,
    seconds: f64,
    long: usize,
    false_done: usize,
}

impl Totals {
    pub(crate) fn of(runs: &[Run]) -> Self {
        let count = |test: &dyn Fn(&Run) -> bool| runs.iter().filter(|run| test(run)).count();
        let mean = |value: &dyn Fn(&Run) -> f64| {
            if runs.is_empty() { 0.0 } else { runs.iter().map(value).sum::<f64>() / runs.len() as f64 }
        };
        Self {
            runs: runs.len(),
            solved: count(&|run| run.verdict.is_solved()),
            calls: mean(&|run| run.figures.calls as f64),
            read_anew: mean(&|run| run.figures.read_anew as f64),
            written: mean(&|run| run.figures.written as f64),
            seconds: mean(&|run| run.took.as_secs_f64()),
            long: count(&|run| run.took > LONG),
            false_done: count(&Run::is_false_done),
        }
    }

    pub(crate) fn lines(&self) -> String {
        let Self { runs, solved, .. } = self;
        let percent = if *runs == 0 { 0.0 } else { *solved as f64 * 100.0 / *runs as f64 };
        format!(
            "solved                     {solved} of {runs} ({percent:.0} %)\n\
             mean model calls           {:.1}\n\
             mean tokens read anew      {:.0}\n\
             mean tokens written        {:.0}\n\
             mean seconds               {:.1}\n\
             longer than {} minutes      {}\n\
             false done                 {} (not solved, yet exit code 0)\n",
            self.calls,
            self.read_anew,
            self.written,
            self.seconds,
            LONG.as_secs() / 60,
            self.long,
            self.false_done,
        )
    }

    fn json(&self) -> Value {
        json!({
            "runs": self.runs,
            "solved": self.solved,
            "mean_calls": self.calls,
            "mean_read_anew": self.read_anew,
            "mean_written": self.written,
            "mean_seconds": self.seconds,
            "longer_than_3_minutes": self.long,
            "false_done": self.false_done,
        })
    }
}

/// Everything, for programs. `about` says what was measured.
pub(crate) fn json(about: &Value, runs: &[Run]) -> Value {
    let runs_json: Vec<Value> = runs.iter().map(Run::json).collect();
    json!({"about": about, "totals": Totals::of(runs).json(), "runs": runs_json})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(verdict: Verdict, end: End, seconds: u64) -> Run {
        let figures = Figures { calls: 4, read_anew: 1000, written: 80, ..Figures::default() };
        let took = Duration::from_secs(seconds);
        Run {
            task: "crash-cart".to_owned(),
            kind: "crash",
            set: "seen",
            round: 1,
            verdict,
            end,
            took,
            figures,
        }
    }

    #[test]
    fn the_totals_count_what_went_wrong() {
        let runs = [
            run(Verdict::Solved, End::Exit(0), 10),
            run(Verdict::NothingChanged, End::Exit(0), 20),
            run(Verdict::NothingChanged, End::Exit(3), 30),
            run(Verdict::Time, End::Time, 600),
        ];
        let totals = json(&json!({"model": "m"}), &runs);
        assert_eq!(totals["totals"]["solved"], 1);
        assert_eq!(totals["totals"]["false_done"], 1);
        assert_eq!(totals["totals"]["longer_than_3_minutes"], 1);
        assert_eq!(totals["totals"]["mean_seconds"], 165.0);
        assert_eq!(totals["runs"][3]["exit_code"], Value::Null);
        assert!(Totals::of(&runs).lines().starts_with("solved                     1 of 4 (25 %)\n"));
        assert!(Totals::of(&[]).lines().starts_with("solved                     0 of 0 (0 %)\n"));
    }

    #[test]
    fn several_rounds_are_counted_task_by_task() {
        let mut runs = vec![run(Verdict::Solved, End::Exit(0), 10)];
        assert_eq!(by_task(&runs), "");
        runs.push(Run { round: 2, ..run(Verdict::Time, End::Time, 10) });
        assert_eq!(by_task(&runs), format!("{:<36} solved 1 of 2\n\n", "crash-cart"));
    }

    #[test]
    fn a_line_has_the_columns_of_its_head() {
        let line = run(Verdict::TouchedElse(vec!["made a.py".to_owned()]), End::Exit(0), 10).line();
        assert_eq!(line.find("touched something else: made a.py"), head().find("why not"), "{line}");
        assert_eq!(line.find("no"), head().find("solved"));
        let solved = run(Verdict::Solved, End::Time, 10).line();
        assert!(solved.ends_with("10.0"), "{solved}");
    }
}
