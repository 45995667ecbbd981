//! What the model is at, in one line: what is waited for, its thoughts, how quick it writes.

use bowline_core::entry::StepPurpose;

use crate::paint::one_line;
use crate::rows::{Row, Style, end_fitting};
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
            StepPurpose::Write => "writing the new text",
            StepPurpose::Program => "changing files",
            StepPurpose::Summary => "summing up",
            StepPurpose::Compaction => "compacting the conversation",
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

    pub(crate) fn row(&self, now_ms: i64, columns: usize) -> Row {
        if let Some((words, since_ms)) = &self.waiting {
            return Row::dim(&format!("  {words} · {}", clock(now_ms - since_ms)));
        }
        let speed = self.speed(now_ms);
        match &self.thinking {
            Some(thinking) => {
                let took = clock(now_ms - thinking.since_ms);
                let row = Row::dim(&format!("  thinking · {took}{speed} · "));
                // The end of it is what is new.
                let words = one_line(thinking.text.trim(), usize::MAX);
                let words = end_fitting(&words, columns.saturating_sub(row.width()));
                row.with(words, Style { is_italic: true, ..Style::DIM })
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

    fn text(progress: &Progress, now_ms: i64) -> String {
        progress.row(now_ms, 60).text()
    }

    #[test]
    fn what_is_waited_for_has_its_time() {
        let mut progress = Progress::default();
        progress.step(StepPurpose::Work, 0);
        assert_eq!(text(&progress, 41_000), "  asking the model · 0:41");
    }

    #[test]
    fn speed_is_told_once_there_is_one() {
        let mut progress = Progress::default();
        progress.said(&"x".repeat(350), 1000);
        assert_eq!(text(&progress, 1200), "  writing");
        assert_eq!(text(&progress, 2000), "  writing · 100 tokens/s");
        progress.think("r", 2000);
        progress.thought("r", &"thoughts ".repeat(40), 2000);
        let row = progress.row(3000, 60);
        assert!(
            row.text().starts_with("  thinking · 0:01 · ") && row.text().ends_with("thoughts"),
            "{row:?}"
        );
        assert!(row.width() <= 60, "{row:?}");
    }
}
