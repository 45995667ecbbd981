//! Evidence of what fails. In the output of a command: the project's innermost frame, the compiler's lines, and for a failed
//! assertion what it calls, then what that uses. In the message: a test that it names or whose traceback it shows.

use super::evidence::{defined, of_frame, only, rewrite};
use super::{Agenda, Order, Reason, Tests, Try};
use crate::place::{self, Found, PlaceKind, Statement};
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
    found.extend(with_used(agenda, statement.map(|statement| called(agenda, statement)).unwrap_or_default()));
    orders(&found, statement, output.error.as_ref())
}

/// The places that a failing test points at which the message names, or whose traceback it shows: what the assertion calls,
/// then what that uses. The test itself is right unless the message speaks of changing it.
pub(super) fn of_message(agenda: &Agenda<'_>) -> Vec<(Order, Reason)> {
    if agenda.tests == Tests::Wanted || agenda.tries.iter().any(Try::has_landed) {
        return Vec::new();
    }
    let frames = || agenda.wording.frames.iter().rev().filter(|frame| place::is_test_path(&frame.path));
    let statement = frames().find_map(|frame| statement(agenda, frame));
    let called = match statement {
        Some(statement) => called(agenda, statement),
        None => {
            let of_frames = frames().filter_map(|frame| of_frame(agenda, frame));
            let tests = of_frames.chain(named_tests(agenda));
            tests.flat_map(|test| test.calls.iter().filter_map(|name| code_of(agenda, name))).collect()
        }
    };
    orders(&with_used(agenda, called), statement, agenda.wording.error.as_ref())
}

/// The tests that the message names: by the name of their function, or by their title.
fn named_tests<'a>(agenda: &Agenda<'a>) -> Vec<&'a Found> {
    let is_named = |found: &&Found| {
        let name = found.place.name.as_deref().unwrap_or_default();
        let is_title = |text: &String| !text.is_empty() && name.ends_with(text.as_str());
        let is_function =
            agenda.wording.names.iter().any(|known| Some(known.last()) == found.place.own_name());
        found.is_test && !name.is_empty() && (is_function || agenda.wording.quoted.iter().any(is_title))
    };
    agenda.now.places.iter().filter(is_named).collect()
}

/// Functions, and behind them those that they use.
fn with_used<'a>(agenda: &Agenda<'a>, called: Vec<&'a Found>) -> Vec<&'a Found> {
    let used = called.iter().flat_map(|found| found.uses.iter().filter_map(|name| code_of(agenda, name)));
    let used: Vec<&Found> = used.collect();
    called.into_iter().chain(used).collect()
}

/// New texts for these places, each once.
fn orders(found: &[&Found], statement: Option<&Statement>, error: Option<&String>) -> Vec<(Order, Reason)> {
    let reason = Reason::Failed {
        statement: statement.map_or_else(String::new, |statement| statement.text.clone()),
        error: error.cloned().unwrap_or_default(),
    };
    let mut orders: Vec<Order> = Vec::new();
    for order in found.iter().map(|found| rewrite(found)) {
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
