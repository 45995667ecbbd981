//! A run as it is shown: events as JSON lines, or one line per call on stderr and the answer on stdout.

use std::io::IsTerminal as _;

use bowline_core::entry::{Body, CompactedBy, Entry, SessionUpdated, StepPurpose, TurnEnd, Usage};
use bowline_core::frame::{WaitCause, Waiting, frame};
use bowline_core::item::{Item, ItemKind};
use bowline_core::outcome::Outcome;
use bowline_core::sentinel::{Cap, LoopPattern, NoAnswer, Sentinel};

use crate::out::{draw, say, tell};
use crate::paint::{Paint, one_line, tame};
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
    /// Of this run; the turn may have had others.
    usage: Usage,
    command_ms: i64,
    commands: usize,
    /// Whether the session can be gone on with.
    pub(crate) is_kept: bool,
    /// Whether the account ends with what to type next.
    has_next: bool,
}

/// Of a terminal that does not tell, and of what is no terminal.
const COLUMNS: usize = 100;
/// What a line has beside its title or its reason.
const MARGIN_COLUMNS: usize = 34;

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
    pub(crate) fn unkept(self) -> Printer {
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
            tell(line);
        }
    }

    /// What the user has to know, also beside JSON on stdout.
    pub(crate) fn notice(&mut self, line: &str) {
        self.wipe();
        if self.style != Style::Quiet {
            tell(line);
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
                let room = columns().saturating_sub(MARGIN_COLUMNS).max(20);
                let status = format!("{} {}", verb(item), one_line(&item.title, room));
                self.open.push((item.id.clone(), status, entry.at_ms));
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
                let line = self.paint.yellow(&format!("! {}", sentinel_line(&sentinel.sentinel)));
                self.line(&line);
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
            Body::Compacted(compacted) => {
                let by = if compacted.by == CompactedBy::Model { "" } else { ", without the model" };
                let line = format!(
                    "  the conversation was folded{by}: {} messages, {} → {} tokens",
                    compacted.messages, compacted.tokens_before, compacted.tokens_after
                );
                self.line(&self.paint.dim(&line));
            }
            Body::Queued(queued) => {
                self.line(&self.paint.dim(&format!(
                    "  queued: {}",
                    one_line(&queued.text, columns().saturating_sub(MARGIN_COLUMNS))
                )));
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
                let line = self.call_line(item);
                self.line(&line);
            }
            _ => {}
        }
    }

    /// One call: what it did, and how it ended where that is not plain success.
    fn call_line(&self, item: &Item) -> String {
        let Some(result) = &item.result else { return String::new() };
        let room = columns().saturating_sub(MARGIN_COLUMNS).max(20);
        let title = one_line(&item.title, room);
        let mut line = format!("  {:<7}{title}", verb(item));
        for edit in &result.edits {
            let added = self.paint.green(&format!("+{}", edit.added));
            let removed = self.paint.red(&format!("−{}", edit.removed));
            line.push_str(&format!(" {added} {removed}"));
        }
        if let Some(code) = result.exit_code.filter(|code| *code != 0) {
            line.push_str(&self.paint.red(&format!(" · exit {code}")));
        }
        if result.duration_ms >= 1000 {
            line.push_str(&self.paint.dim(&format!(" · {}", clock(result.duration_ms))));
        }
        if let Some(call) = item.call.as_ref().filter(|call| !call.repairs.is_empty()) {
            let mended = one_line(&call.repairs.join(", "), room);
            line.push_str(&self.paint.dim(&format!(" · mended: {mended}")));
        }
        match result.outcome {
            Outcome::Success => {}
            Outcome::NoResult if result.exit_code.is_some() => {}
            outcome => {
                let first = result.text.lines().next().unwrap_or_default();
                let room = room.saturating_sub(title.chars().count()).max(20);
                let why = format!(" · {}: {}", outcome.word(), one_line(first, room));
                line.push_str(&self.paint.yellow(&why));
            }
        }
        line
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
        let percent = waiting.percent.map_or(String::new(), |percent| format!(" {percent} %"));
        let status = match waiting.cause {
            WaitCause::Load => "the server is loading the model".to_owned(),
            WaitCause::Slot => "waiting for another session".to_owned(),
            WaitCause::Prompt => format!("reading the prompt{percent}"),
            WaitCause::Retry => "the server failed; asking again".to_owned(),
        };
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
            draw(&format!("\r\x1b[K{line}"));
            self.is_status_shown = true;
        }
    }

    pub(crate) fn wipe(&mut self) {
        if self.is_status_shown {
            draw("\r\x1b[K");
            self.is_status_shown = false;
        }
    }

    /// The answer on stdout, the account on stderr.
    pub(crate) fn end(&mut self, end: &TurnEnd, took_ms: i64) {
        self.wipe();
        self.status = None;
        self.open.clear();
        if self.style == Style::Json {
            return;
        }
        if !end.text.is_empty() {
            let text = if std::io::stdout().is_terminal() { tame(&end.text) } else { end.text.clone() };
            say(&text);
        }
        if let Some(reason) = end.reason.as_deref().map(tame) {
            let hint = end.hint.as_deref().filter(|_| self.is_kept);
            let hint = hint.map_or(String::new(), |hint| format!(" {}", capital(hint)));
            self.line("");
            self.line(
                &self.paint.yellow(&format!("{reason}{hint}{}", if hint.is_empty() { "" } else { "." })),
            );
        }
        self.account(end, took_ms);
    }

    fn account(&mut self, end: &TurnEnd, took_ms: i64) {
        self.line("");
        for change in &end.changes {
            let added = self.paint.green(&format!("+{}", change.added));
            let removed = self.paint.red(&format!("−{}", change.removed));
            self.line(&format!(
                "{} {added} {removed}",
                one_line(&change.path, columns().saturating_sub(MARGIN_COLUMNS))
            ));
        }
        if end.changes.is_empty() {
            let doubt =
                if self.commands > 0 { " by an edit; what commands did, git status shows" } else { "" };
            self.line(&format!("no file was changed{doubt}"));
        }
        for denied in &end.denied {
            let denied = tame(denied);
            self.line(&self.paint.yellow(&format!("refused, because nobody could be asked: {denied}")));
        }
        let usage = self.usage;
        let mut parts = vec![clock(took_ms), format!("reading {}", clock(usage.prefill_ms + usage.load_ms))];
        parts.push(format!("writing {}", clock(usage.decode_ms)));
        parts.push(format!("commands {}", clock(self.command_ms)));
        if usage.prompt() > 0 {
            parts.push(format!("{} % of the prompt cached", usage.prompt_cached * 100 / usage.prompt()));
        }
        self.line(&self.paint.dim(&parts.join(" · ")));
        let next =
            if self.is_kept { "bowline sessions show · bowline run -c \"…\"" } else { "nothing was kept" };
        if self.has_next {
            self.line(&self.paint.dim(next));
        }
    }
}

