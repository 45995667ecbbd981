//! Turns a session's entries into rows for the terminal: the answer as Markdown while it streams, calls as one line each,
//! edits as diffs, guards as flagged lines.
//!
//! Pure: entries in, rows out. What always holds: a row that was given out once never changes; what may still change is
//! pending, and bounded.

mod calls;

use bowline_core::checkpoint::{Checkpoint, Moment};
use bowline_core::entry::{Body, Entry, InputKind, SessionUpdated, Stop, TurnEnd, Usage};
use bowline_core::frame::Waiting;
use bowline_core::item::{Item, ItemKind};

use super::progress::Progress;
use calls::Calls;

use crate::markdown::Markdown;
use crate::paint::one_line;
use crate::render;
use crate::rows::{Colour, Row, Style};
use crate::time::clock;

/// The most rows of the last output of a failed command.
const OUTPUT_ROWS_MAX: usize = 4;
/// The most rows of a user's text.
const USER_ROWS_MAX: usize = 12;

/// The user's text is marked by this.
pub(crate) const MARK: &str = "› ";
pub(crate) const MARK_STYLE: Style = Style { is_bold: true, ..Style::coloured(Colour::Cyan) };

/// The kind of the last rows on the screen. A blank row separates different kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    User,
    Text,
    Call,
    Note,
    End,
}

/// A text that is still streaming.
struct Saying {
    item: String,
    shown: String,
    markdown: Markdown,
}

pub(crate) struct Transcript {
    columns: usize,
    is_verbose: bool,
    /// What is typed stands on the screen already: the terminal shows it itself.
    is_echoed: bool,
    rows: Vec<Row>,
    /// A user's text that stands on the screen already.
    expected: Option<String>,
    last: Option<Kind>,
    saying: Option<Saying>,
    progress: Progress,
    calls: Calls,
    /// The usage of the run.
    usage: Usage,
    /// The usage of the last step: how full the window is.
    step: Option<Usage>,
    window: i64,
    command_ms: i64,
    /// Those of which nobody knows what they did to files.
    commands: usize,
    /// What was said of the last checkpoint.
    left_out: Option<Row>,
}

impl Transcript {
    pub(crate) fn new(columns: usize, is_verbose: bool) -> Transcript {
        Transcript {
            columns,
            is_verbose,
            is_echoed: false,
            rows: Vec::new(),
            expected: None,
            last: None,
            saying: None,
            progress: Progress::default(),
            calls: Calls::default(),
            usage: Usage::default(),
            step: None,
            window: 0,
            command_ms: 0,
            commands: 0,
            left_out: None,
        }
    }

    /// The terminal shows what is typed by itself.
    pub(crate) fn set_echoed(&mut self) {
        self.is_echoed = true;
    }

    pub(crate) fn is_echoed(&self) -> bool {
        self.is_echoed
    }

    pub(crate) fn set_columns(&mut self, columns: usize) {
        self.columns = columns;
        if let Some(saying) = &mut self.saying {
            saying.markdown.set_columns(columns);
        }
    }

    /// Rows that are final since the last time.
    pub(crate) fn take(&mut self) -> Vec<Row> {
        std::mem::take(&mut self.rows)
    }

    /// What is said and may still look different, right below what is final.
    pub(crate) fn pending(&self) -> Vec<Row> {
        let mut rows = self.saying.as_ref().map_or_else(Vec::new, |saying| saying.markdown.pending());
        if !rows.is_empty() && self.last.is_some_and(|last| last != Kind::Text) {
            rows.insert(0, Row::default());
        }
        rows
    }

    /// What the server said of the last step's prompt, once it has said something.
    pub(crate) fn meter(&self) -> Option<Usage> {
        self.step.filter(|step| step.prompt() > 0)
    }

    pub(crate) fn window(&self) -> i64 {
        self.window
    }

    /// Another session, of which nothing was shown.
    pub(crate) fn forget(&mut self) {
        let rows = self.take();
        *self =
            Transcript { rows, is_echoed: self.is_echoed, ..Transcript::new(self.columns, self.is_verbose) };
    }

