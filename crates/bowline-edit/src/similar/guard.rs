//! The word guard: what differs between needle and place is plausibly a slip, not another thing.
//!
//! A slip is a word without digits, a letter away from the file's (two in a long one), that is no common word and is found
//! nowhere else in the file, where it would be another identifier; or a bracket, a comma, a quote that one side lacks. A
//! number or an operator that differs is never one.

use std::collections::{HashMap, HashSet};

use super::vocabulary::is_common;
use crate::diff::common;
use crate::distance::typo_distance;
use crate::page::{Fold, Page, is_blank};
use crate::similar::Alignment;
use crate::tokens::{is_word, tokens};

/// The letters of the longer word, and of the shorter.
const LETTERS_MIN: usize = 4;
const LETTERS_LEFT_MIN: usize = 3;
/// From here on a letter of a word that is not common may be another one, and not just be missing, doubled or in the wrong
/// place.
const LETTERS_OTHER_MIN: usize = 5;
/// From here on two slips in a word are believed.
const LETTERS_TWICE_MIN: usize = 8;
/// A line with so many words may have two slips.
const WORDS_TWICE_MIN: usize = 6;
/// The words that must be equal, and how many for each that differs.
const EQUAL_WORDS_MIN: usize = 2;
const EQUAL_WORDS_PER_SLIP: usize = 1;
/// The same slip so often is no slip: a thing of another name.
const SAME_SLIP_MAX: usize = 2;
/// The signs that may be missing in a needle, one in a line.
const SIGNS_MAX: usize = 2;
/// Lines that count, for a needle that leaves one out.
const LINES_WITH_GAP_MIN: usize = 3;
/// One line left out, and one more for so many lines.
const LINES_PER_GAP: usize = 5;

pub(super) fn passes(page: &Page<'_>, needle: &[&[u8]], alignment: &Alignment) -> bool {
    gaps_pass(page, needle, alignment) && words_pass(page, needle, alignment)
}

/// No line is invented, and few are left out, one at a time.
fn gaps_pass(page: &Page<'_>, needle: &[&[u8]], alignment: &Alignment) -> bool {
    let invented = needle.iter().zip(&alignment.pairs).any(|(line, pair)| pair.is_none() && !is_blank(line));
    let paired: HashSet<usize> = alignment.pairs.iter().flatten().copied().collect();
    let left_out: Vec<usize> =
        alignment.lines().filter(|line| !paired.contains(line) && !is_blank(page.line(*line))).collect();
    let counting = needle.iter().filter(|line| !is_blank(line)).count();
    let in_a_row = left_out.iter().zip(left_out.iter().skip(1)).any(|(one, next)| one + 1 == *next);
    let few = left_out.is_empty()
        || (counting >= LINES_WITH_GAP_MIN && left_out.len() <= 1 + counting / LINES_PER_GAP);
    !invented && !in_a_row && few
}

fn words_pass(page: &Page<'_>, needle: &[&[u8]], alignment: &Alignment) -> bool {
    let mut tally = Tally::default();
    for (line, pair) in needle.iter().zip(&alignment.pairs) {
        let (Some(pair), false) = (pair, is_blank(line)) else { continue };
        let there = page.line(*pair);
        let (Ok(line), Ok(text)) = (str::from_utf8(line), str::from_utf8(there)) else { return false };
        if !tally.take(line, text) {
            return false;
        }
    }
    tally.passes(page)
}

/// Whether a line is the file's but for slips.
pub(super) fn is_slipped(line: &[u8], there: &[u8]) -> bool {
    let (Ok(line), Ok(there)) = (str::from_utf8(line), str::from_utf8(there)) else { return false };
    Tally::default().take(line, there)
}

/// What was seen in the lines of an alignment.
#[derive(Default)]
struct Tally {
    equal_words: usize,
    slips: HashMap<(String, String), usize>,
    signs: usize,
}

impl Tally {
    /// Counts a line; false if it differs by more than slips.
    fn take(&mut self, line: &str, there: &str) -> bool {
        let words = words(line).len();
        if Fold::Anywhere.same(line.as_bytes(), there.as_bytes()) {
            self.equal_words += words;
            return true;
        }
        let Some(Slips { words: found, signs }) = Slips::of(line, there) else { return false };
        let most = if words >= WORDS_TWICE_MIN { 2 } else { 1 };
        self.equal_words += words.saturating_sub(found.len());
        self.signs += signs;
        for (one, other) in &found {
            *self.slips.entry(((*one).to_owned(), (*other).to_owned())).or_default() += 1;
        }
        found.len() <= most && signs <= 1
    }

    fn passes(&self, page: &Page<'_>) -> bool {
        let count: usize = self.slips.values().sum();
        self.equal_words >= EQUAL_WORDS_MIN
            && self.equal_words >= count * EQUAL_WORDS_PER_SLIP
            && self.signs <= SIGNS_MAX
            && self.slips.values().all(|times| *times <= SAME_SLIP_MAX)
            && !self.slips.keys().any(|(one, other)| known(page, one, other))
    }
}

fn words(text: &str) -> Vec<&str> {
    tokens(text).into_iter().filter(|token| is_word(token)).collect()
}

fn inked(text: &str) -> Vec<&str> {
    tokens(text).into_iter().filter(|token: &&str| !token.trim().is_empty()).collect()
}

