//! A session's entries as rows for the terminal: the answer as Markdown while it streams, calls as one line each, edits as
//! diffs, guards as flagged lines; and what is under way, in one line.
//!
//! Pure: entries in, rows out. What always holds: a row that was given out once never changes; what may still change is
//! pending, and bounded.

mod calls;

use bowline_core::entry::{Body, Entry, InputKind, SessionUpdated, StepPurpose, Stop, TurnEnd, Usage};
use bowline_core::frame::Waiting;
use bowline_core::item::{Item, ItemKind};

use super::diff;
use super::markdown::Markdown;
use calls::Calls;

use crate::paint::one_line;
use crate::rows::{Colour, Row, Style, end_fitting};
use crate::time::clock;
use crate::told;

/// Of an edit.
const DIFF_ROWS_MAX: usize = 24;
/// Of what a command that failed printed last.
const OUTPUT_ROWS_MAX: usize = 4;
/// The last of the thoughts, shown while the model thinks.
const THOUGHT_CHARS_MAX: usize = 160;
/// Until the speed of writing says something.
const SPEED_MS_MIN: i64 = 500;
/// A token is about so many bytes, until the server has counted.
const BYTES_PER_TOKEN: f64 = 3.5;

/// The user's text is marked by this.
pub(crate) const MARK: &str = "› ";
pub(crate) const MARK_STYLE: Style = Style { is_bold: true, ..Style::coloured(Colour::Cyan) };

/// What stands last on the screen: rows of another kind get a blank row between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    User,
    Text,
    Call,
    Note,
    End,
}

/// A text that is being said.
struct Saying {
    item: String,
    shown: String,
    markdown: Markdown,
}

struct Thinking {
    item: String,
    since_ms: i64,
    text: String,
}

/// What is said, and since when.
struct Speed {
    since_ms: i64,
    bytes: usize,
}

pub(crate) struct Showing {
    columns: usize,
    is_verbose: bool,
    rows: Vec<Row>,
    /// A user's text that stands on the screen already.
    expected: Option<String>,
    last: Option<Kind>,
    saying: Option<Saying>,
    thinking: Option<Thinking>,
    calls: Calls,
    waiting: Option<(String, i64)>,
    speed: Option<Speed>,
    /// Of the run.
    usage: Usage,
    /// Of the last step: how full the window is.
    step: Option<Usage>,
    window: i64,
    command_ms: i64,
    commands: usize,
}

impl Showing {
    pub(crate) fn new(columns: usize, is_verbose: bool) -> Showing {
        Showing {
            columns,
            is_verbose,
            rows: Vec::new(),
            expected: None,
            last: None,
            saying: None,
            thinking: None,
            calls: Calls::default(),
            waiting: None,
            speed: None,
            usage: Usage::default(),
            step: None,
            window: 0,
            command_ms: 0,
            commands: 0,
        }
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

    /// What is said and may still look different.
    pub(crate) fn pending(&self) -> Vec<Row> {
        self.saying.as_ref().map_or_else(Vec::new, |saying| saying.markdown.pending())
    }

    /// How full the window is: tokens, and the share of the last prompt that was cached.
    pub(crate) fn meter(&self) -> Option<(i64, i64)> {
        let step = self.step.filter(|step| step.prompt() > 0)?;
        Some((step.prompt() + step.output, step.prompt_cached * 100 / step.prompt()))
    }

    pub(crate) fn window(&self) -> i64 {
        self.window
    }

    /// Another session, of which nothing was shown.
    pub(crate) fn forget(&mut self) {
        let rows = self.take();
        *self = Showing { rows, ..Showing::new(self.columns, self.is_verbose) };
    }

    /// A line of bowline's own.
    pub(crate) fn note(&mut self, row: Row) {
        self.block(Kind::Note, vec![row]);
    }

    pub(crate) fn notes(&mut self, rows: Vec<Row>) {
        self.block(Kind::Note, rows);
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
        self.user(text);
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
        self.block(Kind::User, rows);
    }

    /// Rows of one kind below what is there, with a blank one between where the kind changes.
    fn block(&mut self, kind: Kind, rows: Vec<Row>) {
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
            Body::StepStarted(step) => self.step_started(step.purpose, entry.at_ms),
            Body::StepCompleted(step) => {
                self.usage.add(step.usage);
                self.step = Some(step.usage);
                self.waiting = None;
            }
            Body::ItemStarted { item } => self.started(item, entry.at_ms),
            Body::ItemUpdated { item } => self.replaced(item),
            Body::TextDelta { item, text } => self.said(item, text, entry.at_ms),
            Body::ReasoningDelta { item, text } => self.thought(item, text, entry.at_ms),
            Body::ItemCompleted { item } => self.completed(item, entry.at_ms),
            Body::Sentinel(sentinel) => {
                self.finish_text();
                self.block(Kind::Note, vec![told::guard(&sentinel.sentinel)]);
            }
            Body::Compacted(compacted) => {
                self.step = None;
                self.block(Kind::Note, vec![told::compacted(compacted)]);
            }
            Body::Error { what, hint } => {
                self.block(Kind::Note, vec![Row::of(&format!("{what}: {hint}"), told::YELLOW)]);
            }
            _ => {}
        }
    }

