//! A real change of a few lines, and which of them are measured with.

use super::language::Language;
use super::operators::{Draw, Sample};
use std::collections::BTreeMap;

pub(crate) struct Hunk {
    pub(crate) language: Language,
    /// Where it comes from, for people.
    pub(crate) origin: String,
    pub(crate) sample: Sample,
}

/// At most so many, as evenly from the languages as there are.
pub(crate) fn drawn(hunks: Vec<Hunk>, count: usize, draw: &mut Draw) -> Vec<Hunk> {
    let mut by_language: BTreeMap<Language, Vec<Hunk>> = BTreeMap::new();
    for hunk in hunks {
        by_language.entry(hunk.language).or_default().push(hunk);
    }
    by_language.values_mut().for_each(|hunks| draw.shuffle(hunks));
    let mut taken = Vec::new();
    while taken.len() < count && by_language.values().any(|hunks| !hunks.is_empty()) {
        for hunks in by_language.values_mut() {
            if taken.len() < count {
                taken.extend(hunks.pop());
            }
        }
    }
    taken
}