/// What differs in a line: words with a slip in them, and signs that one side lacks.
struct Slips<'l> {
    words: Vec<(&'l str, &'l str)>,
    signs: usize,
}

impl<'l> Slips<'l> {
    /// None if anything else differs, or a word that is no slip.
    fn of(line: &'l str, there: &'l str) -> Option<Slips<'l>> {
        let (one, other) = (inked(line), inked(there));
        let mut slips = Slips { words: Vec::new(), signs: 0 };
        let end = (one.len(), other.len());
        let (mut from, mut from_other) = (0, 0);
        for (to, to_other) in common(&one, &other).into_iter().chain([end]) {
            let (mine, theirs) = (&one[from..to], &other[from_other..to_other]);
            (from, from_other) = (to + 1, to_other + 1);
            match (mine, theirs) {
                ([], []) => {}
                ([sign], []) | ([], [sign]) if is_dropped(sign) => slips.signs += 1,
                ([word], [one, sign, other]) if is_dropped(sign) && is_fused(word, one, other) => {
                    slips.signs += 1;
                }
                _ if mine.len() == theirs.len() => {
                    for (mine, theirs) in mine.iter().zip(theirs) {
                        if !is_slip(mine, theirs) {
                            return None;
                        }
                        slips.words.push((mine, theirs));
                    }
                }
                _ => return None,
            }
        }
        // White space alone, where it keeps two things apart.
        (slips.signs > 0 || !slips.words.is_empty()).then_some(slips)
    }
}

/// Whether a word is two that fell together; not two numbers, which would be another one.
fn is_fused(word: &str, one: &str, other: &str) -> bool {
    let is_letter = |char: Option<char>| char.is_some_and(char::is_alphabetic);
    word.strip_prefix(one) == Some(other)
        && is_letter(one.chars().next_back())
        && is_letter(other.chars().next())
}

/// A sign that models leave out, and that never changes what is said: an operator does.
fn is_dropped(sign: &str) -> bool {
    matches!(sign, "," | ";" | ":" | "." | "(" | ")" | "[" | "]" | "{" | "}" | "\"" | "'" | "`")
}

/// Whether a word is the other with a slip in it.
fn is_slip(one: &str, other: &str) -> bool {
    let (parts, others) = (parts(one), parts(other));
    if parts.len() != others.len() {
        // Written together or apart, in another case: the same letters all the same.
        let letters = |word: &str| word.replace('_', "").to_lowercase();
        return is_slip_of_one(one, other)
            || (letters(one) == letters(other) && one.len() >= LETTERS_TWICE_MIN);
    }
    let differing: Vec<(&&str, &&str)> =
        parts.iter().zip(&others).filter(|(one, other)| one != other).collect();
    match differing.as_slice() {
        [(part, there)] => is_slip_of_one(part, there),
        // A slip on the border of two parts.
        [one_part, next] => {
            one.len() >= LETTERS_TWICE_MIN
                && typo_distance(one, other) == 1
                && !(is_common(one_part.0) && is_common(next.0))
        }
        _ => false,
    }
}

fn is_slip_of_one(one: &str, other: &str) -> bool {
    let letters = |word: &str| word.chars().all(|char| char.is_alphabetic() || char == '_');
    let (len, other_len) = (one.chars().count(), other.chars().count());
    if !letters(one)
        || !letters(other)
        || len.max(other_len) < LETTERS_MIN
        || len.min(other_len) < LETTERS_LEFT_MIN
        || is_common(one)
    {
        return false;
    }
    // Another number, person or tense of the same word is another word.
    let endings = ['s', 'd', 'r', 'n', 'y'];
    let (short, long) = if len < other_len { (one, other) } else { (other, one) };
    if endings.iter().any(|ending| long.strip_suffix(*ending) == Some(short)) {
        return false;
    }
    match typo_distance(one, other) {
        1 if len == other_len => {
            is_transposed(one, other) || is_common(other) || other_len >= LETTERS_OTHER_MIN
        }
        1 => true,
        2 => other_len.min(len) >= LETTERS_TWICE_MIN,
        _ => false,
    }
}

fn is_transposed(one: &str, other: &str) -> bool {
    one.chars().zip(other.chars()).filter(|(one, other)| one != other).count() == 2
}

/// The words that a name is made of: `read_line` and `readLine` are two.
fn parts(word: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for piece in word.split('_').filter(|piece| !piece.is_empty()) {
        let mut from = 0;
        let mut lower = false;
        for (at, char) in piece.char_indices() {
            if char.is_uppercase() && lower {
                parts.push(&piece[from..at]);
                from = at;
            }
            lower = char.is_lowercase();
        }
        parts.push(&piece[from..]);
    }
    parts
}

/// Whether the file knows the needle's word, or the part of it that differs, as a word of its own.
fn known(page: &Page<'_>, one: &str, other: &str) -> bool {
    let there: HashSet<&str> = parts(other).into_iter().collect();
    let strange: Vec<&str> = parts(one).into_iter().filter(|part| !there.contains(part)).collect();
    let text = String::from_utf8_lossy(page.text);
    let strange_lower: Vec<String> = strange.iter().map(|part| part.to_lowercase()).collect();
    text.split(|char: char| !(char.is_alphanumeric() || char == '_')).any(|word| {
        word == one
            || (word.len() >= LETTERS_MIN - 1
                && parts(word).iter().any(|part| strange_lower.contains(&part.to_lowercase())))
    })
}
