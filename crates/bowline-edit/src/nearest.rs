//! The passage most like a text that is not there, and in what it differs: so that the next try can copy it.
//!
//! A help for the reader, never a place to edit: it may be wrong. It is cheap, and where nothing is alike there is none.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;

use crate::endings::lines;

/// A passage longer than this is cut.
const PASSAGE_LINES_MAX: usize = 40;
const LINE_CHARS_MAX: usize = 400;
/// A line that occurs more often (`}`, `else:`) says nothing about where we are.
const ANCHOR_PLACES_MAX: usize = 20;
const DIFFERENCES_TOLD_MAX: usize = 3;
/// The share of a line's words that another must have to be like it, in percent.
const SHARED_WORDS_PERCENT_MIN: usize = 50;
const WORD_BYTES_MIN: usize = 3;

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
    pub(crate) fn find(text: &[u8], needle: &str) -> Option<Nearest> {
        let file: Vec<&[u8]> = lines(text).collect();
        let needle: Vec<&[u8]> = lines(needle.trim_matches('\n').as_bytes()).collect();
        let start = by_equal_lines(&file, &needle).or_else(|| by_words(&file, &needle))?;
        Some(compare(&file, &needle, start..start + needle.len()))
    }

    /// The passage that was found, where it can't be edited: `span` are its lines, from 0.
    pub(crate) fn at(text: &[u8], needle: &str, span: Range<usize>) -> Nearest {
        let file: Vec<&[u8]> = lines(text).collect();
        let needle: Vec<&[u8]> = lines(needle.trim_matches('\n').as_bytes()).collect();
        compare(&file, &needle, span)
    }
}

/// The start that puts most lines of the needle beside an equal one, white space at both ends aside.
fn by_equal_lines(file: &[&[u8]], needle: &[&[u8]]) -> Option<usize> {
    let mut wanted: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for line in needle.iter().filter(|line| has_letters(line)) {
        wanted.entry(line.trim_ascii()).or_default();
    }
    for (at, line) in file.iter().enumerate() {
        if let Some(places) = wanted.get_mut(line.trim_ascii())
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

/// The start that puts the needle's wordiest line beside the line that shares most of its words.
fn by_words(file: &[&[u8]], needle: &[&[u8]]) -> Option<usize> {
    let (index, wanted) = needle
        .iter()
        .enumerate()
        .map(|(index, line)| (index, words(line)))
        .max_by_key(|(_, words)| words.len())?;
    if wanted.is_empty() {
        return None;
    }
    let shared = |line: &[u8]| {
        let there = words(line);
        wanted.iter().filter(|word| there.contains(word)).count()
    };
    let (at, best) = file
        .iter()
        .map(|line| shared(line))
        .enumerate()
        .max_by_key(|(at, shared)| (*shared, usize::MAX - at))?;
    (best * 100 >= wanted.len() * SHARED_WORDS_PERCENT_MIN).then(|| at.saturating_sub(index))
}

fn words(line: &[u8]) -> Vec<&[u8]> {
    line.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_' && *byte < 0x80)
        .filter(|word| word.len() >= WORD_BYTES_MIN)
        .collect()
}

fn has_letters(line: &[u8]) -> bool {
    line.iter().any(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80)
}

fn compare(file: &[&[u8]], needle: &[&[u8]], span: Range<usize>) -> Nearest {
    let start = span.start;
    let shown = file.iter().skip(start).take(span.len().min(PASSAGE_LINES_MAX));
    let passage: Vec<String> = shown.clone().map(|line| cut(line)).collect();
    let mut equal = 0;
    let mut differences = Vec::new();
    for (index, (there, looked_for)) in shown.zip(needle).enumerate() {
        if there == looked_for {
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
