//! The passage most like a text that is not there, and in what it differs: so that the next try can copy it.
//!
//! A help for the reader, never a place to edit: it may be wrong. It is cheap, and where nothing is alike there is none.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::ops::Range;

use crate::endings::lines;
use crate::ladder::Sheet;
use crate::page::Page;
use crate::similar::{SHIFT_MAX, words};

/// A passage longer than this is cut.
const PASSAGE_LINES_MAX: usize = 40;
const LINE_CHARS_MAX: usize = 400;
/// A line that occurs more often (`}`, `else:`) says nothing about where we are.
const ANCHOR_PLACES_MAX: usize = 20;
const DIFFERENCES_TOLD_MAX: usize = 3;
/// The share of a line's words that another must have to be like it, in percent.
const SHARED_WORDS_PERCENT_MIN: usize = 50;

/// The passage of the file that is most like what was looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// The first line of the passage, counted from 1.
    pub line: usize,
    /// The lines as they stand in the file; bytes that are not UTF-8 are replaced.
    pub passage: Vec<String>,
    /// How many lines of the passage equal the line that was looked for.
    pub equal: usize,
    pub differences: Vec<Difference>,
}

/// How a line of the passage differs from the line that was looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// By its indentation alone.
    Indent { line: usize, file: String, looked_for: String },
    /// By white space at its end alone.
    Trailing { line: usize },
    /// By its text.
    Text { line: usize },
}

impl Nearest {
    pub(crate) fn find(sheet: &Sheet<'_>, needle: &str) -> Option<Nearest> {
        let needle: Vec<&[u8]> = lines(needle.trim_matches('\n').as_bytes()).collect();
        let start = by_equal_lines(&sheet.page, &needle).or_else(|| by_words(sheet, &needle))?;
        Some(compare(&sheet.page, &needle, start..start + needle.len()))
    }

    /// The passage that was found, where it can't be edited: `span` are its lines, from 0.
    pub(crate) fn at(page: &Page<'_>, needle: &str, span: Range<usize>) -> Nearest {
        let needle: Vec<&[u8]> = lines(needle.trim_matches('\n').as_bytes()).collect();
        compare(page, &needle, span)
    }
}

/// The start that puts most lines of the needle beside an equal one, white space at both ends aside.
fn by_equal_lines(page: &Page<'_>, needle: &[&[u8]]) -> Option<usize> {
    let mut wanted: HashMap<&[u8], Vec<usize>> = HashMap::new();
    // Most lines of a file are not in the needle; their length and ends tell.
    let mut sieve = [false; 1 << 12];
    for line in needle.iter().map(|line| line.trim_ascii()).filter(|line| has_letters(line)) {
        wanted.entry(line).or_default();
        sieve[glance(line)] = true;
    }
    for (at, line) in page.lines().enumerate() {
        let line = line.trim_ascii();
        if sieve[glance(line)]
            && let Some(places) = wanted.get_mut(line)
            && places.len() <= ANCHOR_PLACES_MAX
        {
            places.push(at);
        }
    }
    let mut votes: HashMap<usize, usize> = HashMap::new();
    for (index, line) in needle.iter().enumerate() {
        let places = wanted.get(line.trim_ascii()).filter(|places| places.len() <= ANCHOR_PLACES_MAX);
        for start in places.into_iter().flatten().filter_map(|at| at.checked_sub(index)) {
            *votes.entry(start).or_default() += 1;
        }
    }
    votes.into_iter().max_by_key(|(start, votes)| (*votes, usize::MAX - start)).map(|(start, _)| start)
}

/// A few bits of a line.
fn glance(line: &[u8]) -> usize {
    let end = |byte: Option<&u8>| byte.copied().map_or(0, usize::from);
    (line.len() ^ (end(line.first()) << 3) ^ (end(line.last()) << 5)) & 0xfff
}

