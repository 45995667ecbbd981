//! Blanks at the end, another indentation, tabs for spaces, other line endings, blank lines.

use super::sample::{Sides, both, each, needle, trimmed};
use super::words::is_comment;
use super::{Class, Draw, Drifted, Operator, Sample, of};

const SPACE: Class = Class::WhiteSpace;

pub(crate) const OPERATORS: [Operator; 23] = [
    of("trailing, needle", SPACE, |sample, _| needle(sample, |text| each(text, |line| format!("{line}  ")))),
    of("trailing, file", SPACE, trailing_in_file),
    of("dedent, both", SPACE, |sample, _| {
        both(sample, dedent_by(&sample.old)).filter(|_| least(&sample.new) >= least(&sample.old))
    }),
    of("dedent, needle", SPACE, |sample, _| needle(sample, dedent_by(&sample.old))),
    of("indent, both", SPACE, |sample, _| {
        both(sample, |text| each(text, |line| format!("{}{line}", deeper(&sample.before))))
    }),
    of("indent, needle", SPACE, |sample, _| needle(sample, |text| each(text, |line| format!("  {line}")))),
    of("half the indent, both", SPACE, |sample, _| scaled(sample, Sides::Both, |count| count.div_ceil(2))),
    of("half the indent, needle", SPACE, |sample, _| {
        scaled(sample, Sides::Needle, |count| count.div_ceil(2))
    }),
    of("twice the indent, both", SPACE, |sample, _| scaled(sample, Sides::Both, |count| count * 2)),
    of("tabs, both", SPACE, |sample, _| both(sample, tabbed(&sample.before))),
    of("tabs, needle", SPACE, |sample, _| needle(sample, tabbed(&sample.before))),
    of("first indent missing, both", SPACE, |sample, _| first_missing(sample, Sides::Both)),
    of("first indent missing, needle", SPACE, |sample, _| first_missing(sample, Sides::Needle)),
    of("first indent missing, trailing", SPACE, first_missing_trailing),
    of("CRLF, file", SPACE, |sample, _| {
        let (before, after) = (crlf(&sample.before), Some(crlf(&sample.after())));
        Some(Drifted { before, old: sample.old.clone(), new: sample.new.clone(), after })
    }),
    of("CRLF, both", SPACE, |sample, _| both(sample, crlf)),
    of("CRLF, needle", SPACE, |sample, _| needle(sample, crlf)),
    of("final break missing, both", SPACE, |sample, _| {
        both(sample, |text| text.strip_suffix('\n').unwrap_or(text).to_owned())
            .filter(|drifted| !drifted.new.is_empty())
    }),
    of("blank lines around, both", SPACE, |sample, _| both(sample, |text| format!("\n{text}\n"))),
    of("blank line added, needle", SPACE, |sample, draw| blank_added(sample, draw, Sides::Needle)),
    of("blank line added, both", SPACE, |sample, draw| blank_added(sample, draw, Sides::Both)),
    of("blank lines dropped, needle", SPACE, |sample, _| needle(sample, no_blank)),
    of("spaces collapsed, needle", SPACE, |sample, _| {
        needle(sample, |text| each(text, |line| line.replace(", ", ",").replace("  ", " ")))
    }),
];

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

fn least(text: &str) -> usize {
    text.lines().filter(|line| !line.trim().is_empty()).map(indent_of).min().unwrap_or(0)
}

fn dedent_by(text: &str) -> impl Fn(&str) -> String {
    let least = least(text);
    move |text| each(text, |line| line[least.min(indent_of(line))..].to_owned())
}

/// The blanks of one level in a file that is indented by spaces, as far as its code agrees on one.
fn unit(text: &str) -> Option<usize> {
    let code = text.lines().filter(|line| line.starts_with(' ') && !is_comment(line));
    let indents: Vec<usize> = code.map(indent_of).collect();
    let share = |unit: usize| indents.iter().filter(|indent| indent.is_multiple_of(unit)).count() * 10;
    [8, 4, 2].into_iter().find(|unit| share(*unit) >= indents.len() * 9).filter(|_| !indents.is_empty())
}

/// One level more, as the file has it.
fn deeper(text: &str) -> &'static str {
    let begun = |start: char| text.lines().filter(|line| line.starts_with(start)).count();
    if begun('\t') > begun(' ') { "\t" } else { "    " }
}

/// Each level with another number of blanks, where every line has whole levels.
fn scaled(sample: &Sample, sides: Sides, scale: fn(usize) -> usize) -> Option<Drifted> {
    let unit = unit(&sample.before)?;
    let is_even =
        |text: &str| text.lines().all(|line| !line.starts_with('\t') && indent_of(line).is_multiple_of(unit));
    let to = scale(unit);
    if !is_even(&sample.old) || !is_even(&sample.new) || !(2..=8).contains(&to) {
        return None;
    }
    let drift = |text: &str| {
        each(text, |line| " ".repeat(indent_of(line) / unit * to) + line.trim_start_matches(' '))
    };
    match sides {
        Sides::Both => both(sample, drift),
        Sides::Needle => needle(sample, drift),
    }
}

