//! Where the statement of a crash stands once more: the functions of the same file that repeat it crash as well.
//!
//! They come last, after the function that the traceback names has a new text and nothing that the words ask for is missing.
//! Nobody saw them crash, so their text is never hidden.

use super::evidence::{crash, rewrite};
use super::{Agenda, Order, Reason};
use crate::place::{Found, PlaceKind, Repeat};

/// The functions that repeat the statement of the message's traceback, each with its line.
pub(super) fn proposals(agenda: &Agenda<'_>) -> Vec<(Order, Reason)> {
    let Some((crashed, _)) = crash(agenda).filter(|(crashed, _)| agenda.is_rewritten(&crashed.place)) else {
        return Vec::new();
    };
    let is_free = |found: &Found| {
        let is_kept = |text: &str| agenda.wording.excluded.iter().any(|kept| kept == text);
        let name = found.place.own_name().unwrap_or_default();
        found.kind == PlaceKind::Function && !found.is_test && !is_kept(name) && !is_kept(&found.place.path)
    };
    let repeats = repeats(agenda, crashed).iter();
    let found = repeats.filter_map(|repeat| Some((agenda.now.find(&repeat.place)?, repeat)));
    let open = found.filter(|(found, _)| is_free(found));
    open.map(|(found, repeat)| (rewrite(found), Reason::Crashed { line: repeat.line.clone() })).collect()
}

/// Whether a place is looked at only because it repeats the statement of a crash elsewhere.
pub(super) fn is_repeat(agenda: &Agenda<'_>, order: &Order) -> bool {
    proposals(agenda).iter().any(|(known, _)| known == order)
}

/// Where the statement that crashed stood once more before the first change of the run. The line of a traceback may be off: the
/// statement lies in the function that the traceback names, and the message shows it.
fn repeats<'a>(agenda: &Agenda<'a>, crashed: &Found) -> &'a [Repeat] {
    let lines = agenda.wording.frames.iter().map(|frame| i64::from(frame.line));
    let Some(before) = agenda.before.find(&crashed.place) else { return &[] };
    let statement = lines.rev().find_map(|line| {
        let is_it = |at: &&crate::place::Statement| {
            at.path == before.place.path
                && at.line == line
                && (before.first_line..=before.last_line).contains(&line)
                && agenda.message.contains(at.text.lines().next().unwrap_or_default().trim())
        };
        agenda.before.statements.iter().find(is_it)
    });
    statement.map_or(&[], |statement| statement.repeats.as_slice())
}