/// The start that the rare words of the needle vote for, if its wordiest line has a like one there.
fn by_words(sheet: &Sheet<'_>, needle: &[&[u8]]) -> Option<usize> {
    let (index, wanted) = needle
        .iter()
        .enumerate()
        .map(|(index, line)| (index, words(line).collect::<HashSet<_>>()))
        .max_by_key(|(_, words)| words.len())?;
    let start = *sheet.starts(needle).first()?;
    let shared = |at: usize| {
        let there: HashSet<&[u8]> = words(sheet.page.line(at)).collect();
        wanted.intersection(&there).count()
    };
    let around =
        (start + index).saturating_sub(SHIFT_MAX)..(start + index + SHIFT_MAX + 1).min(sheet.page.len());
    let (at, best) =
        around.map(|at| (at, shared(at))).max_by_key(|(at, shared)| (*shared, usize::MAX - at))?;
    let alike = !wanted.is_empty() && best * 100 >= wanted.len() * SHARED_WORDS_PERCENT_MIN;
    alike.then(|| at.saturating_sub(index))
}

fn has_letters(line: &[u8]) -> bool {
    line.iter().any(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80)
}

fn compare(page: &Page<'_>, needle: &[&[u8]], span: Range<usize>) -> Nearest {
    let start = span.start.min(page.len());
    let shown = (start..page.len().min(start + span.len().min(PASSAGE_LINES_MAX))).map(|at| page.line(at));
    let passage: Vec<String> = shown.clone().map(cut).collect();
    let mut equal = 0;
    let mut differences = Vec::new();
    for (index, (there, looked_for)) in shown.zip(needle).enumerate() {
        if there == *looked_for {
            equal += 1;
        } else {
            differences.push(difference(start + index + 1, there, looked_for));
        }
    }
    Nearest { line: start + 1, passage, equal, differences }
}

fn difference(line: usize, there: &[u8], looked_for: &[u8]) -> Difference {
    if there.trim_ascii() != looked_for.trim_ascii() {
        return Difference::Text { line };
    }
    let (file, other) = (indent(there), indent(looked_for));
    if file == other {
        return Difference::Trailing { line };
    }
    Difference::Indent { line, file: in_words(file), looked_for: in_words(other) }
}

fn indent(line: &[u8]) -> &[u8] {
    &line[..line.len() - line.trim_ascii_start().len()]
}

/// `a tab`, `4 spaces`.
fn in_words(indent: &[u8]) -> String {
    let tabs = indent.iter().filter(|byte| **byte == b'\t').count();
    match (tabs, indent.len() - tabs) {
        (0, 0) => "nothing".to_owned(),
        (0, 1) => "a space".to_owned(),
        (0, spaces) => format!("{spaces} spaces"),
        (1, 0) => "a tab".to_owned(),
        (tabs, 0) => format!("{tabs} tabs"),
        _ => "tabs and spaces mixed".to_owned(),
    }
}

fn cut(line: &[u8]) -> String {
    let line = String::from_utf8_lossy(line);
    match line.char_indices().nth(LINE_CHARS_MAX) {
        None => line.into_owned(),
        Some((at, _)) => line[..at].to_owned(),
    }
}

impl Nearest {
    /// Where it is and how it differs, then the lines after a gutter, with nothing else on them: models copy marks, too.
    pub(crate) fn words(&self) -> String {
        let last = self.line + self.passage.len().saturating_sub(1);
        let place = if last > self.line {
            format!("lines {}-{last}", self.line)
        } else {
            format!("line {}", self.line)
        };
        let mut text = format!("The nearest passage is {place}");
        if self.passage.len() > 1 {
            let _ = write!(text, ", {} of {} lines equal", self.equal, self.passage.len());
        }
        for difference in self.differences.iter().take(DIFFERENCES_TOLD_MAX) {
            let _ = match difference {
                Difference::Indent { line, file, looked_for } => {
                    write!(text, "; line {line} is indented by {file}, in `old` by {looked_for}")
                }
                Difference::Trailing { line } => {
                    write!(text, "; line {line} has other white space at its end than in `old`")
                }
                Difference::Text { line } => write!(text, "; line {line} differs from `old`"),
            };
        }
        if self.differences.len() > DIFFERENCES_TOLD_MAX {
            let _ = write!(text, "; {} more lines differ", self.differences.len() - DIFFERENCES_TOLD_MAX);
        }
        text.push_str(". Copy `old` from it, without the numbers:");
        for (index, line) in self.passage.iter().enumerate() {
            let _ = write!(text, "\n{}| {line}", self.line + index);
        }
        text
    }
}
