//! Compaction: the older part of a conversation becomes a summary, so that the rest has room.
//!
//! It begins when the prompt passes 75 % of the window less its reserve, and must end below 50 % of it. The newest steps
//! stay as they are, up to 30 % of the window, cut between steps only; and always the user's last message. The model writes
//! the summary; the lists of files in it are enforced by code (`ledger.rs`), because a small model drops them. Where it
//! fails, answers nothing or does not fit, code writes the summary: the earlier one, the user's messages, the lists.
//!
//! What always holds: no message is cut in its middle, no call loses its result, and it never thrashes: after one there is
//! room for several steps, or the turn stops and says so.

mod ledger;

use crate::entry::Access;
use crate::limits::{
    COMPACT_ABOVE_PERCENT, COMPACT_BELOW_PERCENT, SUMMARY_PERCENT_MAX, TAIL_PERCENT_MAX, USER_TEXT_CHARS_MAX,
    USER_TEXTS_KEPT_MAX,
};
use crate::payload::{Conversation, MARKS_BYTES, Message, Payload};
use crate::window::Meter;
use crate::wire::Dialect;

pub use ledger::Ledger;

const PROMPT: &str = include_str!("compact/prompt.md");
const HEAD: &str = "Summary of the conversation so far:";

/// The room of a window, and how full it is.
#[derive(Debug, Clone, Copy)]
pub struct Room<'a> {
    pub dialect: &'a Dialect,
    pub meter: Meter,
}

impl Room<'_> {
    /// Tokens that a prompt may have.
    pub fn tokens(&self) -> i64 {
        self.dialect.window - self.dialect.reserve
    }

    /// Whether a prompt of so many bytes is to be compacted first.
    pub fn is_crowded(&self, bytes: usize) -> bool {
        self.meter.tokens(bytes) * 100 > self.tokens() * COMPACT_ABOVE_PERCENT
    }

    /// Where a compaction must end.
    fn mark(&self) -> i64 {
        self.tokens() * COMPACT_BELOW_PERCENT / 100
    }

    /// The most a summary may have.
    fn summary_bytes(&self) -> usize {
        self.meter.bytes(self.tokens() * SUMMARY_PERCENT_MAX / 100)
    }
}

/// What is asked of the model.
pub fn prompt(conversation: &Conversation, room: Room<'_>, access: Access) -> String {
    let ledger = Ledger::of(conversation, conversation.payload().messages.len());
    let sections = ledger.sections(access, room.summary_bytes());
    format!("{}\n\n{sections}", PROMPT.trim()).trim_end().to_owned()
}

/// A compaction: the summary, and the messages it replaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compaction {
    pub summary: String,
    /// Messages of the payload that it stands for.
    pub messages: usize,
    /// The user's last text, where it was among them.
    pub task: Option<String>,
    pub tokens_after: i64,
}

/// How much of the conversation is compacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// No more than it must: the turn goes on and needs what is new.
    Least,
    /// All but the last step: the user wants the room.
    Most,
}

/// Compacts the head of the conversation. `fixed_bytes` is the size of what precedes the messages: system and tools. None if
/// even the shortest form does not end below the mark.
pub fn compact(
    conversation: &Conversation,
    text: Option<&str>,
    fixed_bytes: usize,
    room: Room<'_>,
    access: Access,
    extent: Extent,
) -> Option<Compaction> {
    let payload = conversation.payload();
    let summary_bytes = room.summary_bytes();
    let body = match text.map(str::trim).filter(|text| !text.is_empty()) {
        Some(text) => ledger::without_lists(text),
        None => by_code(conversation),
    };
    let body = cut(&body, summary_bytes);
    let tail_max = room.dialect.window * TAIL_PERCENT_MAX / 100;
    let boundaries: Vec<usize> = match extent {
        Extent::Least => boundaries(payload).collect(),
        Extent::Most => vec![last_start(payload), payload.messages.len()],
    };
    boundaries.into_iter().find_map(|messages| {
        let summary = Ledger::of(conversation, messages).enforced(&body, access, summary_bytes);
        let summary = format!("{HEAD}\n\n{summary}");
        let tail: usize = payload.messages.iter().skip(messages).map(Message::bytes).sum();
        let task = conversation.last_user_before(messages);
        let task_bytes = task.map_or(0, |task| task.len() + MARKS_BYTES);
        let bytes = fixed_bytes + summary.len() + task_bytes + tail;
        let tokens_after = room.meter.tokens(bytes);
        let fits = room.meter.tokens(tail) <= tail_max && tokens_after < room.mark();
        fits.then(|| Compaction { summary, messages, task: task.map(str::to_owned), tokens_after })
    })
}

/// Where a conversation may be cut: before a step or a user's message, the most that is kept first; in the end nothing is.
fn boundaries(payload: &Payload) -> impl Iterator<Item = usize> + '_ {
    let starts = payload
        .messages
        .iter()
        .enumerate()
        .skip(1)
        .filter(|(_, message)| is_start(message))
        .map(|(at, _)| at);
    starts.chain([payload.messages.len()]).filter(|at| *at > 0)
}

fn is_start(message: &Message) -> bool {
    matches!(message, Message::Assistant { .. } | Message::User { .. })
}

/// Where the last step, or what the user said after it, begins.
fn last_start(payload: &Payload) -> usize {
    payload.messages.iter().rposition(is_start).unwrap_or(0)
}

/// The size of the messages that a compaction on demand could replace. The first message alone is the task or a summary already.
pub fn compactable_bytes(payload: &Payload) -> usize {
    payload.messages.iter().take(last_start(payload)).skip(1).map(Message::bytes).sum()
}

/// Without a model: what was known before, and what the user said.
fn by_code(conversation: &Conversation) -> String {
    let earlier =
        conversation.summary().map(|summary| ledger::without_lists(summary.trim_start_matches(HEAD)));
    let texts = conversation.user_texts();
    let skipped = texts.len().saturating_sub(USER_TEXTS_KEPT_MAX);
    let user_texts: Vec<String> = texts
        .iter()
        .skip(skipped)
        .map(|text| {
            format!(
                "- {}",
                cut_chars(&text.split_whitespace().collect::<Vec<_>>().join(" "), USER_TEXT_CHARS_MAX)
            )
        })
        .collect();
    let user_texts =
        (!user_texts.is_empty()).then(|| format!("## What the user said\n{}", user_texts.join("\n")));
    let earlier = earlier.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    // What the earlier one has of it is not said twice.
    let earlier =
        earlier.map(|text| text.split("## What the user said").next().unwrap_or_default().trim().to_owned());
    earlier.into_iter().chain(user_texts).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

fn cut(text: &str, bytes_max: usize) -> String {
    if text.len() <= bytes_max {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(bytes_max);
    let kept = text.get(..end).unwrap_or_default();
    // At a line, where there is one.
    let line = kept.rfind('\n').filter(|at| *at > bytes_max / 2).unwrap_or(kept.len());
    format!("{} …", kept.get(..line).unwrap_or_default().trim_end())
}

fn cut_chars(text: &str, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        None => text.to_owned(),
        Some((at, _)) => format!("{} …", text.get(..at).unwrap_or_default()),
    }
}
