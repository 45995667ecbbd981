//! The flags of a command, read by a list of those that are known to be harmless.
//!
//! A list is written as words: `-ab` are letters that stand alone, `-n#` is a letter with a number, `-e:` one with a text,
//! `-r<` one with a file that is read, `-w?` one whose value, if any, is joined to it; `--long`, `--long#`, `--long:`,
//! `--long<` and `--long?` are the same for long flags, `--long::` has two texts, and `-#` allows a number as a flag (`-20`).
//!
//! What always holds: a flag that is not in the list is refused, so an abbreviated flag is refused too. A value is always
//! a word that is known before the shell runs. A pattern that begins with a wildcard passes only behind `--`, or where no
//! flag of the program could do harm: a file may be named like one.

use super::command::Word;
use super::paths::{Refused, RunsIn};

/// Programs of which no flag writes, starts a program or reads a file that it does not print a digest or a count of.
const HARMLESS_WITH_ANY_FLAG: &[&str] = &[
    "cat",
    "head",
    "tail",
    "nl",
    "tac",
    "rev",
    "tsort",
    "cut",
    "paste",
    "comm",
    "join",
    "fold",
    "expand",
    "unexpand",
    "fmt",
    "pr",
    "od",
    "cmp",
    "stat",
    "ls",
    "df",
    "readlink",
    "realpath",
    "md5sum",
    "sha1sum",
    "sha256sum",
    "sha512sum",
    "cksum",
    "b2sum",
    "wc",
    "basename",
    "dirname",
    "tr",
    "seq",
    "which",
    "type",
];

/// Whether a word is a pattern that a file named like a flag may fit.
pub(super) fn may_be_flag(word: &Word) -> bool {
    matches!(word, Word::Glob(pattern) if pattern.starts_with(['*', '?', '[', '-']))
}

/// What follows a flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
    None,
    Number,
    Text,
    TwoTexts,
    File,
    /// Only joined to the flag, never the next word.
    Joined,
}

/// A flag that was given.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Flag<'w> {
    /// As the list has it: `-e`, `--regexp`.
    pub(super) name: String,
    pub(super) value: Option<&'w str>,
}

/// A command's words, told apart.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Given<'w> {
    pub(super) flags: Vec<Flag<'w>>,
    pub(super) operands: Vec<&'w Word>,
}

impl<'w> Given<'w> {
    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.flags.iter().any(|flag| names.contains(&flag.name.as_str()))
    }

    pub(super) fn values<'s>(&'s self, names: &'s [&str]) -> impl Iterator<Item = &'w str> + 's {
        let named = self.flags.iter().filter(|flag| names.contains(&flag.name.as_str()));
        named.filter_map(|flag| flag.value)
    }
}

/// Reads the words after a command by the lists of its harmless flags; the first list that has a flag decides what follows it.
pub(super) fn read<'w>(
    command: &str,
    lists: &[&str],
    words: &'w [Word],
    here: &RunsIn<'_>,
) -> Result<Given<'w>, Refused> {
    let mut reader = Reader { command, lists, here, rest: words.iter(), given: Given::default() };
    while let Some(word) = reader.rest.next() {
        match word.known() {
            Some("--") => {
                reader.given.operands.extend(reader.rest.by_ref());
            }
            Some(flag) if flag.starts_with("--") => reader.long(flag)?,
            Some(flag) if flag.starts_with('-') && flag.len() > 1 => reader.letters(flag)?,
            None if word.shown().starts_with('-') => return Err(Refused::dynamic(word)),
            None if may_be_flag(word) && !HARMLESS_WITH_ANY_FLAG.contains(&command) => {
                return Err(Refused::like_flag(word));
            }
            _ => reader.given.operands.push(word),
        }
    }
    Ok(reader.given)
}

struct Reader<'w, 'r> {
    command: &'r str,
    lists: &'r [&'r str],
    here: &'r RunsIn<'r>,
    rest: std::slice::Iter<'w, Word>,
    given: Given<'w>,
}

