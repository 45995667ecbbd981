//! Reads what a user's message says about the work to be done: what is asked for, and what the words name.
//!
//! It works on the text alone. It knows neither the project nor the model, so it can't say whether a name exists. Any
//! text has an answer, in time that grows with its length, and every list has a bound.

mod asks;
mod code_errors;
mod commands;
mod corrections;
mod examples;
mod excluded;
mod failures;
mod lines;
mod marks;
mod named_check;
mod names;
mod orders;
pub(crate) mod paths;
mod rank;
mod references;
mod roles;
mod signs;
mod tokens;
pub(crate) mod traces;
mod unused;
mod values;
mod vocabulary;

use crate::failure::Assertion;
use crate::place;

pub use asks::{asks_for_change, asks_for_tests, forbids_change, may_ask_for_change, says_what_to_change};
pub use code_errors::{CodeError, ErrorSource};
pub use corrections::Correction;
pub use failures::speaks_of_failure;
pub use marks::marked;
pub use named_check::{forbids_check, named_check};
pub use rank::{consists_of, score, words};

/// What a user's message says, word by word, about what is to be done. Names come from what was typed; pasted code and
/// output give only frames, an error and locations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wording {
    /// What the message means as names of code, in its order, each once.
    pub names: Vec<Name>,
    /// The files it names, as they are written. Of those in commands only the script counts, and only if nothing else is named.
    pub paths: Vec<String>,
    /// The files of the commands in it: `python3 main.py data.txt`.
    pub command_paths: Vec<String>,
    /// The command-line options it names: `--verbose`, `-v`.
    pub options: Vec<String>,
    /// Texts in quotation marks that are neither names nor files.
    pub quoted: Vec<String>,
    /// Those of them that the program is to show as they are: "print the error "no name given"".
    pub literals: Vec<String>,
    /// Names and files that are to stay as they are. They are in none of the other lists.
    pub excluded: Vec<String>,
    /// Renames that are spelled out with both names.
    pub renames: Vec<Rename>,
    /// Whole definitions whose removal is spelled out.
    pub removals: Vec<Removal>,
    /// The frames of tracebacks, the outermost first.
    pub frames: Vec<Frame>,
    /// The error that such a traceback ends with.
    pub error: Option<String>,
    /// Lines of files that a compiler, a linter or the user names.
    pub locations: Vec<Location>,
    /// Calls with the value that they are to have.
    pub examples: Vec<Example>,
    /// Numbers that are changed in so many words.
    pub values: Vec<ValueChange>,
    /// The verbs of what leads to a fault: `move` in "when I move a part".
    pub causes: Vec<String>,
    /// Whether the renames and removals are all that the message asks for.
    pub sole_rename_or_removal: bool,
    /// Whether the renames are to change every mention in a comment, too.
    pub renames_in_comments: bool,
    /// Whether what only the removed definitions need is to go with them.
    pub removes_helpers: bool,
}

/// "From 30 to 100".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueChange {
    pub from: String,
    pub to: String,
    /// The unit of time that both are in, if the message says one: `week`.
    pub unit: Option<&'static str>,
}

impl ValueChange {
    /// How many of each smaller unit of time make one of its own: a week is 7 days, 168 hours and so on.
    pub fn smaller_units(&self) -> Vec<u64> {
        self.unit.map(values::smaller_units).unwrap_or_default()
    }
}

/// A name of code, as the message writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The name without parentheses and backticks. A qualified one keeps its parts: `Cart.total`.
    pub text: String,
    pub form: Form,
    /// The kind that the message gives it, in the singular: `function`, `enum`.
    pub kind: Option<String>,
    pub role: Role,
    /// The number of the sentence it is first in.
    pub sentence: usize,
}

/// What a name is to the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// What is to be changed or made, or what a fault is in.
    Subject,
    /// Something to work with: "with `WIDTH`", "like `total`".
    Means,
    /// Where a fault shows: "quantity() says 16 instead of 10".
    Symptom,
}

impl Name {
    /// The last part of the name: `total` of `Cart.total`.
    pub fn last(&self) -> &str {
        references::last_part(&self.text)
    }
}

/// Why a word counts as a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `load_rows`
    Snake,
    /// `loadRows`, `LoadRows`
    Camel,
    /// `load()`
    Call,
    /// A name in backticks.
    Backticks,
    /// `Cart.total`, `Cart::total`
    Qualified,
    /// "enum Color", "the load function"
    Kinded,
    /// `MAX_ITEMS`
    Constant,
    /// `WIDTH`, which may as well be an abbreviation such as `JSON`.
    Capitals,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rename {
    /// The old name, qualified if the message qualifies it.
    pub from: String,
    /// The new name, never qualified.
    pub to: String,
    /// The file that the order names: "in cart.py".
    pub path: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    /// The name, qualified if the message qualifies it.
    pub name: String,
    /// The file that the order names, or that a compiler's warning is about.
    pub path: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    pub path: String,
    pub line: u32,
    /// The function, without the type or module it belongs to.
    pub function: Option<String>,
    /// The type or module it belongs to.
    pub owner: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    pub path: String,
    pub line: u32,
    pub column: Option<u32>,
    pub severity: Severity,
    pub message: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
    /// The user's own words name the line.
    Named,
}

