//! A run as text: what was asked, what was appended, how the files ended. Times are virtual, ids are counted: the same
//! run gives the same text.

use std::fmt::Write as _;
use std::path::Path;

use bowline_core::checkpoint::Checkpoint;
use bowline_core::entry::{Body, Stop, TurnEnd};
use bowline_core::item::{Item, ItemStatus};
use bowline_core::mode::Mode;
use bowline_core::payload::Message;
use bowline_core::thinking::Thinking;
use bowline_core::turn::{Effect, Opening};
use bowline_core::wire::{Dialect, Request};
use bowline_script::Scenario;

use super::world::START_MS;

#[derive(Default)]
pub(super) struct Transcript {
    text: String,
    requests: usize,
    messages: usize,
    shown_at: i64,
    waiting: Option<String>,
    mode: Option<Mode>,
}

impl Transcript {
    pub(super) fn text(self) -> String {
        self.text
    }

    fn line(&mut self, now: i64, line: &str) {
        // The time is said when a second or more has passed.
        if now - self.shown_at >= 1000 {
            let seconds = (now - START_MS) as f64 / 1000.0;
            let _ = writeln!(self.text, "at {seconds:.1} s");
        }
        self.shown_at = now;
        let _ = writeln!(self.text, "{line}");
    }

    pub(super) fn act(&mut self, opening: &Opening) {
        let line = match opening {
            Opening::Task { text, .. } => format!("# task {}", brief(text)),
            Opening::Compact => "# compact".to_owned(),
            Opening::Continue { hint, .. } => {
                format!("# continue {}", brief(hint.as_deref().unwrap_or_default()))
            }
        };
        let _ = writeln!(self.text, "{line}");
    }

    pub(super) fn decided(&mut self, line: &str, told: &str, now: i64) {
        let _ = writeln!(self.text, "# changes {line}");
        self.line(now, &format!("> {told}"));
    }

    pub(super) fn heard(&mut self, body: &Body, now: i64) {
        let line = match body {
            Body::Input(input) => {
                format!("> {:?} {}", input.kind, brief(input.text.as_deref().unwrap_or_default()))
            }
            Body::Queued(queued) if queued.withdrawn => "> taken out of the queue".to_owned(),
            Body::Queued(queued) => format!("> queued {}", brief(&queued.text)),
            Body::PermissionAnswered(answered) => {
                format!("> {} answered {:?}", answered.item, answered.answer)
            }
            other => format!("> {}", other.kind()),
        };
        self.line(now, &line);
    }

    pub(super) fn effect(&mut self, effect: &Effect, now: i64) {
        match effect {
            Effect::Append(bodies) => bodies.iter().for_each(|body| self.body(body, now)),
            Effect::CallModel { request, .. } => self.request(request, now),
            Effect::CloseModel { .. } => self.line(now, "close the stream"),
            Effect::AskLife { .. } => self.line(now, "ask the server whether it lives"),
            Effect::RunTool { item, grant, .. } => self.line(now, &format!("run {item} {grant:?}")),
            Effect::Show(waiting) => {
                let percent = waiting.percent.map_or(String::new(), |percent| format!(" {percent} %"));
                let what = format!("waiting for {:?}{percent}", waiting.cause);
                if self.waiting.as_ref() != Some(&what) && what != "waiting for Prompt" {
                    self.line(now, &what);
                }
                self.waiting = Some(what);
            }
            Effect::Remember { model, by } => {
                self.line(now, &format!("remember {} ({})", model.mode.word(), by.word()));
            }
            Effect::RememberUnbound { .. } => {
                self.line(now, "remember that the server binds no answer to a schema");
            }
            Effect::RememberWindow { model, reported_window } => {
                self.line(now, &format!("remember a window of {} (told {reported_window})", model.window));
            }
            Effect::AskAllocated => {}
            Effect::KeepAllowed { patterns } => {
                self.line(now, &format!("keep for the project: {}", patterns.join(", ")));
            }
            Effect::ReadPlace { place, change } => {
                self.line(now, &format!("read {} to {}", place.label(), change.word()));
            }
            Effect::Rewind { changes } => self.line(now, &format!("rewind {}", changes.join(" "))),
            Effect::CompareFiles { .. } => self.line(now, "look which files were changed"),
            Effect::ReadFiles { paths } => self.line(now, &format!("read files {}", paths.join(" "))),
            Effect::RunCheck(request) => {
                let command = request.command.as_ref().map_or("the project's own", |(command, _)| command);
                self.line(now, &format!("check {}: {command}", request.moment.word()));
            }
            Effect::Survey(_) | Effect::TakeCheckpoint { .. } | Effect::EndTools => {}
            Effect::HandBack(end) => self.end(end, now),
        }
    }

