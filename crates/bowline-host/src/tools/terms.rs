//! The terms a call is run on: how an edit is judged.

use crate::config::EditMode;

/// What holds for the calls of one step.
#[derive(Debug, Clone, Copy, Default)]
pub struct Terms {
    pub edit: EditMode,
}

impl Terms {
    pub(super) fn edit_mode(&self) -> bowline_edit::Mode {
        match self.edit {
            EditMode::Careful => bowline_edit::Mode::Careful,
            EditMode::Lenient => bowline_edit::Mode::Lenient,
        }
    }
}
