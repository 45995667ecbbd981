//! The system prompts, as Markdown files. Constant: no clock, no folder, nothing that would cost a prefill.

/// The default agent's.
pub const DEFAULT: &str = include_str!("prompts/default.md");
