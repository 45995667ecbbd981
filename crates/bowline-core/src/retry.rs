//! A failure of the model's server, judged: asked again, after how long, or given up with words that help.
//!
//! The body is read before the status: a template that refuses the history answers 500 like a server that is merely
//! unwell, and must never be sent the same again.

use crate::frame::WaitCause;
use crate::limits::{FIRST_TOKEN_MS_MAX, RETRIES_MAX, RETRY_AFTER_MS_MAX, RETRY_FIRST_MS, RETRY_LONGEST_MS};

/// What went wrong between us and the model.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// No connection could be made.
    Unreachable { why: String },
    /// An answer other than 200.
    Status { code: u16, body: String, retry_after_ms: Option<i64> },
    /// The connection broke before the answer was whole.
    Cut { why: String },
    /// The server gave up in the middle of its answer.
    Message { message: String },
    /// No sign of life for too long.
    Silent { waited_ms: i64 },
    /// What answers is no model server.
    Foreign { what: String },
}

/// What to do about it.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    Again {
        after_ms: i64,
        cause: WaitCause,
    },
    /// The prompt is longer than the server's window.
    TooLong {
        reason: String,
        /// What the server says it has. Tokens.
        window: Option<i64>,
    },
    /// The server takes no tools for this model.
    ToolsRefused,
    /// The server does not bind an answer to a schema, or not to this one.
    SchemaRefused,
    /// It can't be told how much to think.
    ThinkingRefused,
    /// The server could not read its own model's call, which was this.
    Unread {
        raw: String,
    },
    GiveUp {
        reason: String,
        hint: String,
    },
}

/// What the request that failed had beside its messages: what was not sent was not refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sent {
    pub has_tools: bool,
    pub has_thinking: bool,
    /// A schema that the answer must fit.
    pub has_schema: bool,
}

/// How often, and since when, this step has been asked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tries {
    pub failed: u32,
    pub loading: u32,
    pub since_ms: i64,
}

const TOO_LONG: [&str; 6] = [
    "exceed_context_size",
    "exceeds the available context",
    "context length",
    "context window",
    "prompt is too long",
    "prompt too long",
];
const REFUSED_FOR_GOOD: [&str; 4] =
    ["jinja exception", "roles must alternate", "failed to parse tool call arguments", "strict:"];

const TOOLS_REFUSED: [&str; 3] = ["requires --jinja", "does not support tools", "--enable-auto-tool-choice"];
/// A server that complains about one of these can't do what constrained mode asks of it: the schema is the only thing in such
/// a request that these words can be about.
const SCHEMA_REFUSED: [&str; 10] = [
    "response_format",
    "response format",
    "json_schema",
    "json schema",
    "grammar",
    "structured output",
    "guided decoding",
    "guided_json",
    "chatrequest.format",
    "invalid format",
];
const THINKING_REFUSED: &str = "does not support thinking";

/// Judges the failure of a step that was first asked `tries.since_ms` ago and has failed `tries.failed` times before.
pub fn judge(failure: &Failure, tries: Tries, sent: Sent) -> Verdict {
    if let Failure::Status { body, .. } | Failure::Message { message: body } = failure {
        let lower = body.to_lowercase();
        if sent.has_tools && TOOLS_REFUSED.iter().any(|mark| lower.contains(mark)) {
            return Verdict::ToolsRefused;
        }
        if sent.has_thinking && lower.contains(THINKING_REFUSED) {
            return Verdict::ThinkingRefused;
        }
        if let Some(raw) = unread(&status_text(body)) {
            return Verdict::Unread { raw };
        }
        if TOO_LONG.iter().any(|mark| lower.contains(mark)) {
            return Verdict::TooLong {
                reason: format!("The server refused the prompt: {}.", brief(&status_text(body))),
                window: window_in_refusal(body),
            };
        }
        if REFUSED_FOR_GOOD.iter().any(|mark| lower.contains(mark)) {
            return given_up(
                format!(
                    "The server's chat template refused the conversation: {}.",
                    brief(&status_text(body))
                ),
                "try another model, or update the server: bowline run -c continues from here",
            );
        }
        // Last, since other refusals are told in words of their own, and may quote the request.
        if sent.has_schema && SCHEMA_REFUSED.iter().any(|mark| lower.contains(mark)) {
            return Verdict::SchemaRefused;
        }
    }
    let is_loading = is_loading(failure);
    if is_loading && tries.since_ms < FIRST_TOKEN_MS_MAX {
        return Verdict::Again { after_ms: pause(tries.loading), cause: WaitCause::Load };
    }
    if is_loading || !is_passing(failure) || tries.failed >= RETRIES_MAX {
        return given_up(describe(failure, tries.failed), hint(failure));
    }
    let asked = match failure {
        Failure::Status { retry_after_ms: Some(ms), .. } => (*ms).clamp(0, RETRY_AFTER_MS_MAX),
        _ => 0,
    };
    Verdict::Again { after_ms: pause(tries.failed).max(asked), cause: WaitCause::Retry }
}

