//! Evidence: which places the user's words point at without a question.
//!
//! In this order: renames and removals that are spelled out; the function in the innermost frame of a traceback, by its
//! name, since pasted line numbers may be off; the compiler's lines; names that the message means as names, in its order; an
//! option where options are handled. Evidence that points at two places points at none.

use super::{Agenda, Order, Reason, Tests, Try, choice, failing, members, weaker};
use crate::limits::{SMALL_FILE_LINES_MAX, TYPE_LINES_MAX};
use crate::place::{self, Change, Found, Place, PlaceKind};
use crate::task::{self, Form, Frame, Name, Role};

const DEFINITIONS: [&str; 11] = [
    "function",
    "method",
    "class",
    "struct",
    "type",
    "enum",
    "interface",
    "trait",
    "constant",
    "helper",
    "macro",
];

/// A shorter word is the name of a constant by accident.
const WORD_CHARS_MIN: usize = 4;

/// Renames and removals that the message spells out, of definitions that exist.
pub(super) fn spelled_out(agenda: &Agenda<'_>) -> Vec<Order> {
    let renames = agenda.wording.renames.iter().filter_map(|rename| {
        let found = in_file(agenda, &rename.from, rename.path.as_deref());
        let found = if found.is_empty() { defined(agenda, &rename.from, agenda.before) } else { found };
        let place = match only(&found) {
            Some(found) => found.place.clone(),
            None => parameter(agenda, &rename.from, rename.path.as_deref())?,
        };
        Some(Order { place, change: Change::Rename, to: Some(rename.to.clone()) })
    });
    // A parameter is found by the old name of its function.
    let mut renames: Vec<Order> = renames.collect();
    renames.sort_by_key(|order| agenda.before.find(&order.place).is_some());
    // A warning about an import names what another file defines, so a definition is removed only from the file that is named
    // with it.
    let is_known = |path: &String| agenda.before.file(path).is_some();
    let removals =
        agenda.wording.removals.iter().filter(|removal| removal.path.as_ref().is_none_or(is_known));
    let removals =
        removals.filter_map(|removal| only(&in_file(agenda, &removal.name, removal.path.as_deref())));
    let removals = users_first(removals.collect());
    // A helper may have gone with what needed it.
    let is_removed = |found: &&Found| {
        let is_it = |made: &Try| made.order.place == found.place && made.order.change == Change::Remove;
        let has_gone = agenda.now.find(&found.place).is_none() && agenda.tries.iter().any(Try::has_landed);
        agenda.wording.removes_helpers && has_gone && !agenda.tries.iter().any(is_it)
    };
    let removals = removals.into_iter().filter(|found| !is_removed(found)).map(|found| Order {
        place: found.place.clone(),
        change: Change::Remove,
        to: None,
    });
    renames.into_iter().chain(removals).collect()
}

/// The place of a parameter or a local variable, behind the function it belongs to: `band.f`. For `.f`, and for what the message
/// calls a variable, that is the one function that has such a name in its head, or else in its body.
fn parameter(agenda: &Agenda<'_>, name: &str, path: Option<&str>) -> Option<Place> {
    let is_variable = |known: &Name| {
        known.text == name && known.kind.as_deref().is_some_and(|kind| matches!(kind, "variable" | "var"))
    };
    let is_called_variable = || agenda.wording.names.iter().any(is_variable);
    let (owner, own) = name.rsplit_once('.').or_else(|| is_called_variable().then_some(("", name)))?;
    let is_function = |found: &&Found| found.kind == PlaceKind::Function;
    let found: Vec<&Found> = match owner {
        "" => functions_with(agenda, own, path),
        _ => in_file(agenda, owner, path).into_iter().filter(is_function).collect(),
    };
    let place = &only(&found)?.place;
    let name = format!("{}.{own}", place.name.as_deref().unwrap_or_default());
    Some(Place { path: place.path.clone(), name: Some(name) })
}

/// The functions, in the named files if there are any, that have a name in their heads, or else in their bodies.
fn functions_with<'a>(agenda: &Agenda<'a>, name: &str, path: Option<&str>) -> Vec<&'a Found> {
    let file = path.and_then(|path| agenda.before.file(path));
    let named: Vec<&str> = agenda.wording.paths.iter().filter_map(|path| agenda.before.file(path)).collect();
    let is_there = |found: &&Found| {
        let path = found.place.path.as_str();
        let is_named = || named.is_empty() || named.contains(&path);
        found.kind == PlaceKind::Function && !found.is_test && file.map_or_else(is_named, |file| file == path)
    };
    let all: Vec<&Found> = agenda.before.places.iter().filter(is_there).collect();
    let in_head = |found: &&Found| place::identifiers(&found.head).iter().any(|word| word == name);
    let in_body = |found: &&Found| found.uses.iter().any(|used| used == name);
    let with_head: Vec<&Found> = all.iter().copied().filter(in_head).collect();
    if with_head.is_empty() { all.into_iter().filter(in_body).collect() } else { with_head }
}

