//! A run as it is shown: events as JSON lines, or one line per call on stderr and the answer on stdout.

use std::io::IsTerminal as _;

use bowline_core::entry::{Body, Entry, SessionUpdated, StepPurpose, TurnEnd, Usage};
use bowline_core::frame::{WaitCause, Waiting, frame};
use bowline_core::item::{Item, ItemKind};

use crate::markdown::Markdown;
use crate::output::{eprint_line, eprint_now, print_line};
use crate::paint::{Paint, one_line, tame};
use crate::render;
use crate::rows::Row;
use crate::time::clock;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Json,
    Quiet,
    Normal,
    /// With what the model thinks.
    Verbose,
}

pub(crate) struct Printer {
    style: Style,
    pub(crate) paint: Paint,
    /// Whether a status line may be drawn and wiped.
    is_live: bool,
    is_status_shown: bool,
    status: Option<(String, i64)>,
    /// Calls that have not ended, in call order: the first is the one that runs.
    open: Vec<(String, String, i64)>,
    /// Text of a step that may turn out to be the answer.
    held: Option<String>,
    /// The usage of this run; the turn may have had others.
    usage: Usage,
    command_ms: i64,
    /// Those of which nobody knows what they did to files.
    commands: usize,
    /// Whether the session can be gone on with.
    pub(crate) is_kept: bool,
    /// Whether the account ends with what to type next.
    has_next: bool,
}

/// The width of a terminal that does not report one, and of output that is no terminal.
const COLUMNS: usize = 100;

impl Printer {
    pub(crate) fn new(style: Style, paint: Paint) -> Printer {
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        let is_live =
            std::io::stderr().is_terminal() && !is_dumb && style != Style::Json && style != Style::Quiet;
        Printer {
            style,
            paint,
            is_live,
            is_status_shown: false,
            status: None,
            open: Vec::new(),
            held: None,
            usage: Usage::default(),
            command_ms: 0,
            commands: 0,
            is_kept: true,
            has_next: true,
        }
    }

    /// For a session that ends with this program.
    pub(crate) fn ephemeral(self) -> Printer {
        Printer { is_kept: false, ..self }
    }

    /// For who says in other words what to type next.
    pub(crate) fn without_next(self) -> Printer {
        Printer { has_next: false, ..self }
    }

    /// A line for the user, outside the answer.
    pub(crate) fn line(&mut self, line: &str) {
        self.wipe();
        if !matches!(self.style, Style::Json | Style::Quiet) {
            eprint_line(line);
        }
    }

    pub(crate) fn row(&mut self, row: &Row) {
        self.line(&row.paint(self.paint));
    }

    /// What the user has to know, also beside JSON on stdout.
    pub(crate) fn notice(&mut self, line: &str) {
        self.wipe();
        if self.style != Style::Quiet {
            eprint_line(line);
        }
    }

    pub(crate) fn entry(&mut self, entry: &Entry) {
        if self.style == Style::Json {
            json_line(&frame(entry));
            return;
        }
        match &entry.body {
            Body::ItemStarted { item } if item.kind.is_call() => {
                self.release();
                self.open.push((item.id.clone(), render::doing(item, columns()), entry.at_ms));
            }
            Body::ItemStarted { item } => {
                let status = if item.kind == ItemKind::Reasoning { "thinking" } else { "writing" };
                self.set_status(status, entry.at_ms);
            }
            Body::ItemCompleted { item } => self.item(item),
            Body::StepStarted(step) => {
                self.release();
                if step.purpose == StepPurpose::Summary {
                    self.set_status("summing up", entry.at_ms);
                }
            }
            Body::StepCompleted(step) => self.usage.add(step.usage),
            Body::Sentinel(sentinel) => {
                self.release();
                self.row(&render::guard(&sentinel.sentinel));
            }
            Body::Input(input) => {
                let text =
                    input.text.as_deref().map_or(String::new(), |text| format!(": {}", one_line(text, 80)));
                let kind = format!("{:?}", input.kind).to_lowercase();
                self.line(&self.paint.dim(&format!("  {kind} from {}{text}", one_line(&input.by, 30))));
            }
            Body::SessionUpdated(SessionUpdated { notice: Some(notice), .. }) => {
                let line = self.paint.yellow(&format!("  {}", tame(notice)));
                self.line(&line);
            }
            Body::Checked(checked) => {
                self.release();
                self.command_ms += if checked.is_known { 0 } else { checked.duration_ms };
                self.row(&render::checked(checked, columns()));
            }
            Body::Change(decided) => {
                if let Some(row) = render::undone(decided, columns()) {
                    self.row(&row);
                }
            }
            Body::Compacted(compacted) => {
                self.row(&render::compacted(compacted));
            }
            Body::Checkpoint(checkpoint) => {
                if let Some(row) = render::checkpoint(checkpoint) {
                    self.row(&row);
                }
                if render::is_known(checkpoint) {
                    self.commands = 0;
                }
            }
            Body::Queued(queued) if queued.withdrawn => {
                self.row(&Row::dim("  removed from the queue"));
            }
            Body::Queued(queued) => {
                self.line(
                    &self
                        .paint
                        .dim(&format!("  queued: {}", one_line(&queued.text, render::room(columns())))),
                );
            }
            _ => {}
        }
    }

