//! What is under way in a turn, in one line: what is waited for, a call that runs, thoughts, how quick the model writes.

use std::collections::VecDeque;

use bowline_core::entry::StepPurpose;

use crate::paint::one_line;
use crate::rows::{Row, Style};
use crate::time::clock;

/// The last of the thoughts, shown while the model thinks.
const THOUGHT_CHARS_MAX: usize = 160;
/// Until the speed of writing says something.
const SPEED_MS_MIN: i64 = 500;
/// A token is about so many bytes, until the server has counted.
const BYTES_PER_TOKEN: f64 = 3.5;

#[derive(Default)]
pub(crate) struct Progress {
    thinking: Option<Thinking>,
    /// Calls that have not ended, in call order: id, words, since when.
    calls: VecDeque<(String, String, i64)>,
    waiting: Option<(String, i64)>,
    /// Since when the model says something, and how much it has said.
    said: Option<(i64, usize)>,
}

struct Thinking {
    item: String,
    since_ms: i64,
    text: String,
}

impl Progress {
    pub(crate) fn wait(&mut self, words: &str, since_ms: i64) {
        self.waiting = Some((words.to_owned(), since_ms));
    }

    pub(crate) fn step(&mut self, purpose: StepPurpose, at_ms: i64) {
        self.said = None;
        let words = match purpose {
            StepPurpose::Work => "asking the model",
            StepPurpose::Summary => "summing up",
            StepPurpose::Compaction => "folding the conversation",
        };
        self.wait(words, at_ms);
    }

    /// The model has said all of this step.
    pub(crate) fn answered(&mut self) {
        self.waiting = None;
    }

    pub(crate) fn said(&mut self, text: &str, at_ms: i64) {
        self.waiting = None;
        let (_, bytes) = self.said.get_or_insert((at_ms, 0));
        *bytes += text.len();
    }

    pub(crate) fn think(&mut self, item: &str, since_ms: i64) {
        self.thinking = Some(Thinking { item: item.to_owned(), since_ms, text: String::new() });
    }

    pub(crate) fn thought(&mut self, item: &str, text: &str, at_ms: i64) {
        self.said(text, at_ms);
        if let Some(thinking) = self.thinking.as_mut().filter(|thinking| thinking.item == item) {
            thinking.text.push_str(text);
            let skipped = thinking.text.chars().count().saturating_sub(THOUGHT_CHARS_MAX);
            let at = thinking.text.char_indices().nth(skipped).map_or(0, |(at, _)| at);
            thinking.text.drain(..at);
        }
    }

    /// The thoughts have ended: since when there were any.
    pub(crate) fn thought_out(&mut self) -> Option<i64> {
        self.thinking.take().map(|thinking| thinking.since_ms)
    }

    pub(crate) fn call(&mut self, item: &str, words: String, since_ms: i64) {
        self.calls.push_back((item.to_owned(), words, since_ms));
    }

    pub(crate) fn call_ended(&mut self, item: &str) {
        self.calls.retain(|(id, ..)| id != item);
    }

    pub(crate) fn row(&self, now_ms: i64) -> Row {
        if let Some((_, words, since_ms)) = self.calls.front() {
            let more = match self.calls.len() {
                1 => String::new(),
                open => format!(" (+{})", open - 1),
            };
            return Row::dim(&format!("  {words}{more} · {}", clock(now_ms - since_ms)));
        }
        if let Some((words, since_ms)) = &self.waiting {
            return Row::dim(&format!("  {words} · {}", clock(now_ms - since_ms)));
        }
        let speed = self.speed(now_ms);
        match &self.thinking {
            Some(thinking) => {
                let took = clock(now_ms - thinking.since_ms);
                let words = one_line(thinking.text.trim(), THOUGHT_CHARS_MAX);
                let row = Row::dim(&format!("  thinking · {took}{speed} · "));
                row.with(&words, Style { is_italic: true, ..Style::DIM })
            }
            None => Row::dim(&format!("  writing{speed}")),
        }
    }

    /// In words, once it says something.
    fn speed(&self, now_ms: i64) -> String {
        match self.said.map(|(since_ms, bytes)| (now_ms - since_ms, bytes)) {
            Some((ms, bytes)) if ms >= SPEED_MS_MIN => {
                format!(" · {:.0} tokens/s", bytes as f64 / BYTES_PER_TOKEN * 1000.0 / ms as f64)
            }
            _ => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_call_is_shown_and_those_beside_it_counted() {
        let mut progress = Progress::default();
        progress.step(StepPurpose::Work, 0);
        assert_eq!(progress.row(41_000).text(), "  asking the model · 0:41");
        progress.call("a", "read a.rs".to_owned(), 50_000);
        progress.call("b", "read b.rs".to_owned(), 50_000);
        assert_eq!(progress.row(52_000).text(), "  read a.rs (+1) · 0:02");
        progress.call_ended("a");
        assert_eq!(progress.row(52_000).text(), "  read b.rs · 0:02");
    }

    #[test]
    fn speed_is_told_once_there_is_one() {
        let mut progress = Progress::default();
        progress.said(&"x".repeat(350), 1000);
        assert_eq!(progress.row(1200).text(), "  writing");
        assert_eq!(progress.row(2000).text(), "  writing · 100 tokens/s");
        progress.think("r", 2000);
        progress.thought("r", &"thoughts ".repeat(40), 2000);
        assert!(
            progress.row(3000).text().starts_with("  thinking · 0:01 · "),
            "{}",
            progress.row(3000).text()
        );
    }
}
