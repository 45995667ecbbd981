//! The request for the new text of a place, and the answer to it: one code fence.
//!
//! The request is a short prompt of its own and not a part of the conversation: what a small model sees it copies, and a
//! prompt of two hundred tokens is read in a fraction of the time.

use crate::agenda::{Order, Reason, Showing, Writing};
use crate::failure::Assertion;
use crate::place::{Change, PlaceText};
use crate::prompts;
use crate::tools;

mod advice;
mod assertion;
mod lines;
mod sample_texts;
mod variants;

pub use lines::whole;
pub use variants::decided;

/// Lines of tests or of other code that show how something is called.
const EXAMPLE_LINES_MAX: usize = 3;

/// What the turn has done so far, as far as the next text depends on it.
#[derive(Debug, Default)]
pub struct Done {
    /// The names of the definitions that were changed.
    pub changed: Vec<String>,
    pub added: Vec<AddedDefinition>,
}

/// A definition that the turn has added.
#[derive(Debug, Clone)]
pub struct AddedDefinition {
    pub path: String,
    /// Its signature.
    pub head: String,
}

/// The prompt for the new text of a place.
pub fn prompt(task: &str, writing: &Writing, place: &PlaceText, done: &Done) -> String {
    let Writing { order, showing, reason, .. } = writing;
    let is_repair = matches!(reason, Reason::Failed { .. });
    let template = match (order.change, *showing) {
        (Change::AddAfter, _) => prompts::ADD_AFTER,
        (Change::Create, _) => prompts::CREATE,
        (_, Showing::Head) if place.hidden.is_some() && is_repair => prompts::REPAIR_HIDDEN,
        (_, Showing::Head) if place.hidden.is_some() => prompts::REWRITE_HIDDEN,
        _ if is_repair => prompts::REPAIR,
        _ if lines::last_sibling(writing, &place.text).is_some() => prompts::NEW_LINE,
        _ => prompts::REWRITE,
    };
    let lines = |lead: &str, lines: &[String]| match lines {
        [] => String::new(),
        lines => format!("\n{lead}\n```{}\n{}\n```\n", place.language, lines.join("\n")),
    };
    let label = match &order.place.name {
        Some(name) => format!("{name} in {}", order.place.path),
        None => order.place.path.clone(),
    };
    // With its text shown, a place says itself what it uses: only what has changed since is news.
    let is_shown = |signature: &&String| {
        *showing == Showing::Head || done.changed.iter().any(|name| mentions(signature, name))
    };
    let is_elsewhere = |added: &&AddedDefinition| added.path != order.place.path;
    let added: Vec<String> = done.added.iter().filter(is_elsewhere).map(|added| added.head.clone()).collect();
    let signatures = place.signatures.iter().filter(is_shown).cloned();
    let signatures: Vec<String> = place.constants.iter().cloned().chain(signatures).collect();
    // Where nothing can be hidden, the text is shown again.
    let is_copied = *showing == Showing::Head && place.hidden.is_none() && order.change == Change::Rewrite;
    let called_lines = match reason {
        // What is wrong with a result shows where it is used.
        Reason::Crashed { .. } => lines("It is called like this:", head(&place.call_lines)),
        Reason::Failed { statement, .. } if statement.is_empty() && *showing == Showing::Text => {
            lines("Tests call it like this:", head(&place.test_lines))
        }
        _ => String::new(),
    };
    let fills = [
        ("{task}", task.trim().to_owned()),
        ("{place}", label),
        ("{name}", order.place.own_name().unwrap_or("it").to_owned()),
        ("{what}", what(order, place)),
        ("{file}", order.place.path.clone()),
        ("{language}", place.language.clone()),
        ("{text}", place.text.trim_end().to_owned()),
        ("{hidden}", place.hidden.clone().unwrap_or_default()),
        (
            "{signatures}",
            lines("It can use:", &signatures)
                + &lines("This is written already, in another file. Use it, do not define it again:", &added)
                + &called_lines
                + dialect(&place.language),
        ),
        ("{tests}", lines("Tests call it like this:", &place.test_lines)),
        (
            "{reason}",
            match reason {
                Reason::Failed { .. } => failed(reason, order.place.own_name(), task, &place.language),
                _ if is_copied => explained(&Reason::Unchanged, "", task),
                _ => explained(reason, &place.language, task),
            },
        ),
        ("{new}", new_names(reason, &place.language)),
    ];
    fill(template.trim(), &fills)
}

/// What is to be written: a definition by its name, so that the model does not write the one that the task speaks of.
fn what(order: &Order, place: &PlaceText) -> String {
    match order.place.own_name() {
        Some(name) if place.hidden.is_some() => format!("`{name}`"),
        _ => "this code".to_owned(),
    }
}

/// Lines that are shown as examples.
fn head(lines: &[String]) -> &[String] {
    lines.get(..EXAMPLE_LINES_MAX).unwrap_or(lines)
}

