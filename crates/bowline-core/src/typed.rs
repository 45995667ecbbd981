//! Which parts of a user's text the user typed. The rest is a long paste, piped input, a file or what a command printed.
//!
//! Every front says it of each text that it sends. Only what was typed can name a check, because that command is run without a
//! question. What always holds: a text of which nobody says it was typed was not.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// What stands for a part that was not typed where only the typed words are read. It joins no two words and ends no sentence.
const LEFT_OUT: &str = " … ";

/// The typed parts of a text: ranges of bytes, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Typed(Vec<(usize, usize)>);

/// Where a part of a text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    Typed,
    /// A paste, piped input, a file, the output of a command.
    Elsewhere,
}

impl Typed {
    pub fn nothing() -> Typed {
        Typed::default()
    }

    pub fn all(text: &str) -> Typed {
        let mut typed = Typed::nothing();
        typed.add(0..text.len());
        typed
    }

    pub fn is_nothing(&self) -> bool {
        self.0.is_empty()
    }

    /// Another typed part, behind all that are known.
    pub fn add(&mut self, part: Range<usize>) {
        match self.0.last_mut() {
            _ if part.is_empty() => {}
            Some(last) if last.1 == part.start => last.1 = part.end,
            _ => self.0.push((part.start, part.end)),
        }
    }

    /// All of the text, part by part. A range that does not fit the text counts as not typed.
    pub fn parts<'t>(&self, text: &'t str) -> Vec<(&'t str, Origin)> {
        let mut parts = Vec::new();
        let mut at = 0;
        for (start, end) in &self.0 {
            let (Some(before), Some(typed)) = (text.get(at..*start), text.get(*start..*end)) else {
                continue;
            };
            parts.extend([(before, Origin::Elsewhere), (typed, Origin::Typed)]);
            at = *end;
        }
        parts.push((text.get(at..).unwrap_or_default(), Origin::Elsewhere));
        parts.retain(|(part, _)| !part.is_empty());
        parts
    }

    /// The typed words of the text.
    pub fn words(&self, text: &str) -> String {
        let shown = |(part, origin)| match origin {
            Origin::Typed => part,
            Origin::Elsewhere => LEFT_OUT,
        };
        self.parts(text).into_iter().map(shown).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(ranges: &[(usize, usize)]) -> Typed {
        let mut typed = Typed::nothing();
        ranges.iter().for_each(|(start, end)| typed.add(*start..*end));
        typed
    }

    #[test]
    fn what_was_not_typed_is_left_out() {
        assert_eq!(typed(&[(0, 4), (8, 12)]).words("run PASTfast"), "run  … fast");
        assert_eq!(Typed::all("make test").words("make test"), "make test");
        assert_eq!(Typed::nothing().words("make test"), " … ");
        assert_eq!(typed(&[(0, 2), (2, 4)]), typed(&[(0, 4)]));
    }

    #[test]
    fn a_range_that_does_not_fit_was_not_typed() {
        let text = "é make test";
        for ranges in [&[(1, 5)][..], &[(0, 100)], &[(6, 8), (2, 4)]] {
            let typed = typed(ranges);
            let whole: String = typed.parts(text).into_iter().map(|(part, _)| part).collect();
            assert_eq!(whole, text, "{ranges:?}");
            assert!(!typed.words(text).contains("make"), "{ranges:?}");
        }
    }
}
