//! Where a needle may stand: the rare words it shares with the file vote for it.

use crate::page::Page;

/// A word that stands on more lines says nothing about where we are.
const WORD_LINES_MAX: usize = 40;
const WORD_BYTES_MIN: usize = 3;
/// How far lines that one side has alone may move the rest.
pub(crate) const SHIFT_MAX: usize = 2;

/// How many places are named.
const PLACES_MAX: usize = 12;
const TABLE_BITS: u32 = 12;

/// A word of the needle: where it stands there, and in the file.
struct Word<'n> {
    text: &'n [u8],
    wanted: Vec<usize>,
    places: Vec<usize>,
    /// Another one with the same bits.
    next: Option<usize>,
}

/// The words of a needle, found by a few bits of their hash: most words of a file are none of them.
struct Words<'n> {
    all: Vec<Word<'n>>,
    table: Vec<Option<usize>>,
}

impl<'n> Words<'n> {
    fn new(needle: &[&'n [u8]]) -> Words<'n> {
        let mut made = Words { all: Vec::new(), table: vec![None; 1 << TABLE_BITS] };
        for (index, line) in needle.iter().enumerate() {
            for text in words(line) {
                let at = made.find(text).unwrap_or_else(|| made.add(text));
                let wanted = &mut made.all[at].wanted;
                if wanted.last() != Some(&index) {
                    wanted.push(index);
                }
            }
        }
        made
    }

    fn add(&mut self, text: &'n [u8]) -> usize {
        let next = self.table[bits(text)].replace(self.all.len());
        self.all.push(Word { text, wanted: Vec::new(), places: Vec::new(), next });
        self.all.len() - 1
    }

    fn find(&self, text: &[u8]) -> Option<usize> {
        let mut at = self.table[bits(text)];
        while let Some(index) = at.filter(|index| self.all[*index].text != text) {
            at = self.all[index].next;
        }
        at
    }

    fn look_for(&mut self, page: &Page<'_>) {
        for (at, line) in page.lines().enumerate() {
            for text in words(line) {
                let Some(index) = self.find(text) else { continue };
                let places = &mut self.all[index].places;
                if places.len() <= WORD_LINES_MAX && places.last() != Some(&at) {
                    places.push(at);
                }
            }
        }
    }
}

/// The likeliest first lines of a needle, the best first.
pub(crate) fn starts(page: &Page<'_>, needle: &[&[u8]]) -> Vec<usize> {
    let mut words = Words::new(needle);
    words.look_for(page);
    // One more than the needle's lines: a start may lie before the file's first line.
    let before = needle.len();
    let mut votes = vec![0_usize; page.len() + before + 1];
    for word in words.all.iter().filter(|word| word.places.len() <= WORD_LINES_MAX) {
        for index in &word.wanted {
            for at in &word.places {
                votes[at + before - index] += 1;
            }
        }
    }
    let around = |at: usize| -> usize {
        votes[at.saturating_sub(SHIFT_MAX)..(at + SHIFT_MAX + 1).min(votes.len())].iter().sum()
    };
    let mut ranked: Vec<(usize, usize, usize)> = votes
        .iter()
        .enumerate()
        .filter(|(_, votes)| **votes > 0)
        .map(|(at, votes)| (around(at), *votes, at))
        .collect();
    ranked.sort_unstable_by(|one, other| (other.0, other.1, one.2).cmp(&(one.0, one.1, other.2)));
    let mut starts: Vec<usize> = Vec::new();
    for (_, _, at) in ranked {
        if starts.len() == PLACES_MAX {
            break;
        }
        // Its neighbours are within the reach of one alignment.
        if starts.iter().all(|start| start.abs_diff(at) > SHIFT_MAX) {
            starts.push(at);
        }
    }
    starts.into_iter().map(|at| at.saturating_sub(before)).collect()
}

pub(crate) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_' && *byte < 0x80)
        .filter(|word| word.len() >= WORD_BYTES_MIN)
}

fn bits(word: &[u8]) -> usize {
    let hash = word.iter().fold(0_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(*byte)));
    (hash.wrapping_mul(0x9e37_79b1) >> (32 - TABLE_BITS)) as usize
}