    fn updated(&mut self, updated: &SessionUpdated) {
        self.window = updated.model.as_ref().map_or(self.window, |model| model.window);
        if let Some(notice) = &updated.notice {
            self.block(Kind::Note, vec![Row::of(&format!("  {notice}"), told::YELLOW)]);
        }
    }

    fn begin(&mut self, at_ms: i64) {
        self.usage = Usage::default();
        (self.command_ms, self.commands) = (0, 0);
        self.waiting = Some(("asking the model".to_owned(), at_ms));
    }

    fn input(&mut self, kind: InputKind, text: Option<&str>, by: &str) {
        match (kind, text) {
            (InputKind::Steer, Some(text)) if !text.trim().is_empty() => {
                self.finish_text();
                self.user(text);
            }
            (InputKind::Stop, _) if by != "terminal" => {
                self.block(Kind::Note, vec![Row::dim(&format!("  stopped from {}", one_line(by, 30)))]);
            }
            _ => {}
        }
    }

    fn step_started(&mut self, purpose: StepPurpose, at_ms: i64) {
        self.speed = None;
        let words = match purpose {
            StepPurpose::Work => "asking the model",
            StepPurpose::Summary => "summing up",
            StepPurpose::Compaction => "folding the conversation",
        };
        self.waiting = Some((words.to_owned(), at_ms));
    }

    fn started(&mut self, item: &Item, at_ms: i64) {
        match item.kind {
            ItemKind::Text => self.say_anew(&item.id),
            ItemKind::Reasoning => {
                self.thinking =
                    Some(Thinking { item: item.id.clone(), since_ms: at_ms, text: String::new() });
            }
            kind if kind.is_call() => {
                self.finish_text();
                self.calls.start(item, self.columns, at_ms);
            }
            _ => {}
        }
    }

    fn say_anew(&mut self, item: &str) {
        self.finish_text();
        let markdown = Markdown::new(self.columns);
        self.saying = Some(Saying { item: item.to_owned(), shown: String::new(), markdown });
    }