/// The definitions of a name in the file that the message names with it, or all if there is no such file. A definition is
/// gone once its order has landed, so it is looked for as it was.
fn in_file<'a>(agenda: &Agenda<'a>, name: &str, path: Option<&str>) -> Vec<&'a Found> {
    let file = path.and_then(|path| agenda.before.file(path));
    let is_there = |found: &&Found| file.is_none_or(|file| found.place.path == file);
    defined(agenda, name, agenda.before).into_iter().filter(is_there).collect()
}

/// A definition can only be removed once nothing uses it: the one that uses another of them goes before it.
fn users_first(mut found: Vec<&Found>) -> Vec<&Found> {
    let mut ordered = Vec::new();
    while !found.is_empty() {
        let is_used = |at: usize| {
            let name = found.get(at).and_then(|found| found.place.own_name()).unwrap_or_default();
            let others = found.iter().enumerate().filter(|(other, _)| *other != at);
            others.into_iter().any(|(_, other)| other.uses.iter().any(|used| used == name))
        };
        let free = (0..found.len()).find(|at| !is_used(*at)).unwrap_or(0);
        ordered.push(found.remove(free));
    }
    ordered
}

/// The places that are to be changed, strongest evidence first, each with why.
pub(super) fn targets(agenda: &Agenda<'_>) -> Vec<(Order, Reason)> {
    let mut orders: Vec<(Order, Reason)> = Vec::new();
    let mut push = |order: Order, reason: Reason| {
        if !orders.iter().any(|(known, _)| *known == order) {
            orders.push((order, reason));
        }
    };
    if let Some((found, reason)) = crash(agenda) {
        push(rewrite(found), reason);
    }
    failing::of_message(agenda).into_iter().for_each(|(order, reason)| push(order, reason));
    let lines = agenda.wording.locations.iter();
    let mut found: Vec<&Found> = lines.filter_map(|at| compiled(agenda, &at.path, at.line.into())).collect();
    found.into_iter().for_each(|found| push(rewrite(found), Reason::Task));
    added(agenda).into_iter().for_each(|order| push(order, Reason::Task));
    found = cause(agenda).into_iter().chain(named(agenda)).chain(option(agenda)).collect();
    found.extend(constants(agenda));
    found.extend(scripts(agenda));
    found.into_iter().for_each(|found| push(rewrite(found), Reason::Task));
    // Weaker evidence counts where there is no other.
    if orders.is_empty() {
        let weak = weaker::valued(agenda)
            .or_else(|| weaker::behind_symptom(agenda))
            .or_else(|| weaker::lettered(agenda));
        orders.extend(weak.map(|found| (rewrite(found), Reason::Task)));
    }
    orders
}

pub(super) fn rewrite(found: &Found) -> Order {
    Order { place: found.place.clone(), change: Change::Rewrite, to: None }
}

/// The function in the innermost frame of the message's traceback that is the project's own, and the line that failed.
pub(super) fn crash<'a>(agenda: &Agenda<'a>) -> Option<(&'a Found, Reason)> {
    let is_code = |found: &&Found| !found.is_test || agenda.tests == Tests::Wanted;
    let of = |frame: &'a Frame| Some((frame, of_frame(agenda, frame).filter(is_code)?));
    let (frame, found) = agenda.wording.frames.iter().rev().find_map(of)?;
    let line = i64::from(frame.line);
    let is_it = |at: &&place::Statement| at.path == found.place.path && at.line == line;
    let statement = agenda.now.statements.iter().find(is_it);
    // The line numbers of a pasted traceback may be off.
    let statement = statement.filter(|_| (found.first_line..=found.last_line).contains(&line));
    let reason = statement.map_or(Reason::Task, |statement| Reason::Crashed { line: statement.text.clone() });
    Some((found, reason))
}

