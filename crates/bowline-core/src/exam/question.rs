//! The questions: small conversations as a turn would have them, with the same prompt and the same tools.

use std::sync::Arc;

use serde_json::json;

use super::Exam;
use crate::entry::Access;
use crate::mode::Mode;
use crate::payload::{Message, MessageCall, Offer, Payload, Touched};
use crate::place::{Change, Offered, Place};
use crate::wire::Request;
use crate::{prompts, tools};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// Loads the model.
    Warm,
    /// One tool, plainly named by the task.
    Call,
    /// An edit of a file that is shown.
    Edit,
    /// Everything is done: an answer in words.
    Stop,
    /// A code word at the head of a long prompt.
    Needle,
}

impl Subject {
    /// Asked in each mode.
    pub(super) const IN_MODES: [Subject; 3] = [Subject::Call, Subject::Edit, Subject::Stop];

    pub fn word(self) -> &'static str {
        match self {
            Subject::Warm => "load",
            Subject::Call => "call",
            Subject::Edit => "edit",
            Subject::Stop => "stop",
            Subject::Needle => "needle",
        }
    }

    pub(super) fn is_of_mode(self) -> bool {
        Subject::IN_MODES.contains(&self)
    }
}

/// One question, ready to be asked.
#[derive(Debug, Clone)]
pub struct Question {
    pub subject: Subject,
    pub mode: Mode,
    pub request: Request,
    /// About so many tokens of prompt.
    pub tokens: i64,
    pub ms_max: i64,
}

/// Tries to find out how much is read.
pub(super) const NEEDLES_MAX: usize = 2;
pub(super) const CODE_WORD: &str = "KESTREL-4711";
/// An answer needs no more; a model that thinks gets some room for it. Tokens.
const ANSWER_TOKENS_MAX: i64 = 768;
/// The share of the window that is left for the template and for errors of the estimate.
const WINDOW_MARGIN_PERCENT: i64 = 10;
/// Where nothing is known of the reading speed. Tokens.
const NEEDLE_TOKENS_USUAL: i64 = 2_000;
/// The share of the needle's time that reading its prompt may take.
const READING_SHARE: f64 = 0.5;

pub(super) const CONFIG: &str = "HOST = \"127.0.0.1\"\nPORT = 8080\nDEBUG = False\n";
pub(super) const CONFIG_DONE: &str = "HOST = \"127.0.0.1\"\nPORT = 9090\nDEBUG = False\n";

impl Exam {
    pub(super) fn question(&self, subject: Subject, mode: Mode, ms_max: i64) -> Question {
        let (messages, tokens) = match subject {
            Subject::Needle => {
                let tokens = self.needle_tokens(ms_max);
                (vec![self.needle(tokens)], tokens)
            }
            subject => (conversation(subject, mode), 0),
        };
        let has_tools = subject.is_of_mode();
        let payload = Arc::new(Payload {
            system: prompts::DEFAULT.trim().to_owned(),
            mode,
            tools: if has_tools { tools::specs(Access::Write) } else { Vec::new() },
            messages,
            offer: match (subject, mode) {
                (Subject::Stop, _) => Offer::after_success(),
                // Files are changed by places in this mode.
                (Subject::Edit, Mode::Constrained) => Offer::of_places(places()),
                _ => Offer::default(),
            },
        });
        let mut dialect = self.dialect.clone();
        dialect.reserve = dialect.reserve.min(ANSWER_TOKENS_MAX);
        let request = Request { dialect, payload, note: None };
        let tokens = if tokens > 0 { tokens } else { self.meter.tokens(request.prompt_bytes()) };
        Question { subject, mode, request, tokens, ms_max }
    }

    /// As long as the window, or as long as can be read in the time; the second try is half as long.
    fn needle_tokens(&self, ms_max: i64) -> i64 {
        let room = self.dialect.window * (100 - WINDOW_MARGIN_PERCENT) / 100 - ANSWER_TOKENS_MAX;
        let readable = self
            .speed
            .reading
            .map_or(NEEDLE_TOKENS_USUAL, |speed| (speed * ms_max as f64 / 1000.0 * READING_SHARE) as i64);
        room.min(readable).max(1) >> self.needles()
    }

    fn needle(&self, tokens: i64) -> Message {
        let head = format!("The code word is {CODE_WORD}.\n\n");
        let mut text = head;
        let mut line = 0;
        while self.meter.tokens(text.len()) < tokens {
            line += 1;
            text.push_str(&format!(
                "{line}. The path of item {line} leads through room {}.\n",
                line * 7 % 101
            ));
        }
        text.push('\n');
        text.push_str(include_str!("needle.md").trim());
        Message::User { text }
    }
}

/// The places of the file that the edit is about.
fn places() -> Vec<Offered> {
    let names = CONFIG.lines().filter_map(|line| line.split(" = ").next());
    let place = |name: &str| Place { path: "config.py".to_owned(), name: Some(name.to_owned()) };
    let changes = vec![Change::Rewrite, Change::AddAfter, Change::Remove, Change::Rename];
    names.map(|name| Offered { place: place(name), changes: changes.clone() }).collect()
}

fn conversation(subject: Subject, mode: Mode) -> Vec<Message> {
    let user = |text: &str| Message::User { text: text.trim().to_owned() };
    if subject == Subject::Warm {
        return vec![user(include_str!("warm.md"))];
    }
    if subject == Subject::Call {
        return vec![user(include_str!("call.md"))];
    }
    let numbered: Vec<String> =
        CONFIG.lines().enumerate().map(|(n, line)| format!("{}| {line}", n + 1)).collect();
    let shown = format!("config.py lines 1-3 of 3\n{}", numbered.join("\n"));
    let mut messages = vec![user(include_str!("edit.md"))];
    messages.extend(step(1, "view_file", json!({ "path": "config.py" }), &shown));
    if subject == Subject::Stop && mode == Mode::Constrained {
        let change = json!({ "place": "config.py: PORT", "change": "rewrite" });
        messages.extend(step(
            2,
            tools::CHANGE,
            change,
            "config.py: PORT changed. It reads now:\n2| PORT = 9090",
        ));
    } else if subject == Subject::Stop {
        let edit = json!({ "path": "config.py", "old": "PORT = 8080", "new": "PORT = 9090" });
        messages.extend(step(
            2,
            "edit_file",
            edit,
            "config.py: 1 place changed (exact match). Now:\n2| PORT = 9090",
        ));
    }
    messages
}

/// A call and its result.
fn step(n: i64, tool: &str, arguments: serde_json::Value, result: &str) -> [Message; 2] {
    let id = format!("i{n:08}");
    let text = arguments.to_string();
    let call =
        MessageCall { id: id.clone(), tool: tool.to_owned(), arguments, text, touched: Touched::default() };
    [
        Message::Assistant { text: String::new(), reasoning: None, calls: vec![call] },
        Message::Tool { call: id, tool: tool.to_owned(), text: result.to_owned() },
    ]
}