/// What a call does, in one word.
pub(crate) fn verb(item: &Item) -> &'static str {
    let tool = item.call.as_ref().map(|call| call.tool.as_str()).unwrap_or_default();
    match (item.kind, tool) {
        (ItemKind::Read, "list_dir") => "list",
        (ItemKind::Read, _) => "read",
        (ItemKind::Search, "find_files") => "find",
        (ItemKind::Search, _) => "search",
        (ItemKind::Edit, "write_file") => "write",
        (ItemKind::Edit, _) => "edit",
        (ItemKind::Command, _) => "run",
        _ => "call",
    }
}

pub(crate) fn sentinel_line(sentinel: &Sentinel) -> String {
    match sentinel {
        Sentinel::MistakeRecovery { failure_kinds, escalated, .. } => {
            let kinds: Vec<&str> = failure_kinds.iter().map(|kind| kind.word()).collect();
            let done = if *escalated {
                "they persisted, the turn was stopped"
            } else {
                "guidance was given, it goes on"
            };
            format!("several errors in a row ({}): {done}", kinds.join(", "))
        }
        Sentinel::DoomLoop { pattern, escalated, .. } => {
            let what = match pattern {
                LoopPattern::Exact => "the same call with the same result again",
                LoopPattern::Cycle => "the same calls in a circle",
                LoopPattern::Near => "the same call with other numbers and the same result",
                LoopPattern::Stall => "the same command fails in the same way",
                LoopPattern::Text => "the answer repeats itself",
            };
            let done = match (escalated, pattern) {
                (true, _) => "the turn was stopped",
                (false, LoopPattern::Text) => "it was cut, the model is asked again",
                (false, _) => "the model was told, it goes on",
            };
            format!("{what}: {done}")
        }
        Sentinel::CapHit { limit: Cap::Steps, .. } => "the run's steps are used up".to_owned(),
        Sentinel::CapHit { limit: Cap::Time, .. } => "the run's time is used up".to_owned(),
        Sentinel::NoAnswer { reason: NoAnswer::Empty, .. } => "the model answered nothing".to_owned(),
        Sentinel::NoAnswer { reason: NoAnswer::Reasoning, .. } => {
            "the model thought and answered nothing".to_owned()
        }
        Sentinel::NoAnswer { reason: NoAnswer::TextLoop, .. } => "no usable answer came".to_owned(),
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

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        // A command stays as it is typed.
        Some(first) if !text.starts_with("bowline") => first.to_uppercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

pub(crate) fn json_line(value: &serde_json::Value) {
    say(&value.to_string());
}