    /// The messages the last request did not have, numbered; and the note.
    fn request(&mut self, request: &Request, now: i64) {
        self.requests += 1;
        self.line(now, &format!("ask {}", self.requests));
        self.settings(request);
        let said = if request.payload.mode == Mode::Native {
            request.payload.messages.clone()
        } else {
            plain(request)
        };
        let said = &said;
        // Another mode is another conversation to the server.
        if self.mode.replace(request.payload.mode).is_some_and(|mode| mode != request.payload.mode) {
            self.messages = 0;
        }
        // The last one may have grown.
        let known = self.messages.min(said.len()).saturating_sub(1);
        for (n, said) in said.iter().enumerate().skip(known) {
            let _ = writeln!(self.text, "  {} {}", n + 2, said_line(said));
        }
        if let Some(note) = &request.note {
            let _ = writeln!(self.text, "  note {}", brief(note));
        }
        for offered in request.payload.offer.places() {
            let changes: Vec<&str> = offered.changes.iter().map(|change| change.word()).collect();
            let _ = writeln!(self.text, "  place {}: {}", offered.place.label(), changes.join(", "));
        }
        self.messages = said.len();
    }

    /// What is not as usual.
    fn settings(&mut self, request: &Request) {
        let Dialect { thinking, sampling, .. } = &request.dialect;
        if let Some(temperature) = sampling.temperature {
            let _ = writeln!(self.text, "  temperature {temperature}");
        }
        if *thinking != Thinking::Auto {
            let _ = writeln!(self.text, "  thinking {}", thinking.word());
        }
        if request.payload.mode != Mode::Native {
            let offers = offers(request).map_or(String::new(), |offers| format!(": {offers}"));
            let _ = writeln!(self.text, "  {}{offers}", request.payload.mode.word());
        }
    }

    fn body(&mut self, body: &Body, now: i64) {
        let line = match body {
            Body::SessionUpdated(updated) => match (&updated.notice, &updated.model) {
                (Some(notice), model) => {
                    let mode =
                        model.as_ref().map_or(String::new(), |model| format!(" ({})", model.mode.word()));
                    format!("notice{mode} {}", brief(notice))
                }
                _ => return,
            },
            Body::ItemStarted { item } => match &item.call {
                Some(call) => {
                    let mended = match call.repairs.join(", ") {
                        repairs if repairs.is_empty() => repairs,
                        repairs => format!("\n  mended: {repairs}"),
                    };
                    format!("call {} {} {}{mended}", item.id, call.tool, brief(&call.arguments.to_string()))
                }
                None => return,
            },
            Body::ItemUpdated { item } => {
                format!("{} is now {}", item.id, brief(&item.text))
            }
            Body::ItemCompleted { item } => item_line(item),
            Body::MessageCompleted { message } => format!("message {} {}", message.id, message.status.word()),
            Body::Sentinel(sentinel) => {
                format!("sentinel {}", serde_json::to_string(&sentinel.sentinel).unwrap())
            }
            Body::Compacted(compacted) => {
                self.messages = 0;
                format!(
                    "compacted {} messages by {:?}, {} → {} tokens:\n{}",
                    compacted.messages,
                    compacted.by,
                    compacted.tokens_before,
                    compacted.tokens_after,
                    compacted
                        .summary
                        .lines()
                        .map(|line| format!("  | {line}"))
                        .collect::<Vec<_>>()
                        .join("\n")
                )
            }
            Body::Checked(checked) => {
                let words = checked
                    .words
                    .as_ref()
                    .map_or(String::new(), |words| format!("\n  model reads {}", brief(words)));
                let known = if checked.is_known { " (known)" } else { "" };
                let (moment, row) = (checked.moment.word(), checked.row());
                format!("checked {moment}: {} · {row}{known}{words}", checked.command)
            }
            // One that is there is no news.
            Body::Checkpoint(Checkpoint { error: Some(error), .. }) => format!("no checkpoint: {error}"),
            Body::PermissionAsked(asked) => format!("asked {}: {}", asked.item, asked.what),
            Body::PermissionAnswered(answered) => {
                format!("answered {} {:?} by {}", answered.item, answered.answer, answered.by)
            }
            _ => return,
        };
        self.line(now, &line);
    }

