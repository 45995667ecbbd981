//! Rules as users write them: `cargo *`, `run_command(npm test)`, `edit_file(src/**)`, `view_file`.
//!
//! Without a tool a rule is about commands. Its words are matched with the words of one part of a command: a `*` in a
//! word stands for any characters, `*` alone for one word whatever it is, at the end for all that follow. `\` takes the
//! meaning of the next character away. In paths `*` does not cross `/`, `**` does. A rule about one tool that reads files
//! holds for all that read, and so with those that write: a path that may not be edited may not be overwritten either.

use super::command::{Part, Word};
use super::{Profile, Verdict};

/// One rule of one layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub verdict: Verdict,
    /// What holds a command that it allows.
    pub profile: Profile,
    /// As it was written.
    pub text: String,
    about: About,
    /// The command it stands for word for word, where there is no `*` in it.
    whole: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum About {
    /// Pieces of a command's words.
    Command(Vec<Vec<Piece>>),
    EveryCommand,
    Path(Reach, Vec<Piece>),
    EveryPath(Reach),
}

/// What a tool does to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    Reads,
    Writes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    Char(char),
    /// `*`
    Any,
    /// `**`
    Across,
}

/// Why a rule can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadRule {
    #[error(
        "the rule {0:?} is empty: write a command such as `cargo *`, or a tool such as `edit_file(src/**)`"
    )]
    Empty(String),
    #[error("the rule {rule:?} names no tool there is: use one of {TOOLS}, or write the command alone")]
    Tool { rule: String },
}

const TOOLS: &str = "view_file, list_dir, find_files, grep, edit_file, write_file, run_command";

impl Rule {
    pub fn parse(verdict: Verdict, text: &str) -> Result<Rule, BadRule> {
        let trimmed = trim(text);
        if trimmed.is_empty() {
            return Err(BadRule::Empty(text.to_owned()));
        }
        let about = match tool_of(trimmed) {
            Some((tool, inner)) => {
                let Some(target) = target(tool) else {
                    return Err(BadRule::Tool { rule: text.to_owned() });
                };
                match (target, inner.map(trim)) {
                    (_, Some("")) => return Err(BadRule::Empty(text.to_owned())),
                    (None, None | Some("*")) => About::EveryCommand,
                    (None, Some(inner)) => About::Command(words(inner)),
                    (Some(reach), None | Some("*" | "**")) => About::EveryPath(reach),
                    (Some(reach), Some(inner)) => About::Path(reach, pieces(inner)),
                }
            }
            None if trimmed == "*" => About::EveryCommand,
            None => About::Command(words(trimmed)),
        };
        let whole = match (&about, tool_of(trimmed)) {
            (About::Command(_), Some((_, inner))) => unescaped(inner.unwrap_or_default()),
            (About::Command(_), None) => unescaped(trimmed),
            _ => None,
        };
        Ok(Rule { verdict, profile: Profile::Open, text: trimmed.to_owned(), about, whole })
    }

    /// Whether it is about this part. Assignments that matter stand before the program, as words.
    pub fn fits_part(&self, assigned: &[String], part: &Part) -> bool {
        let About::Command(pattern) = &self.about else { return self.about == About::EveryCommand };
        let mut given: Vec<Word> = assigned.iter().cloned().map(Word::Known).collect();
        let program = part.program().map(|name| Word::Known(name.to_owned()));
        given.extend(program.into_iter().chain(part.words.iter().skip(1).cloned()));
        if part.program().is_none() {
            given.extend(part.words.first().cloned());
        }
        fits_words(pattern, &given)
    }

    /// Whether it is about a command as a whole: only a rule without any `*` can be, since one with a `*` would let pass
    /// whatever follows.
    pub fn fits_whole(&self, text: &str) -> bool {
        self.whole.as_deref() == Some(text.trim())
    }

    pub fn fits_path(&self, reach: Reach, path: &str) -> bool {
        match &self.about {
            About::Path(about, pattern) => {
                let path: Vec<char> = path.chars().collect();
                *about == reach && fits(pattern, &path, '/')
            }
            About::EveryPath(about) => *about == reach,
            About::Command(_) | About::EveryCommand => false,
        }
    }
}

/// `tool(inner)`, or the name of a tool alone.
fn tool_of(text: &str) -> Option<(&str, Option<&str>)> {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some((name, inner)) if is_name(name) => Some((name, Some(inner))),
        // `grep` alone is the command.
        _ => target(text).filter(|_| text != "grep").map(|_| (text, None)),
    }
}

