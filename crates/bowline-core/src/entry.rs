//! The stored form: one entry of a session's append-only log.
//!
//! A session *is* its entries; everything else is a fold over them. An entry's kind is the `type` of the frame a client
//! gets for it (`frame.rs`). Nothing here reads a clock or makes up an id: whoever appends supplies both.
//!
//! What always holds: an entry read back is equal to the entry written; a kind, once stored, keeps its meaning, and a
//! change of meaning raises [`ENTRY_VERSION`].

mod body;
mod step;

use serde::{Deserialize, Serialize};

use crate::change_decision::ChangeDecisions;
use crate::check::{CheckAccount, Checked};
use crate::checkpoint::Checkpoint;
use crate::item::Item;
use crate::mode::Mode;
use crate::restore_entry::{Restored, Restoring};
use crate::rewind_entry::Rewinding;
use crate::sentinel::Sentinel;
use crate::tools::ToolSpec;
use crate::typed::Typed;

pub use body::UnreadableEntry;
pub use step::{InPlace, SentBackFor, StepCompleted, StepPurpose, StepStarted};

/// The version every new entry is written with.
pub const ENTRY_VERSION: i64 = 1;

/// One numbered line of a session's log.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub session: String,
    /// Increases, may have gaps (deltas are deleted once their item is complete).
    pub seq: i64,
    pub at_ms: i64,
    /// The turn it belongs to, if any.
    pub turn: Option<String>,
    pub body: Body,
}

/// What an entry says. Serialised with its kind as `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum Body {
    #[serde(rename = "session.started")]
    SessionStarted(SessionStarted),
    #[serde(rename = "session.updated")]
    SessionUpdated(SessionUpdated),
    #[serde(rename = "turn.started")]
    TurnStarted(TurnStarted),
    #[serde(rename = "run.started")]
    RunStarted(RunStarted),
    #[serde(rename = "message.started")]
    MessageStarted { message: Message },
    #[serde(rename = "message.completed")]
    MessageCompleted { message: Message },
    #[serde(rename = "input")]
    Input(Input),
    #[serde(rename = "queued")]
    Queued(Queued),
    #[serde(rename = "step.started")]
    StepStarted(StepStarted),
    #[serde(rename = "step.completed")]
    StepCompleted(StepCompleted),
    #[serde(rename = "item.started")]
    ItemStarted { item: Item },
    #[serde(rename = "item.updated")]
    ItemUpdated { item: Item },
    #[serde(rename = "item.completed")]
    ItemCompleted { item: Item },
    #[serde(rename = "text.delta")]
    TextDelta { item: String, text: String },
    #[serde(rename = "reasoning.delta")]
    ReasoningDelta { item: String, text: String },
    #[serde(rename = "sentinel")]
    Sentinel(SentinelEntry),
    #[serde(rename = "permission.asked")]
    PermissionAsked(PermissionAsked),
    #[serde(rename = "permission.answered")]
    PermissionAnswered(PermissionAnswered),
    #[serde(rename = "compacted")]
    Compacted(Compacted),
    #[serde(rename = "change")]
    Change(ChangeDecisions),
    #[serde(rename = "rewinding")]
    Rewinding(Rewinding),
    #[serde(rename = "checked")]
    Checked(Box<Checked>),
    #[serde(rename = "checkpoint")]
    Checkpoint(Checkpoint),
    #[serde(rename = "restoring")]
    Restoring(Box<Restoring>),
    #[serde(rename = "restored")]
    Restored(Box<Restored>),
    #[serde(rename = "turn.completed")]
    TurnCompleted(TurnEnd),
    #[serde(rename = "turn.paused")]
    TurnPaused(TurnEnd),
    #[serde(rename = "turn.failed")]
    TurnFailed(TurnEnd),
    #[serde(rename = "error")]
    Error { what: String, hint: String },
}

