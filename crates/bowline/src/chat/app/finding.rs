//! Which model answers: what was found, and what to do where nothing was.

use super::{App, Phase};
use crate::rows::{Row, Style};

/// What is known of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Model {
    Looking,
    Found { name: String, window: i64 },
    None,
}

/// The servers were asked.
pub(crate) struct Found {
    /// Every model that can be chatted with.
    pub(crate) models: Vec<String>,
    /// The one that is used, with its window and why; or why there is none.
    pub(crate) picked: Result<(String, i64, String), String>,
}

impl App {
    pub(super) fn found(&mut self, found: Found) {
        self.models = found.models;
        let was = std::mem::replace(&mut self.model, Model::Looking);
        match found.picked {
            Ok((name, window, why)) => {
                self.introduce(&was, &name, window, &why);
                self.model = Model::Found { name, window };
                if let (Phase::Idle, false, Some(text)) = (&self.phase, self.is_resuming, self.sent.clone()) {
                    self.launch_with(text);
                }
            }
            Err(words) => {
                if was != Model::None {
                    self.warn(&words);
                    self.tell(
                        "Servers are looked for again by themselves, and what you type waits. \
                         bowline demo shows bowline at work without a model.",
                    );
                }
                self.model = Model::None;
            }
        }
    }

    fn introduce(&mut self, was: &Model, name: &str, window: i64, why: &str) {
        if matches!(was, Model::Found { name: known, .. } if *known == *name) {
            return;
        }
        let about = format!(" · {why} · window {window}");
        self.showing.note(Row::of(name, Style::BOLD).with(&about, Style::PLAIN));
        if self.session.is_none() && !self.is_resuming && self.wanted_model.is_none() {
            self.tell("Say what to do. @ names a file, ! runs a command, / has the rest; Ctrl-D leaves.");
        }
    }

    /// Whether the servers are to be asked again by themselves.
    pub(crate) fn is_without_model(&self) -> bool {
        self.model == Model::None && self.phase == Phase::Idle
    }
}
