//! Evidence in the output of a command that failed: the project's innermost frame, the compiler's lines, and for a failed
//! assertion what it calls, then what that uses.

use super::evidence::{defined, of_frame, only, rewrite};
use super::{Agenda, Order, Reason, Tests};
use crate::place::{Found, PlaceKind, Statement};
use crate::task::{Frame, Severity};

/// The places that the last command points at, best first; none if it succeeded or something was changed since.
pub(super) fn proposals(agenda: &Agenda<'_>) -> Vec<(Order, Reason)> {
    let Some(output) = agenda.failed_output else { return Vec::new() };
    let mut found: Vec<&Found> = Vec::new();
    // Of several tracebacks the first one is looked into: the others may follow from it.
    let frames = || output.frames.iter().rev();
    let is_code = |found: &&Found| !found.is_test || agenda.tests == Tests::Wanted;
    found.extend(frames().find_map(|frame| of_frame(agenda, frame).filter(is_code)).filter(is_function));
    let errors = output.locations.iter().filter(|at| at.severity == Severity::Error);
    let in_line = |path: &str, line: u32| agenda.now.at_line(agenda.now.file(path)?, line.into());
    found.extend(errors.filter_map(|at| in_line(&at.path, at.line)).filter(is_code).filter(is_function));
    let statement = output.frames.iter().find_map(|frame| statement(agenda, frame));
    let called: Vec<&Found> = statement.map(|statement| called(agenda, statement)).unwrap_or_default();
    let used = called.iter().flat_map(|found| found.uses.iter().filter_map(|name| code_of(agenda, name)));
    let used: Vec<&Found> = used.collect();
    found.extend(called);
    found.extend(used);
    let reason = Reason::Failed {
        statement: statement.map_or_else(String::new, |statement| statement.text.clone()),
        error: output.error.clone().unwrap_or_default(),
    };
    let mut orders: Vec<Order> = Vec::new();
    for order in found.into_iter().map(rewrite) {
        if !orders.contains(&order) {
            orders.push(order);
        }
    }
    orders.into_iter().map(|order| (order, reason.clone())).collect()
}

fn is_function(found: &&Found) -> bool {
    found.kind == PlaceKind::Function
}

/// The statement of a frame, if it calls something of the project.
fn statement<'a>(agenda: &Agenda<'a>, frame: &Frame) -> Option<&'a Statement> {
    let file = agenda.now.file(&frame.path)?;
    let line = i64::from(frame.line);
    let statement = agenda.now.statements.iter().find(|at| at.path == file && at.line == line)?;
    (!called(agenda, statement).is_empty()).then_some(statement)
}

fn called<'a>(agenda: &Agenda<'a>, statement: &Statement) -> Vec<&'a Found> {
    statement.calls.iter().filter_map(|name| code_of(agenda, name)).collect()
}

/// The one function of the project with this name that is not a test.
fn code_of<'a>(agenda: &Agenda<'a>, name: &str) -> Option<&'a Found> {
    only(&defined(agenda, name, agenda.now))
        .filter(|found| !found.is_test && found.kind == PlaceKind::Function)
}
