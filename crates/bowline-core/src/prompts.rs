//! The system prompts, as Markdown files. Constant: no clock, no folder, nothing that would cost a prefill.

/// The default agent's.
pub const DEFAULT: &str = include_str!("prompts/default.md");

/// How tools are used in text mode; `{tools}` stands for their lines.
pub(crate) const TEXT: &str = include_str!("prompts/text.md");
/// The same in constrained mode.
pub(crate) const CONSTRAINED: &str = include_str!("prompts/constrained.md");

/// The places that the model can choose from; `{places}` stands for them.
pub(crate) const PLACES: &str = include_str!("prompts/places.md");
/// The system prompt of a request for the new text of a place.
pub(crate) const WRITE: &str = include_str!("prompts/write.md");
/// What such a request says: the place as it is, the place without its body, new text behind a place, a new file.
pub(crate) const REWRITE: &str = include_str!("prompts/rewrite.md");
/// The same where a test fails because of it.
pub(crate) const REPAIR: &str = include_str!("prompts/repair.md");
pub(crate) const REPAIR_HIDDEN: &str = include_str!("prompts/repair_hidden.md");
/// The same where only a line is missing.
pub(crate) const NEW_LINE: &str = include_str!("prompts/new_line.md");
pub(crate) const REWRITE_HIDDEN: &str = include_str!("prompts/rewrite_hidden.md");
pub(crate) const ADD_AFTER: &str = include_str!("prompts/add_after.md");
pub(crate) const CREATE: &str = include_str!("prompts/create.md");

/// What the project's own instructions begin with, after the agent's prompt.
pub const INSTRUCTIONS_HEADING: &str = "# Instructions of this project";

/// The part of a session's prompt that the project's files are.
pub(crate) fn instructions_of(prompt: &str) -> Option<&str> {
    let at = prompt.find(&format!("\n\n{INSTRUCTIONS_HEADING}"))?;
    prompt.get(at..)
}
