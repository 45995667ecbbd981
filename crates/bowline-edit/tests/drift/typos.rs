//! Slips of a character: a typo in a word, punctuation that is dropped, one kind of quotes for the other.

use super::sample::{Sides, both, needle};
use super::{Class, Draw, Drifted, Operator, Sample, of};

const TYPO: Class = Class::Typos;

pub(crate) const OPERATORS: [Operator; 8] = [
    of("typo, both", TYPO, |sample, draw| typos(sample, draw, 1, Sides::Both)),
    of("typo, needle", TYPO, |sample, draw| typos(sample, draw, 1, Sides::Needle)),
    of("typo per line, both", Class::Guesses, |sample, draw| typos(sample, draw, usize::MAX, Sides::Both)),
    of("typo per line, needle", Class::Guesses, |sample, draw| {
        typos(sample, draw, usize::MAX, Sides::Needle)
    }),
    of("punctuation dropped, both", TYPO, |sample, draw| dropped(sample, draw, Sides::Both)),
    of("punctuation dropped, needle", TYPO, |sample, draw| dropped(sample, draw, Sides::Needle)),
    of("quotes swapped, both", TYPO, |sample, _| {
        both(sample, |text| text.replace('"', "'")).filter(|_| sample.is_free_of(&['\'', '`']))
    }),
    of("quotes swapped, needle", TYPO, |sample, _| {
        needle(sample, |text| text.replace('"', "'")).filter(|_| sample.is_free_of(&['\'', '`']))
    }),
];

/// Lines of `old` in drawn order; those that drift in both texts must be repeated.
fn order(sample: &Sample, draw: &mut Draw, sides: Sides) -> Vec<usize> {
    let mut order = match sides {
        Sides::Needle => (0..sample.old.lines().count()).collect(),
        Sides::Both => sample.context(),
    };
    draw.shuffle(&mut order);
    order
}

fn typos(sample: &Sample, draw: &mut Draw, count: usize, sides: Sides) -> Option<Drifted> {
    let lines: Vec<&str> = sample.old.lines().collect();
    if lines.iter().filter(|line| !line.trim().is_empty()).count() < 2 {
        return None;
    }
    let mut made = Vec::new();
    for at in order(sample, draw, sides) {
        if made.len() < count
            && let Some(line) = typo(lines[at], draw)
        {
            made.push((at, line));
        }
    }
    sample.with_lines(&made, sides)
}

fn typo(line: &str, draw: &mut Draw) -> Option<String> {
    let words: Vec<&str> =
        line.split(|char: char| !char.is_ascii_alphabetic()).filter(|word| word.len() >= 4).collect();
    let word = *draw.of(&words)?;
    let at = draw.below(word.len() - 1);
    let (a, b) = (&word[at..=at], &word[at + 1..at + 2]);
    let made = match draw.below(4) {
        0 => format!("{}{b}{a}{}", &word[..at], &word[at + 2..]),
        1 => format!("{}{}", &word[..at], &word[at + 1..]),
        2 => format!("{}{a}{}", &word[..=at], &word[at + 1..]),
        _ => format!("{}x{}", &word[..at], &word[at + 1..]),
    };
    (made != word).then(|| line.replacen(word, &made, 1))
}

/// One character that ends a line or a part of it is gone.
fn dropped(sample: &Sample, draw: &mut Draw, sides: Sides) -> Option<Drifted> {
    let lines: Vec<&str> = sample.old.lines().collect();
    for at in order(sample, draw, sides) {
        let marks: Vec<usize> =
            lines[at].char_indices().filter(|(_, char)| ",;:.)".contains(*char)).map(|(at, _)| at).collect();
        // Mostly the last one, as models do.
        let mark = if draw.below(3) == 0 { draw.of(&marks) } else { marks.last() };
        if let Some(mark) = mark.filter(|_| lines[at].trim().len() > 3) {
            let line = format!("{}{}", &lines[at][..*mark], &lines[at][mark + 1..]);
            return sample.with_lines(&[(at, line)], sides);
        }
    }
    None
}
