//! Characters that look alike: quotes, dashes, spaces, and what is not seen at all.

use super::sample::{both, each, needle};
use super::{Class, Operator, Sample, of};

const LIKE: Class = Class::LookAlikes;

pub(crate) const OPERATORS: [Operator; 7] = [
    of("curly quotes, both", LIKE, |sample, _| both(sample, curly).filter(|_| is_plain(sample))),
    of("curly quotes, needle", LIKE, |sample, _| needle(sample, curly).filter(|_| is_plain(sample))),
    of("dashes, both", LIKE, |sample, _| {
        both(sample, |text| text.replace('-', "\u{2011}")).filter(|_| is_plain(sample))
    }),
    of("dashes, needle", LIKE, |sample, _| {
        needle(sample, |text| text.replace('-', "\u{2013}")).filter(|_| is_plain(sample))
    }),
    of("no-break space, both", LIKE, |sample, _| {
        both(sample, |text| each(text, no_break)).filter(|_| is_plain(sample))
    }),
    of("no-break space, needle", LIKE, |sample, _| {
        needle(sample, |text| each(text, no_break)).filter(|_| is_plain(sample))
    }),
    of("zero width, needle", LIKE, |sample, _| {
        needle(sample, |text| text.replacen(' ', " \u{200b}", 3)).filter(|_| is_plain(sample))
    }),
];

/// Where the file has such characters itself, nobody knows which were meant.
fn is_plain(sample: &Sample) -> bool {
    sample.old.is_ascii() && sample.new.is_ascii()
}

fn curly(text: &str) -> String {
    let mut is_open = false;
    text.chars()
        .map(|char| match char {
            '"' => {
                is_open = !is_open;
                if is_open { '\u{201c}' } else { '\u{201d}' }
            }
            '\'' => '\u{2019}',
            other => other,
        })
        .collect()
}

fn no_break(line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    line[..indent].to_owned() + &line[indent..].replace(' ', "\u{a0}")
}