/// Whether a text that is to repair a crash, or to call what has other parameters now, leaves the parameters of its own function
/// and the type of its result as they are. A small model hands a crash, and a new parameter, on to the callers.
pub fn keeps_signature(writing: &Writing, old: &str, new: &str) -> bool {
    let is_bound = matches!(writing.reason, Reason::Crashed { .. } | Reason::Caller { .. });
    let Some(name) = writing.order.place.own_name().filter(|_| is_bound) else { return true };
    let defines = |line: &&str| {
        let is_opened = line.trim_end().ends_with(['{', ':']);
        let words: Vec<&str> = line.split(|sign: char| !sign.is_alphanumeric() && sign != '_').collect();
        is_opened && line.contains(&format!("{name}(")) && words.contains(&name)
    };
    let plain = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    // A definition of another form, such as one on a single line, is not looked at.
    let signature = old.lines().find(defines).map(plain);
    signature.is_none_or(|signature| new.lines().any(|line| plain(line) == signature))
}

/// Whether a text that is to repair a crash changes anything that runs before the line that crashed, or that line itself.
pub fn can_avoid_crash(writing: &Writing, old: &str, new: &str) -> bool {
    let Reason::Crashed { line } = &writing.reason else { return true };
    let plain = |text: &str| -> Vec<String> {
        let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        lines.filter(|line| !line.is_empty()).collect()
    };
    let (old, new) = (plain(old), plain(new));
    let statement = plain(line);
    let Some(first) = statement.first() else { return true };
    let Some(first) = old.iter().rposition(|line| line == first) else { return true };
    let at = first + statement.len() - 1;
    let Some(until) = old.get(..=at) else { return true };
    // What stands in front of a definition may be missing in an answer.
    let is_same = |start: usize| new.get(..=at - start) == until.get(start..);
    !(0..=at).any(|start| is_same(start) && start <= FRONT_LINES_MAX)
}

/// Whether a text that is to repair a crash ends in another crash instead: a small model replaces `unwrap` by `panic!`. What the
/// message itself asks for is no such thing.
pub fn adds_crash(writing: &Writing, task: &str, old: &str, new: &str) -> bool {
    let is_crash = match &writing.reason {
        Reason::Crashed { .. } => true,
        Reason::Failed { error, .. } => {
            let error = error.to_lowercase();
            !error.is_empty() && !ASSERTIONS.iter().any(|word| error.contains(word))
        }
        _ => false,
    };
    let count = |text: &str| CRASHES.iter().map(|crash| text.matches(crash).count()).sum::<usize>();
    let task = task.to_lowercase();
    let is_asked = ["raise", "throw", "panic on", "reject", "refuse"].iter().any(|word| task.contains(word));
    is_crash && !is_asked && count(new) > count(old)
}

/// How code ends a program or hands an error on.
const CRASHES: [&str; 6] = ["panic!(", ".expect(", "unreachable!(", "raise ", "throw ", "process.exit("];
/// How an assertion that failed reads, in lower case.
const ASSERTIONS: [&str; 4] = ["assert", "expected", "left: ", "!=="];

/// Lines of comments and decorators in front of a definition.
const FRONT_LINES_MAX: usize = 10;

/// The new variants of a type as code refers to them.
fn qualified(of: &str, new: &[String], language: &str) -> Vec<String> {
    let join = if matches!(language, "rust" | "cpp" | "php") { "::" } else { "." };
    new.iter().map(|name| format!("{of}{join}{name}")).collect()
}

fn new_names(reason: &Reason, language: &str) -> String {
    match reason {
        Reason::Variants { of, new, .. } => qualified(of, new, language).join(", "),
        _ => String::new(),
    }
}

/// Why the place is to be changed and what is easily overlooked, each in a paragraph of its own; empty where the task says it all.
fn explained(reason: &Reason, language: &str, task: &str) -> String {
    let paragraphs = [sample_texts::note(task), why(reason, language, task)];
    paragraphs.into_iter().flatten().map(|text| format!("{text}\n\n")).collect()
}

/// Why the place is to be changed; none where the task says it.
fn why(reason: &Reason, language: &str, task: &str) -> Option<String> {
    let quoted =
        |names: &[String]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let advised = |error: &str, line: &str| {
        advice::advice(error, line, language).map_or(String::new(), |advice| format!("\n{advice}"))
    };
    Some(match reason {
        Reason::Task | Reason::Failed { .. } => return None,
        Reason::Caller { of } => {
            format!("`{of}` is already done and has other parameters now. Write this code so that it fits.")
        }
        Reason::Variants { of, new, .. } => {
            let full = quoted(&qualified(of, new, language));
            format!(
                "`{of}` already has {full}, and this code does not handle it yet. The lines for the others stay as they are."
            )
        }
        Reason::Unchanged => {
            "An earlier answer repeated the code as it is. Something in it has to change.".to_owned()
        }
        Reason::Refused { refusal } => match lost_call(refusal) {
            Some(name) => format!("The new code still has to call `{name}`, as the code above does."),
            None => format!("An earlier answer was refused: {refusal}"),
        },
        Reason::Crashed { line } => format!(
            "It crashes here:\n```{language}\n{}\n```{}\nIts parameters and the type of its result stay.",
            line.trim_end(),
            advised(task, line)
        ),
        Reason::Broken { line, error } => {
            let line = line.trim();
            let shown =
                if line.is_empty() || error.contains(line) { String::new() } else { format!("{line}\n") };
            format!(
                "It does not work yet, because of this error in it:\n```\n{shown}{}\n```{}",
                error.trim_end(),
                advised(error, line)
            )
        }
        Reason::Missing { texts } => format!("This is not in the code yet and has to be: {}.", quoted(texts)),
    })
}

