//! What a model misremembers: a word of a comment, the name of a thing, and a place among two that are nearly alike.

use super::sample::Sides;
use super::words::{is_comment, names, put, words};
use super::{Class, Draw, Drifted, Operator, Sample, of};

const GUESS: Class = Class::Guesses;

pub(crate) const OPERATORS: [Operator; 5] = [
    of("comment word, both", GUESS, |sample, draw| comment_word(sample, draw, Sides::Both)),
    of("comment word, needle", GUESS, |sample, draw| comment_word(sample, draw, Sides::Needle)),
    of("identifier, both", GUESS, |sample, draw| identifier(sample, draw, Sides::Both)),
    of("identifier, needle", GUESS, |sample, draw| identifier(sample, draw, Sides::Needle)),
    of("near-duplicate beside, typo", GUESS, beside),
];

/// The lines that may drift.
fn lines_of(sample: &Sample, sides: Sides) -> Vec<usize> {
    match sides {
        Sides::Both => sample.context(),
        Sides::Needle => (0..sample.old.lines().count()).collect(),
    }
}

fn comment_word(sample: &Sample, draw: &mut Draw, sides: Sides) -> Option<Drifted> {
    const OTHERS: [&str; 8] = ["given", "whole", "this", "current", "when", "value", "each", "whether"];
    let lines: Vec<&str> = sample.old.lines().collect();
    let comments: Vec<usize> = lines_of(sample, sides)
        .into_iter()
        .filter(|at| is_comment(lines[*at]) && words(lines[*at]).len() > 2)
        .collect();
    let at = *draw.of(&comments)?;
    let words = words(lines[at]);
    let (word, other) = (*draw.of(&words)?, *draw.of(&OTHERS)?);
    (word.1 != other).then(|| sample.with_lines(&[(at, put(lines[at], word, other))], sides))?
}

/// One name for another that a model might think it has.
fn identifier(sample: &Sample, draw: &mut Draw, sides: Sides) -> Option<Drifted> {
    let lines: Vec<&str> = sample.old.lines().collect();
    let fit: Vec<usize> =
        lines_of(sample, sides).into_iter().filter(|at| !names(lines[*at]).is_empty()).collect();
    let at = *draw.of(&fit)?;
    let names = names(lines[at]);
    let name = *draw.of(&names)?;
    let other = match draw.below(4) {
        0 => format!("{}_value", name.1),
        1 => format!("get_{}", name.1),
        2 => "result".to_owned(),
        _ => name.1.chars().rev().collect(),
    };
    (name.1 != other).then(|| sample.with_lines(&[(at, put(lines[at], name, &other))], sides))?
}

/// The block is there a second time with another name in it, and the needle has a typo: the copy must not be edited.
fn beside(sample: &Sample, draw: &mut Draw) -> Option<Drifted> {
    let lines: Vec<&str> = sample.old.lines().collect();
    if lines.len() < 3 {
        return None;
    }
    let fit: Vec<usize> = (0..lines.len()).filter(|at| !names(lines[*at]).is_empty()).collect();
    let at = *draw.of(&fit)?;
    let names_there = names(lines[at]);
    let copied = put(lines[at], *draw.of(&names_there)?, "another");
    let copy: String = lines
        .iter()
        .enumerate()
        .map(|(number, line)| format!("{}\n", if number == at { copied.as_str() } else { line }))
        .collect();
    let typo_at = *draw.of(&fit)?;
    let names = names(lines[typo_at]);
    let long: Vec<&(usize, &str)> = names.iter().filter(|(_, name)| name.len() >= 5).collect();
    let name = **draw.of(&long)?;
    let typo = format!("{}{}", &name.1[..2], &name.1[3..]);
    let drifted = sample.with_lines(&[(typo_at, put(lines[typo_at], name, &typo))], Sides::Needle)?;
    let beside = |block: &str| sample.before.replacen(&sample.old, &format!("{block}{copy}"), 1);
    Some(Drifted { before: beside(&sample.old), after: Some(beside(&sample.new)), ..drifted })
}
