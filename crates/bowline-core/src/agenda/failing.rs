//! Evidence of what fails. In the output of a command: the project's innermost frame, the compiler's lines, and for a failed
//! assertion what it calls, then what that uses. In the message: a test that it names or whose traceback it shows.

use super::evidence::{defined, of_frame, only, rewrite};
use super::{Agenda, Order, Reason, Tests, Try};
use crate::failure::Assertion;
use crate::place::{self, Change, Found, PlaceKind, Statement};
use crate::task::{CodeError, ErrorSource, Frame, Output, Severity};

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
    let statement = statement.or_else(|| assertion(agenda, &found));
    let called = match statement {
        Some(statement) => called(agenda, statement),
        // The line of a test may look at a value that an earlier line of it has made.
        None => tests_of(agenda, &output.frames).flat_map(|test| called_by(agenda, test)).collect(),
    };
    found.extend(with_used(agenda, called));
    if found.is_empty() {
        // A test script of the project's own says what it called in its own words.
        found.extend(output.words.iter().filter_map(|word| code_of(agenda, word)));
    }
    if found.is_empty() && !agenda.began_green {
        // The output points nowhere: what was changed last has not mended it.
        let last =
            agenda.tries.iter().rev().find(|made| made.has_landed() && made.order.change == Change::Rewrite);
        found.extend(last.and_then(|made| agenda.now.find(&made.order.place)).filter(is_function));
    }
    if agenda.began_green {
        // What passed before is broken where this run changed it, or where a compiler says so.
        let has_error = |found: &&Found| own_error(agenda, output, &rewrite(found)).is_some();
        found.retain(|found| agenda.is_rewritten(&found.place) || has_error(found));
    }
    let orders = orders(&found, statement, output.error.as_ref(), output.values.as_ref()).into_iter();
    let explained = |(order, reason)| {
        let reason = own_error(agenda, output, &order).unwrap_or(reason);
        (order, reason)
    };
    orders.map(explained).collect()
}

/// The assertion of a failing test that leads to one of these functions, or else the first that calls the project's code.
fn assertion<'a>(agenda: &Agenda<'a>, found: &[&Found]) -> Option<&'a Statement> {
    let all = || agenda.now.assertions.iter().filter(|at| !called(agenda, at).is_empty());
    let leads = |at: &&Statement| {
        let reached = with_used(agenda, called(agenda, at));
        found.iter().any(|found| reached.iter().any(|other| other.place == found.place))
    };
    all().find(leads).or_else(|| all().next().filter(|_| found.is_empty()))
}

/// A function that the message names, where something fails and the output points at no place: it is what fails.
pub(super) fn with_error(agenda: &Agenda<'_>, order: Order, reason: Reason) -> (Order, Reason) {
    let is_function = || agenda.now.find(&order.place).is_some_and(|found| found.kind == PlaceKind::Function);
    let output = agenda.failed_output.filter(|_| reason == Reason::Task && !agenda.began_green);
    match output.filter(|_| is_function()) {
        Some(output) => {
            let error = output.error.clone().unwrap_or_default();
            (order, Reason::Failed { statement: String::new(), error, values: output.values.clone() })
        }
        None => (order, reason),
    }
}

/// What a compiler or an interpreter says about a line of the place itself.
fn own_error(agenda: &Agenda<'_>, output: &Output, order: &Order) -> Option<Reason> {
    let found = agenda.now.find(&order.place)?;
    let is_inside = |error: &&CodeError| {
        agenda.now.file(&error.path) == Some(found.place.path.as_str())
            && (found.first_line..=found.last_line).contains(&i64::from(error.line))
    };
    // What was there before the turn may be right and only be used wrongly: then the test says more than the exception.
    let is_written = agenda.tries.iter().any(|made| made.has_landed() && made.order == *order);
    let counts = |error: &&CodeError| is_written || error.source == ErrorSource::Compiler;
    let error = output.code_errors.iter().filter(counts).find(is_inside)?;
    let line = i64::from(error.line);
    let is_it = |at: &&Statement| at.path == found.place.path && at.line == line;
    let statement = agenda.now.statements.iter().find(is_it);
    let line = statement.map_or_else(String::new, |statement| statement.text.clone());
    Some(Reason::Broken { line, error: error.text.clone() })
}

/// The tests that frames of an output are in.
fn tests_of<'a>(agenda: &'a Agenda<'a>, frames: &'a [Frame]) -> impl Iterator<Item = &'a Found> {
    frames.iter().rev().filter_map(|frame| {
        let file = agenda.now.file(&frame.path)?;
        agenda.now.at_line(file, frame.line.into()).filter(|found| found.is_test)
    })
}

/// The functions of the project that a test calls, also through its own helpers.
fn called_by<'a>(agenda: &Agenda<'a>, test: &'a Found) -> Vec<&'a Found> {
    named_code(agenda, &test.calls)
}

/// The functions of the project with these names; for a helper of the tests, those that it calls.
fn named_code<'a>(agenda: &Agenda<'a>, names: &[String]) -> Vec<&'a Found> {
    let mut found: Vec<&Found> = Vec::new();
    for name in names {
        let helper = || only(&defined(agenda, name, agenda.now)).filter(|found| found.is_test);
        match code_of(agenda, name) {
            Some(code) => found.push(code),
            None => found.extend(
                helper()
                    .into_iter()
                    .flat_map(|helper| helper.calls.iter().filter_map(|name| code_of(agenda, name))),
            ),
        }
    }
    found
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
            tests.flat_map(|test| called_by(agenda, test)).collect()
        }
    };
    orders(&with_used(agenda, called), statement, agenda.wording.error.as_ref(), None)
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
fn orders(
    found: &[&Found],
    statement: Option<&Statement>,
    error: Option<&String>,
    values: Option<&Assertion>,
) -> Vec<(Order, Reason)> {
    let reason = Reason::Failed {
        statement: statement.map_or_else(String::new, |statement| statement.text.clone()),
        error: error.cloned().unwrap_or_default(),
        values: values.cloned(),
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
    named_code(agenda, &statement.calls)
}

/// The one function of the project with this name that is not a test.
fn code_of<'a>(agenda: &Agenda<'a>, name: &str) -> Option<&'a Found> {
    only(&defined(agenda, name, agenda.now))
        .filter(|found| !found.is_test && found.kind == PlaceKind::Function)
}