/// What the rules of a tool are about: paths, or none for commands. `None` where there is no such tool.
fn target(tool: &str) -> Option<Option<Reach>> {
    match tool {
        "view_file" | "list_dir" | "find_files" | "grep" => Some(Some(Reach::Reads)),
        "edit_file" | "write_file" => Some(Some(Reach::Writes)),
        "run_command" => Some(None),
        _ => None,
    }
}

/// What a call of this tool does to its path.
pub fn reach(tool: &str) -> Reach {
    target(tool).flatten().unwrap_or(Reach::Writes)
}

/// A pattern that stands for this text and no other.
pub fn literal(text: &str) -> String {
    let mut out = String::new();
    for char in text.chars() {
        if matches!(char, '*' | '\\') {
            out.push('\\');
        }
        out.push(char);
    }
    out
}

/// The same for one word of a command.
pub fn literal_word(word: &str) -> String {
    literal(word).replace(' ', "\\ ").replace('\t', "\\\t").replace('\n', "\\\n")
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        out.push(match char {
            '\\' => Piece::Char(chars.next().unwrap_or('\\')),
            '*' if chars.next_if_eq(&'*').is_some() => Piece::Across,
            '*' => Piece::Any,
            other => Piece::Char(other),
        });
    }
    out
}

/// Without the blanks around it, but with a last one that is escaped.
fn trim(text: &str) -> &str {
    let start = text.trim_start();
    let cut = start.trim_end();
    let is_escaped = cut.chars().rev().take_while(|c| *c == '\\').count() % 2 == 1;
    let blank = start.get(cut.len()..).and_then(|rest| rest.chars().next());
    match blank.filter(|_| is_escaped) {
        Some(blank) => start.get(..cut.len() + blank.len_utf8()).unwrap_or(cut),
        None => cut,
    }
}

/// The text a pattern without any `*` stands for.
fn unescaped(text: &str) -> Option<String> {
    let literal = |piece: &Piece| match piece {
        Piece::Char(char) => Some(*char),
        Piece::Any | Piece::Across => None,
    };
    pieces(trim(text)).iter().map(literal).collect()
}

/// Split at spaces that are not escaped.
fn words(text: &str) -> Vec<Vec<Piece>> {
    let (mut out, mut word, mut is_escaped) = (Vec::new(), String::new(), false);
    for char in text.chars() {
        if char.is_whitespace() && !is_escaped {
            if !word.is_empty() {
                out.push(pieces(&std::mem::take(&mut word)));
            }
            continue;
        }
        is_escaped = char == '\\' && !is_escaped;
        word.push(char);
    }
    if !word.is_empty() {
        out.push(pieces(&word));
    }
    out
}

fn fits_words(pattern: &[Vec<Piece>], given: &[Word]) -> bool {
    match (pattern.split_first(), given.split_first()) {
        (None, None) => true,
        (Some((last, [])), _) if is_any(last) => true,
        (Some((first, rest)), Some((word, others))) => fits_word(first, word) && fits_words(rest, others),
        _ => false,
    }
}

fn is_any(word: &[Piece]) -> bool {
    matches!(word, [Piece::Any | Piece::Across])
}

/// A word that is not known yet fits only what fits everything.
fn fits_word(pattern: &[Piece], word: &Word) -> bool {
    match word {
        Word::Known(text) => fits(pattern, &text.chars().collect::<Vec<_>>(), '\0'),
        Word::Glob(_) | Word::Unknown(_) => is_any(pattern),
    }
}

/// Whether the text fits; `*` does not cross `border`.
fn fits(pattern: &[Piece], text: &[char], border: char) -> bool {
    // One row of the table at a time: whether the pattern so far fits the first n characters.
    let mut row = vec![false; text.len() + 1];
    if let Some(first) = row.first_mut() {
        *first = true;
    }
    for piece in pattern {
        let mut next = vec![false; text.len() + 1];
        let mut is_on = false;
        for (at, slot) in next.iter_mut().enumerate() {
            let here = row.get(at).copied().unwrap_or(false);
            let before = at.checked_sub(1);
            let char = before.and_then(|before| text.get(before)).copied();
            match piece {
                Piece::Char(due) => {
                    let was = before.and_then(|before| row.get(before)).copied().unwrap_or(false);
                    *slot = was && char == Some(*due);
                }
                Piece::Any | Piece::Across => {
                    let may_cross = *piece == Piece::Across || char != Some(border);
                    is_on = here || (is_on && may_cross);
                    *slot = is_on;
                }
            }
        }
        row = next;
    }
    row.last().copied().unwrap_or(false)
}
