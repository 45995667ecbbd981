//! The context of a call: how edits are checked, how the model calls tools, which files it has seen, how much it can read.

use std::sync::Arc;

use bowline_core::mode::Mode;

use crate::config::{BrokenEdit, EditMode, EditSettings};
use crate::seen_files::SeenFiles;

/// What is the same for all calls of one step.
#[derive(Debug, Clone)]
pub struct CallContext {
    pub edit: EditSettings,
    /// How the model calls tools.
    pub mode: Mode,
    pub seen: Arc<SeenFiles>,
    /// A longer result is truncated before the model reads it.
    pub chars_max: usize,
}

impl Default for CallContext {
    fn default() -> CallContext {
        CallContext {
            edit: EditSettings::default(),
            mode: Mode::default(),
            seen: Arc::default(),
            chars_max: usize::MAX,
        }
    }
}

impl CallContext {
    pub(super) fn edit_mode(&self) -> bowline_edit::Mode {
        match self.edit.mode {
            EditMode::Careful => bowline_edit::Mode::Careful,
            EditMode::Lenient => bowline_edit::Mode::Lenient,
        }
    }

    /// What is done about an edit after which a file no longer parses. A model with native calls plans over several
    /// edits, and may mend with the next what the first one broke; others don't.
    pub(super) fn broken(&self) -> BrokenEdit {
        self.edit.broken.unwrap_or(match self.mode {
            Mode::Native => BrokenEdit::Report,
            Mode::Text | Mode::Constrained => BrokenEdit::Refuse,
        })
    }
}