/// The first entry: what the session began with, so that any request can be rebuilt from the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionStarted {
    pub project: String,
    pub work_tree: String,
    pub title: String,
    pub agent: String,
    pub access: Access,
    #[serde(flatten)]
    pub model: ModelRef,
    /// The system prompt, left out of the frame.
    pub prompt: String,
    /// The tools in their fixed order, left out of the frame.
    pub tools: Vec<ToolSpec>,
    /// The project's instruction files that are part of the prompt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instructions: Vec<String>,
    /// What the model reads before the first task: a glimpse of a small project. Left out of the frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<String>,
}

/// A later change of what [`SessionStarted`] said.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionUpdated {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, flatten, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelRef>,
    /// For the user: what was found out about the model, and what follows from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
}

/// Which model answers, where, and what the server has allocated for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelRef {
    /// `server/name`, as the user writes it.
    pub model: String,
    pub base_url: String,
    /// Tokens.
    pub window: i64,
    /// How calls are made.
    pub mode: Mode,
}

/// What a session or a turn may do to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    Write,
    ReadOnly,
}

/// What becomes of a model's edits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewMode {
    /// They are made at once.
    #[default]
    Auto,
    /// They wait for the user.
    Review,
}

impl ReviewMode {
    fn is_auto(&self) -> bool {
        *self == ReviewMode::Auto
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnStarted {
    /// The user's text.
    pub text: String,
    /// Which parts of the text the user typed.
    #[serde(default, skip_serializing_if = "Typed::is_nothing")]
    pub typed: Typed,
    /// The user's message.
    pub message: String,
    pub access: Access,
    /// The queued text this turn was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queued: Option<String>,
    /// The check that the words name which the user typed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
}

/// One go of the loop. The first run of a turn answers the user's text; a later one answers *Continue* or its hint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunStarted {
    /// Counted from 1 within the turn.
    pub run: i64,
    /// The assistant's message that holds all steps of this run.
    pub message: String,
    pub access: Access,
    /// What becomes of its edits.
    #[serde(default, skip_serializing_if = "ReviewMode::is_auto")]
    pub edits: ReviewMode,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The check that the typed words of the hint name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    pub id: String,
    pub role: Role,
    pub status: Status,
    /// What a restore to here goes back to, where the turn has a checkpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<String>,
}

impl Message {
    pub fn new(id: impl Into<String>, role: Role, status: Status) -> Message {
        Message { id: id.into(), role, status, checkpoint: None }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    User,
    Assistant,
    System,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Streaming,
    Complete,
    Failed,
    Cancelled,
}

/// What came from outside the process that runs the turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Input {
    pub kind: InputKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Which parts of the text the user typed.
    #[serde(default, skip_serializing_if = "Typed::is_nothing")]
    pub typed: Typed,
    /// Who: `terminal`, `web`, `acp`, a user's name.
    pub by: String,
}

impl Input {
    pub fn stop(by: impl Into<String>) -> Input {
        Input { kind: InputKind::Stop, text: None, typed: Typed::nothing(), by: by.into() }
    }

    pub fn steer(text: impl Into<String>, typed: Typed, by: impl Into<String>) -> Input {
        Input { kind: InputKind::Steer, text: Some(text.into()), typed, by: by.into() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputKind {
    Stop,
    Steer,
}

/// A message that waits for the running turn to end. Said again with the same id its text is replaced, as long as no turn
/// was made of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queued {
    pub id: String,
    /// Empty where it is taken back.
    pub text: String,
    /// Which parts of the text the user typed.
    #[serde(default, skip_serializing_if = "Typed::is_nothing")]
    pub typed: Typed,
    pub by: String,
    /// It is taken back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub withdrawn: bool,
}

/// What the server said it read and wrote. Tokens and milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub prompt_new: i64,
    pub prompt_cached: i64,
    pub output: i64,
    pub load_ms: i64,
    pub prefill_ms: i64,
    pub decode_ms: i64,
}

impl Usage {
    /// The prompt as the server counted it.
    pub fn prompt(&self) -> i64 {
        self.prompt_new + self.prompt_cached
    }

