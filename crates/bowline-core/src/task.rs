//! Reads what a user's message says about the work to be done: what is asked for, and what the words name.
//!
//! It works on the text alone. It knows neither the project nor the model, so it can't say whether a name exists. Any
//! text has an answer, in time that grows with its length, and every list has a bound.

mod asks;
mod examples;
mod excluded;
mod lines;
mod names;
mod orders;
mod paths;
mod rank;
mod references;
mod tokens;
mod traces;
mod vocabulary;

pub use asks::{asks_for_change, asks_for_tests};
pub use rank::{score, words};

/// What a user's message says, word by word, about what is to be done. Names come from what was typed; pasted code and
/// output give only frames, an error and locations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wording {
    /// What the message means as names of code, in its order, each once.
    pub names: Vec<Name>,
    /// The files it names, as they are written.
    pub paths: Vec<String>,
    /// The command-line options it names: `--verbose`, `-v`.
    pub options: Vec<String>,
    /// Texts in quotation marks that are neither names nor files.
    pub quoted: Vec<String>,
    /// Names and files that are to stay as they are. They are in none of the other lists.
    pub excluded: Vec<String>,
    /// Renames that are spelled out with both names.
    pub renames: Vec<Rename>,
    /// Whole definitions whose removal is spelled out.
    pub removals: Vec<String>,
    /// The frames of tracebacks, the outermost first.
    pub frames: Vec<Frame>,
    /// The error that such a traceback ends with.
    pub error: Option<String>,
    /// Lines of files that a compiler, a linter or the user names.
    pub locations: Vec<Location>,
    /// Calls with the value that they are to have.
    pub examples: Vec<Example>,
    /// Whether the renames and removals are all that the message asks for.
    pub sole_rename_or_removal: bool,
}

/// A name of code, as the message writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The name without parentheses and backticks. A qualified one keeps its parts: `Cart.total`.
    pub text: String,
    pub form: Form,
    /// The kind that the message gives it, in the singular: `function`, `enum`.
    pub kind: Option<String>,
    /// The number of the sentence it is first in.
    pub sentence: usize,
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
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rename {
    /// The old name, qualified if the message qualifies it.
    pub from: String,
    /// The new name, never qualified.
    pub to: String,
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
    let excluded = excluded::excluded(&tokens);
    let mut wording = names::named(&tokens, &excluded);
    wording.frames = parts.traces.frames;
    wording.error = parts.traces.error;
    wording.locations.splice(0..0, parts.traces.locations);
    wording.examples = examples::examples(&tokens);
    let orders = orders::orders(&tokens, &excluded);
    let has_other_wishes =
        !wording.examples.is_empty() || !wording.frames.is_empty() || !wording.options.is_empty();
    wording.sole_rename_or_removal = orders.is_sole && !has_other_wishes;
    let is_ordered = |text: &String| {
        orders.removals.contains(text)
            || orders.renames.iter().any(|rename| rename.from == *text || rename.to == *text)
    };
    // The value of an example is computed; it need not be written into the code.
    let is_value = |text: &str| {
        wording.examples.iter().any(|example| example.expected.trim_matches(['"', '\'']) == text)
    };
    wording.quoted.retain(|text| !is_ordered(text) && !is_value(text));
    wording.renames = orders.renames;
    wording.removals = orders.removals;
    wording
}