/// A tab for each level, or four blanks for each tab.
fn tabbed(file: &str) -> impl Fn(&str) -> String {
    let unit = unit(file).unwrap_or(usize::MAX);
    move |text| {
        each(text, |line| {
            let indent = indent_of(line);
            let rest = &line[indent..];
            if line.starts_with('\t') {
                return line[..indent].replace('\t', "    ") + rest;
            }
            "\t".repeat(indent / unit) + &" ".repeat(indent % unit) + rest
        })
    }
}

fn crlf(text: &str) -> String {
    text.replace('\n', "\r\n")
}

/// As when the text begins right after a quote: the first line starts at its first word.
fn first_missing(sample: &Sample, sides: Sides) -> Option<Drifted> {
    let first = |text: &str| text.trim_start_matches([' ', '\t']).to_owned();
    // One line, and the needle alone, is an exact edit within the line, and its indentation would double.
    let is_alone = sides == Sides::Needle && trimmed(&sample.old).len() == 1;
    if first(&sample.old) == sample.old || is_alone || sample.new.trim().is_empty() {
        return None;
    }
    let same = indent_of(sample.old.lines().next()?) == indent_of(sample.new.lines().next()?);
    match sides {
        Sides::Both => both(sample, first).filter(|_| same),
        Sides::Needle => needle(sample, first),
    }
}

fn first_missing_trailing(sample: &Sample, _: &mut Draw) -> Option<Drifted> {
    let drifted = first_missing(sample, Sides::Both).filter(|_| sample.old.lines().count() > 1)?;
    let old = each(&drifted.old, |line| format!("{line} "));
    Some(Drifted { old, ..drifted })
}

/// Some lines of the file end in a blank that nobody sees.
fn trailing_in_file(sample: &Sample, _: &mut Draw) -> Option<Drifted> {
    let is_spaced = |line: &str| line.len().is_multiple_of(3) && !line.trim().is_empty();
    let spaced = |line: &str| if is_spaced(line) { format!("{line} \n") } else { format!("{line}\n") };
    let there: String = sample.old.lines().map(spaced).collect();
    let kept: Vec<&str> = sample.old.lines().collect();
    let new: String = sample
        .new
        .lines()
        .map(|line| if kept.contains(&line) { spaced(line) } else { format!("{line}\n") })
        .collect();
    // A line that is there twice, or moved, has no form of its own.
    let stays: Vec<&str> =
        kept.iter().copied().filter(|line| sample.new.lines().any(|other| other == *line)).collect();
    let is_moved = sample.new.lines().filter(|line| kept.contains(line)).ne(stays);
    let all: Vec<&str> = sample.old.lines().chain(sample.new.lines()).collect();
    let is_unique =
        kept.iter().all(|line| all.iter().filter(|other| other.trim() == line.trim()).count() <= 2);
    let before = sample.before.replacen(&sample.old, &there, 1);
    let after = Some(sample.before.replacen(&sample.old, &new, 1));
    let (old, new) = (sample.old.clone(), sample.new.clone());
    (before != sample.before && is_unique && !is_moved).then_some(Drifted { before, old, new, after })
}

/// A blank line between two that stand beside each other in both texts.
fn blank_added(sample: &Sample, draw: &mut Draw, sides: Sides) -> Option<Drifted> {
    let lines: Vec<&str> = sample.old.lines().collect();
    let pair = |at: usize| format!("{}\n{}\n", lines[at], lines[at + 1]);
    let is_repeated = |at: usize| sides == Sides::Needle || sample.new.matches(&pair(at)).count() == 1;
    let places: Vec<usize> = (0..lines.len().checked_sub(1)?)
        .filter(|at| !lines[*at].trim().is_empty() && !lines[at + 1].trim().is_empty())
        .filter(|at| is_repeated(*at) && sample.old.matches(&pair(*at)).count() == 1)
        .collect();
    let at = *draw.of(&places)?;
    let split = |text: &str| text.replacen(&pair(at), &format!("{}\n\n{}\n", lines[at], lines[at + 1]), 1);
    match sides {
        Sides::Needle => needle(sample, split),
        Sides::Both => both(sample, split),
    }
}

/// Without the blank lines between others; those at the ends stay, where it would be another exact edit.
fn no_blank(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let is_said = |lines: &[&str]| lines.iter().any(|line| !line.trim().is_empty());
    let is_inner = |at: usize| is_said(&lines[..at]) && is_said(&lines[at..]);
    let kept = lines.iter().enumerate().filter(|(at, line)| !line.trim().is_empty() || !is_inner(*at));
    kept.map(|(_, line)| format!("{line}\n")).collect()
}