/// The function that an earlier answer no longer called.
fn lost_call(refusal: &str) -> Option<&str> {
    refusal.split_once(tools::LOST_CALL)?.1.split('`').next()
}

/// What fails, for a request that repairs it. The user's words are left out where they say only that something fails: they
/// make a small model repeat the code as it is.
fn failed(reason: &Reason, name: Option<&str>, task: &str, language: &str) -> String {
    let Reason::Failed { statement, error, values } = reason else { return String::new() };
    let code = |text: &str| format!("```{language}\n{}\n```", text.trim_end());
    let plain = |text: &str| format!("```\n{}\n```", text.trim_end());
    let expectation = name.and_then(|name| assertion::expectation(statement, name));
    let what = match (&expectation, values) {
        (Some(expectation), _) => assertion::sentence(expectation, values.as_ref()),
        (None, _) if statement.is_empty() && error.is_empty() => String::new(),
        (None, _) if statement.is_empty() => format!("This fails:\n{}", plain(error)),
        (None, None) => format!("This fails:\n{}", code(statement)),
        (None, Some(Assertion { expected, actual })) => {
            format!("This fails:\n{}\nThe result is {actual}, and it has to be {expected}.", code(statement))
        }
    };
    let is_telling = task.split_whitespace().count() > TASK_WORDS_MIN || what.is_empty();
    let task = if is_telling { format!("The user says: {}\n\n", task.trim()) } else { String::new() };
    let what = if what.is_empty() { what } else { format!("{what}\n\n") };
    format!("{task}{what}")
}

/// A shorter message about a failure says nothing about the code: "cargo test fails, can you fix it please?"
const TASK_WORDS_MIN: usize = 12;

/// What a small model forgets about a language.
fn dialect(language: &str) -> &'static str {
    if language == "sh" { "\nThe script runs in a plain POSIX sh, where there is no `[[`.\n" } else { "" }
}

/// Whether a signature has this name as a whole word.
fn mentions(signature: &str, name: &str) -> bool {
    signature.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

/// Puts the values into the template, from left to right, so that a value is never searched for another one's mark.
fn fill(template: &str, fills: &[(&str, String)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        let (before, from) = rest.split_at(at);
        text.push_str(before);
        match fills.iter().find_map(|(mark, value)| Some((from.strip_prefix(mark)?, value))) {
            Some((after, value)) => {
                text.push_str(value);
                rest = after;
            }
            None => {
                text.push('{');
                rest = from.get(1..).unwrap_or_default();
            }
        }
    }
    text.push_str(rest);
    text
}

/// An answer as far as it has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fenced<'a> {
    /// No fence was opened.
    None,
    /// The fence is open: the text so far.
    Open(&'a str),
    /// The fence is closed: nothing after it counts.
    Closed(&'a str),
}

/// The first code fence of an answer. A fence inside it, such as an example in a comment, is indented or has a language.
pub fn fenced(answer: &str) -> Fenced<'_> {
    let Some((open, mark)) = opening(answer) else { return Fenced::None };
    let body = answer.get(open..).unwrap_or_default();
    let mut at = 0;
    for line in body.split_inclusive('\n') {
        let bare = line.trim_end();
        // A line that has not ended yet may go on with a language.
        let is_whole = line.ends_with('\n') || bare.len() > mark.len();
        if bare == mark && (is_whole || at + line.len() == body.len()) {
            return Fenced::Closed(body.get(..at).unwrap_or_default());
        }
        at += line.len();
    }
    Fenced::Open(body)
}

/// Where the text of the first fence begins, and the mark that closes it.
fn opening(answer: &str) -> Option<(usize, &str)> {
    let mut at = 0;
    for line in answer.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let ticks = trimmed.len() - trimmed.trim_start_matches('`').len();
        if ticks >= 3 && line.ends_with('\n') {
            let start = at + (line.len() - trimmed.len());
            return Some((at + line.len(), answer.get(start..start + ticks)?));
        }
        at += line.len();
    }
    None
}

/// The code in an answer: what its fence holds, or all of it where there is none.
pub fn code(answer: &str) -> &str {
    match fenced(answer) {
        Fenced::Open(text) | Fenced::Closed(text) => text,
        Fenced::None => answer,
    }
}
