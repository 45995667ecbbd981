//! Places: the parts of a project that a model can choose to change, and what a survey of the project tells about them.
//!
//! A survey is made by the host for one decision and is never stored. What a step offers to the model is stored with that
//! step, so that the log alone gives the same request again.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::task::{Correction, ValueChange};

/// A definition, a part of a text, or a whole file.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    /// Relative to the work tree.
    pub path: String,
    /// The name within the file, with its containers: `Cart.total`. None for the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Place {
    pub fn file(path: impl Into<String>) -> Place {
        Place { path: path.into(), name: None }
    }

    /// As the model chooses it from a list: `src/cart.py: Cart.total`.
    pub fn label(&self) -> String {
        match &self.name {
            Some(name) => format!("{}: {name}", self.path),
            None => self.path.clone(),
        }
    }

    /// Whether another place is this one, or lies inside it.
    pub fn holds(&self, other: &Place) -> bool {
        let is_inside = match (&self.name, &other.name) {
            (None, _) => true,
            (Some(outer), Some(inner)) => {
                let rest = inner.strip_prefix(outer.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            }
            (Some(_), None) => false,
        };
        self.path == other.path && is_inside
    }

    /// The last part of the name: `total`.
    pub fn own_name(&self) -> Option<&str> {
        self.name.as_deref().map(|name| name.rsplit('.').next().unwrap_or(name))
    }
}

/// What is to happen to a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// The place gets a new text.
    Rewrite,
    /// New text goes behind the place.
    AddAfter,
    /// A definition is removed, with its entries in export lists.
    Remove,
    /// A definition gets another name, everywhere.
    Rename,
    /// A file that does not exist yet.
    Create,
}

impl Change {
    pub const ALL: [Change; 5] =
        [Change::Rewrite, Change::AddAfter, Change::Remove, Change::Rename, Change::Create];

    pub fn word(self) -> &'static str {
        match self {
            Change::Rewrite => "rewrite",
            Change::AddAfter => "add_after",
            Change::Remove => "remove",
            Change::Rename => "rename",
            Change::Create => "create",
        }
    }

    pub fn of(word: &str) -> Option<Change> {
        Change::ALL.into_iter().find(|change| change.word() == word)
    }

    /// Whether the model has to write new text for it.
    pub fn needs_text(self) -> bool {
        matches!(self, Change::Rewrite | Change::AddAfter | Change::Create)
    }
}

/// What a place is, as far as decisions depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceKind {
    Function,
    Type,
    Constant,
    /// A field or a variant within a type.
    Member,
    /// The imports at the top of a file. The program adds to them; they are never offered.
    Imports,
    /// Lines without a definition: statements, a section or paragraph of a text.
    Text,
    File,
}

impl PlaceKind {
    /// Whether other code can refer to it by its name.
    pub fn is_definition(self) -> bool {
        matches!(self, PlaceKind::Function | PlaceKind::Type | PlaceKind::Constant | PlaceKind::Member)
    }
}

/// A place as a survey found it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub place: Place,
    pub kind: PlaceKind,
    /// Counted from 1, both included.
    pub first_line: i64,
    pub last_line: i64,
    /// The signature, or the first line.
    pub head: String,
    /// The identifiers in it, each once, its own name left out.
    pub uses: Vec<String>,
    /// Those of them that it calls.
    pub calls: Vec<String>,
    /// Command-line options that it mentions: `--verbose`, `-v`.
    pub options: Vec<String>,
    /// The numbers in it, each once.
    pub numbers: Vec<String>,
    /// Whether it belongs to the project's tests.
    pub is_test: bool,
}

/// What a survey of the project is asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// The user's words: in a large project only files that mention one of them are read.
    pub task: String,
    /// Texts that the change should contain, such as a new option.
    pub texts: Vec<String>,
    /// Lines of files that a failed command pointed at.
    pub lines: Vec<(String, i64)>,
    /// Expressions that the user's traceback marks in such lines.
    pub marked: Vec<String>,
    /// Tests that failed, by the ids that their runner prints.
    pub tests: Vec<String>,
    /// Numbers that the user's words change.
    pub values: Vec<ValueChange>,
    /// Lines as a compiler suggests them.
    pub corrections: Vec<Correction>,
}

