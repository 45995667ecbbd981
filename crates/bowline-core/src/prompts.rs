//! The system prompts, as Markdown files. Constant: no clock, no folder, nothing that would cost a prefill.

/// The default agent's.
pub const DEFAULT: &str = include_str!("prompts/default.md");

/// How tools are used in text mode; `{tools}` stands for their lines.
pub(crate) const TEXT: &str = include_str!("prompts/text.md");
/// The same in constrained mode.
pub(crate) const CONSTRAINED: &str = include_str!("prompts/constrained.md");

/// What the project's own instructions begin with, after the agent's prompt.
pub const INSTRUCTIONS_HEADING: &str = "# Instructions of this project";

/// The part of a session's prompt that the project's files are.
pub(crate) fn instructions_of(prompt: &str) -> Option<&str> {
    let at = prompt.find(&format!("\n\n{INSTRUCTIONS_HEADING}"))?;
    prompt.get(at..)
}
