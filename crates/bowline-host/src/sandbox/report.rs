//! What the sandbox is worth on this system, for a person.

/// How far commands are held that nobody approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeldFor {
    /// In every respect.
    Everything,
    /// For the contents of files, for writes and for the network, but not for the names of files and for other processes.
    Contents,
    /// Not at all.
    Nothing,
}

/// Whether a layer of the sandbox holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LayerState {
    Holds,
    /// It does not, for this reason.
    Missing(String),
}

/// Which layers hold, and what follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Commands that only read.
    pub reading: HeldFor,
    /// The project's own build, test, lint and format commands.
    pub building: HeldFor,
    /// Each layer by its name.
    pub layers: Vec<(&'static str, LayerState)>,
}
