//! A line in three versions, the needle's, the file's and the replacement's, token by token.

use std::collections::BTreeSet;

use super::dialect::Dialect;
use crate::canonical::look;
use crate::diff::common;
use crate::tokens::is_word;

pub(super) struct Versions<'t> {
    old: Vec<&'t str>,
    there: Vec<&'t str>,
    new: Vec<&'t str>,
    /// Needle and file side by side, and for each token of the needle what stands before it in the file alone.
    pairs: Vec<Pair<'t>>,
    extra: Vec<String>,
    /// What needle and replacement share.
    shared: Vec<(usize, usize)>,
}

impl<'t> Versions<'t> {
    pub(super) fn new(old: Vec<&'t str>, there: Vec<&'t str>, new: Vec<&'t str>) -> Versions<'t> {
        let (pairs, extra) = aligned(&old, &there);
        let shared = common(&old, &new);
        Versions { old, there, new, pairs, extra, shared }
    }

    /// The replacement's line as it is.
    pub(super) fn written(&self) -> String {
        self.new.concat()
    }

    /// Whether the replacement's line was written with the file at hand, and not with the needle.
    pub(super) fn is_as_written(&self, dialect: &Dialect) -> bool {
        let is_whole = self.pairs.iter().all(|(one, other)| one.is_some() && other.is_some());
        let is_misspelt = self.new.iter().any(|token| dialect.is_misspelt(token));
        if dialect.is_as_file && is_whole && !is_misspelt {
            return true;
        }
        // Words that the needle has wrong and the replacement has not.
        let differs = |one: &Option<&str>, other: &Option<&str>| one.is_some_and(is_word) && one != other;
        let slipped = self.pairs.iter().any(|(one, other)| differs(one, other));
        let is_strange =
            |token: &&str| self.pairs.iter().any(|(one, other)| *one == Some(*token) && one != other);
        if slipped && !is_misspelt && !dialect.has_quotes() && !self.new.iter().any(is_strange) {
            return true;
        }
        let there = self.there.concat();
        is_whole && dialect.has_both(&self.written()) && !there.contains(|char| dialect.is_swapped(char))
    }

    /// The replacement's line with what it shares with the needle as the file has it; none if it goes on using a word that
    /// the file spells otherwise, or something that the needle never mentioned would go.
    pub(super) fn merged(&self, dialect: &Dialect) -> Option<String> {
        if self.has_fused()
            || ["\"", "'", "`"].into_iter().any(|quote| self.is_mixed(quote))
            || dialect.is_unclear(&self.old.concat(), &self.written())
        {
            return None;
        }
        let mut left_out: usize = self.extra.iter().filter(|extra| !extra.trim().is_empty()).count();
        let mut made = String::new();
        let mut last: Option<(usize, usize)> = None;
        for (at, token) in self.new.iter().enumerate() {
            match self.shared.iter().find(|pair| pair.1 == at) {
                Some((index, _)) => {
                    // What the file has between two tokens that stay side by side stays as well.
                    if last.is_some_and(|(one, two)| one + 1 == *index && two + 1 == at) {
                        made.push_str(&self.extra[*index]);
                        left_out -= usize::from(!self.extra[*index].trim().is_empty());
                    }
                    made.push_str(&self.repeated(*index, at, dialect)?);
                    last = Some((*index, at));
                }
                None if dialect.is_misspelt(token) && !self.there.contains(token) => return None,
                None => {
                    // A sign that the needle lost, and the replacement has.
                    let from = last.map_or(0, |(index, _)| index + 1);
                    let to = self.shared.iter().find(|pair| pair.1 > at);
                    let to = to.map_or(self.old.len(), |pair| pair.0);
                    if self.extra[from.min(to)..=to].iter().any(|extra| extra.trim() == *token) {
                        left_out = left_out.saturating_sub(1);
                    }
                    made.push_str(&dialect.spelt(token)?);
                }
            }
        }
        (left_out == 0 || self.is_closed(&made)).then_some(made)
    }

    /// A token that needle and replacement share, as the file has it.
    fn repeated(&self, index: usize, at: usize, dialect: &Dialect) -> Option<String> {
        let token = self.new[at];
        let there = self.in_file(index);
        let is_shared = |old: Option<usize>, new: Option<usize>| {
            old.zip(new).is_some_and(|pair| self.shared.contains(&pair))
        };
        // White space counts as repeated only between words that are.
        let between =
            is_shared(index.checked_sub(1), at.checked_sub(1)) && is_shared(Some(index + 1), Some(at + 1));
        let alike = there.chars().filter_map(look).eq(token.chars().filter_map(look));
        if token.trim().is_empty() && !between && !alike {
            return dialect.spelt(token);
        }
        Some(there.to_owned())
    }

    /// The file's form of a token of the needle.
    fn in_file(&self, index: usize) -> &'t str {
        let mut own = self.pairs.iter().filter(|(one, _)| one.is_some());
        own.nth(index).and_then(|(_, other)| *other).unwrap_or_default()
    }

    /// Whether a word fell together with another in the needle.
    fn has_fused(&self) -> bool {
        let looks = |tokens: &[&str]| tokens.concat().chars().filter_map(look).collect::<String>();
        self.extra.iter().any(|extra| extra.contains(char::is_alphanumeric))
            && looks(&self.old) != looks(&self.there)
    }

    /// Whether a kind of quotes is two in the file: only if each is repeated is it clear which is which.
    fn is_mixed(&self, quote: &str) -> bool {
        let own = self.old.iter().enumerate().filter(|(_, token)| **token == quote);
        let forms: BTreeSet<&str> = own.map(|(index, _)| self.in_file(index)).collect();
        let kept = self.shared.iter().filter(|pair| self.old[pair.0] == quote).count();
        let counts = [&self.old, &self.new].map(|side| side.iter().filter(|token| **token == quote).count());
        forms.len() > 1 && counts != [kept, kept]
    }

    /// Whether all that the needle lacks are brackets, and a line closes them by itself.
    fn is_closed(&self, made: &str) -> bool {
        let mut extra =
            self.extra.iter().flat_map(|extra| extra.chars()).filter(|char| !char.is_whitespace());
        extra.all(|char| "()[]{}".contains(char)) && depth(made) == depth(&self.there.concat())
    }
}

/// How many brackets of each kind are left open.
fn depth(text: &str) -> [isize; 3] {
    [('(', ')'), ('[', ']'), ('{', '}')].map(|(open, close)| {
        let count = |char: char| text.chars().filter(|other| *other == char).count() as isize;
        count(open) - count(close)
    })
}

type Pair<'t> = (Option<&'t str>, Option<&'t str>);

/// Two token lists side by side, with as few differences as can be, and for each of the first what stands before it in the
/// second alone.
pub(super) fn aligned<'t>(one: &[&'t str], other: &[&'t str]) -> (Vec<Pair<'t>>, Vec<String>) {
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