/// What the output of a program says about the code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Output {
    /// The frames of tracebacks, the outermost first.
    pub frames: Vec<Frame>,
    pub locations: Vec<Location>,
    /// The error, with the lines below it that show its values.
    pub error: Option<String>,
    /// What is wrong with single lines of code.
    pub code_errors: Vec<CodeError>,
    /// Lines as a compiler suggests them.
    pub corrections: Vec<Correction>,
    /// The ids of the tests that failed.
    pub tests: Vec<String>,
    /// The values of the first assertion that failed.
    pub values: Option<Assertion>,
    /// The words of the first lines that say what failed: `FAILED: human 1024 is 1024B, expected 1.0K`.
    pub words: Vec<String>,
}

/// "`f(2)` should be 4".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    pub call: String,
    pub expected: String,
}

/// Reads a message.
pub fn read(text: &str) -> Wording {
    let parts = lines::parts(text);
    let tokens = tokens::tokens(&parts.lines);
    let mut excluded = excluded::excluded(&tokens);
    let unused = unused::unused(&parts.lines);
    let orders = orders::orders(&tokens, &excluded, &unused);
    excluded.allow(&orders.renames, &orders.removals);
    excluded::exclude_namesakes(&mut excluded, &tokens, &orders.renames, &orders.removals);
    let mut wording = names::named(&tokens, &excluded);
    wording.frames = parts.traces.frames;
    wording.error = parts.traces.error;
    wording.locations.splice(0..0, parts.traces.locations);
    wording.examples = examples::examples(&tokens);
    wording.values = values::value_changes(&tokens);
    wording.causes = roles::causes(&tokens);
    let has_other_wishes =
        !wording.examples.is_empty() || !wording.frames.is_empty() || !wording.options.is_empty();
    wording.sole_rename_or_removal = orders.is_sole && !has_other_wishes;
    let is_ordered = |text: &String| {
        orders.removals.iter().any(|removal| removal.name == *text)
            || orders.renames.iter().any(|rename| rename.from == *text || rename.to == *text)
    };
    // The value of an example is computed; it need not be written into the code.
    let is_value = |text: &str| {
        wording.examples.iter().any(|example| example.expected.trim_matches(['"', '\'']) == text)
    };
    wording.quoted.retain(|text| !is_ordered(text) && !is_value(text));
    wording.literals.retain(|text| wording.quoted.contains(text));
    wording.renames_in_comments = orders.is_in_comments && !orders.renames.is_empty();
    wording.removes_helpers = orders.has_helpers && !orders.removals.is_empty();
    wording.renames = orders.renames;
    wording.removals = orders.removals;
    wording
}

/// Reads the output of a command.
pub fn read_output(text: &str) -> Output {
    let traces = lines::parts(text).traces;
    let error = traces.error.as_deref().map(|error| with_values(text, error));
    let code_errors =
        code_errors::code_errors(text, &traces.locations, &traces.frames, traces.error.as_deref());
    let corrections = corrections::corrections(&code_errors);
    Output {
        frames: traces.frames,
        locations: traces.locations,
        error,
        code_errors,
        corrections,
        tests: Vec::new(),
        values: None,
        words: failed_words(text),
    }
}

/// Lines of an output that say what failed, as far as they are looked at.
const FAILED_LINES_MAX: usize = 5;
/// How such a line begins, in lower case.
const FAILED_STARTS: [&str; 6] = ["fail", "not ok", "error", "expected", "wrong", "mismatch"];

fn failed_words(text: &str) -> Vec<String> {
    let says_failed = |line: &&str| {
        let line = line.trim_start_matches(|sign: char| !sign.is_alphabetic()).to_lowercase();
        FAILED_STARTS.iter().any(|start| line.starts_with(start))
    };
    text.lines().filter(says_failed).take(FAILED_LINES_MAX).flat_map(place::identifiers).collect()
}

/// Lines below an error that may show its values.
const VALUE_LINES_MAX: usize = 3;

/// An error of an output together with the lines below it that show its values: `left: 3`, `3 !== 4`.
fn with_values(text: &str, error: &str) -> String {
    let first = error.lines().next().unwrap_or_default();
    let below = text.lines().skip_while(|line| !line.contains(first)).skip(1);
    let is_value = |line: &&str| {
        let line = line.trim();
        !["at ", "note:", "stack ", "File ", "thread '", "---"].iter().any(|start| line.starts_with(start))
    };
    let values = below.filter(|line| !line.trim().is_empty()).take(VALUE_LINES_MAX).take_while(is_value);
    std::iter::once(error).chain(values.map(str::trim_end)).collect::<Vec<_>>().join("\n")
}

/// The message as a request for new code shows it: with the error of a pasted traceback instead of its frames, and with
/// backticks around signs that are meant as values. A message that was pasted as a whole stays as it is.
pub fn as_request(text: &str) -> String {
    let parts = lines::parts(text);
    if parts.traces.frames.is_empty() && parts.lines.iter().all(lines::Line::is_typed) {
        return signs::marked(text);
    }
    if parts.traces.frames.is_empty() {
        return text.to_owned();
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut has_error = false;
    for (line, is_output) in parts.lines.iter().zip(&parts.traces.is_output) {
        let is_pasted = *is_output || !line.is_typed();
        match &parts.traces.error {
            Some(error) if is_pasted && !has_error => {
                kept.push(error);
                has_error = true;
            }
            _ if is_pasted => {}
            _ => kept.push(line.text),
        }
    }
    let is_typed = parts.lines.iter().any(|line| line.is_typed() && !line.text.trim().is_empty());
    if is_typed { signs::marked(kept.join("\n").trim()) } else { text.to_owned() }
}
