//! What a new session begins with: the prompt, the project's instructions after it, and a glimpse of a small project.
//!
//! All of it is written to the log once and stays as it is: a change of a file costs no prefill in the middle of a session.

use std::path::Path;

use bowline_core::prompts;

use crate::glimpse::glimpse;
use crate::instructions::Instructions;
use crate::workspace::Workspace;

#[derive(Debug)]
pub(super) struct Brief {
    pub(super) prompt: String,
    /// The files that are part of the prompt.
    pub(super) instructions: Vec<String>,
    pub(super) shown: Option<String>,
    pub(super) notices: Vec<String>,
}

impl Brief {
    pub(super) fn read(workspace: &Workspace, folder: &Path, window: i64) -> Brief {
        let Instructions { text, files, notices } = Instructions::read(workspace.root(), folder, window);
        let prompt = prompts::DEFAULT.trim();
        let prompt = if text.is_empty() { prompt.to_owned() } else { format!("{prompt}\n\n{text}") };
        Brief { prompt, instructions: files, shown: glimpse(workspace), notices }
    }
}
