//! The model that answers: what was found, and what to do if none was.

use super::{App, Phase};
use crate::rows::Row;

const FIRST_WORDS: &str = "Say what to do, for example: what does this project do?\n\
    @ names a file · ! runs a command · / more · Ctrl-D leaves";

/// What is known of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Model {
    Looking,
    Found { name: String, window: i64 },
    None,
}

/// The model that is used.
pub(crate) struct Picked {
    pub(crate) name: String,
    pub(crate) window: i64,
    pub(crate) about: Row,
}

/// The servers were asked.
pub(crate) struct Found {
    /// Every model that can be chatted with.
    pub(crate) models: Vec<String>,
    pub(crate) picked: Result<Picked, String>,
}

impl App {
    pub(super) fn found(&mut self, found: Found) {
        self.models = found.models;
        let was = std::mem::replace(&mut self.model, Model::Looking);
        match found.picked {
            Ok(Picked { name, window, about }) => {
                self.introduce(&was, &name, about);
                self.model = Model::Found { name, window };
                if self.phase == Phase::Idle && !self.is_resuming {
                    self.deliver();
                }
            }
            Err(words) => {
                if was != Model::None {
                    self.warn(&words);
                    self.tell(
                        "Still looking for servers; your messages will wait. \
                         bowline demo shows bowline at work without a model.",
                    );
                }
                self.model = Model::None;
            }
        }
    }

    fn introduce(&mut self, was: &Model, name: &str, about: Row) {
        if matches!(was, Model::Found { name: known, .. } if *known == *name) {
            return;
        }
        self.transcript.note(about);
        if self.session.is_none() && !self.is_resuming && self.wanted_model.is_none() && self.sent.is_none() {
            self.tell(FIRST_WORDS);
        }
    }

    /// Whether the servers are to be asked again by themselves.
    pub(crate) fn is_without_model(&self) -> bool {
        self.model == Model::None && self.phase == Phase::Idle
    }
}
