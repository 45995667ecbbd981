//! The sandbox of a turn: one cell, in which the commands run that nobody approved.
//!
//! The cell starts with the first such command and ends with the turn; the next command starts another one. Which profile
//! a command has is decided by the rules, which places are whose in `places`. What always holds: a command whose profile is
//! enforced here runs in the cell or not at all.

mod places;
mod report;

#[cfg(target_os = "linux")]
mod cell;
#[cfg(not(target_os = "linux"))]
#[path = "sandbox/no_cell.rs"]
mod cell;

use std::path::PathBuf;
use std::time::Duration;

use cell::CellOfTurn;
pub(crate) use cell::HeldCommand;
pub use cell::{helper_main, report};
pub use places::{Places, Surroundings};
pub use report::{HeldFor, LayerState, Report};

use crate::permission::AllowedCommand;
use crate::process::Priority;

/// The program that is started as the sandbox's helper: its `main` calls [`helper_main`] first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Helper {
    /// The one that is running.
    ThisProgram,
    Program(PathBuf),
}

/// The sandbox of one turn.
#[derive(Debug)]
pub struct Sandbox {
    cell: CellOfTurn,
}

impl Sandbox {
    /// Starts nothing yet.
    pub fn new(helper: Helper, surroundings: Surroundings) -> Sandbox {
        Sandbox { cell: CellOfTurn::new(helper, surroundings) }
    }

    /// Starts a command in the cell. Nothing if nothing on this system enforces its profile, or if it needs none.
    pub(crate) async fn start(
        &self,
        command: &AllowedCommand,
        priority: Priority,
    ) -> std::io::Result<Option<HeldCommand>> {
        self.cell.start(command, priority).await
    }

    /// Ends the cell with all that runs in it: asked first, then killed.
    pub(crate) async fn end(&self, grace: Duration) {
        self.cell.end(grace).await;
    }
}