    fn said(&mut self, item: &str, text: &str, at_ms: i64) {
        self.count(text, at_ms);
        if self.saying.as_ref().is_none_or(|saying| saying.item != item) {
            self.say_anew(item);
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
        self.block(Kind::Note, vec![Row::dim("  asked again; the model says:")]);
        self.say_anew(&item.id);
        self.said(&item.id, &item.text, 0);
    }

    fn thought(&mut self, item: &str, text: &str, at_ms: i64) {
        self.count(text, at_ms);
        if let Some(thinking) = self.thinking.as_mut().filter(|thinking| thinking.item == item) {
            thinking.text.push_str(text);
            let skipped = thinking.text.chars().count().saturating_sub(THOUGHT_CHARS_MAX);
            let at = thinking.text.char_indices().nth(skipped).map_or(0, |(at, _)| at);
            thinking.text.drain(..at);
        }
    }

    fn count(&mut self, text: &str, at_ms: i64) {
        self.waiting = None;
        let speed = self.speed.get_or_insert(Speed { since_ms: at_ms, bytes: 0 });
        speed.bytes += text.len();
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
                let mut rows = vec![told::call(item, self.columns).cut(self.columns)];
                for edit in &result.edits {
                    rows.extend(indented(diff::rows(&edit.diff, self.columns - 4, DIFF_ROWS_MAX)));
                }
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
        let since_ms = self.thinking.take().map_or(at_ms, |thinking| thinking.since_ms);
        if self.is_verbose && !item.text.trim().is_empty() {
            let style = Style { is_italic: true, ..Style::DIM };
            let rows = item.text.trim().lines().map(|line| Row::of(&format!("  {line}"), style)).collect();
            self.block(Kind::Note, rows);
        } else if at_ms - since_ms >= 1000 {
            self.block(Kind::Call, vec![Row::dim(&format!("  thought for {}", clock(at_ms - since_ms)))]);
        }
    }

    pub(crate) fn waiting(&mut self, waiting: &Waiting) {
        self.waiting = Some((told::waiting(waiting), waiting.since_ms));
    }

    /// What is under way, and for how long.
    pub(crate) fn status(&self, now_ms: i64) -> Row {
        if let Some((doing, since_ms, more)) = self.calls.first() {
            let more = if more > 0 { format!(" (+{more})") } else { String::new() };
            return Row::dim(&format!("  {doing}{more} · {}", clock(now_ms - since_ms)));
        }
        if let Some((words, since_ms)) = &self.waiting {
            return Row::dim(&format!("  {words} · {}", clock(now_ms - since_ms)));
        }
        let speed = self.speed.as_ref().map(|speed| (now_ms - speed.since_ms, speed.bytes));
        let speed = speed.filter(|(ms, _)| *ms >= SPEED_MS_MIN).map_or(String::new(), |(ms, bytes)| {
            format!(" · {:.0} tokens/s", bytes as f64 / BYTES_PER_TOKEN * 1000.0 / ms as f64)
        });
        match &self.thinking {
            Some(thinking) => {
                let took = clock(now_ms - thinking.since_ms);
                let row = Row::dim(&format!("  thinking · {took}{speed} · "));
                // The end of it is what is new.
                let words = one_line(thinking.text.trim(), usize::MAX);
                let room = self.columns.saturating_sub(row.width());
                row.with(end_fitting(&words, room), Style { is_italic: true, ..Style::DIM })
            }
            None => Row::dim(&format!("  writing{speed}")),
        }
    }

    /// The turn is over.
    pub(crate) fn end(&mut self, end: &TurnEnd, took_ms: i64) {
        self.finish_text();
        self.thinking = None;
        let rows = self.calls.end_all();
        self.call_rows(rows);
        self.waiting = None;
        let mut rows: Vec<Row> = told::reason(end, false).into_iter().collect();
        if end.stop == Stop::Cancelled {
            rows = vec![Row::of("stopped", told::YELLOW)];
        }
        if !end.changes.is_empty() || !end.denied.is_empty() {
            rows.extend(told::changes(end, self.commands, self.columns));
        }
        rows.push(Row::dim(&told::figures(self.usage, took_ms, self.command_ms)));
        self.block(Kind::End, rows);
    }
}

fn indented(rows: Vec<Row>) -> impl Iterator<Item = Row> {
    rows.into_iter().map(|row| {
        let mut indented = Row::plain("    ");
        indented.append(&row);
        indented
    })
}

/// The last lines a command printed, which tend to say what is wrong.
fn output_tail(text: &str, columns: usize) -> Vec<Row> {
    let lines: Vec<&str> =
        text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("exit code ")).collect();
    let skipped = lines.len().saturating_sub(OUTPUT_ROWS_MAX);
    lines.iter().skip(skipped).map(|line| Row::dim(&format!("    {line}")).cut(columns)).collect()
}
