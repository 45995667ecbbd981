//! What models add on the way, or what their texts lose between quotes: line numbers, a fence, escapes, line breaks.

use super::sample::{both, each, needle};
use super::{Class, Operator, Sample, of};

const MADE: Class = Class::Artefacts;

pub(crate) const OPERATORS: [Operator; 13] = [
    of("numbers, both", MADE, |sample, _| both(sample, |text| numbered(text, |at| format!("{at}| ")))),
    of("numbers, needle", MADE, |sample, _| needle(sample, |text| numbered(text, |at| format!("{at}| ")))),
    of("numbers and tabs, both", MADE, |sample, _| {
        both(sample, |text| numbered(text, |at| format!("{at:>6}\t")))
    }),
    of("numbers and colons, needle", MADE, |sample, _| {
        needle(sample, |text| numbered(text, |at| format!("{at}: ")))
    }),
    of("fence, both", MADE, |sample, _| both(sample, |text| format!("```rust\n{text}```"))),
    of("fence, needle", MADE, |sample, _| needle(sample, |text| format!("```\n{text}```\n"))),
    of("breaks written out, both", MADE, |sample, _| {
        both(sample, breaks).filter(|_| sample.is_free_of(&['\\']) && has_breaks(sample))
    }),
    of("breaks written out, needle", MADE, |sample, _| {
        needle(sample, breaks).filter(|_| sample.is_free_of(&['\\']) && has_breaks(sample))
    }),
    of("quotes escaped, both", MADE, |sample, _| both(sample, escaped)),
    of("quotes escaped, needle", MADE, |sample, _| needle(sample, escaped)),
    of("double escapes, both", MADE, |sample, _| {
        both(sample, |text| breaks(&escaped(text)).replace('\t', "\\t")).filter(|_| has_breaks(sample))
    }),
    of("double escapes, needle", MADE, |sample, _| {
        needle(sample, |text| breaks(&escaped(text)).replace('\t', "\\t")).filter(|_| has_breaks(sample))
    }),
    of("joined, needle", MADE, |sample, _| {
        needle(sample, |text| each(text, |line| line.trim().to_owned()).replace('\n', " "))
            .filter(|_| has_breaks(sample))
    }),
];

/// A needle of one line says nothing about how line breaks are written.
fn has_breaks(sample: &Sample) -> bool {
    sample.old.lines().count() > 1
}

fn numbered(text: &str, gutter: impl Fn(usize) -> String) -> String {
    const FIRST: usize = 41;
    let lines = text.strip_suffix('\n').unwrap_or(text).split('\n').enumerate();
    lines.map(|(at, line)| format!("{}{line}", gutter(at + FIRST))).collect::<Vec<_>>().join("\n") + "\n"
}

/// Line breaks as a backslash and a letter.
fn breaks(text: &str) -> String {
    text.strip_suffix('\n').unwrap_or(text).replace('\n', "\\n")
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
