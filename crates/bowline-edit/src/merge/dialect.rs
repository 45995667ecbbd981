//! A new line in the file's own spelling: what it only repeats from the needle is written as the file has it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::versions::{Versions, aligned};
use crate::canonical::look;
use crate::page::{Fold, Page};
use crate::tokens::{is_word, tokens};

/// Lines whose comparison would take more are not spelt anew.
const CELLS_MAX: usize = 1_000_000;

/// How the needle's spelling differs from the file's.
#[derive(Default)]
pub(super) struct Dialect {
    /// Quotes that the needle has wherever the file has others, and those where it has them only here and there.
    quotes: HashMap<char, char>,
    doubtful: HashSet<char>,
    /// Whether the needle has look-alikes where the file has plain characters, and those that the file has nowhere.
    is_plain: bool,
    foreign: HashSet<char>,
    /// What stands in quotes in the file, where the needle has other quotes.
    quoted: Vec<String>,
    /// Words of the needle that the file spells otherwise.
    misspelt: HashSet<String>,
    /// Whether the replacement repeats lines as the file has them, and none as only the needle has it: it did not drift.
    pub(super) is_as_file: bool,
}

impl Dialect {
    /// `lines` are those of the needle, each with the file's.
    pub(super) fn new(
        page: &Page<'_>,
        lines: &[(&[u8], &[u8])],
        replacement: &[std::borrow::Cow<'_, [u8]>],
    ) -> Dialect {
        let mut chars: BTreeMap<char, BTreeSet<char>> = BTreeMap::new();
        let mut misspelt = HashSet::new();
        let mut quoted = Vec::new();
        // Quotes that are the file's own somewhere.
        let mut same: HashSet<char> = HashSet::new();
        for (old, there) in lines {
            if old.trim_ascii() == there.trim_ascii() {
                same.extend(String::from_utf8_lossy(old).chars().filter(|char| is_quote(*char)));
                continue;
            }
            let (Ok(old), Ok(there)) = (str::from_utf8(old), str::from_utf8(there)) else { continue };
            let (old, there) = (tokens(old.trim()), tokens(there.trim()));
            if old.len().saturating_mul(there.len()) > CELLS_MAX {
                continue;
            }
            quoted.extend(there.concat().split(is_quote).skip(1).step_by(2).map(str::to_owned));
            for (one, other) in aligned(&old, &there).0 {
                let (Some(one), Some(other)) = (one, other) else { continue };
                if one != other && is_word(one) && is_word(other) {
                    misspelt.insert(one.to_owned());
                }
                for (one, other) in one.chars().zip(other.chars()).filter(|_| !is_word(one)) {
                    chars.entry(one).or_default().insert(other);
                    same.extend(Some(one).filter(|_| one == other));
                }
            }
        }
        // What the replacement brings along, not what it has from the file.
        let written = replacement.iter().filter(|new| !lines.iter().any(|(_, there)| **there == ***new));
        let written: Vec<String> = written.map(|line| String::from_utf8_lossy(line).into_owned()).collect();
        let has = |char: char| written.iter().any(|line| line.contains(char));
        let mut dialect =
            Dialect { misspelt, quoted, is_as_file: is_as_file(lines, replacement), ..Dialect::default() };
        for (one, forms) in chars {
            let other: Vec<char> = forms.into_iter().filter(|other| *other != one).collect();
            match other.as_slice() {
                [] => {}
                [other] if !one.is_ascii() && other.is_ascii() && !contains(page.text, one) => {
                    dialect.is_plain = true;
                }
                // The replacement has the file's kind of quotes: it did not drift.
                [other] if is_quote(one) && is_quote(*other) && has(*other) => dialect.is_as_file = true,
                [other] if is_quote(one) && is_quote(*other) && !same.contains(&one) => {
                    dialect.quotes.insert(one, *other);
                }
                _ if is_quote(one) => drop(dialect.doubtful.insert(one)),
                _ => {}
            }
        }
        if dialect.is_plain {
            let strange =
                replacement.iter().flat_map(|line| String::from_utf8_lossy(line).chars().collect::<Vec<_>>());
            dialect.foreign =
                strange.filter(|char| !char.is_ascii() && !contains(page.text, *char)).collect();
        }
        dialect
    }

    /// A text that is all new; none if it cannot be told how the file would spell it.
    pub(super) fn translate(&self, new: &[u8]) -> Option<Vec<u8>> {
        let Ok(new) = str::from_utf8(new) else { return Some(new.to_vec()) };
        if tokens(new).iter().any(|token| self.misspelt.contains(*token)) {
            return None;
        }
        if self.is_as_file || self.has_both(new) {
            return Some(new.as_bytes().to_vec());
        }
        if self.is_unclear("", new) { None } else { self.spelt(new).map(String::into_bytes) }
    }

    /// Whether a text has the file's kind of quotes beside those that the needle has for them: it is written on purpose.
    pub(super) fn has_both(&self, text: &str) -> bool {
        self.quotes.iter().any(|(one, other)| text.contains(*one) && text.contains(*other))
    }

    /// Whether a new text has quotes within quotes, or between them what means something else between those of the file: in
    /// many languages `'` is for a character, or for text that is taken as it is.
    pub(super) fn is_unclear(&self, old: &str, new: &str) -> bool {
        if self.quotes.keys().any(|quote| !is_flat(new, *quote)) {
            return true;
        }
        let is_character = |text: &str| text.strip_prefix('\\').unwrap_or(text).chars().count() == 1;
        let is_all = |character: bool| self.quoted.iter().all(|text| is_character(text) == character);
        self.quotes.iter().filter(|(_, other)| **other != '`').any(|(one, other)| {
            let known: HashSet<&str> = old.split(*one).skip(1).step_by(2).collect();
            let mut strange = new.split(*one).skip(1).step_by(2).filter(|text| !known.contains(text));
            strange.any(|text| {
                text.contains(['$', '\\'])
                    || (*other == '\'' && is_all(true) && !is_character(text))
                    || (*other == '"' && is_all(false) && is_character(text))
            })
        })
    }

    /// Whether the needle has this word where the file spells it otherwise.
    pub(super) fn is_misspelt(&self, token: &str) -> bool {
        self.misspelt.contains(token)
    }

    /// Whether the needle has other quotes than the file somewhere.
    pub(super) fn has_quotes(&self) -> bool {
        !self.quotes.is_empty() || !self.doubtful.is_empty()
    }

    /// Whether the needle has this quote where the file has another.
    pub(super) fn is_swapped(&self, char: char) -> bool {
        self.quotes.contains_key(&char)
    }

    pub(super) fn spelt(&self, text: &str) -> Option<String> {
        if text.contains(|char| self.doubtful.contains(&char)) {
            return None;
        }
        let spelt = |char: char| match self.quotes.get(&char) {
            Some(other) => Some(*other),
            None if self.foreign.contains(&char) => look(char),
            None => Some(char),
        };
        Some(text.chars().filter_map(spelt).collect())
    }

    /// A changed line: `new` with the words and signs it shares with `old` as they are in `there`; none if it goes on
    /// using a word that the file spells otherwise.
    pub(super) fn render(&self, old: &[u8], there: &[u8], new: &[u8]) -> Option<Vec<u8>> {
        let (Ok(old), Ok(there), Ok(new)) = (str::from_utf8(old), str::from_utf8(there), str::from_utf8(new))
        else {
            return None;
        };
        if Fold::Anywhere.same(old.as_bytes(), there.as_bytes()) || new.trim_end() == there {
            // Only white space drifted, or the needle alone did: the changed line is the model's.
            return Some(new.as_bytes().to_vec());
        }
        let (old, there, new) = (tokens(old), tokens(there), tokens(new));
        if old.len().saturating_mul(there.len()) > CELLS_MAX {
            return None;
        }
        let versions = Versions::new(old, there, new);
        if versions.is_as_written(self) {
            return Some(versions.written().into_bytes());
        }
        versions.merged(self).map(String::into_bytes)
    }
}

fn is_as_file(lines: &[(&[u8], &[u8])], replacement: &[std::borrow::Cow<'_, [u8]>]) -> bool {
    let bare: HashSet<&[u8]> = replacement.iter().map(|line| line.trim_ascii()).collect();
    let drifted: Vec<(&[u8], &[u8])> = lines
        .iter()
        .map(|(old, there)| (old.trim_ascii(), there.trim_ascii()))
        .filter(|(old, there)| old != there)
        .collect();
    drifted.iter().any(|(_, there)| bare.contains(there))
        && !drifted.iter().any(|(old, _)| bare.contains(old))
}

/// Whether quotes of one kind open and close strings that stand side by side, with none inside another.
fn is_flat(text: &str, quote: char) -> bool {
    let chars: Vec<char> = text.chars().collect();
    // One with a backslash before it stands within a string.
    let is_escaped = |at: usize| at.checked_sub(1).is_some_and(|before| chars[before] == '\\');
    let places: Vec<usize> = (0..chars.len()).filter(|at| chars[*at] == quote && !is_escaped(*at)).collect();
    let is_word =
        |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(|char| char.is_alphanumeric());
    places.len().is_multiple_of(2)
        && places.iter().enumerate().all(|(index, at)| match index % 2 {
            // A letter may stand before a string: `b"…"`.
            0 => !(is_word(at.checked_sub(1)) && is_word(at.checked_sub(2))),
            _ => !is_word(Some(at + 1)),
        })
}

fn is_quote(char: char) -> bool {
    matches!(char, '"' | '\'' | '`')
}

fn contains(text: &[u8], char: char) -> bool {
    memchr::memmem::find(text, char.encode_utf8(&mut [0; 4]).as_bytes()).is_some()
}
