//! The card: what an exam found, in words people can paste, and as JSON that is kept.

use serde_json::{Value, json};

use super::{Exam, Mark, Marked, Speed, Subject};
use crate::mode::{Binding, Mode};
use crate::thinking::Thinking;

/// What is picked, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    pub model: String,
    pub marked: Vec<Marked>,
    pub speed: Speed,
    /// What was allocated.
    pub window: i64,
    /// What is really seen, where that is known to be less.
    pub window_seen: Option<i64>,
    /// None where no mode works.
    pub mode: Option<Mode>,
    pub thinking: Thinking,
    pub is_thinking: bool,
}

impl Card {
    pub(super) fn of(exam: &Exam) -> Card {
        Card {
            model: exam.dialect.model.clone(),
            marked: exam.marked.clone(),
            speed: exam.speed,
            window: exam.dialect.window,
            window_seen: exam.window,
            mode: pick(&exam.marked),
            thinking: exam.dialect.thinking,
            is_thinking: exam.is_thinking,
        }
    }

    /// Whether the server refused to bind an answer to a schema.
    pub fn binding(&self) -> Binding {
        let is_refused =
            |marked: &Marked| marked.mode == Mode::Constrained && matches!(marked.mark, Mark::Refused { .. });
        if self.marked.iter().any(is_refused) { Binding::Refused } else { Binding::Possible }
    }

    pub fn to_json(&self) -> Value {
        let answers: Vec<Value> = self
            .marked
            .iter()
            .map(|marked| {
                let (mark, why) = words(&marked.mark);
                json!({
                    "question": marked.subject.word(), "mode": marked.mode.word(), "mark": mark, "why": why,
                    "took_ms": marked.took_ms, "tokens": marked.tokens,
                })
            })
            .collect();
        json!({
            "v": 1, "model": self.model, "mode": self.mode.map(Mode::word), "thinking": self.thinking.word(),
            "window": self.window, "window_seen": self.window_seen, "reading": self.speed.reading,
            "writing": self.speed.writing, "answers": answers,
        })
    }

    /// The card as lines.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("{:<12} call    edit    stop", "mode")];
        for mode in Mode::ALL {
            let cell = |subject: Subject| {
                let marked =
                    self.marked.iter().find(|marked| marked.mode == mode && marked.subject == subject);
                format!("{:<8}", marked.map_or("-", |marked| words(&marked.mark).0))
            };
            let cells: String = Subject::IN_MODES.into_iter().map(cell).collect();
            lines.push(format!("{:<12} {}", mode.word(), cells).trim_end().to_owned());
        }
        lines.push(self.speed_line());
        lines.push(self.window_line());
        let mode = self
            .mode
            .map_or("no mode works: it can't call tools".to_owned(), |mode| format!("{} mode", mode.word()));
        let window = self.window_seen.unwrap_or(self.window);
        lines.push(format!("picked: {mode}, thinking {}, window {window}", self.thinking.word()));
        lines
    }

    fn speed_line(&self) -> String {
        let speed = |speed: Option<f64>| speed.map_or("?".to_owned(), |speed| format!("{speed:.0}"));
        let thinks = if self.is_thinking { "; it thinks" } else { "" };
        format!(
            "reads {} and writes {} tokens a second{thinks}",
            speed(self.speed.reading),
            speed(self.speed.writing)
        )
    }

    fn window_line(&self) -> String {
        let needles: Vec<&Marked> =
            self.marked.iter().filter(|marked| marked.subject == Subject::Needle).collect();
        let seen = needles.iter().filter(|marked| marked.is_right()).map(|marked| marked.tokens).max();
        let is_missed = |marked: &&&Marked| matches!(marked.mark, Mark::Wrong { .. });
        let missed = needles.iter().filter(is_missed).map(|marked| marked.tokens).min();
        match (seen, missed) {
            (None, None) => format!("window {}: not checked, for lack of time", self.window),
            (Some(seen), None) if seen * 10 >= self.window * 8 => {
                format!("window {}: the head of {seen} tokens is seen", self.window)
            }
            (Some(seen), None) => {
                format!(
                    "window {}: the head of {seen} tokens is seen; more was not checked, for lack of time",
                    self.window
                )
            }
            (Some(seen), Some(missed)) => {
                format!("window {}: the head of {seen} tokens is seen, that of {missed} is not", self.window)
            }
            (None, Some(missed)) => {
                format!("window {}: the head of {missed} tokens is not seen", self.window)
            }
        }
    }
}

fn words(mark: &Mark) -> (&'static str, Option<&str>) {
    match mark {
        Mark::Right => ("yes", None),
        Mark::Mended { how } => ("mended", Some(how)),
        Mark::Wrong { why } | Mark::Unanswered { why } => ("no", Some(why)),
        Mark::Refused { why } => ("refused", Some(why)),
    }
}

/// The mode with most right answers; of equals the first, since a server's own calls need no prompt of ours, and text
/// leaves a model free to explain itself. One that can't make a call is none.
fn pick(marked: &[Marked]) -> Option<Mode> {
    let right = |mode: Mode, subject: Option<Subject>| {
        let is_counted =
            |marked: &&Marked| marked.mode == mode && subject.is_none_or(|subject| marked.subject == subject);
        marked
            .iter()
            .filter(|marked| marked.subject.is_of_mode())
            .filter(is_counted)
            .filter(|m| m.is_right())
            .count()
    };
    let can_call = |mode: &Mode| right(*mode, Some(Subject::Call)) + right(*mode, Some(Subject::Edit)) > 0;
    Mode::ALL
        .into_iter()
        .filter(can_call)
        .reduce(|best, mode| if right(mode, None) > right(best, None) { mode } else { best })
}