pub(super) fn of_frame<'a>(agenda: &Agenda<'a>, frame: &Frame) -> Option<&'a Found> {
    let file = agenda.now.file(&frame.path).or_else(|| {
        let name = frame.path.rsplit(['/', '\\']).next()?;
        agenda.now.file(name)
    })?;
    let of_name = |name: &str| {
        let own = name.rsplit(['.', ':']).next().unwrap_or(name);
        let same = |found: &&Found| {
            found.place.path == file && found.kind.is_definition() && found.place.own_name() == Some(own)
        };
        only(&agenda.now.places.iter().filter(same).collect::<Vec<_>>())
    };
    frame.function.as_deref().and_then(of_name).or_else(|| agenda.now.at_line(file, frame.line.into()))
}

fn compiled<'a>(agenda: &Agenda<'a>, path: &str, line: i64) -> Option<&'a Found> {
    agenda.now.at_line(agenda.now.file(path)?, line)
}

/// The one function that does what leads to the fault: `move` in "when I move a part, quantity() says 16 instead of 10".
fn cause<'a>(agenda: &Agenda<'a>) -> Option<&'a Found> {
    let has_symptom = agenda.wording.names.iter().any(|name| name.role == Role::Symptom);
    let is_it = |found: &&Found| {
        let name = found.place.own_name().unwrap_or_default();
        found.kind == PlaceKind::Function && !found.is_test && task::consists_of(name, &agenda.wording.causes)
    };
    let all: Vec<&Found> = agenda.now.places.iter().filter(is_it).collect();
    let is_file_named = |found: &&&Found| {
        agenda.wording.paths.iter().any(|path| agenda.now.file(path) == Some(found.place.path.as_str()))
    };
    let named: Vec<&Found> = all.iter().filter(is_file_named).copied().collect();
    only(if named.is_empty() { &all } else { &named }).filter(|_| has_symptom)
}

/// Whether the message names a variant that does not exist yet.
fn has_new_variant(agenda: &Agenda<'_>) -> bool {
    let is_new = |name: &Name| {
        name.kind.as_deref() == Some("variant") && defined(agenda, &name.text, agenda.before).is_empty()
    };
    agenda.wording.names.iter().any(is_new)
}

/// Definitions that the message names, each where the name means exactly one. What is only to be used is not to be changed.
/// Where a fault shows is where it is if nothing says what leads to it, and nothing else of the project is used there.
fn named<'a>(agenda: &Agenda<'a>) -> Vec<&'a Found> {
    let has_cause = cause(agenda).is_some();
    let is_subject = |name: &&Name| match name.role {
        Role::Subject => true,
        Role::Means => false,
        Role::Symptom => !has_cause && weaker::behind(agenda, name).len() <= 1,
    };
    // What is to be renamed or removed is carried out by the program, or chosen; it is not written anew.
    let is_ordered = |name: &&Name| {
        let is_from = |text: &str| text == name.text || text == name.last();
        // A parameter is renamed with its function: `band.f`.
        let is_parameter = |text: &str| {
            let (owner, own) = text.rsplit_once('.').unwrap_or_default();
            (is_from(owner) || is_from(own)) && parameter(agenda, text, None).is_some()
        };
        agenda.wording.renames.iter().any(|rename| is_from(&rename.from) || is_parameter(&rename.from))
            || agenda.wording.removals.iter().any(|removal| is_from(&removal.name))
    };
    let names = agenda.wording.names.iter().filter(is_subject).filter(|name| !is_ordered(name));
    let all = names.filter_map(|name| {
        only(&defined(agenda, &name.text, agenda.now))
            .or_else(|| method_of_object(agenda, name))
            .or_else(|| members::owner_of_new(agenda, name))
    });
    // What a change has brought, or written anew as part of its place, is not to be changed once more.
    let is_due = |found: &&Found| {
        let is_code = !found.is_test || agenda.tests == Tests::Wanted;
        is_code && agenda.before.find(&found.place).is_some() && !agenda.is_rewritten(&found.place)
    };
    let all: Vec<&Found> = all.filter(is_due).filter(|found| is_small(agenda, found)).collect();
    // A method that is named beside its class is the place that is meant.
    let has_inner = |outer: &Found| {
        let prefix = format!("{}.", outer.place.name.as_deref().unwrap_or_default());
        let is_inside = |inner: &&Found| {
            inner.place.path == outer.place.path
                && inner.place.name.as_deref().is_some_and(|name| name.starts_with(&prefix))
        };
        all.iter().copied().any(|inner| is_inside(&inner))
    };
    // A type that gets a new variant is written first: its methods need the variant.
    let grows = |found: &&Found| found.kind == PlaceKind::Type && has_new_variant(agenda);
    let mut meant: Vec<&Found> =
        all.iter().copied().filter(|found| grows(found) || !has_inner(found)).collect();
    meant.sort_by_key(|found| !grows(found));
    meant
}

