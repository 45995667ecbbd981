//! A new line in the file's own spelling: what it only repeats from the needle is written as the file has it.

use std::collections::{HashMap, HashSet};

use crate::diff::common;
use crate::page::Page;
use crate::tokens::{is_word, tokens};

/// Lines whose comparison would take more are not spelt anew.
const CELLS_MAX: usize = 1_000_000;

/// How the needle's spelling differs from the file's.
pub(super) struct Dialect {
    /// Characters that the needle has wherever the file has another.
    chars: HashMap<char, char>,
    /// Words of the needle that the file spells otherwise.
    misspelt: HashSet<String>,
}

impl Dialect {
    /// `lines` are those of the needle, each with the file's.
    pub(super) fn new(
        page: &Page<'_>,
        lines: &[(&[u8], &[u8])],
        replacement: &[std::borrow::Cow<'_, [u8]>],
    ) -> Dialect {
        let mut chars: HashMap<char, Option<char>> = HashMap::new();
        let mut misspelt = HashSet::new();
        for (old, there) in lines.iter().filter(|(old, there)| old.trim_ascii() != there.trim_ascii()) {
            let (Ok(old), Ok(there)) = (str::from_utf8(old), str::from_utf8(there)) else { continue };
            let (old, there) = (tokens(old.trim()), tokens(there.trim()));
            if old.len().saturating_mul(there.len()) > CELLS_MAX {
                continue;
            }
            for (one, other) in aligned(&old, &there).0 {
                let (Some(one), Some(other)) = (one, other) else { continue };
                if one != other && is_word(one) && is_word(other) {
                    misspelt.insert(one.to_owned());
                }
                for (one, other) in one.chars().zip(other.chars()).filter(|_| !is_word(one)) {
                    let known = chars.entry(one).or_insert(Some(other));
                    *known = known.filter(|known| *known == other);
                }
            }
        }
        let has = |char: char| replacement.iter().any(|line| String::from_utf8_lossy(line).contains(char));
        let foreign = |char: char| !contains(page.text, char);
        let chars = chars
            .into_iter()
            .filter_map(|(one, other)| Some((one, other?)))
            .filter(|(one, other)| one != other && other.is_ascii())
            .filter(|(one, other)| {
                if one.is_ascii() {
                    is_quote(*one) && is_quote(*other) && !has(*other)
                } else {
                    foreign(*one)
                }
            })
            .collect();
        Dialect { chars, misspelt }
    }

    /// A text that is all new; none if it cannot be told how the file would spell it.
    pub(super) fn translate(&self, new: &[u8]) -> Option<Vec<u8>> {
        if self.chars.is_empty() && self.misspelt.is_empty() {
            return Some(new.to_vec());
        }
        let Ok(new) = str::from_utf8(new) else { return Some(new.to_vec()) };
        if tokens(new).iter().any(|token| self.misspelt.contains(*token)) {
            return None;
        }
        let odd = self.chars.keys().any(|char| is_quote(*char) && new.matches(*char).count() % 2 == 1);
        (!odd).then(|| self.spelt(new).into_bytes())
    }

    fn spelt(&self, text: &str) -> String {
        text.chars().map(|char| self.chars.get(&char).copied().unwrap_or(char)).collect()
    }

    /// A changed line: `new` with the words and signs it shares with `old` as they are in `there`; none if it goes on
    /// using a word that the file spells otherwise.
    pub(super) fn render(&self, old: &[u8], there: &[u8], new: &[u8]) -> Option<Vec<u8>> {
        let (Ok(old), Ok(there), Ok(new)) = (str::from_utf8(old), str::from_utf8(there), str::from_utf8(new))
        else {
            return None;
        };
        let (old, there, new) = (tokens(old), tokens(there), tokens(new));
        if old.len().saturating_mul(there.len()) > CELLS_MAX {
            return None;
        }
        let (pairs, extra) = aligned(&old, &there);
        let in_file: Vec<&str> =
            pairs.iter().filter(|(one, _)| one.is_some()).map(|(_, other)| other.unwrap_or("")).collect();
        let shared = common(&old, &new);
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
                    made.push_str(in_file[*index]);
                    last = Some((*index, at));
                }
                None if self.misspelt.contains(*token) && !there.contains(token) => return None,
                None => made.push_str(&self.spelt(token)),
            }
        }
        // Something the needle never mentioned would go.
        (left_out == 0).then(|| made.into_bytes())
    }
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