    fn item(&mut self, item: &Item) {
        match (&item.kind, &item.result) {
            (ItemKind::Text, _) => self.held = Some(item.text.clone()),
            (ItemKind::Reasoning, _) if self.style == Style::Verbose => {
                let thoughts = self.paint.dim(&indent(&tame(item.text.trim())));
                self.line(&thoughts);
            }
            (_, Some(result)) => {
                self.release();
                self.open.retain(|(id, ..)| *id != item.id);
                if item.kind == ItemKind::Command {
                    self.command_ms += result.duration_ms;
                    self.commands += 1;
                }
                self.row(&render::call(item, columns()));
                for row in render::diffs(result, columns()) {
                    self.row(&row);
                }
            }
            _ => {}
        }
    }

    /// The held text was not the answer: more follows it.
    fn release(&mut self) {
        if let Some(text) = self.held.take()
            && !text.trim().is_empty()
        {
            self.line(&indent(&tame(text.trim())));
        }
    }

    pub(crate) fn waiting(&mut self, waiting: &Waiting, session: &str, turn: &str, at_ms: i64) {
        if self.style == Style::Json {
            json_line(&waiting.frame(session, turn, at_ms));
            return;
        }
        let status = render::waiting(waiting);
        if waiting.cause != WaitCause::Prompt && !self.is_live {
            self.line(&self.paint.dim(&format!("  {status}")));
        }
        self.set_status(&status, waiting.since_ms);
    }

    fn set_status(&mut self, status: &str, since_ms: i64) {
        self.status = Some((status.to_owned(), since_ms));
    }

    /// Draws the status line anew, with the time it has lasted.
    pub(crate) fn tick(&mut self, now_ms: i64) {
        let running = self.open.first().map(|(_, status, since_ms)| (status, since_ms));
        let status = running.or_else(|| self.status.as_ref().map(|(status, since_ms)| (status, since_ms)));
        if let (true, Some((status, since_ms))) = (self.is_live, status) {
            let line = self.paint.dim(&format!("  {status} · {}", clock(now_ms - since_ms)));
            eprint_now(&format!("\r\x1b[K{line}"));
            self.is_status_shown = true;
        }
    }

    pub(crate) fn wipe(&mut self) {
        if self.is_status_shown {
            eprint_now("\r\x1b[K");
            self.is_status_shown = false;
        }
    }

    /// The account on stderr, the answer on stdout.
    pub(crate) fn end(&mut self, end: &TurnEnd, took_ms: i64) {
        self.wipe();
        self.status = None;
        self.open.clear();
        if self.style == Style::Json {
            return;
        }
        // What the program knows comes before what the model says.
        if let Some(reason) = render::reason(end, self.is_kept) {
            self.line("");
            self.row(&reason);
        }
        self.line("");
        for row in render::changes(end, self.commands, columns()) {
            self.row(&row);
        }
        let is_below = std::io::stdout().is_terminal();
        if !end.text.is_empty() {
            if is_below {
                self.line("");
            }
            print_line(&self.answer(&end.text));
            if is_below {
                self.line("");
            }
        }
        self.figures(took_ms);
    }

    /// As it is for a program, drawn for a person.
    fn answer(&self, text: &str) -> String {
        if !std::io::stdout().is_terminal() {
            return text.to_owned();
        }
        let mut markdown = Markdown::new(columns());
        markdown.push(text);
        let rows = markdown.finish();
        rows.iter().map(|row| row.paint(self.paint)).collect::<Vec<_>>().join("\n")
    }

    fn figures(&mut self, took_ms: i64) {
        self.row(&Row::dim(&render::figures(self.usage, took_ms, self.command_ms)));
        let next = if self.is_kept {
            "bowline diff · bowline undo · bowline run -c \"…\""
        } else {
            "nothing was kept"
        };
        if self.has_next {
            self.line(&self.paint.dim(next));
        }
    }
}

/// The width of the terminal on stderr.
fn columns() -> usize {
    let size = rustix::termios::tcgetwinsize(std::io::stderr());
    size.map_or(COLUMNS, |size| usize::from(size.ws_col)).max(40)
}

fn indent(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

pub(crate) fn json_line(value: &serde_json::Value) {
    print_line(&value.to_string());
}
