//! The doom-loop guard for a stream: text, thoughts or a call's arguments that repeat themselves.
//!
//! A small model that has lost its way says the same line until its answer is full, which on a CPU takes minutes. The rule:
//! the last max(400, 6 × p) characters have a period p of at most 80; in code and tables, where rows look alike, ten
//! periods more. The stream is cut and the step asked again once with a higher temperature; the second time the turn ends.
//!
//! Figures: a loop of 2,000 tokens inside call arguments took 251 s on a CPU; a period of 20 is seen here after 400
//! characters, some 100 tokens. A divider of 80 dashes, a table of 20 equal rows of 18 characters, and 60 zeros with commas
//! in an array all stay below.

/// The longest period that is looked for.
const PERIOD_CHARS_MAX: usize = 80;
const CHARS_MIN: usize = 400;
const PERIODS_MIN: usize = 6;
const PERIODS_MORE_IN_CODE: usize = 10;
/// The most that has to be looked back at.
const TAIL_CHARS_MAX: usize = PERIOD_CHARS_MAX * (PERIODS_MIN + PERIODS_MORE_IN_CODE) + CHARS_MIN;
/// How many repetitions of a loop are kept: enough to see what it was.
const PERIODS_KEPT: usize = 2;
/// How much a stream grows between two looks.
const LOOK_EVERY_BYTES: usize = 32;

/// What kind of text may be looping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    Prose,
    /// Code and tables: equal rows are nothing unusual.
    Code,
}

/// A text that ends in a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextLoop {
    pub period_chars: usize,
    /// How often it was said.
    pub count: usize,
    /// Where the text is to be cut so that the loop is told and not played. Bytes.
    pub keep_bytes: usize,
}

/// One stream, looked at as it grows.
#[derive(Debug, Clone, Copy, Default)]
pub struct Watch {
    seen_bytes: usize,
}

impl Watch {
    /// Looks when enough has been added since the last time.
    pub fn look(&mut self, text: &str, ground: fn(&str) -> Ground) -> Option<TextLoop> {
        if text.len() < CHARS_MIN || text.len() < self.seen_bytes + LOOK_EVERY_BYTES {
            return None;
        }
        self.seen_bytes = text.len();
        looping(text, ground(text))
    }
}

/// Prose, unless the text ends within a fence or in a row of a table.
pub fn ground(text: &str) -> Ground {
    let is_fenced = text.matches("```").count() % 2 == 1;
    let is_row = text.trim_end().rsplit('\n').next().is_some_and(|line| line.trim_start().starts_with('|'));
    if is_fenced || is_row { Ground::Code } else { Ground::Prose }
}

/// The loop a text ends in, if it does.
pub fn looping(text: &str, ground: Ground) -> Option<TextLoop> {
    let tail: Vec<char> = text.chars().rev().take(TAIL_CHARS_MAX).collect();
    let same = same_as_start(&tail);
    let due = |period: usize| {
        let more = if ground == Ground::Code { PERIODS_MORE_IN_CODE * period } else { 0 };
        CHARS_MIN.max(PERIODS_MIN * period) + more
    };
    let is_loop = |period: &usize| same.get(*period).is_some_and(|same| same + period >= due(*period));
    let period_chars = (1..=PERIOD_CHARS_MAX).find(is_loop)?;
    let length = loop_chars(text, period_chars);
    let kept = length.min(PERIODS_KEPT * period_chars);
    let dropped: usize = text.chars().rev().take(length - kept).map(char::len_utf8).sum();
    Some(TextLoop { period_chars, count: length / period_chars, keep_bytes: text.len() - dropped })
}

/// For each place, how many characters from there on equal those from the start on (the Z function, in linear time).
fn same_as_start(chars: &[char]) -> Vec<usize> {
    let mut same = vec![0; chars.len()];
    let (mut left, mut right) = (0, 0);
    for at in 1..chars.len() {
        let mut length =
            if at < right { same.get(at - left).copied().unwrap_or(0).min(right - at) } else { 0 };
        while chars.get(at + length).is_some_and(|c| chars.get(length) == Some(c)) {
            length += 1;
        }
        if at + length > right {
            (left, right) = (at, at + length);
        }
        if let Some(place) = same.get_mut(at) {
            *place = length;
        }
    }
    same
}

/// How many characters at the end of a text have this period, all the way back.
fn loop_chars(text: &str, period: usize) -> usize {
    let equal = text.chars().rev().zip(text.chars().rev().skip(period)).take_while(|(a, b)| a == b).count();
    equal + period
}
