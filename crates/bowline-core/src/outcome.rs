//! How a call ended: exactly one word per call, whatever happened to it.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The tool did what it was asked.
    Success,
    /// It ran and found nothing, or a command ended non-zero: information, not a mistake.
    NoResult,
    /// The arguments do not fit the tool's schema.
    SchemaReject,
    /// No such tool for this agent.
    ToolNotFound,
    /// It could not: no such file, an edit that does not fit, a command that could not start.
    ExecError,
    /// A rule, a budget or the user said no.
    PermissionDenied,
    /// A server other than the model's failed.
    ApiError,
    /// Stopped by the user, or open when the process died.
    Interrupted,
}

impl Outcome {
    /// The word on the wire.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Success => "success",
            Outcome::NoResult => "no_result",
            Outcome::SchemaReject => "schema_reject",
            Outcome::ToolNotFound => "tool_not_found",
            Outcome::ExecError => "exec_error",
            Outcome::PermissionDenied => "permission_denied",
            Outcome::ApiError => "api_error",
            Outcome::Interrupted => "interrupted",
        }
    }
}