    fn end(&mut self, end: &TurnEnd, now: i64) {
        let mut line = format!("end {}", end.stop.word());
        if end.stop != Stop::Done || end.reason.is_some() {
            let _ = write!(line, ": {}", end.reason.as_deref().unwrap_or_default());
        }
        if let Some(check) = &end.check {
            let _ = write!(
                line,
                "\n  check {} · {} ({:?} before, {:?} now)",
                check.command, check.summary, check.before, check.after
            );
        }
        let _ = write!(line, "\n  answer {}", brief(&end.text));
        let usage = end.usage;
        let _ = write!(
            line,
            "\n  read {} + {} cached, wrote {}",
            usage.prompt_new, usage.prompt_cached, usage.output
        );
        for change in &end.changes {
            let _ = write!(line, "\n  {} +{} -{}", change.path, change.added, change.removed);
        }
        for denied in &end.denied {
            let _ = write!(line, "\n  denied: {denied}");
        }
        self.line(now, &line);
    }

    /// The files that are not as they were, whole.
    pub(super) fn files(&mut self, scenario: &Scenario, folder: &Path) {
        let mut paths: Vec<String> = scenario.files.iter().map(|file| file.path.clone()).collect();
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type().unwrap().is_file() && !paths.contains(&name) {
                paths.push(name);
            }
        }
        paths.sort();
        for path in paths {
            let now = std::fs::read(folder.join(&path)).unwrap_or_default();
            let before = scenario.files.iter().find(|file| file.path == path);
            if before.is_none_or(|before| before.bytes != now) {
                let text = String::from_utf8_lossy(&now);
                let _ = writeln!(self.text, "# file {path}");
                for line in text.lines() {
                    let _ = writeln!(self.text, "  {line}");
                }
            }
        }
    }
}

/// The messages as they go over the wire, but for the system's.
fn plain(request: &Request) -> Vec<Message> {
    let bare = Request { note: None, ..request.clone() };
    let body: serde_json::Value = serde_json::from_slice(&bare.body()).unwrap();
    let said = |message: &serde_json::Value| {
        let text = message["content"].as_str().unwrap().to_owned();
        match message["role"].as_str().unwrap() {
            "user" => Message::User { text },
            "assistant" => Message::Assistant { text, reasoning: None, calls: Vec::new() },
            other => panic!("a message of {other} in this mode"),
        }
    };
    body["messages"].as_array().unwrap().iter().skip(1).map(said).collect()
}

/// What a bound answer may be.
fn offers(request: &Request) -> Option<String> {
    let body: serde_json::Value = serde_json::from_slice(&request.body()).unwrap();
    let schema = [&body["response_format"]["json_schema"]["schema"], &body["format"]];
    let forms = schema.iter().find_map(|schema| schema["anyOf"].as_array())?;
    let name = |form: &serde_json::Value| {
        form["properties"]["name"]["const"].as_str().unwrap_or("message").to_owned()
    };
    let mut names: Vec<String> = forms.iter().map(name).collect();
    names.dedup();
    Some(names.join(", "))
}

fn said_line(said: &Message) -> String {
    match said {
        Message::User { text } => format!("user {}", brief(text)),
        Message::Tool { call, text, .. } => format!("tool {call} {}", brief(text)),
        Message::Assistant { text, reasoning, calls } => {
            let mut line = format!("assistant {}", brief(text));
            if let Some((field, thoughts)) = reasoning {
                let _ = write!(line, " {} {}", field.name(), brief(thoughts));
            }
            for call in calls {
                let _ = write!(line, " {}({})", call.id, call.tool);
            }
            line
        }
    }
}

fn item_line(item: &Item) -> String {
    let status =
        if item.status == ItemStatus::Complete { String::new() } else { format!(" {:?}", item.status) };
    match &item.result {
        Some(result) => format!("done {} {} {}", item.id, result.outcome.word(), brief(&result.text)),
        None => format!("{}{status} {}", item.kind.word(), brief(&item.text)),
    }
}

/// In quotes, on one line, at most 100 characters.
fn brief(text: &str) -> String {
    const CHARS_MAX: usize = 100;
    let chars = text.chars().count();
    if chars <= CHARS_MAX {
        return format!("{text:?}");
    }
    let start: String = text.chars().take(CHARS_MAX).collect();
    format!("{start:?}… ({chars} characters)")
}
