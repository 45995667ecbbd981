//! The log entry that announces that the program is about to take changes of the running turn back. The decision itself is an entry like
//! the user's own (`change_decision.rs`); this one stands before the files are touched, so that a process that dies in between
//! leaves a log from which the next one can finish.

use serde::{Deserialize, Serialize};

use crate::entry::{Body, Entry};

/// Announces what is about to be done to the files. Left out of the frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rewinding {
    pub state: RewindingState,
    /// The ids of the changes.
    pub changes: Vec<String>,
    /// The calls that made them.
    pub calls: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RewindingState {
    Begun,
    /// The changes are in the files as before.
    GivenUp,
}

impl Rewinding {
    pub fn begun(changes: Vec<String>, calls: Vec<String>) -> Rewinding {
        Rewinding { state: RewindingState::Begun, changes, calls }
    }

    /// The entry that says that the changes stay.
    pub fn given_up(self) -> Body {
        Body::Rewinding(Rewinding { state: RewindingState::GivenUp, ..self })
    }
}

/// The rewind that was announced and neither done nor given up. A fold over the log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenRewinding(Option<Rewinding>);

impl OpenRewinding {
    pub fn of(entries: &[Entry]) -> Option<Rewinding> {
        let mut open = OpenRewinding::default();
        entries.iter().for_each(|entry| open.apply(&entry.body));
        open.0
    }

    pub fn apply(&mut self, body: &Body) {
        match body {
            Body::Rewinding(rewinding) => {
                self.0 = Some(rewinding.clone()).filter(|rewinding| rewinding.state == RewindingState::Begun);
            }
            Body::Change(decided) if decided.is_programs_rewind() => self.0 = None,
            _ => {}
        }
    }

    pub fn get(&self) -> Option<&Rewinding> {
        self.0.as_ref()
    }
}
