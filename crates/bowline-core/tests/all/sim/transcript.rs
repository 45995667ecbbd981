//! A session as text, for whoever has to find out what went wrong in it. Printed only when somebody will read it.

use std::fmt::Write as _;

use bowline_core::entry::Body;
use bowline_core::payload::Message;
use bowline_core::turn::{Effect, Opening};
use bowline_core::wire::Request;

use super::world::START_MS;

pub(crate) struct Transcript {
    /// Whether it is printed as it grows: a session that panics hands nothing back.
    is_wanted: bool,
    /// Of the last request.
    messages: usize,
}

impl Transcript {
    pub(crate) fn none() -> Transcript {
        Transcript { is_wanted: false, messages: 0 }
    }

    pub(crate) fn printed() -> Transcript {
        Transcript { is_wanted: true, messages: 0 }
    }

    pub(crate) fn line(&mut self, now: i64, line: &str) {
        if !self.is_wanted {
            return;
        }
        let seconds = (now - START_MS) as f64 / 1000.0;
        println!("{seconds:>9.3} {line}");
    }

    pub(super) fn opening(&mut self, opening: &Opening) {
        self.line(START_MS, &format!("# {opening:?}"));
    }

    pub(super) fn heard(&mut self, body: &Body, now: i64) {
        if self.is_wanted {
            self.line(now, &format!("> {}", brief(&body.to_json().to_string())));
        }
    }

    pub(super) fn effect(&mut self, effect: &Effect, now: i64) {
        if !self.is_wanted {
            return;
        }
        match effect {
            Effect::Append(bodies) => {
                for body in bodies {
                    self.line(now, &format!("{} {}", body.kind(), brief(&body.to_json().to_string())));
                }
            }
            Effect::CallModel { call, request } => self.request(*call, request, now),
            Effect::RunTool { item, call, grant } => {
                self.line(now, &format!("run {item} {grant:?} {}", brief(&format!("{call:?}"))));
            }
            Effect::HandBack(end) => {
                self.line(
                    now,
                    &format!("end {}: {}", end.stop.word(), end.reason.as_deref().unwrap_or_default()),
                );
            }
            other => self.line(now, &brief(&format!("{other:?}"))),
        }
    }

    /// The messages the last request did not have, numbered.
    fn request(&mut self, call: u64, request: &Request, now: i64) {
        let mut text = format!("ask {call}");
        let said = &request.payload.messages;
        let known = self.messages.min(said.len()).saturating_sub(1);
        for (n, said) in said.iter().enumerate().skip(known) {
            let _ = match said {
                Message::User { text: words } => write!(text, "\n  {} user {}", n + 2, brief(words)),
                Message::Tool { call, text: words, .. } => {
                    write!(text, "\n  {} tool {call} {}", n + 2, brief(words))
                }
                Message::Assistant { text: words, calls, .. } => {
                    let ids: Vec<&str> = calls.iter().map(|call| call.id.as_str()).collect();
                    write!(text, "\n  {} assistant {} {ids:?}", n + 2, brief(words))
                }
            };
        }
        if let Some(note) = &request.note {
            let _ = write!(text, "\n  note {}", brief(note));
        }
        self.messages = said.len();
        self.line(now, &text);
    }
}

/// On one line, at most 300 characters.
fn brief(text: &str) -> String {
    const CHARS_MAX: usize = 300;
    let line = text.replace('\n', "\\n");
    let chars = line.chars().count();
    if chars <= CHARS_MAX {
        return line;
    }
    let start: String = line.chars().take(CHARS_MAX).collect();
    format!("{start}… ({chars} characters)")
}