/// What the host found in the project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Survey {
    /// In the order of paths, then of lines; a container comes before what it contains.
    pub places: Vec<Found>,
    /// Every file that a tool may see, also those without places.
    pub files: Vec<String>,
    /// Those texts of the query that no file contains.
    pub missing: Vec<String>,
    /// What the lines of the query call, in their order.
    pub statements: Vec<Statement>,
    /// The assertions of the query's tests.
    pub assertions: Vec<Statement>,
    /// Lines of code that have the old value of the query's numbers, each with the text of its place and the new value in it.
    pub replacements: Vec<Replacement>,
    /// The query's corrections, each as the new text of its place.
    pub corrected: Vec<Corrected>,
}

/// The statement that begins on a line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    pub path: String,
    pub line: i64,
    pub text: String,
    /// The names that it calls, each once.
    pub calls: Vec<String>,
    /// Other functions of the file that have the same statement, or the expression in it that a traceback marks.
    pub repeats: Vec<Repeat>,
}

/// A function that repeats a statement of another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat {
    pub place: Place,
    /// The line with it.
    pub line: String,
}

/// A place in which one line reads as a compiler suggests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrected {
    pub place: Place,
    /// The whole text of the place.
    pub text: String,
}

/// A place in which one number is replaced by another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    pub place: Place,
    /// The line with the number, as it is.
    pub line: String,
    /// The whole text of the place, with the new value.
    pub text: String,
    pub value: ValueChange,
}

impl Survey {
    pub fn find(&self, place: &Place) -> Option<&Found> {
        self.places.iter().find(|found| found.place == *place)
    }

    /// The innermost place on a line of a file.
    pub fn at_line(&self, path: &str, line: i64) -> Option<&Found> {
        let holds =
            |found: &&Found| found.place.path == path && (found.first_line..=found.last_line).contains(&line);
        self.places.iter().filter(holds).min_by_key(|found| found.last_line - found.first_line)
    }

    /// The file that a path in the user's words means: the path itself, the only file that ends with it, or the one that an
    /// absolute path ends with.
    pub fn file(&self, path: &str) -> Option<&str> {
        let path = path.trim_start_matches("./");
        let is_tail = |file: &str| file.strip_suffix(path).is_some_and(|rest| rest.ends_with('/'));
        let exact = self.files.iter().find(|file| *file == path);
        let mut tails = self.files.iter().filter(|file| is_tail(file));
        let tail = || tails.next().filter(|_| tails.next().is_none());
        let is_end =
            |file: &&String| path.strip_suffix(file.as_str()).is_some_and(|rest| rest.ends_with('/'));
        let end = || {
            self.files.iter().filter(is_end).max_by_key(|file| file.len()).filter(|_| path.starts_with('/'))
        };
        exact.or_else(tail).or_else(end).map(String::as_str)
    }
}

/// What the model can choose beside the places on offer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// Any other action, and an end where one is possible.
    #[default]
    Free,
    /// Nothing: the user's words name these places, and one of them is to be changed.
    Places,
}

impl Choice {
    pub fn is_free(&self) -> bool {
        *self == Choice::Free
    }
}

/// One place as a step offers it to the model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offered {
    #[serde(flatten)]
    pub place: Place,
    pub changes: Vec<Change>,
}

/// The text of a place as it is now, and what a request for new text shows beside it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlaceText {
    /// The place as it stands in the file.
    pub text: String,
    /// The same without its body: what stands in front, the signature, a docstring. None where nothing can be hidden.
    pub hidden: Option<String>,
    /// The language's word for a code fence: `python`.
    pub language: String,
    /// The signatures of the project's own definitions that it uses.
    pub signatures: Vec<String>,
    /// Constants of its file, a line each.
    pub constants: Vec<String>,
    /// Lines of tests that call it.
    pub test_lines: Vec<String>,
    /// Lines of other code that call it.
    pub call_lines: Vec<String>,
}

/// The identifiers in a text, each once, in its order. Words in comments and strings count: this only ranks and points.
pub fn identifiers(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut names: Vec<String> = Vec::new();
    let mut known: HashSet<&str> = HashSet::new();
    for word in text.split(|c: char| !is_part(c)) {
        let is_name = word.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
        if is_name && known.insert(word) {
            names.push(word.to_owned());
        }
    }
    names
}

