//! The words of a line, and which lines are comments: good enough for the languages that are measured.

/// What no identifier is.
const KEYWORDS: [&str; 60] = [
    "and",
    "as",
    "async",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "def",
    "default",
    "del",
    "do",
    "elif",
    "else",
    "enum",
    "except",
    "export",
    "extends",
    "false",
    "finally",
    "fn",
    "for",
    "from",
    "func",
    "function",
    "goto",
    "if",
    "impl",
    "import",
    "in",
    "interface",
    "is",
    "lambda",
    "let",
    "match",
    "mod",
    "mut",
    "new",
    "not",
    "null",
    "or",
    "pass",
    "pub",
    "raise",
    "return",
    "self",
    "static",
    "struct",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "type",
    "use",
    "var",
    "while",
];

pub(crate) fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    let starts = ["//", "/*", "* ", "*/", "# ", "\"\"\""];
    line == "*" || starts.iter().any(|start| line.starts_with(start))
}

/// Whole words that begin with a letter, with where they stand.
pub(crate) fn words(line: &str) -> Vec<(usize, &str)> {
    let is_part = |char: char| char.is_ascii_alphanumeric() || char == '_';
    let mut found = Vec::new();
    let mut start = None;
    for (at, char) in line.char_indices().chain([(line.len(), ' ')]) {
        match (start, is_part(char)) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                found.push((from, &line[from..at]));
                start = None;
            }
            _ => {}
        }
    }
    found.retain(|(_, word)| word.starts_with(|char: char| char.is_ascii_alphabetic()));
    found
}

/// Names of three letters or more, outside comments and quotes as far as one line tells.
pub(crate) fn names(line: &str) -> Vec<(usize, &str)> {
    if is_comment(line) {
        return Vec::new();
    }
    let is_quoted = |at: usize| line[..at].matches(['"', '\'', '`']).count() % 2 == 1;
    let is_name = |word: &str| word.len() >= 3 && !KEYWORDS.contains(&word.to_ascii_lowercase().as_str());
    words(line).into_iter().filter(|(at, word)| is_name(word) && !is_quoted(*at)).collect()
}

/// The line with another word at that place.
pub(crate) fn put(line: &str, (at, word): (usize, &str), other: &str) -> String {
    format!("{}{other}{}", &line[..at], &line[at + word.len()..])
}
