//! What is read from a user's message. Each case is a message and what came of it; empty lists are left out.

use bowline_core::task::{self, Form, Role, Severity};
use proptest::prelude::*;
use std::fmt::Write as _;

fn rendered(text: &str) -> String {
    let text = text.trim_end_matches('\n');
    let mut rendered = String::new();
    rendered.push_str(if task::asks_for_change(text) { "change" } else { "no change" });
    if task::asks_for_tests(text) {
        rendered.push_str(", tests");
    }
    rendered.push('\n');
    let wording = task::read(text);
    let names: Vec<String> = wording.names.iter().map(rendered_name).collect();
    line(&mut rendered, "names", &names.join(", "));
    line(&mut rendered, "paths", &wording.paths.join(", "));
    let run = wording.command_paths.iter().filter(|path| !wording.paths.contains(path));
    line(&mut rendered, "run with", &run.cloned().collect::<Vec<_>>().join(", "));
    line(&mut rendered, "options", &wording.options.join(", "));
    line(&mut rendered, "quoted", &wording.quoted.join(" | "));
    line(&mut rendered, "shown", &wording.literals.join(" | "));
    line(&mut rendered, "excluded", &wording.excluded.join(", "));
    for rename in &wording.renames {
        let place = told_place(rename.path.as_deref());
        line(&mut rendered, "rename", &format!("{} -> {}{place}", rename.from, rename.to));
    }
    let removals = wording.removals.iter();
    let removals = removals.map(|removal| format!("{}{}", removal.name, told_place(removal.path.as_deref())));
    line(&mut rendered, "remove", &removals.collect::<Vec<_>>().join(", "));
    if wording.sole_rename_or_removal {
        rendered.push_str("and nothing else\n");
    }
    if wording.removes_helpers {
        rendered.push_str("with what only they need\n");
    }
    if wording.renames_in_comments {
        rendered.push_str("in comments, too\n");
    }
    for value in &wording.values {
        rendered.push_str(&format!("value: {} -> {}\n", value.from, value.to));
    }
    for frame in &wording.frames {
        let owner = frame.owner.as_ref().map_or(String::new(), |owner| format!("{owner} / "));
        let function = frame.function.as_deref().unwrap_or("-");
        line(&mut rendered, "frame", &format!("{}:{} {owner}{function}", frame.path, frame.line));
    }
    line(&mut rendered, "error", wording.error.as_deref().unwrap_or(""));
    for location in &wording.locations {
        let column = location.column.map_or(String::new(), |column| format!(":{column}"));
        let severity = match location.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Named => "named",
        };
        let message = location.message.as_deref().unwrap_or("");
        let place = format!("{}:{}{column} {severity} {message}", location.path, location.line);
        line(&mut rendered, "location", place.trim_end());
    }
    for example in &wording.examples {
        line(&mut rendered, "example", &format!("{} is {}", example.call, example.expected));
    }
    line(&mut rendered, "after", &wording.causes.join(", "));
    rendered
}

fn told_place(path: Option<&str>) -> String {
    path.map_or(String::new(), |path| format!(" in {path}"))
}

fn line(rendered: &mut String, label: &str, text: &str) {
    if !text.is_empty() {
        let _ = writeln!(rendered, "{label}: {text}");
    }
}

fn rendered_name(name: &task::Name) -> String {
    let form = match name.form {
        Form::Snake => "snake",
        Form::Camel => "camel",
        Form::Call => "call",
        Form::Backticks => "backticks",
        Form::Qualified => "qualified",
        Form::Kinded => "kinded",
        Form::Constant => "constant",
        Form::Capitals => "capitals",
    };
    let role = match name.role {
        Role::Subject => "",
        Role::Means => ", means",
        Role::Symptom => ", symptom",
    };
    let kind = name.kind.as_ref().map_or(String::new(), |kind| format!(" {kind}"));
    format!("{} ({form}{kind}{role})", name.text)
}

#[test]
fn messages() {
    crate::cases::check("task.cases", rendered);
}

/// The first line is the message, the others are names; what comes of it are its words and the score of each name.
#[test]
fn words_and_scores() {
    crate::cases::check("task_words.cases", |input| {
        let (message, names) = input.split_once('\n').unwrap_or((input, ""));
        let words = task::words(message);
        let mut rendered = format!("{}\n", words.join(" "));
        for name in names.lines() {
            let _ = writeln!(rendered, "{name}: {}", task::score(&words, name));
        }
        rendered
    });
}

/// Pieces that the rules look for, so that random texts reach the deep ones.
const PIECES: &[&str] = &[
    "rename ",
    "to ",
    "`a_b`",
    "remove ",
    "don't touch ",
    "the function ",
    "File \"a.py\", line 3, in f",
    "\n",
    "    ",
    "at f (a.js:1:2)",
    "```",
    "\"",
    "'",
    "(",
    ")",
    "panic: ",
    "goroutine 1 [running]:",
    "thread 'main' panicked at ",
    "src/a.rs:1:2:",
    "should be ",
    "instead of ",
    "-> ",
    "é",
    "\u{2019}",
    "::",
    ".",
    ", ",
    "and ",
    "it ",
    "#0 a.php(3): f()",
    "name of ",
    "called ",
    "--> ",
    "error: ",
    "1: ",
    "\t",
    "f(1) ",
    "E   ",
    ": line 3: ",
    "be removed",
    "`",
];

proptest! {
    #[test]
    fn any_text_has_an_answer(text in "(?s).{0,400}") {
        rendered(&text);
    }

    #[test]
    fn any_pieces_have_an_answer(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..60)) {
        rendered(&pieces.concat());
    }

    #[test]
    fn what_is_excluded_is_named_nowhere(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..60)) {
        let wording = task::read(&pieces.concat());
        for excluded in &wording.excluded {
            prop_assert!(wording.names.iter().all(|name| name.text != *excluded));
            prop_assert!(!wording.paths.contains(excluded));
            prop_assert!(wording.renames.iter().all(|rename| rename.from != *excluded));
            prop_assert!(wording.removals.iter().all(|removal| removal.name != *excluded));
        }
    }
}

/// A message of a mebibyte takes no longer in relation to its length than a short one; a quadratic rule would take hours.
#[test]
fn long_messages_are_read_in_linear_time() {
    for piece in PIECES {
        let text = piece.repeat(1024 * 1024 / piece.len());
        task::read(&text);
        task::asks_for_change(&text);
        task::words(&text);
    }
}
