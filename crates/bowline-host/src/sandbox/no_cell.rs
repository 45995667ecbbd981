//! A system for which there is no sandbox: nothing is held.

use std::process::ExitCode;
use std::time::Duration;

use tokio::net::unix::pipe::Receiver;

use super::report::{HeldFor, LayerState, Report};
use super::{Helper, Surroundings};
use crate::permission::AllowedCommand;
use crate::process::{End, Priority};

/// Is the helper, if this process was started as one: never here.
pub fn helper_main() -> Option<ExitCode> {
    None
}

/// Which layers hold: none.
pub fn report(_: &Helper, _: &Surroundings) -> Result<Report, String> {
    let missing = LayerState::Missing("there is none for this system yet".to_owned());
    Ok(Report {
        reading: HeldFor::Nothing,
        building: HeldFor::Nothing,
        layers: vec![("the system's own sandbox", missing)],
    })
}

#[derive(Debug)]
pub(super) struct CellOfTurn;

impl CellOfTurn {
    pub(super) fn new(_: Helper, _: Surroundings) -> CellOfTurn {
        CellOfTurn
    }

    pub(super) async fn start(
        &self,
        _: &AllowedCommand,
        _: Priority,
    ) -> std::io::Result<Option<HeldCommand>> {
        Ok(None)
    }

    pub(super) async fn end(&self, _: Duration) {}
}

/// A command in a cell: there is none.
#[derive(Debug)]
pub(crate) enum HeldCommand {}

impl HeldCommand {
    pub(crate) fn output(&mut self) -> std::io::Result<Receiver> {
        match *self {}
    }

    pub(crate) async fn ended(&mut self) -> End {
        match *self {}
    }

    pub(crate) fn left_running(&mut self) -> bool {
        match *self {}
    }

    pub(crate) fn kill(&self) {
        match *self {}
    }

    pub(crate) fn refusals(&self, _: Option<End>, _: &str) -> Vec<String> {
        match *self {}
    }
}
