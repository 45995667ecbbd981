//! How far two texts are apart: Levenshtein's distance, 64 characters of the pattern at a time (Myers, Hyyrö).

use std::collections::HashMap;

/// A text to compare others with.
pub(crate) struct Pattern {
    len: usize,
    blocks: usize,
    /// For each character that occurs, where: `blocks` words of bits.
    masks: Vec<u64>,
    ascii: [u32; 128],
    others: HashMap<char, u32>,
}

/// A character as the pattern knows it: its number among those that occur, 0 for any other.
pub(crate) type Symbol = u32;

impl Pattern {
    pub(crate) fn new(text: &str) -> Pattern {
        let len = text.chars().count();
        let blocks = len.div_ceil(64);
        let mut pattern =
            Pattern { len, blocks, masks: vec![0; blocks], ascii: [0; 128], others: HashMap::new() };
        for (at, char) in text.chars().enumerate() {
            let mut symbol = pattern.symbol(char) as usize;
            if symbol == 0 {
                symbol = pattern.masks.len() / blocks;
                pattern.masks.resize(pattern.masks.len() + blocks, 0);
                match pattern.ascii.get_mut(char as usize) {
                    Some(known) => *known = symbol as u32,
                    None => drop(pattern.others.insert(char, symbol as u32)),
                }
            }
            pattern.masks[symbol * blocks + at / 64] |= 1 << (at % 64);
        }
        pattern
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn symbol(&self, char: char) -> Symbol {
        match self.ascii.get(char as usize) {
            Some(symbol) => *symbol,
            None => self.others.get(&char).copied().unwrap_or(0),
        }
    }

    pub(crate) fn symbols(&self, text: &str) -> Vec<Symbol> {
        text.chars().map(|char| self.symbol(char)).collect()
    }

    /// The steps that a comparison with so long a text takes.
    pub(crate) fn steps(&self, len: usize) -> usize {
        self.blocks.max(1).saturating_mul(len)
    }

    pub(crate) fn distance(&self, text: &[Symbol]) -> usize {
        if self.len == 0 {
            return text.len();
        }
        let mut up = vec![!0_u64; self.blocks];
        let mut down = vec![0_u64; self.blocks];
        let last = 1_u64 << ((self.len - 1) % 64);
        let mut distance = self.len;
        for symbol in text {
            let masks = &self.masks[*symbol as usize * self.blocks..][..self.blocks];
            // What the row above hands down: the first row counts the text's characters.
            let (mut plus, mut minus) = (1_u64, 0_u64);
            for (at, mask) in masks.iter().enumerate() {
                let (vertical_plus, vertical_minus) = (up[at], down[at]);
                let equal = mask | minus;
                let diagonal = (((equal & vertical_plus).wrapping_add(vertical_plus)) ^ vertical_plus)
                    | equal
                    | vertical_minus;
                let mut row_plus = vertical_minus | !(diagonal | vertical_plus);
                let mut row_minus = vertical_plus & diagonal;
                if at + 1 == self.blocks {
                    distance += usize::from(row_plus & last != 0);
                    distance -= usize::from(row_minus & last != 0);
                }
                let (next_plus, next_minus) = (row_plus >> 63, row_minus >> 63);
                row_plus = (row_plus << 1) | plus;
                row_minus = (row_minus << 1) | minus;
                let crossed = mask | vertical_minus;
                up[at] = row_minus | !(crossed | row_plus);
                down[at] = row_plus & crossed;
                (plus, minus) = (next_plus, next_minus);
            }
        }
        distance
    }
}

/// The distance of two short words in which two neighbours may also have changed places, up to 3.
pub(crate) fn typo_distance(one: &str, other: &str) -> usize {
    const TOO_FAR: usize = 3;
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.len().abs_diff(other.len()) >= TOO_FAR {
        return TOO_FAR;
    }
    let width = other.len() + 1;
    let mut rows = vec![0_usize; (one.len() + 1) * width];
    for x in 0..=one.len() {
        for y in 0..=other.len() {
            rows[x * width + y] = if x == 0 || y == 0 {
                x + y
            } else {
                let swap = usize::from(one[x - 1] != other[y - 1]);
                let mut best = (rows[(x - 1) * width + y - 1] + swap)
                    .min(rows[(x - 1) * width + y] + 1)
                    .min(rows[x * width + y - 1] + 1);
                if x > 1 && y > 1 && one[x - 1] == other[y - 2] && one[x - 2] == other[y - 1] {
                    best = best.min(rows[(x - 2) * width + y - 2] + 1);
                }
                best
            };
        }
    }
    rows[one.len() * width + other.len()].min(TOO_FAR)
}

#[cfg(test)]
mod tests {
    use super::{Pattern, typo_distance};

    fn plain(one: &str, other: &str) -> usize {
        let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
        let mut row: Vec<usize> = (0..=other.len()).collect();
        for (x, a) in one.iter().enumerate() {
            let mut diagonal = row[0];
            row[0] = x + 1;
            for (y, b) in other.iter().enumerate() {
                let best = (diagonal + usize::from(a != b)).min(row[y] + 1).min(row[y + 1] + 1);
                diagonal = row[y + 1];
                row[y + 1] = best;
            }
        }
        row[other.len()]
    }

    #[test]
    fn bits_and_the_plain_way_agree() {
        let texts = ["", "a", "kitten", "sitting", "\u{e9}t\u{e9}", "abcabcabc"];
        let long: Vec<String> = (1..6).map(|times| "the quick brown fox ".repeat(times * 3)).collect();
        let all: Vec<&str> = texts.into_iter().chain(long.iter().map(String::as_str)).collect();
        for one in &all {
            for other in &all {
                let other = other.replace("qu", "k");
                let pattern = Pattern::new(one);
                assert_eq!(
                    pattern.distance(&pattern.symbols(&other)),
                    plain(one, &other),
                    "{one:?} {other:?}"
                );
            }
        }
    }

    #[test]
    fn typos() {
        assert_eq!(typo_distance("count", "conut"), 1);
        assert_eq!(typo_distance("count", "cont"), 1);
        assert_eq!(typo_distance("count", "count"), 0);
        assert_eq!(typo_distance("left", "right"), 3);
    }
}