/// The method that a call of an object means: `Theme.set` for `theme.set('link', 'blue')`. The object's name says its type, or
/// only one type has such a method.
fn method_of_object<'a>(agenda: &Agenda<'a>, name: &Name) -> Option<&'a Found> {
    let text = name.text.replace("::", ".");
    let (object, own) = text.rsplit_once('.')?;
    if !object.starts_with(char::is_lowercase) || !defined(agenda, &name.text, agenda.before).is_empty() {
        return None;
    }
    let object = object.rsplit('.').next().unwrap_or(object);
    let is_method = |found: &&Found| {
        let is_inside = found.place.name.as_deref().is_some_and(|full| full.contains('.'));
        is_inside
            && found.kind == PlaceKind::Function
            && !found.is_test
            && found.place.own_name() == Some(own)
    };
    let all: Vec<&Found> = agenda.now.places.iter().filter(is_method).collect();
    let is_of_object = |found: &&&Found| {
        let owner = found.place.name.as_deref().and_then(|full| full.rsplit('.').nth(1));
        owner.is_some_and(|owner| owner.eq_ignore_ascii_case(&object.replace('_', "")))
    };
    let of_object: Vec<&Found> = all.iter().filter(is_of_object).copied().collect();
    only(&of_object).or_else(|| only(&all))
}

/// Whether the place is short enough to be written anew as a whole.
pub(super) fn is_small(agenda: &Agenda<'_>, found: &Found) -> bool {
    let lines = found.last_line - found.first_line + 1;
    let prefix = format!("{}.", found.place.name.as_deref().unwrap_or_default());
    let is_inside = |inner: &&Found| {
        inner.place.path == found.place.path
            && inner.kind == PlaceKind::Function
            && inner.place.name.as_deref().is_some_and(|name| name.starts_with(&prefix))
    };
    lines <= TYPE_LINES_MAX || !agenda.now.places.iter().any(|inner| is_inside(&inner))
}

/// The definitions of a name: in the files the message names if there are any, else anywhere outside the tests, else in them.
pub(super) fn defined<'a>(agenda: &Agenda<'_>, name: &str, survey: &'a place::Survey) -> Vec<&'a Found> {
    let wanted = name.trim_end_matches("()").replace("::", ".").replace('#', ".");
    let is_it = |found: &&Found| {
        let full = found.place.name.as_deref().unwrap_or_default();
        let is_tail = || full.strip_suffix(wanted.as_str()).is_some_and(|rest| rest.ends_with('.'));
        let of_module = || {
            let (module, own) = wanted.rsplit_once('.').unwrap_or_default();
            let stem = found.place.path.rsplit('/').next().and_then(|file| file.split('.').next());
            own == full && !module.is_empty() && stem == Some(module.rsplit('.').next().unwrap_or(module))
        };
        found.kind.is_definition() && (full == wanted || is_tail() || of_module())
    };
    let all: Vec<&Found> = survey.places.iter().filter(is_it).collect();
    let in_named = |found: &&&Found| {
        agenda.wording.paths.iter().any(|path| survey.file(path) == Some(found.place.path.as_str()))
    };
    let named: Vec<&Found> = all.iter().filter(in_named).copied().collect();
    let code: Vec<&Found> = all.iter().filter(|found| !found.is_test).copied().collect();
    [named, code, all].into_iter().find(|found| !found.is_empty()).unwrap_or_default()
}

/// Whether the message speaks of a definition, and not of a parameter or an attribute.
fn is_definition(name: &Name) -> bool {
    let is_kind = |kind: &str| DEFINITIONS.contains(&kind);
    name.form == Form::Call || name.kind.as_deref().is_some_and(is_kind)
}

/// The file that the sentence with a name says it belongs to: the next one behind it, or the last one before it.
fn file_for<'a>(agenda: &Agenda<'a>, name: &str) -> Option<&'a str> {
    let sentences = agenda.message.split_inclusive('\n').flat_map(|line| line.split(". "));
    let has_name = |sentence: &&str| place::identifiers(sentence).iter().any(|word| word == name);
    let sentence = sentences.into_iter().find(has_name)?;
    let at = sentence.find(name)?;
    let known = || agenda.wording.paths.iter().filter_map(|path| Some((sentence.find(path.as_str())?, path)));
    let behind = known().filter(|(start, _)| *start > at).min_by_key(|(start, _)| *start);
    let (_, path) = behind.or_else(|| known().max_by_key(|(start, _)| *start))?;
    agenda.before.file(path)
}