/// The identifiers in a text that a parenthesis follows, each once.
pub fn calls(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut names: Vec<String> = Vec::new();
    for before in text.split('(').rev().skip(1) {
        let name = before.rsplit(|c: char| !is_part(c)).next().unwrap_or_default();
        if !name.is_empty() && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names.reverse();
    names
}

/// The numbers in a text, each once, without those that are part of a name.
pub fn numbers(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut numbers: Vec<String> = Vec::new();
    for word in text.split(|c: char| !is_part(c)) {
        let number = word.trim_matches('.').trim_end_matches(|c: char| c.is_alphabetic());
        let is_number = number.starts_with(|c: char| c.is_ascii_digit())
            && number.chars().all(|c| c.is_ascii_digit() || c == '.' || c == '_');
        let number = number.replace('_', "");
        if is_number && numbers.len() < NUMBERS_MAX && !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    numbers
}

/// Numbers of one text that are kept.
const NUMBERS_MAX: usize = 100;

/// The command-line options that a text mentions, each once: `--verbose`, `-v`. The operators of a shell's tests (`[ -n "$1" ]`)
/// are none.
pub fn options(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let mut options: Vec<String> = Vec::new();
    let mut end = 0;
    for word in text.split(|c: char| !is_part(c)) {
        let start = end;
        end += word.len()
            + text.get(end + word.len()..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        let name = word.trim_start_matches('-');
        let dashes = word.len() - name.len();
        let is_option = match dashes {
            1 => {
                let is_letter = name.len() == 1 && name.chars().all(|c| c.is_ascii_alphabetic());
                is_letter && !is_in_test(text.get(..start).unwrap_or_default())
            }
            2 => name.len() > 1 && name.starts_with(|c: char| c.is_ascii_alphabetic()),
            _ => false,
        };
        if is_option && !options.iter().any(|known| known == word) {
            options.push(word.to_owned());
        }
    }
    options
}

/// Whether the last words of a text open a shell's test, so that an operator such as `-n` comes next.
fn is_in_test(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '!']);
    before.ends_with('[') || before.split_whitespace().next_back() == Some("test")
}

/// Whether a file belongs to a project's tests, by its path.
pub fn is_test_path(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let file = parts.next().unwrap_or(path).to_lowercase();
    let stem = file.split('.').next().unwrap_or(&file);
    let is_folder = |part: &str| matches!(part, "test" | "tests" | "spec" | "specs" | "__tests__");
    let is_marked = [".test.", ".spec."].iter().any(|mark| file.contains(mark));
    let is_stem = matches!(stem, "test" | "tests" | "conftest")
        || ["test_", "tests_"].iter().any(|mark| stem.starts_with(mark))
        || ["_test", "_tests", "_spec"].iter().any(|mark| stem.ends_with(mark));
    is_marked || is_stem || parts.any(is_folder)
}

/// Whether a place belongs to a project's tests, by its path and its name: Rust has its tests in a module of the file.
pub fn is_test_place(place: &Place) -> bool {
    let outermost = place.name.as_deref().and_then(|name| name.split('.').next());
    is_test_path(&place.path)
        || extension(&place.path) == Some("rs") && matches!(outermost, Some("tests" | "test"))
}

/// Whether a file is written in a language whose programs can be a list of statements, by its path.
pub fn is_script_path(path: &str) -> bool {
    matches!(
        extension(path),
        Some("sh" | "bash" | "py" | "js" | "mjs" | "cjs" | "ts" | "rb" | "pl" | "lua" | "php")
    )
}

/// Whether a file is text for people, and not for a build tool.
pub fn is_document_path(path: &str) -> bool {
    if path.rsplit('/').next() == Some("CMakeLists.txt") {
        return false;
    }
    let is_plain = |extension: &str| matches!(extension, "md" | "markdown" | "rst" | "adoc" | "txt");
    extension(path).is_some_and(|extension| is_plain(&extension.to_lowercase()))
}

/// What stands behind the last dot of a file's name.
pub(crate) fn extension(path: &str) -> Option<&str> {
    path.rsplit('/').next().and_then(|file| file.rsplit_once('.')).map(|(_, extension)| extension)
}