impl<'w> Reader<'w, '_> {
    fn unknown(&self, flag: &str) -> Refused {
        Refused::ask(format!("{flag} is not among the flags of {} that are known to only read", self.command))
    }

    fn entries(&self) -> impl Iterator<Item = &str> {
        self.lists.iter().flat_map(|list| list.split_ascii_whitespace())
    }

    fn long(&mut self, flag: &'w str) -> Result<(), Refused> {
        let (name, joined) = match flag.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (flag, None),
        };
        let found = self.entries().find_map(|entry| {
            let rest = entry.strip_prefix(name)?;
            kind(rest)
        });
        match (found, joined) {
            (Some(Value::None), None) | (Some(Value::Joined), _) => {
                self.given.flags.push(Flag { name: name.to_owned(), value: joined });
                Ok(())
            }
            (None | Some(Value::None), _) | (Some(Value::TwoTexts), Some(_)) => Err(self.unknown(flag)),
            (Some(value), joined) => self.valued(name, value, joined),
        }
    }

    /// Short flags that stand together; the first with a value ends them.
    fn letters(&mut self, flag: &'w str) -> Result<(), Refused> {
        let letters = flag.get(1..).unwrap_or_default();
        if letters.chars().all(|c| c.is_ascii_digit()) && self.entries().any(|entry| entry == "-#") {
            self.given.flags.push(Flag { name: "-#".to_owned(), value: Some(letters) });
            return Ok(());
        }
        for (at, letter) in letters.char_indices() {
            let name = format!("-{letter}");
            let after = letters.get(at + letter.len_utf8()..).filter(|rest| !rest.is_empty());
            let found = self.entries().find_map(|entry| short(entry, letter));
            match found {
                None => return Err(self.unknown(flag)),
                Some(Value::None) => self.given.flags.push(Flag { name, value: None }),
                Some(Value::Joined) => {
                    self.given.flags.push(Flag { name, value: after });
                    return Ok(());
                }
                Some(value) => return self.valued(&name, value, after),
            }
        }
        Ok(())
    }

    fn valued(&mut self, name: &str, value: Value, joined: Option<&'w str>) -> Result<(), Refused> {
        let texts = if value == Value::TwoTexts { 2 } else { 1 };
        for _ in 0..texts {
            let text = match joined {
                Some(text) => text,
                None => self.next_value(name)?,
            };
            if value == Value::Number && !is_number(text) {
                // To some programs this flag has no value, and the word would be a file.
                return Err(Refused::ask(format!("{text} is no number for {} {name}", self.command)));
            }
            if value == Value::File {
                self.here.may_read(&Word::Known(text.to_owned()))?;
            }
            self.given.flags.push(Flag { name: name.to_owned(), value: Some(text) });
        }
        Ok(())
    }

    fn next_value(&mut self, name: &str) -> Result<&'w str, Refused> {
        match self.rest.next() {
            Some(Word::Known(text)) => Ok(text),
            Some(word) => Err(Refused::dynamic(word)),
            None => Err(Refused::ask(format!("{} {name} lacks its value", self.command))),
        }
    }
}

/// What the rest of a long flag's entry says about its value.
fn kind(mark: &str) -> Option<Value> {
    match mark {
        "" => Some(Value::None),
        "#" => Some(Value::Number),
        ":" => Some(Value::Text),
        "::" => Some(Value::TwoTexts),
        "<" => Some(Value::File),
        "?" => Some(Value::Joined),
        _ => None,
    }
}

/// What an entry says about a letter, if it has that letter.
fn short(entry: &str, letter: char) -> Option<Value> {
    let letters = entry.strip_prefix('-').filter(|letters| !letters.starts_with('-'))?;
    let mut chars = letters.chars();
    match (chars.next(), chars.as_str()) {
        (Some(first), mark) if !mark.is_empty() && kind(mark).is_some() => {
            (first == letter).then(|| kind(mark)).flatten()
        }
        _ => (letter != '#' && letters.contains(letter)).then_some(Value::None),
    }
}

/// `20`, `-5`, `+10`, `1.5`, `10k`.
fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = unsigned.trim_end_matches(['k', 'K', 'm', 'M', 'g', 'G', 'b', 'B', 'c', 'i']);
    digits.starts_with(|c: char| c.is_ascii_digit()) && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
}