/// The definitions that the message names and that did not exist before.
pub(super) fn new_definitions<'a>(agenda: &Agenda<'a>) -> Vec<&'a Name> {
    let is_new = |name: &&Name| {
        is_definition(name)
            && name.role != Role::Means
            && defined(agenda, &name.text, agenda.before).is_empty()
    };
    agenda.wording.names.iter().filter(is_new).collect()
}

/// The one new definition that the message asks for, behind the last place of the file that it names for it.
fn added(agenda: &Agenda<'_>) -> Vec<Order> {
    let files: Vec<&str> = agenda.wording.paths.iter().filter_map(|path| agenda.before.file(path)).collect();
    let (1, Some(first)) = (new_definitions(agenda).len(), files.first()) else { return Vec::new() };
    let of_name = new_definitions(agenda).first().and_then(|name| file_for(agenda, name.last()));
    let file = &of_name.unwrap_or(first);
    let is_last = |found: &&Found| {
        found.place.path == *file && !found.place.name.as_deref().unwrap_or("").contains('.')
    };
    let last = agenda.before.places.iter().rfind(is_last);
    let place = last.map_or_else(|| Place::file(*file), |found| found.place.clone());
    vec![Order { place, change: Change::AddAfter, to: None }]
}

/// Constants in capitals of named files that the message speaks of in plain words: `USAGE` for "the usage line".
fn constants<'a>(agenda: &Agenda<'a>) -> Vec<&'a Found> {
    let is_named = |found: &&Found| {
        agenda.wording.paths.iter().any(|path| agenda.now.file(path) == Some(found.place.path.as_str()))
    };
    let is_word = |found: &&Found| {
        let name = found.place.own_name().unwrap_or_default();
        let is_constant = found.kind == PlaceKind::Constant
            && name.len() >= WORD_CHARS_MIN
            && !name.chars().any(char::is_lowercase);
        let is_name = agenda.wording.names.iter().any(|known| known.text == name);
        is_constant && !is_name && agenda.words.iter().any(|word| word.eq_ignore_ascii_case(name))
    };
    let is_due = |found: &&Found| !found.is_test && !agenda.is_rewritten(&found.place);
    agenda.now.places.iter().filter(is_word).filter(is_named).filter(is_due).collect()
}

/// Short scripts without definitions that the message names: each statement depends on those before it, so such a file is
/// one place.
fn scripts<'a>(agenda: &Agenda<'a>) -> Vec<&'a Found> {
    let files = choice::untouched_files(agenda);
    let has_definition = |file: &str| {
        let is_it = |found: &Found| matches!(found.kind, PlaceKind::Function | PlaceKind::Type);
        agenda.now.places.iter().any(|found| found.place.path == file && is_it(found))
    };
    let is_short = |found: &&Found| found.last_line <= SMALL_FILE_LINES_MAX;
    let scripts = files.iter().filter(|file| place::is_script_path(file) && !has_definition(file));
    scripts.filter_map(|file| agenda.now.find(&Place::file(file)).filter(is_short)).collect()
}

/// The one place that handles options, where the message names an option that does not exist yet.
fn option<'a>(agenda: &Agenda<'a>) -> Option<&'a Found> {
    let exists = |option: &String| agenda.before.places.iter().any(|found| found.options.contains(option));
    if !agenda.wording.options.iter().any(|option| !exists(option)) {
        return None;
    }
    // The files that the message names handle it, if any of them is code.
    let named = agenda.named_files();
    let is_code = |path: &&str| !place::is_document_path(path);
    let is_file_named = named.iter().any(is_code);
    // A comment may mention options, too: a function goes before other lines.
    let handling = |kind: PlaceKind| {
        let is_there = |found: &Found| !is_file_named || named.contains(found.place.path.as_str());
        let handles = |found: &&Found| {
            !found.options.is_empty() && !found.is_test && found.kind == kind && is_there(found)
        };
        agenda.now.places.iter().filter(handles).collect::<Vec<_>>()
    };
    let functions = handling(PlaceKind::Function);
    only(&if functions.is_empty() { handling(PlaceKind::Text) } else { functions })
}

pub(super) fn only<'a>(found: &[&'a Found]) -> Option<&'a Found> {
    match found {
        [one] => Some(one),
        _ => None,
    }
}
