//! A shell command as its parser understood it: its parts, each with words, assignments and redirects.
//!
//! The host's parser fills these in. What it could not understand never gets here: such a command is asked about as a
//! whole.

/// One word of a command, as far as it can be known before it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// What the program will get, quotes removed.
    Known(String),
    /// The shell puts the names of files in its place.
    Glob(String),
    /// Only known when it runs: a variable, the output of a command. Its source.
    Unknown(String),
}

impl Word {
    pub fn known(&self) -> Option<&str> {
        match self {
            Word::Known(text) => Some(text),
            Word::Glob(_) | Word::Unknown(_) => None,
        }
    }

    /// For a user to read.
    pub fn shown(&self) -> &str {
        let (Word::Known(text) | Word::Glob(text) | Word::Unknown(text)) = self;
        text
    }
}

/// `NAME=value` before a program, or alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    pub name: String,
    pub value: Word,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    pub mode: Mode,
    pub target: Word,
}

/// What is done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Read,
    Write,
}

/// Where a part stands in its command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Position {
    /// It runs once at most, after the parts before it.
    #[default]
    Straight,
    /// In a loop or a condition: it may run several times, also before parts that stand above it.
    Nested,
}

/// One program with its arguments; without words it is assignments or redirects alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    pub position: Position,
    pub assignments: Vec<Assignment>,
    pub words: Vec<Word>,
    pub redirects: Vec<Redirect>,
    /// Names of the variables whose values go into it, in a here-document, too.
    pub expands: Vec<String>,
    /// The part before it in a pipeline, where that is a single program and nothing else is read.
    pub reads_from: Option<Box<Part>>,
}

impl Part {
    /// The program's name, if it can be known.
    pub fn program(&self) -> Option<&str> {
        self.words.first().and_then(Word::known).map(plain_program)
    }

    pub fn arguments(&self) -> &[Word] {
        self.words.get(1..).unwrap_or_default()
    }

    /// For a user to read.
    pub fn shown(&self) -> String {
        let assigned = self.assignments.iter().map(|set| format!("{}={}", set.name, set.value.shown()));
        let words = self.words.iter().map(|word| word.shown().to_owned());
        assigned.chain(words).collect::<Vec<_>>().join(" ")
    }
}

/// A program in one of the folders every shell looks in is the one of that name.
fn plain_program(path: &str) -> &str {
    const FOLDERS: [&str; 4] = ["/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/"];
    let name = FOLDERS.iter().find_map(|folder| path.strip_prefix(folder));
    name.filter(|name| !name.contains('/')).unwrap_or(path)
}

/// A command, or why it could not be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// As the model wrote it.
    pub text: String,
    pub parts: Result<Vec<Part>, String>,
}
