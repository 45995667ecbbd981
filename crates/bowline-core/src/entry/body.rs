//! What can be said of any entry's body: its kind, what it is about, and its stored form.

use serde_json::Value;

use super::{Body, ENTRY_VERSION, Input, InputKind, Message, Role, Status};

/// An entry's body could not be read back.
#[derive(Debug, thiserror::Error)]
#[error("an entry of kind {kind:?} (version {version}) cannot be read: {why}")]
pub struct UnreadableEntry {
    pub kind: String,
    pub version: i64,
    pub why: String,
}

impl Body {
    /// The kind, as stored and as the frame's `type`.
    pub fn kind(&self) -> &'static str {
        match self {
            Body::SessionStarted(_) => "session.started",
            Body::SessionUpdated(_) => "session.updated",
            Body::TurnStarted(_) => "turn.started",
            Body::RunStarted(_) => "run.started",
            Body::MessageStarted { .. } => "message.started",
            Body::MessageCompleted { .. } => "message.completed",
            Body::Input(_) => "input",
            Body::Queued(_) => "queued",
            Body::StepStarted(_) => "step.started",
            Body::StepCompleted(_) => "step.completed",
            Body::ItemStarted { .. } => "item.started",
            Body::ItemUpdated { .. } => "item.updated",
            Body::ItemCompleted { .. } => "item.completed",
            Body::TextDelta { .. } => "text.delta",
            Body::ReasoningDelta { .. } => "reasoning.delta",
            Body::Sentinel(_) => "sentinel",
            Body::PermissionAsked(_) => "permission.asked",
            Body::PermissionAnswered(_) => "permission.answered",
            Body::Compacted(_) => "compacted",
            Body::Change(_) => "change",
            Body::Rewinding(_) => "rewinding",
            Body::Checked(_) => "checked",
            Body::Checkpoint(_) => "checkpoint",
            Body::Restoring(_) => "restoring",
            Body::Restored(_) => "restored",
            Body::TurnCompleted(_) => "turn.completed",
            Body::TurnPaused(_) => "turn.paused",
            Body::TurnFailed(_) => "turn.failed",
            Body::Error { .. } => "error",
        }
    }

    /// The words of a text that steers the turn under way; none where there are none.
    pub fn steering(&self) -> Option<&str> {
        match self {
            Body::Input(Input { kind: InputKind::Steer, text: Some(text), .. }) => {
                Some(text.as_str()).filter(|text| !text.trim().is_empty())
            }
            _ => None,
        }
    }

    /// Whether a process that does not run the turn may append it.
    pub fn is_input(&self) -> bool {
        matches!(self, Body::Input(_) | Body::Queued(_) | Body::PermissionAnswered(_))
    }

    /// The part kind this entry holds a piece of, for the store's lookup table.
    pub fn part(&self) -> Option<&'static str> {
        match self {
            Body::StepStarted(_) => Some("step_start"),
            Body::TextDelta { .. } => Some("text"),
            Body::ReasoningDelta { .. } => Some("reasoning"),
            Body::ItemStarted { item } => Some(item.kind.part_started()),
            Body::ItemCompleted { item } => Some(item.kind.part_completed()),
            _ => None,
        }
    }

    /// The item this entry is about.
    pub fn item(&self) -> Option<&str> {
        match self {
            Body::ItemStarted { item } | Body::ItemUpdated { item } | Body::ItemCompleted { item } => {
                Some(&item.id)
            }
            Body::TextDelta { item, .. } | Body::ReasoningDelta { item, .. } => Some(item),
            _ => None,
        }
    }

    /// Whether `item.completed` of the same item replaces it.
    pub fn is_provisional(&self) -> bool {
        matches!(self, Body::TextDelta { .. } | Body::ReasoningDelta { .. } | Body::ItemUpdated { .. })
    }

    /// The message row this entry makes or changes.
    pub fn message(&self) -> Option<Message> {
        match self {
            Body::MessageStarted { message } | Body::MessageCompleted { message } => Some(message.clone()),
            Body::Sentinel(sentinel) => Some(Message::new(&sentinel.message, Role::System, Status::Complete)),
            _ => None,
        }
    }

    /// The body as stored, without its kind.
    pub fn to_json(&self) -> Value {
        let mut value = serde_json::to_value(self).unwrap_or(Value::Null);
        if let Value::Object(fields) = &mut value {
            fields.shift_remove("type");
        }
        value
    }

    /// A stored body read back.
    pub fn from_json(kind: &str, version: i64, body: Value) -> Result<Body, UnreadableEntry> {
        let unreadable = |why: String| UnreadableEntry { kind: kind.to_owned(), version, why };
        if version != ENTRY_VERSION {
            return Err(unreadable("it was written by another version of bowline".to_owned()));
        }
        let Value::Object(mut fields) = body else {
            return Err(unreadable("its body is not an object".to_owned()));
        };
        fields.insert("type".to_owned(), Value::String(kind.to_owned()));
        serde_json::from_value(Value::Object(fields)).map_err(|error| unreadable(error.to_string()))
    }
}