    /// Adds another step's figures.
    pub fn add(&mut self, other: Usage) {
        self.prompt_new += other.prompt_new;
        self.prompt_cached += other.prompt_cached;
        self.output += other.output;
        self.load_ms += other.load_ms;
        self.prefill_ms += other.prefill_ms;
        self.decode_ms += other.decode_ms;
    }
}

/// A sentinel as a `system` message of its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SentinelEntry {
    /// Its message id.
    pub message: String,
    pub sentinel: Sentinel,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PermissionAsked {
    /// The call's item.
    pub item: String,
    pub tool: String,
    /// What is asked about, in words: `read /etc/hosts`.
    pub what: String,
    /// What *always* would allow; empty where it is asked each time.
    pub pattern: String,
    /// More of them, where one does not cover it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
}

impl PermissionAsked {
    /// What *always* would allow, all of it; empty where it is asked each time.
    pub fn always(&self) -> String {
        let patterns = std::iter::once(&self.pattern).chain(&self.also).filter(|pattern| !pattern.is_empty());
        patterns.cloned().collect::<Vec<_>>().join(", ")
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PermissionAnswered {
    pub item: String,
    pub answer: Answer,
    /// How long a yes holds.
    #[serde(default, skip_serializing_if = "Scope::is_once")]
    pub scope: Scope,
    /// For the model, with a no.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub by: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    Yes,
    No,
}

/// The older part of the conversation, folded into a summary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compacted {
    /// What the model reads in its place.
    pub summary: String,
    /// The messages of the payload it stands for.
    pub messages: i64,
    /// The user's last text, which is kept as it is, where it was among them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    pub tokens_before: i64,
    pub tokens_after: i64,
    pub by: CompactedBy,
    /// For a fresh start in the middle of a turn: the first messages, which stay in front of the summary. Otherwise 0.
    #[serde(default, skip_serializing_if = "is_none")]
    pub kept: i64,
}

impl Compacted {
    /// Whether the turn starts afresh from the files as they are, and its attempt so far is set aside.
    pub fn is_fresh_start(&self) -> bool {
        self.kept > 0
    }
}

/// Who wrote a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompactedBy {
    Model,
    /// The model could not, or there was no room to ask it.
    Code,
}

/// How far an answer reaches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    #[default]
    Once,
    Session,
    Project,
}

impl Scope {
    fn is_once(&self) -> bool {
        *self == Scope::Once
    }
}

fn is_none(count: &i64) -> bool {
    *count == 0
}

/// How a turn handed back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TurnEnd {
    pub stop: Stop,
    /// The answer, or as much of it as there is.
    pub text: String,
    pub changes: Vec<Change>,
    /// What the project's check says, if it ran in this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<CheckAccount>,
    /// Whether files were changed and no check is known that could be run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_check_unknown: bool,
    /// The session's changes that wait for the user.
    #[serde(default, skip_serializing_if = "is_none")]
    pub waiting: i64,
    /// What was refused because nobody could be asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub denied: Vec<String>,
    pub usage: Usage,
    /// The turn's checkpoint: what its undo goes back to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<String>,
    /// In one sentence, for the user: why it stopped, when it did not end by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What to do next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    Done,
    Guard,
    Limit,
    /// The check is still red.
    Check,
    Cancelled,
    Failed,
}

/// Lines a turn's edits added to and removed from a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    pub path: String,
    pub added: i64,
    pub removed: i64,
}

macro_rules! words {
    ($type:ty { $($variant:ident => $word:literal),+ $(,)? }) => {
        impl $type {
            /// The word on the wire and in the store.
            pub fn word(self) -> &'static str {
                match self { $(<$type>::$variant => $word),+ }
            }
        }
    };
}
words!(Role { User => "user", Assistant => "assistant", System => "system" });
words!(Status { Streaming => "streaming", Complete => "complete", Failed => "failed", Cancelled => "cancelled" });
words!(Stop { Done => "done", Guard => "guard", Limit => "limit", Check => "check", Cancelled => "cancelled", Failed => "failed" });