/// The window a refusal names: `n_ctx` of llama.cpp, or in words, as vLLM and llama.cpp have it.
fn window_in_refusal(body: &str) -> Option<i64> {
    let value: Option<serde_json::Value> = serde_json::from_str(body).ok();
    let error = value.as_ref().map(|value| value.get("error").unwrap_or(value));
    let told = error.and_then(|error| error.get("n_ctx")).and_then(serde_json::Value::as_i64);
    let words = status_text(body).to_lowercase();
    let after = |mark: &str| {
        let rest = words.split_once(mark)?.1.trim_start_matches([' ', '(', ':']);
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<i64>().ok()
    };
    told.or_else(|| after("context length is")).or_else(|| after("context size")).filter(|window| *window > 0)
}

/// The call a server says it could not read: Ollama quotes it, llama.cpp gives the rest from where it failed.
fn unread(words: &str) -> Option<String> {
    if let Some((_, rest)) = words.split_once("error parsing tool call: raw=") {
        let raw = rest.rsplit_once(", err=").map_or(rest, |(raw, _)| raw).trim();
        let quoted = raw.strip_prefix('\'').and_then(|raw| raw.strip_suffix('\''));
        return Some(quoted.unwrap_or(raw).to_owned());
    }
    let (_, rest) = words.split_once("Failed to parse input")?;
    let rest =
        rest.strip_prefix(" at pos ").and_then(|rest| rest.split_once(':')).map_or(rest, |(_, raw)| raw);
    Some(rest.trim_start_matches(':').trim().to_owned())
}

fn given_up(reason: String, hint: &str) -> Verdict {
    Verdict::GiveUp { reason, hint: hint.to_owned() }
}

/// 0.5 s, doubling, 30 s at most.
fn pause(failed: u32) -> i64 {
    RETRY_FIRST_MS.saturating_mul(1_i64 << failed.min(16)).min(RETRY_LONGEST_MS)
}

fn is_loading(failure: &Failure) -> bool {
    match failure {
        Failure::Status { code: 503, body, .. } | Failure::Status { code: 500, body, .. } => {
            body.to_lowercase().contains("loading")
        }
        Failure::Message { message } => message.to_lowercase().contains("loading model"),
        _ => false,
    }
}

/// Whether it may be gone the next time.
fn is_passing(failure: &Failure) -> bool {
    match failure {
        Failure::Status { code, .. } => matches!(code, 408 | 429 | 500..=599),
        Failure::Foreign { .. } => false,
        _ => true,
    }
}

/// In one sentence, for the user.
pub fn describe(failure: &Failure, failed: u32) -> String {
    let what = match failure {
        Failure::Unreachable { why } => format!("The model's server cannot be reached: {}", brief(why)),
        Failure::Status { code, body, .. } => {
            format!("The model's server answered {code}: {}", brief(&status_text(body)))
        }
        Failure::Cut { why } => format!("The connection to the model's server broke: {}", brief(why)),
        Failure::Message { message } => format!("The model's server reported: {}", brief(message)),
        Failure::Silent { waited_ms } => {
            format!("The model's server has been silent for {} s", waited_ms / 1000)
        }
        Failure::Foreign { what } => format!("What answers is no model server: {}", brief(what)),
    };
    if failed == 0 { format!("{what}.") } else { format!("{what} (asked {} times).", failed + 1) }
}

fn hint(failure: &Failure) -> &'static str {
    match failure {
        Failure::Unreachable { .. } => "start the server and continue with: bowline run -c",
        Failure::Status { code: 401 | 403, .. } => "set the server's key in BOWLINE_API_KEY",
        Failure::Status { code: 404, .. } => "check --base-url and --model",
        Failure::Foreign { .. } => "check --base-url: it should end in /v1 for llama.cpp, LM Studio and vLLM",
        _ => "look at the server's log, then continue with: bowline run -c",
    }
}

/// The message inside a JSON error body, or the body.
fn status_text(body: &str) -> String {
    let value: Option<serde_json::Value> = serde_json::from_str(body).ok();
    let error = value.as_ref().map(|value| value.get("error").unwrap_or(value));
    error.map_or_else(|| body.to_owned(), crate::wire::error_text)
}

fn brief(text: &str) -> String {
    const CHARS_MAX: usize = 300;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.trim_end_matches('.');
    match line.char_indices().nth(CHARS_MAX) {
        None => line.to_owned(),
        Some((at, _)) => format!("{}…", line.get(..at).unwrap_or_default()),
    }
}
