//! An answer marked: the way a turn would read it, with the same repair.

use super::question::{CODE_WORD, CONFIG, CONFIG_DONE};
use super::{Ending, Question, Reply, Subject};
use crate::mode::Mode;
use crate::place::{Change, Offered};
use crate::repair::repair;
use crate::retry::{Sent, Tries, Verdict, describe, judge};
use crate::stream::RawCall;
use crate::thinking::Thinking;
use crate::tools::{self, Replace, ToolCall};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mark {
    Right,
    /// Right after it was mended so.
    Mended {
        how: String,
    },
    Wrong {
        why: String,
    },
    /// There was no whole answer to mark.
    Unanswered {
        why: String,
    },
    /// The server does not do this at all.
    Refused {
        why: String,
    },
}

/// A question and how it went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    pub subject: Subject,
    pub mode: Mode,
    pub mark: Mark,
    pub took_ms: i64,
    /// The prompt it was about. Tokens.
    pub tokens: i64,
    pub is_thinking: bool,
    /// Whether it thought and said nothing.
    pub is_thought_only: bool,
}

impl Marked {
    pub fn is_right(&self) -> bool {
        matches!(self.mark, Mark::Right | Mark::Mended { .. })
    }
}

pub(super) fn mark(question: &Question, reply: Reply) -> Marked {
    let Reply { mut assembly, ending, took_ms, .. } = reply;
    assembly.close();
    let is_thinking = !assembly.reasoning().trim().is_empty();
    let is_silent = assembly.text().trim().is_empty() && assembly.calls().is_empty();
    let mark = match ending {
        Ending::Late => Mark::Unanswered { why: format!("no whole answer in {} s", took_ms / 1000) },
        Ending::Looping => Mark::Unanswered { why: "it repeated itself".to_owned() },
        Ending::Failed(failure) => {
            let sent = Sent {
                has_tools: question.mode == Mode::Native && question.subject.is_of_mode(),
                has_thinking: question.request.dialect.thinking != Thinking::Auto,
                has_schema: question.mode == Mode::Constrained,
            };
            let why = describe(&failure, 0);
            match judge(&failure, Tries { failed: 0, loading: 0, since_ms: 0 }, sent) {
                Verdict::ToolsRefused | Verdict::SchemaRefused => Mark::Refused { why },
                _ => Mark::Unanswered { why },
            }
        }
        Ending::Whole => {
            let native_calls = assembly.calls().len();
            assembly.lift(&question.request.payload.tools);
            let is_written =
                question.mode == Mode::Native && native_calls == 0 && !assembly.calls().is_empty();
            mark_answer(question, assembly.text(), assembly.calls(), is_written)
        }
    };
    Marked {
        subject: question.subject,
        mode: question.mode,
        mark,
        took_ms,
        tokens: question.tokens,
        is_thinking,
        is_thought_only: is_thinking && is_silent,
    }
}

fn mark_answer(question: &Question, text: &str, calls: &[RawCall], is_written: bool) -> Mark {
    let wrong = |why: &str| Mark::Wrong { why: why.to_owned() };
    match (question.subject, calls) {
        (Subject::Warm, _) => Mark::Right,
        (Subject::Needle, _) if text.contains(CODE_WORD) => Mark::Right,
        (Subject::Needle, _) => wrong("the head of the prompt was not seen"),
        (Subject::Stop, []) if !text.trim().is_empty() => Mark::Right,
        (Subject::Stop, []) | (Subject::Call | Subject::Edit, []) if text.trim().is_empty() => {
            wrong("no answer")
        }
        (Subject::Stop, _) => wrong("it went on although all was done"),
        (Subject::Call | Subject::Edit, []) => wrong("text instead of a call"),
        (Subject::Call | Subject::Edit, [call, ..]) => {
            let places = question.request.payload.offer.places();
            if question.subject == Subject::Edit && !places.is_empty() {
                return match is_port_chosen(call, places) {
                    true => Mark::Right,
                    false => wrong("wrong call"),
                };
            }
            let repaired = repair(&call.name, &call.arguments, &question.request.payload.tools);
            let parsed = repaired.arguments.as_ref().and_then(|value| tools::parse(&repaired.tool, value));
            let is_right = match parsed {
                Some(Ok(call)) if question.subject == Subject::Call => is_view(&call),
                Some(Ok(call)) => is_edit(&call),
                Some(Err(rejected)) => return Mark::Wrong { why: rejected.0 },
                None => return wrong("no call that could be read"),
            };
            if !is_right {
                return wrong("wrong call");
            }
            if is_written {
                return wrong("right, but written as text");
            }
            match repaired.repairs.join(", ") {
                how if how.is_empty() => Mark::Right,
                how => Mark::Mended { how },
            }
        }
    }
}

fn is_view(call: &ToolCall) -> bool {
    match call {
        ToolCall::ViewFile { path, .. } => path.trim_start_matches("./") == "notes/plan.md",
        ToolCall::RunCommand { command, .. } => command.contains("notes/plan.md"),
        _ => false,
    }
}

/// Whether the place that has to change was chosen.
fn is_port_chosen(call: &RawCall, places: &[Offered]) -> bool {
    let arguments = serde_json::from_str(&call.arguments).unwrap_or_default();
    let chosen = tools::chosen(&arguments, places).filter(|_| call.name == tools::CHANGE);
    chosen.is_some_and(|chosen| {
        chosen.change == Change::Rewrite && chosen.place.name.as_deref() == Some("PORT")
    })
}

/// Whether the file would be as it should.
fn is_edit(call: &ToolCall) -> bool {
    match call {
        ToolCall::EditFile { path, edits, replace } if path.trim_start_matches("./") == "config.py" => {
            let is_clear = |old: &str| *replace == Replace::All || CONFIG.matches(old).count() == 1;
            edits.iter().all(|edit| is_clear(&edit.old))
                && edits.iter().fold(CONFIG.to_owned(), |text, edit| text.replace(&edit.old, &edit.new))
                    == CONFIG_DONE
        }
        ToolCall::WriteFile { path, content } => {
            path.trim_start_matches("./") == "config.py" && content.trim_end() == CONFIG_DONE.trim_end()
        }
        _ => false,
    }
}
