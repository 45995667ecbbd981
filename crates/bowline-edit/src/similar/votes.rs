//! Where a needle may stand: the rare words it shares with the file vote for it.

use std::collections::HashMap;

use crate::page::Page;

/// A word that stands on more lines says nothing about where we are.
const WORD_LINES_MAX: usize = 40;
const WORD_BYTES_MIN: usize = 3;
/// How far lines that one side has alone may move the rest.
const SHIFT_MAX: usize = 2;

/// The likeliest first lines of a needle, the best first.
pub(crate) fn starts(page: &Page<'_>, needle: &[&[u8]], count: usize) -> Vec<usize> {
    let mut wanted: HashMap<&[u8], Vec<usize>> = HashMap::new();
    // Most words of a file are not in the needle; a few bits of their hash tell.
    let mut sieve = vec![false; 1 << 14];
    for (index, line) in needle.iter().enumerate() {
        for word in words(line) {
            let lines = wanted.entry(word).or_default();
            if lines.last() != Some(&index) {
                lines.push(index);
            }
            sieve[bits(word)] = true;
        }
    }
    let mut places: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (at, line) in page.lines().enumerate() {
        for word in words(line).filter(|word| sieve[bits(word)]) {
            if let Some((word, _)) = wanted.get_key_value(word) {
                let lines = places.entry(word).or_default();
                if lines.last() != Some(&at) && lines.len() <= WORD_LINES_MAX {
                    lines.push(at);
                }
            }
        }
    }
    // One more than the needle's lines: a start may lie before the file's first line.
    let before = needle.len();
    let mut votes = vec![0_usize; page.len() + before + 1];
    for (word, lines) in places.iter().filter(|(_, lines)| lines.len() <= WORD_LINES_MAX) {
        for index in wanted.get(word).into_iter().flatten() {
            for at in lines {
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
        if starts.len() == count {
            break;
        }
        // Its neighbours are within the reach of one alignment.
        if starts.iter().all(|start| start.abs_diff(at) > SHIFT_MAX) {
            starts.push(at);
        }
    }
    starts.into_iter().map(|at| at.saturating_sub(before)).collect()
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_' && *byte < 0x80)
        .filter(|word| word.len() >= WORD_BYTES_MIN)
}

fn bits(word: &[u8]) -> usize {
    let hash = word.iter().fold(0_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(*byte)));
    (hash ^ (hash >> 14)) as usize & 0x3fff
}
