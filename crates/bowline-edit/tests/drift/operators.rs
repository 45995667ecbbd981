//! The ways in which an edit drifts between a file and a model, and those in which it is not meant for that file at all.
//!
//! Pure and drawn by number, for the tests of the crate and for `cargo xtask bench edits` alike. An operator gives none for
//! a sample that it would leave as it is, or whose truth would be in doubt. What is said by both texts of a drifted edit,
//! or by the needle alone, keeps the bytes of the file: so the truth is always that of the edit that did not drift.

mod artefacts;
mod guesses;
mod lines;
mod look_alikes;
mod refused;
mod sample;
mod typos;
mod white_space;
mod words;

pub(crate) use sample::{Draw, Drifted, Sample};

/// What a drift is about, and so what is asked of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// None at all.
    Plain,
    WhiteSpace,
    LookAlikes,
    Artefacts,
    /// A typo, a dropped character, other quotes.
    Typos,
    /// A line that is left out.
    LeftOut,
    /// What a model misremembers: to be refused is no shame.
    Guesses,
    /// The file does not hold what is to be edited: nothing may change.
    Refused,
}

/// A way to drift.
pub(crate) struct Operator {
    pub(crate) name: &'static str,
    pub(crate) class: Class,
    pub(crate) drift: fn(&Sample, &mut Draw) -> Option<Drifted>,
}

const fn of(name: &'static str, class: Class, drift: fn(&Sample, &mut Draw) -> Option<Drifted>) -> Operator {
    Operator { name, class, drift }
}

pub(crate) fn operators() -> impl Iterator<Item = &'static Operator> {
    let plain: &[Operator] = const { &[of("plain", Class::Plain, plain)] };
    let all = [
        plain,
        &white_space::OPERATORS,
        &look_alikes::OPERATORS,
        &artefacts::OPERATORS,
        &typos::OPERATORS,
        &lines::OPERATORS,
        &guesses::OPERATORS,
        &refused::OPERATORS,
    ];
    all.into_iter().flatten()
}

/// The edit as it is, which must be right for the others to mean anything.
fn plain(sample: &Sample, _: &mut Draw) -> Option<Drifted> {
    Some(Drifted::new(sample, sample.old.clone(), sample.new.clone()))
}
