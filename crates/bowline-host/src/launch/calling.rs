//! Settles how the chosen model is called: its calling mode, its thinking, and the context window it really sees.

use bowline_core::limits::WINDOW_MIN;
use bowline_core::mode::{self, Binding, Calling, Known, Mode};
use bowline_core::thinking::Thinking;

use super::Order;
use crate::servers::Choice;
use crate::store::ModelNote;

/// How a model is called.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallingSettings {
    /// What the user said on the command line.
    pub(super) set: Option<Mode>,
    /// The calling mode for a new session.
    pub(super) mode: Mode,
    /// When a session may move to another mode.
    pub(super) calling: Calling,
    pub(super) thinking: Thinking,
}

impl CallingSettings {
    /// What the user set, else what is remembered, else what the server tells and the model's size. An exam may have found
    /// that a model sees less than its server says.
    pub(super) fn of(order: &Order, choice: &mut Choice, note: Option<&ModelNote>) -> CallingSettings {
        let word = |word: fn(&ModelNote) -> Option<&String>| note.and_then(word).map(String::as_str);
        let remembered = word(|note| note.mode.as_ref()).and_then(Mode::of);
        let thinking = word(|note| note.thinking.as_ref()).and_then(Thinking::of);
        let is_set = order.search.window.is_some() || choice.settings.context.is_some();
        // A server that tells something else by now is believed again.
        let is_told = |note: &&ModelNote| note.reported_window == Some(choice.window) && !is_set;
        // So is one that had too little to work in: Ollama is told what to allocate and tells the same again, with more
        // room or without. A turn finds out, and says what to do.
        let seen = note.filter(is_told).and_then(|note| note.window).filter(|seen| *seen >= WINDOW_MIN);
        choice.window = seen.map_or(choice.window, |seen| seen.min(choice.window));
        let settings = &choice.settings;
        let is_unbound = note.is_some_and(|note| note.is_unbound);
        let calling = Calling {
            set: order.mode.or(settings.mode),
            size: choice.size,
            binding: if is_unbound { Binding::Refused } else { Binding::Possible },
        };
        let known = Known { calling, remembered, is_without_tools: choice.is_without_tools };
        CallingSettings {
            set: order.mode,
            mode: mode::choose(known),
            calling,
            thinking: order.thinking.or(settings.thinking).or(thinking).unwrap_or_default(),
        }
    }
}