    /// A line of bowline's own.
    pub(crate) fn note(&mut self, row: Row) {
        self.block(Kind::Note, &[row]);
    }

    pub(crate) fn notes(&mut self, rows: &[Row]) {
        self.block(Kind::Note, rows);
    }

    /// A command of the chat, as it was typed.
    pub(crate) fn typed_command(&mut self, text: &str) {
        if self.is_echoed {
            return;
        }
        self.block(Kind::User, &[Row::of(MARK, MARK_STYLE).with(text, Style::DIM)]);
        // What it says stands right below.
        self.last = Some(Kind::Note);
    }

    /// Rows that were made elsewhere.
    pub(crate) fn append(&mut self, rows: impl Iterator<Item = Row>) {
        let mut rows = rows.peekable();
        if rows.peek().is_some() {
            self.gap(Kind::End);
            self.rows.extend(rows);
        }
    }

    /// What a call that has not ended would run.
    pub(crate) fn command(&self, item: &str) -> Option<&str> {
        self.calls.command(item)
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// The user's text at once; the entry that brings it follows.
    pub(crate) fn expect(&mut self, text: &str) {
        if !self.is_echoed {
            self.user(text);
        }
        self.expected = Some(text.to_owned());
    }

    pub(crate) fn expect_nothing(&mut self) {
        self.expected = None;
    }

    fn user(&mut self, text: &str) {
        if self.expected.take().is_some_and(|expected| expected == text) {
            return;
        }
        let mut rows = Vec::new();
        for (at, line) in text.trim_end().lines().enumerate() {
            let mark = if at == 0 { MARK } else { "  " };
            let row = Row::of(mark, MARK_STYLE).with(line, Style::BOLD);
            rows.extend(row.wrap(self.columns, 2));
        }
        // What was pasted is known to who pasted it.
        if rows.len() > USER_ROWS_MAX + 1 {
            let more = rows.len() - USER_ROWS_MAX;
            rows.truncate(USER_ROWS_MAX);
            rows.push(Row::dim(&format!("  … {more} more rows")));
        }
        self.block(Kind::User, &rows);
    }

    /// Rows of one kind below what is there, with a blank one between where the kind changes.
    fn block(&mut self, kind: Kind, rows: &[Row]) {
        self.gap(kind);
        let columns = self.columns;
        let indent = |row: &Row| row.text().chars().take_while(|c| *c == ' ').count();
        self.rows.extend(rows.iter().flat_map(|row| row.wrap(columns, indent(row))));
    }

    fn gap(&mut self, kind: Kind) {
        let is_apart = match (self.last, kind) {
            (None, _) => false,
            (Some(last), kind) => last != kind || kind == Kind::User,
        };
        if is_apart {
            self.rows.push(Row::default());
        }
        self.last = Some(kind);
    }

    pub(crate) fn entry(&mut self, entry: &Entry) {
        match &entry.body {
            Body::SessionStarted(started) => self.window = started.model.window,
            Body::SessionUpdated(updated) => self.updated(updated),
            Body::TurnStarted(turn) => {
                self.user(&turn.text);
                self.begin(entry.at_ms);
            }
            Body::RunStarted(run) => {
                if let Some(hint) = &run.hint {
                    self.user(hint);
                }
                self.begin(entry.at_ms);
            }
            Body::Input(input) => self.input(input.kind, input.text.as_deref(), &input.by),
            Body::StepStarted(step) => self.progress.step(step.purpose, entry.at_ms),
            Body::StepCompleted(step) => {
                self.usage.add(step.usage);
                self.step = Some(step.usage);
                self.progress.answered();
            }
            Body::ItemStarted { item } => self.started(item, entry.at_ms),
            Body::ItemUpdated { item } => self.replaced(item),
            Body::TextDelta { item, text } => self.said(item, text, entry.at_ms),
            Body::ReasoningDelta { item, text } => self.progress.thought(item, text, entry.at_ms),
            Body::ItemCompleted { item } => self.completed(item, entry.at_ms),
            Body::Sentinel(sentinel) => {
                self.finish_text();
                self.block(Kind::Note, &[render::guard(&sentinel.sentinel)]);
            }
            Body::Compacted(compacted) => {
                self.step = None;
                self.block(Kind::Note, &[render::compacted(compacted)]);
            }
            Body::Change(decided) => {
                if let Some(row) = render::undone(decided, self.columns) {
                    self.block(Kind::Note, &[row]);
                }
            }
            Body::Checked(checked) => {
                self.finish_text();
                let row = render::checked(checked, self.columns);
                self.block(Kind::Call, &[row]);
            }
            Body::Checkpoint(checkpoint) => self.checkpoint(checkpoint),
            Body::Error { what, hint } => {
                self.block(Kind::Note, &[Row::of(&format!("{what}: {hint}"), render::YELLOW)]);
            }
            _ => {}
        }
    }

    /// What one failed of, or left out, once: the next turn's tends to be the same.
    fn checkpoint(&mut self, checkpoint: &Checkpoint) {
        if render::is_known(checkpoint) {
            self.commands = 0;
        }
        let row = render::checkpoint(checkpoint);
        if checkpoint.moment == Moment::Before || row.is_some() {
            let shown = std::mem::replace(&mut self.left_out, row.clone());
            if let Some(row) = row.filter(|row| shown.as_ref() != Some(row)) {
                self.block(Kind::Note, &[row]);
            }
        }
    }

    fn updated(&mut self, updated: &SessionUpdated) {
        self.window = updated.model.as_ref().map_or(self.window, |model| model.window);
        if let Some(notice) = &updated.notice {
            self.block(Kind::Note, &[Row::of(&format!("  {notice}"), render::YELLOW)]);
        }
    }

    fn begin(&mut self, at_ms: i64) {
        self.usage = Usage::default();
        (self.command_ms, self.commands) = (0, 0);
        self.progress.wait("asking the model", at_ms);
    }

    fn input(&mut self, kind: InputKind, text: Option<&str>, by: &str) {
        match (kind, text) {
            (InputKind::Steer, Some(text)) if !text.trim().is_empty() => {
                self.finish_text();
                self.user(text);
            }
            (InputKind::Stop, _) if by != "terminal" => {
                self.block(Kind::Note, &[Row::dim(&format!("  stopped by {}", one_line(by, 30)))]);
            }
            _ => {}
        }
    }

    fn started(&mut self, item: &Item, at_ms: i64) {
        match item.kind {
            ItemKind::Text => self.restart_text(&item.id),
            ItemKind::Reasoning => self.progress.think(&item.id, at_ms),
            kind if kind.is_call() => {
                self.finish_text();
                self.calls.start(item, self.columns, at_ms);
            }
            _ => {}
        }
    }

    fn restart_text(&mut self, item: &str) {
        self.finish_text();
        let markdown = Markdown::new(self.columns);
        self.saying = Some(Saying { item: item.to_owned(), shown: String::new(), markdown });
    }

    fn said(&mut self, item: &str, text: &str, at_ms: i64) {
        self.progress.said(text, at_ms);
        if self.saying.as_ref().is_none_or(|saying| saying.item != item) {
            self.restart_text(item);
        }
        let Some(saying) = &mut self.saying else { return };
        saying.shown.push_str(text);
        saying.markdown.push(text);
        let rows = saying.markdown.take();
        self.text_rows(rows);
    }

    fn text_rows(&mut self, rows: Vec<Row>) {
        if !rows.is_empty() {
            self.gap(Kind::Text);
            self.rows.extend(rows);
        }
    }

    fn finish_text(&mut self) {
        if let Some(mut saying) = self.saying.take() {
            let rows = saying.markdown.finish();
            self.text_rows(rows);
        }
    }

    /// What was said is said in other words: after a failure the model is asked the same again.
    fn replaced(&mut self, item: &Item) {
        if item.kind != ItemKind::Text {
            return;
        }
        self.finish_text();
        self.block(Kind::Note, &[Row::dim("  retried; the model says:")]);
        self.restart_text(&item.id);
        self.said(&item.id, &item.text, 0);
    }

    fn completed(&mut self, item: &Item, at_ms: i64) {
        match (&item.kind, &item.result) {
            (ItemKind::Text, _) => self.text_completed(item),
            (ItemKind::Reasoning, _) => self.thought_completed(item, at_ms),
            (_, Some(result)) => {
                self.finish_text();
                if item.kind == ItemKind::Command {
                    self.command_ms += result.duration_ms;
                    self.commands += 1;
                }
                let mut rows = vec![render::call(item, self.columns).cut(self.columns)];
                rows.extend(render::diffs(result, self.columns));
                if result.exit_code.is_some_and(|code| code != 0) {
                    rows.extend(output_tail(&result.text, self.columns));
                }
                let rows = self.calls.end(&item.id, rows);
                self.call_rows(rows);
            }
            _ => {}
        }
    }

    fn call_rows(&mut self, rows: Vec<Row>) {
        if !rows.is_empty() {
            self.gap(Kind::Call);
            self.rows.extend(rows);
        }
    }

    fn text_completed(&mut self, item: &Item) {
        let shown = self.saying.as_ref().filter(|saying| saying.item == item.id);
        let shown = shown.map_or("", |saying| saying.shown.as_str());
        if let Some(rest) = item.text.strip_prefix(shown).map(str::to_owned) {
            self.said(&item.id, &rest, 0);
        }
        self.finish_text();
    }

    fn thought_completed(&mut self, item: &Item, at_ms: i64) {
        let since_ms = self.progress.thought_out().unwrap_or(at_ms);
        if self.is_verbose && !item.text.trim().is_empty() {
            let style = Style { is_italic: true, ..Style::DIM };
            let lines = item.text.trim().lines();
            let rows: Vec<Row> = lines.map(|line| Row::of(&format!("  {line}"), style)).collect();
            self.block(Kind::Note, &rows);
        } else if at_ms - since_ms >= 1000 {
            self.block(Kind::Call, &[Row::dim(&format!("  thought for {}", clock(at_ms - since_ms)))]);
        }
    }

    pub(crate) fn waiting(&mut self, waiting: &Waiting) {
        self.progress.wait(&render::waiting(waiting), waiting.since_ms);
    }

    /// What is under way, and for how long.
    pub(crate) fn status(&self, now_ms: i64) -> Row {
        if let Some((doing, since_ms, more)) = self.calls.first() {
            let more = if more > 0 { format!(" (+{more})") } else { String::new() };
            return Row::dim(&format!("  {doing}{more} · {}", clock(now_ms - since_ms)));
        }
        self.progress.row(now_ms, self.columns)
    }

    /// Nothing is under way any more.
    pub(crate) fn settle(&mut self) {
        self.finish_text();
        let rows = self.calls.end_all();
        self.call_rows(rows);
        self.progress = Progress::default();
    }

    /// The turn is over.
    pub(crate) fn end(&mut self, end: &TurnEnd, took_ms: i64) {
        self.settle();
        let mut rows: Vec<Row> = render::reason(end, false).into_iter().collect();
        if end.stop == Stop::Cancelled {
            rows = vec![Row::of("stopped", render::YELLOW)];
        }
        if !end.changes.is_empty() || !end.denied.is_empty() || end.waiting > 0 {
            rows.extend(render::changes(end, self.commands, self.columns));
        }
        rows.push(Row::dim(&render::figures_in_short(self.usage, took_ms, self.command_ms)));
        self.block(Kind::End, &rows);
    }
}

/// The last lines a command printed, which tend to say what is wrong.
fn output_tail(text: &str, columns: usize) -> Vec<Row> {
    let lines: Vec<&str> =
        text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("exit code ")).collect();
    let skipped = lines.len().saturating_sub(OUTPUT_ROWS_MAX);
    lines.iter().skip(skipped).map(|line| Row::dim(&format!("    {line}")).cut(columns)).collect()
}
