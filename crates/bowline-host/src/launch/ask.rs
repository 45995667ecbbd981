//! What is asked of a session, and how its next run opens.

use bowline_core::entry::Stop;
use bowline_core::turn::Opening;
use bowline_core::typed::Typed;
use bowline_core::view::View;

/// What is asked of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ask {
    /// A new turn.
    Task { text: String, typed: Typed },
    /// Another run of the last turn. The model reads the hint, or "Continue."
    Continue { hint: Option<String>, typed: Typed },
    /// The first of the queue, if the last turn is done; else the last turn goes on.
    Next,
    /// The conversation is folded now, and nothing else is done.
    Compact,
}

impl Ask {
    /// A task that the user typed as a whole.
    pub fn task(text: impl Into<String>) -> Ask {
        let text = text.into();
        Ask::Task { typed: Typed::all(&text), text }
    }

    /// Another run, with a hint that the user typed as a whole.
    pub fn hint(text: impl Into<String>) -> Ask {
        let text = text.into();
        Ask::Continue { typed: Typed::all(&text), hint: Some(text) }
    }

    /// Another run without a hint.
    pub fn go_on() -> Ask {
        Ask::Continue { hint: None, typed: Typed::nothing() }
    }

    /// How the next run of the session opens. None where nothing was said yet: a process died before it had stored a turn.
    pub fn opening(&self, view: &View) -> Option<Opening> {
        let goes_on = |hint: Option<String>, typed: &Typed| {
            view.turn.is_some().then(|| Opening::Continue { hint, typed: typed.clone() })
        };
        match self {
            Ask::Task { text, typed } => {
                Some(Opening::Task { text: text.clone(), queued: None, typed: typed.clone() })
            }
            Ask::Continue { hint, typed } => {
                goes_on(hint.clone().filter(|hint| !hint.trim().is_empty()), typed)
            }
            Ask::Compact => view.turn.is_some().then_some(Opening::Compact),
            Ask::Next => {
                let is_done = view.end.as_ref().is_some_and(|end| end.stop == Stop::Done);
                match view.queue.first() {
                    Some(waiting) if is_done || view.turn.is_none() => Some(Opening::Task {
                        text: waiting.text.clone(),
                        queued: Some(waiting.id.clone()),
                        typed: waiting.typed.clone(),
                    }),
                    _ => goes_on(None, &Typed::nothing()),
                }
            }
        }
    }
}
