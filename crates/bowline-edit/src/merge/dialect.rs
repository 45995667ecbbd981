//! A new line in the file's own spelling: what it only repeats from the needle is written as the file has it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::canonical::look;
use crate::diff::common;
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
    is_as_file: bool,
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
    fn has_both(&self, text: &str) -> bool {
        self.quotes.iter().any(|(one, other)| text.contains(*one) && text.contains(*other))
    }

    /// Whether a new text has quotes within quotes, or between them what means something else between those of the file: in
    /// many languages `'` is for a character, or for text that is taken as it is.
    fn is_unclear(&self, old: &str, new: &str) -> bool {
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

    /// Whether the needle has this quote where the file has another.
    fn is_swapped(&self, char: char) -> bool {
        self.quotes.contains_key(&char)
    }

    fn spelt(&self, text: &str) -> Option<String> {
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
        self.respelt(&tokens(old), &tokens(there), &tokens(new))
    }

    fn respelt(&self, old: &[&str], there: &[&str], new: &[&str]) -> Option<Vec<u8>> {
        if old.len().saturating_mul(there.len()) > CELLS_MAX {
            return None;
        }
        let (pairs, extra) = aligned(old, there);
        let looks = |tokens: &[&str]| tokens.concat().chars().filter_map(look).collect::<String>();
        if extra.iter().any(|extra| extra.contains(char::is_alphanumeric)) && looks(old) != looks(there) {
            // A word that fell together with another in the needle.
            return None;
        }
        let is_whole = pairs.iter().all(|(one, other)| one.is_some() && other.is_some());
        if self.is_as_file && is_whole && !new.iter().any(|token| self.misspelt.contains(*token)) {
            return Some(new.concat().into_bytes());
        }
        let written = new.concat();
        // Words that the needle has wrong and the replacement has not: that was written with the file at hand.
        let strange = |token: &str| pairs.iter().any(|(one, other)| *one == Some(token) && one != other);
        let slipped = pairs.iter().any(|(one, other)| one.is_some_and(is_word) && one != other);
        if slipped
            && self.quotes.is_empty()
            && self.doubtful.is_empty()
            && !new.iter().any(|token| strange(token) || self.misspelt.contains(*token))
        {
            return Some(written.into_bytes());
        }
        if is_whole && self.has_both(&written) && !there.concat().contains(|char| self.is_swapped(char)) {
            return Some(written.into_bytes());
        }
        let in_file: Vec<&str> =
            pairs.iter().filter(|(one, _)| one.is_some()).map(|(_, other)| other.unwrap_or("")).collect();
        let shared = common(old, new);
        // A kind of quotes that is two in the file: only if each is repeated is it clear which is which.
        let mixed = |quote: &str| {
            let forms: BTreeSet<&str> =
                old.iter().zip(&in_file).filter(|(one, _)| **one == quote).map(|(_, other)| *other).collect();
            let kept = shared.iter().filter(|pair| old[pair.0] == quote).count();
            let counts = [old, new].map(|side| side.iter().filter(|token| **token == quote).count());
            forms.len() > 1 && counts != [kept, kept]
        };
        if ["\"", "'", "`"].into_iter().any(mixed) || self.is_unclear(&old.concat(), &written) {
            return None;
        }
        let is_shared =
            |old: Option<usize>, new: Option<usize>| old.zip(new).is_some_and(|pair| shared.contains(&pair));
        let mut left_out: usize = extra.iter().filter(|extra| !extra.trim().is_empty()).count();
        let mut made = String::new();
        let mut last: Option<(usize, usize)> = None;
        for (at, token) in new.iter().enumerate() {
            match shared.iter().find(|pair| pair.1 == at) {
                Some((index, _)) => {
                    // What the file has between two tokens that stay side by side stays as well.
                    if last.is_some_and(|(one, two)| one + 1 == *index && two + 1 == at) {
                        made.push_str(&extra[*index]);
                        left_out -= usize::from(!extra[*index].trim().is_empty());
                    }
                    // White space counts as repeated only between words that are.
                    let between = is_shared(index.checked_sub(1), at.checked_sub(1))
                        && is_shared(Some(index + 1), Some(at + 1));
                    let alike = in_file[*index].chars().filter_map(look).eq(token.chars().filter_map(look));
                    let own = token.trim().is_empty() && !between && !alike;
                    made.push_str(&if own { self.spelt(token)? } else { in_file[*index].to_owned() });
                    last = Some((*index, at));
                }
                None if self.misspelt.contains(*token) && !there.contains(token) => return None,
                None => {
                    // A sign that the needle lost, and the replacement has.
                    let from = last.map_or(0, |(index, _)| index + 1);
                    let to = shared.iter().find(|pair| pair.1 > at).map_or(old.len(), |pair| pair.0);
                    if extra[from.min(to)..=to].iter().any(|extra| extra.trim() == *token) {
                        left_out = left_out.saturating_sub(1);
                    }
                    made.push_str(&self.spelt(token)?);
                }
            }
        }
        // Something the needle never mentioned would go, unless it is a bracket that the new line closes by itself.
        let is_closed = || {
            let extra = extra.iter().flat_map(|extra| extra.chars()).filter(|char| !char.is_whitespace());
            extra.clone().all(|char| "()[]{}".contains(char)) && depth(&made) == depth(&there.concat())
        };
        (left_out == 0 || is_closed()).then(|| made.clone().into_bytes())
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

/// How many brackets of each kind are left open.
fn depth(text: &str) -> [isize; 3] {
    [('(', ')'), ('[', ']'), ('{', '}')].map(|(open, close)| {
        let count = |char: char| text.chars().filter(|other| *other == char).count() as isize;
        count(open) - count(close)
    })
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

type Pair<'t> = (Option<&'t str>, Option<&'t str>);

/// Two token lists side by side, with as few differences as can be, and for each of the first what stands before it in the
/// second alone.
fn aligned<'t>(one: &[&'t str], other: &[&'t str]) -> (Vec<Pair<'t>>, Vec<String>) {
    let width = other.len() + 1;
    let kind = |token: &str| (is_word(token), token.trim().is_empty());
    let swap = |x: usize, y: usize| match (one[x] == other[y], kind(one[x]) == kind(other[y])) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 3,
    };
    let mut cost = vec![0_usize; (one.len() + 1) * width];
    for x in (0..=one.len()).rev() {
        for y in (0..=other.len()).rev() {
            cost[x * width + y] = match (x < one.len(), y < other.len()) {
                (false, _) => other.len() - y,
                (_, false) => one.len() - x,
                _ => (swap(x, y) + cost[(x + 1) * width + y + 1])
                    .min(1 + cost[(x + 1) * width + y])
                    .min(1 + cost[x * width + y + 1]),
            };
        }
    }
    let mut pairs = Vec::new();
    let mut extra = vec![String::new(); one.len() + 1];
    let (mut x, mut y) = (0, 0);
    while x < one.len() || y < other.len() {
        let here = cost[x * width + y];
        if x < one.len() && y < other.len() && here == swap(x, y) + cost[(x + 1) * width + y + 1] {
            pairs.push((Some(one[x]), Some(other[y])));
            (x, y) = (x + 1, y + 1);
        } else if x < one.len() && here == 1 + cost[(x + 1) * width + y] {
            pairs.push((Some(one[x]), None));
            x += 1;
        } else {
            extra[x].push_str(other[y]);
            pairs.push((None, Some(other[y])));
            y += 1;
        }
    }
    (pairs, extra)
}
