//! Composes the live region below the scrollback: the status, the queue, a question, the input, the context meter.

use super::app::{App, Model};
use super::screen::Live;
use super::transcript::{MARK, MARK_STYLE};
use crate::paint::one_line;
use crate::render;
use crate::rows::{Row, Style};
use crate::time::clock;

/// The most rows of a message being typed.
const INPUT_ROWS_MAX: usize = 12;
/// The most rows of the menu.
const MENU_ROWS_MAX: usize = 12;
/// The most rows of queued messages.
const QUEUE_ROWS_MAX: usize = 4;
/// From here on the window counts as crowded.
const CROWDED_PERCENT: i64 = 70;

impl App {
    /// At most so many rows, the cursor among them.
    pub(crate) fn live(&mut self, columns: usize, lines: usize, now_ms: i64) -> Live {
        let below = self.below(columns, lines);
        let (mut input, cursor) = self.input(columns, lines.saturating_sub(below.len() + 2).max(1));
        let is_listening = self.questions.is_listening(self.editor.is_empty(), self.typed_ms, now_ms);
        let (question, question_cursor) = self.questions.rows(columns, is_listening);
        let rest = lines.saturating_sub(below.len() + input.len() + question.len());
        let mut rows = self.above(columns, rest, now_ms);
        let question_at = rows.len();
        rows.extend(question);
        let input_at = rows.len();
        rows.append(&mut input);
        rows.extend(below);
        let cursor = match question_cursor {
            Some((row, column)) => (question_at + row, column),
            None => (input_at + cursor.0, cursor.1),
        };
        Live { rows, cursor }
    }

    /// What is said and not final, what is under way, what waits.
    fn above(&self, columns: usize, rows_max: usize, now_ms: i64) -> Vec<Row> {
        let mut rows = self.transcript.pending();
        rows.push(Row::default());
        if self.is_running() {
            // A question says itself what is waited for.
            rows.extend((!self.questions.is_open() || self.is_stopping()).then(|| self.status(now_ms)));
        } else if self.sent.is_some() && self.is_resuming {
            rows.push(Row::dim("  your message is waiting for the session"));
        } else if self.sent.is_some() {
            rows.push(Row::dim("  your message is waiting for a model"));
        }
        if let Some(shell) = &self.shell {
            let line = one_line(&shell.command, render::room(columns));
            rows.push(Row::dim(&format!("  ! {line} · {}", clock(now_ms - shell.since_ms))));
        }
        let hidden = self.queue.len().saturating_sub(QUEUE_ROWS_MAX);
        for (_, message) in self.queue.iter().take(QUEUE_ROWS_MAX) {
            rows.push(Row::dim(&format!("  queued: {}", one_line(message.text(), render::room(columns)))));
        }
        if hidden > 0 {
            rows.push(Row::dim(&format!("  and {hidden} more")));
        }
        let skipped = rows.len().saturating_sub(rows_max);
        rows.drain(..skipped);
        rows
    }

    fn status(&self, now_ms: i64) -> Row {
        if self.is_stopping() {
            return Row::dim("  stopping · Ctrl-C again leaves");
        }
        self.transcript.status(now_ms)
    }

    fn input(&mut self, columns: usize, rows_max: usize) -> (Vec<Row>, (usize, usize)) {
        if let Some(search) = &self.search {
            let mark = format!("search: {}", search.words);
            let found = search.found.as_ref().map_or(String::new(), |found| one_line(found.text(), columns));
            let column = crate::rows::width(&mark);
            return (vec![Row::of(&mark, MARK_STYLE).with(&format!("  {found}"), Style::DIM)], (0, column));
        }
        let layout = self.editor.layout(columns.saturating_sub(2).max(4), rows_max.min(INPUT_ROWS_MAX));
        let mark = |at: usize| if at == 0 { MARK } else { "  " };
        let rows = layout.rows.into_iter().enumerate().map(|(at, typed)| {
            let mut row = Row::of(mark(at), MARK_STYLE);
            row.append(&typed);
            row
        });
        let mut rows: Vec<Row> = rows.collect();
        if self.editor.is_empty()
            && let (Some(row), Some(words)) = (rows.first_mut(), self.placeholder())
        {
            row.push(words, Style::DIM);
        }
        (rows, (layout.cursor.0, layout.cursor.1 + 2))
    }

    /// What the next key does, where that is worth knowing.
    fn placeholder(&self) -> Option<&'static str> {
        match () {
            () if self.is_leaving => Some("Ctrl-C again leaves"),
            () if self.questions.is_open() => None,
            () if !self.queue.is_empty() => Some("Up recalls the last queued message"),
            () if self.is_running() => Some("type ahead: Enter queues, Alt-Enter steers, Esc stops"),
            () if self.paused.is_some() => Some("Enter continues"),
            () => None,
        }
    }

    /// The menu, or the model and how full its window is.
    fn below(&self, columns: usize, lines: usize) -> Vec<Row> {
        let menu = self.completion.rows(columns, MENU_ROWS_MAX.min(lines / 2));
        if !menu.is_empty() {
            return menu;
        }
        vec![self.footer()]
    }

    /// How full the window is and what of the last prompt was read anew, before the model's name: that one may be cut.
    fn footer(&self) -> Row {
        let mut row = Row::dim("  ");
        if self.is_plan {
            row.push("plan", render::YELLOW);
            row.push(" · ", Style::DIM);
        }
        if let Some(usage) = self.transcript.meter() {
            let window = self.window().max(1);
            let percent = (usage.prompt() + usage.output) * 100 / window;
            let style = if percent >= CROWDED_PERCENT { render::YELLOW } else { Style::DIM };
            row.push(&format!("{percent} % of {}", thousands(window)), style);
            // None cached may also mean that the server does not tell.
            let cached = match usage.prompt_cached {
                0 => String::new(),
                cached => format!(" {} new, {} cached ·", usage.prompt_new, cached),
            };
            row.push(&format!(" ·{cached} "), Style::DIM);
        }
        if !self.attached.is_empty() {
            row.push("output attached · ", Style::DIM);
        }
        match &self.model {
            Model::Looking => row.push("looking for a model", Style::DIM),
            Model::None => row.push("no model: looking for one", render::YELLOW),
            Model::Found { name, .. } => row.push(name, Style::DIM),
        }
        row
    }

    fn window(&self) -> i64 {
        match (&self.model, self.transcript.window()) {
            (_, window) if window > 0 => window,
            (Model::Found { window, .. }, _) => *window,
            _ => 0,
        }
    }
}

/// `32k`: the figure is there to be taken in, not to be reckoned with.
fn thousands(tokens: i64) -> String {
    if tokens >= 1000 { format!("{}k", tokens / 1000) } else { tokens.to_string() }
}
