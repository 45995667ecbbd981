//! Collects the names, files, options and quoted texts of the typed part of a message.

use super::excluded::Excluded;
use super::references::{is_exception, kind_of, marked, meant, naming_kind_of, without_possessive};
use super::tokens::{Kind, Token};
use super::vocabulary::{NOT_BEFORE_KIND, NOT_BEHIND_KIND, OPENERS};
use super::{Form, Location, Name, Role, Severity, Wording};

pub(super) use super::references::is_identifier;

/// Entries of each list of a `Wording`.
pub(super) const ENTRIES_MAX: usize = 100;
/// The longest text in quotation marks that is kept. Bytes.
const QUOTED_BYTES_MAX: usize = 200;

/// What the tokens name, without what is to stay as it is.
pub(super) fn named(tokens: &[Token<'_>], excluded: &Excluded) -> Wording {
    let mut wording = Wording { excluded: excluded.texts.clone(), ..Wording::default() };
    let is_command = super::commands::commands(tokens);
    for (at, token) in tokens.iter().enumerate() {
        if excluded.has(at) {
            continue;
        }
        let is_command = is_command.get(at).copied().unwrap_or(false);
        for path in paths_of(token, &mut wording.locations).into_iter().filter(|_| !excluded.is_aside(at)) {
            add(if is_command { &mut wording.command_paths } else { &mut wording.paths }, path);
        }
        for option in options_of(token) {
            add(&mut wording.options, option);
        }
        if let Some(name) = test_name(token) {
            add_name(&mut wording.names, name);
        }
        if let Some(message) = exception_message(token) {
            add(&mut wording.quoted, message.to_owned());
            add(&mut wording.literals, message.to_owned());
        }
        if let Some(mut name) = name_at(tokens, at) {
            if excluded.is_aside(at) {
                name.role = Role::Means;
            }
            add_name(&mut wording.names, name);
        } else if token.kind == Kind::Quoted && is_text(token.text) {
            add(&mut wording.quoted, token.text.to_owned());
            if is_literal(tokens, at) {
                add(&mut wording.literals, token.text.to_owned());
            }
        }
    }
    let is_excluded = |text: &str| excluded.texts.iter().any(|other| other == text);
    wording.names.retain(|name| !is_excluded(&name.text));
    wording.paths.retain(|path| !is_excluded(path));
    wording.command_paths.retain(|path| !is_excluded(path));
    if wording.paths.is_empty() {
        wording.paths.extend(super::commands::script(&wording.command_paths).cloned());
    }
    wording.locations.truncate(ENTRIES_MAX);
    wording
}

fn add(list: &mut Vec<String>, text: String) {
    if list.len() < ENTRIES_MAX && !list.contains(&text) {
        list.push(text);
    }
}

fn add_name(names: &mut Vec<Name>, name: Name) {
    if let Some(known) = names.iter_mut().find(|known| known.text == name.text) {
        if known.kind.is_none() {
            known.kind = name.kind;
        }
        // A name that is meant as a subject anywhere is one.
        if name.role == Role::Subject {
            known.role = Role::Subject;
        }
    } else if names.len() < ENTRIES_MAX {
        names.push(name);
    }
}

/// Words that say of a quoted text behind them that it is to be shown as it is. In 'makes "a b" to "a-b"' it is an example.
const SHOWN: [&str; 22] = [
    "error", "message", "text", "print", "prints", "printing", "say", "says", "saying", "show", "shows",
    "showing", "label", "title", "titled", "name", "named", "called", "mark", "log", "warning", "option",
];
/// How far such a word may be in front, in tokens.
const SHOWN_DISTANCE_MAX: usize = 3;

fn is_literal(tokens: &[Token<'_>], at: usize) -> bool {
    let sentence = tokens.get(at).map(|token| token.sentence);
    let before = tokens.get(at.saturating_sub(SHOWN_DISTANCE_MAX)..at).unwrap_or_default();
    let near = before.iter().rev().take_while(|token| {
        Some(token.sentence) == sentence && !matches!(token.kind, Kind::Quoted | Kind::Call)
    });
    let is_shown = near.into_iter().any(|token| token.is_one_of(&SHOWN));
    // "should have a line "…"", but not "in the line "…"".
    let is_line =
        before.last().is_some_and(|token| token.is_one_of(&["line", "heading", "header", "footer"]));
    let is_new =
        before.iter().rev().nth(1).is_some_and(|token| token.is_one_of(&["a", "new", "another", "one"]));
    is_shown || is_line && is_new
}

fn is_text(text: &str) -> bool {
    text.len() <= QUOTED_BYTES_MAX && !super::paths::is_path(text) && option(text).is_none()
}

/// The name at a place, with the kind that its neighbours give it.
pub(super) fn name_at(tokens: &[Token<'_>], at: usize) -> Option<Name> {
    let token = tokens.get(at)?;
    let kind = kind_before(tokens, at).or_else(|| kind_behind(tokens, at));
    let (text, form) = match marked(token) {
        Some(marked) => marked,
        None => (kind.and_then(|_| kinded(tokens, at))?, Form::Kinded),
    };
    let role = super::roles::role(tokens, at);
    Some(Name { text: text.to_owned(), form, kind: kind.map(str::to_owned), role, sentence: token.sentence })
}

/// How far the word for a member may be in front of its type, in tokens.
const MEMBER_DISTANCE: usize = 5;

/// The kind in front of a name: "enum Color", "a function called load".
fn kind_before(tokens: &[Token<'_>], at: usize) -> Option<&'static str> {
    let before = tokens.get(at.checked_sub(1)?)?;
    if before.is_one_of(&["called", "named"]) {
        return naming_kind_of(tokens.get(at.checked_sub(2)?)?);
    }
    if before.is("to") && gets_member(tokens, at) {
        return Some("type");
    }
    naming_kind_of(before)
}

/// "add a variant Paused to Status": what stands behind "to" is a type.
fn gets_member(tokens: &[Token<'_>], at: usize) -> bool {
    let is_type = tokens.get(at).is_some_and(|token| {
        token.text.starts_with(char::is_uppercase) && token.text.contains(char::is_lowercase)
    });
    let before = tokens.get(at.saturating_sub(MEMBER_DISTANCE)..at).unwrap_or_default();
    let is_member = |token: &Token<'_>| token.is_one_of(&["variant", "member", "case", "entry", "value"]);
    let is_added = |token: &Token<'_>| token.is_one_of(&["a", "an", "add", "adds", "another", "new"]);
    is_type && before.iter().any(is_member) && before.iter().any(is_added)
}

/// The kind behind a name: "the Color enum".
fn kind_behind(tokens: &[Token<'_>], at: usize) -> Option<&'static str> {
    naming_kind_of(tokens.get(at + 1)?)
}

/// A plain word that is a name because a kind stands beside it.
fn kinded<'a>(tokens: &[Token<'a>], at: usize) -> Option<&'a str> {
    let token = tokens.get(at)?;
    let name = meant(token)?;
    if token.kind == Kind::Quoted {
        return Some(name);
    }
    let lower = without_possessive(&token.lower);
    let is_capital = name.starts_with(|sign: char| sign.is_uppercase());
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    if kind_before(tokens, at).is_some() {
        let is_called = before.is_some_and(|before| before.is_one_of(&["called", "named"]));
        let is_inflected = ["s", "ed", "ing", "ly"].iter().any(|end| lower.ends_with(end)) && lower.len() > 3;
        let is_plural = before.is_some_and(|before| before.lower.ends_with('s') && !before.is("class"));
        // "this function handle"
        let is_pointed = at.checked_sub(2).and_then(|at| tokens.get(at)).is_some_and(|token| {
            token.is_one_of(&["this", "that", "a", "an", "each", "every", "which", "no", "any"])
        });
        // "a function hms in time.sh"
        let is_placed = tokens.get(at + 1).is_some_and(|token| token.is_one_of(&["in", "to"]))
            && tokens.get(at + 2).is_some_and(|token| super::paths::is_path(token.text));
        let is_english = NOT_BEHIND_KIND.has(lower) || is_inflected || is_plural || is_pointed && !is_placed;
        // "the type name" has its kind behind it, or is no name at all.
        return (is_called || is_capital || !is_english).then_some(name).filter(|_| kind_of(token).is_none());
    }
    let starts = before.is_none_or(|before| before.kind == Kind::Mark || before.sentence != token.sentence);
    let is_led = before.is_some_and(|before| before.is_one_of(&["the", "our", "my", "in", "of", "from"]));
    let is_english = NOT_BEFORE_KIND.has(lower) || OPENERS.has(lower) || kind_of(token).is_some();
    let is_adjective = ["ing", "ed", "ly", "able", "al", "ive", "ic"]
        .iter()
        .any(|end| lower.ends_with(end) && lower.len() > 5);
    let is_name = is_capital && !starts || is_led && !is_capital && !is_adjective;
    (is_name && !is_english).then_some(name)
}

/// The files that a token names. A place in a file (`cart.py:12`) is noted as well.
fn paths_of(token: &Token<'_>, locations: &mut Vec<Location>) -> Vec<String> {
    if matches!(token.kind, Kind::Mark | Kind::Call) {
        return Vec::new();
    }
    let text = without_possessive(token.text);
    // "tests/test_cart.py::test_total"
    let text = text.split("::").next().filter(|path| super::paths::is_path(path)).unwrap_or(text);
    if super::paths::is_path(text) {
        return vec![text.to_owned()];
    }
    let mut parts = text.split(':');
    let path = parts.next().unwrap_or("");
    let line = parts.next().and_then(|line| line.parse().ok());
    if let Some(line) = line.filter(|_| super::paths::is_path(path) && locations.len() < ENTRIES_MAX) {
        let column = parts.next().and_then(|column| column.parse().ok());
        locations.push(Location {
            path: path.to_owned(),
            line,
            column,
            severity: Severity::Named,
            message: None,
        });
        return vec![path.to_owned()];
    }
    if token.kind == Kind::Backticks && text.contains(' ') {
        // "`python3 tests.py`"
        return text
            .split_whitespace()
            .filter(|word| super::paths::is_path(word))
            .map(str::to_owned)
            .collect();
    }
    Vec::new()
}

/// The message of an error that is to be raised: `ValueError("too low")`.
fn exception_message<'a>(token: &Token<'a>) -> Option<&'a str> {
    let (name, arguments) = token.text.split_once('(')?;
    let arguments = arguments.strip_suffix(')').filter(|_| is_exception(name))?;
    let quote = arguments.chars().next().filter(|sign| matches!(sign, '"' | '\''))?;
    let message = arguments.strip_prefix(quote)?.strip_suffix(quote)?;
    is_text(message).then_some(message).filter(|message| !message.is_empty() && !message.contains(quote))
}

/// The test that pytest names with its file: `tests/test_cart.py::test_total`.
fn test_name(token: &Token<'_>) -> Option<Name> {
    let (path, name) = token.text.split_once("::")?;
    let name = name.rsplit("::").next().unwrap_or(name);
    let is_name = super::paths::is_path(path) && is_identifier(name);
    is_name.then(|| Name {
        text: name.to_owned(),
        form: Form::Snake,
        kind: None,
        role: Role::Subject,
        sentence: token.sentence,
    })
}

/// The options that a token names: `-v/--verbose` are two.
fn options_of(token: &Token<'_>) -> Vec<String> {
    match token.kind {
        Kind::Word => token.text.split(['/', '|']).filter_map(option).collect(),
        Kind::Backticks => token.text.split([' ', '/', '|', ',']).filter_map(option).collect(),
        Kind::Quoted => option(token.text).into_iter().collect(),
        Kind::Call | Kind::Mark => Vec::new(),
    }
}

fn option(text: &str) -> Option<String> {
    let text = text.split('=').next()?;
    let name = text
        .strip_prefix("--")
        .or_else(|| text.strip_prefix('-').filter(|name| name.chars().count() == 1))?;
    let is_name = name.starts_with(|sign: char| sign.is_alphabetic())
        && name.chars().all(|sign| sign.is_alphanumeric() || sign == '-' || sign == '_');
    is_name.then(|| text.to_owned())
}
