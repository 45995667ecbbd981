//! What is marked within a line: emphasis, code, links, escapes.
//!
//! A marker counts when its other half follows within a bound; otherwise it is text. So what a piece of a line means
//! depends on no more than that bound after it, and all before can be shown for good. What is marked so and how far the
//! text was understood depends on the text alone, not on the pieces it came in.

use std::ops::Range;

use crate::rows::{Colour, Style};

/// So far from its first half the second half of a marker is looked for.
const HOLD_BYTES: usize = 600;
/// The same for the address of a link.
const ADDRESS_BYTES: usize = 600;
/// A longer run of markers is several of them.
const RUN_MAX: usize = 16;
/// The second half is looked for behind so many other markers.
const MARKERS_MAX: usize = 64;
const DEPTH_MAX: usize = 6;
const BRACKETS_MAX: usize = 8;

/// What comes after the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// More of the same line.
    More,
    /// Nothing: the line is complete.
    Line,
    /// More, but it is to be shown now: what is open is taken to be closed soon.
    Guess,
}

enum Find {
    At(usize),
    Nowhere,
    /// Not yet: more has to be known.
    Wait,
}

enum Step {
    Wait,
    Literal(usize),
    Escaped,
    Code { inner: Range<usize>, past: usize },
    Marked { inner: Range<usize>, style: Style, past: usize },
    Link { inner: Range<usize>, address: Range<usize>, past: usize },
}

/// Gives out the text in its styles, as far as it is understood, and says how many bytes that were.
pub(super) fn resolve(
    text: &str,
    before: Option<char>,
    style: Style,
    end: End,
    emit: &mut dyn FnMut(&str, Style),
) -> usize {
    Inline { text, before, end, depth: 0 }.read(style, emit)
}

struct Inline<'a> {
    text: &'a str,
    /// The character in front of the text.
    before: Option<char>,
    end: End,
    depth: usize,
}

impl Inline<'_> {
    fn read(&self, style: Style, emit: &mut dyn FnMut(&str, Style)) -> usize {
        let mut at = 0;
        while at < self.text.len() {
            let marker = self.find(at..self.text.len(), b"\\`*_~[!:").unwrap_or(self.text.len());
            emit(&self.text[at..marker], style);
            at = marker;
            if at == self.text.len() {
                break;
            }
            at = match self.step(at, style) {
                Step::Wait => return at,
                Step::Literal(bytes) => {
                    emit(&self.text[at..at + bytes], style);
                    at + bytes
                }
                Step::Escaped => {
                    emit(&self.text[at + 1..at + 2], style);
                    at + 2
                }
                Step::Code { inner, past } => {
                    emit(code(&self.text[inner]), Style { colour: Some(Colour::Cyan), ..style });
                    past
                }
                Step::Marked { inner, style, past } => {
                    self.inside(&self.text[inner], style, emit);
                    past
                }
                Step::Link { inner, address, past } => {
                    self.link_text(&self.text[inner], &self.text[address], style, emit);
                    past
                }
            };
        }
        at
    }

    fn inside(&self, text: &str, style: Style, emit: &mut dyn FnMut(&str, Style)) {
        if self.depth == DEPTH_MAX {
            emit(text, style);
            return;
        }
        let end = if self.end == End::Guess { End::Guess } else { End::Line };
        Inline { text, before: None, end, depth: self.depth + 1 }.read(style, emit);
    }

    fn link_text(&self, text: &str, address: &str, style: Style, emit: &mut dyn FnMut(&str, Style)) {
        let underlined = Style { is_underlined: true, ..style };
        if text.is_empty() || text == address || address.strip_prefix("mailto:") == Some(text) {
            emit(address, underlined);
            return;
        }
        self.inside(text, underlined, emit);
        if !address.is_empty() {
            emit(&format!(" ({address})"), Style { is_dim: true, ..style });
        }
    }

    fn step(&self, at: usize, style: Style) -> Step {
        let next = self.text[at + 1..].chars().next();
        match self.text.as_bytes()[at] {
            b'\\' => match next {
                None if self.end == End::More => Step::Wait,
                Some(c) if c.is_ascii_punctuation() => Step::Escaped,
                _ => Step::Literal(1),
            },
            b'!' => match next {
                None if self.end == End::More => Step::Wait,
                Some('[') => self.link(at + 1),
                _ => Step::Literal(1),
            },
            b'[' => match self.before(at) {
                Some(c) if c.is_ascii_alphanumeric() || matches!(c, ')' | ']') => Step::Literal(1),
                _ => self.link(at),
            },
            b'`' => self.code(at),
            b':' => self.address(at),
            mark => self.emphasis(at, mark, style),
        }
    }

    /// What follows `://` means nothing but an address.
    fn address(&self, at: usize) -> Step {
        let rest = &self.text[at..];
        if !rest.starts_with("://") {
            let may_be = self.end == End::More && "://".starts_with(rest);
            return if may_be { Step::Wait } else { Step::Literal(1) };
        }
        match self.find(at..at + HOLD_BYTES, b" )>]\"`*|") {
            Some(end) => Step::Literal(end - at),
            None if self.end == End::More && rest.len() < HOLD_BYTES => Step::Wait,
            None => Step::Literal(rest.floor_char_boundary(HOLD_BYTES)),
        }
    }

    fn code(&self, at: usize) -> Step {
        let run = self.run(at);
        if self.may_grow(at, run) {
            return Step::Wait;
        }
        match self.find_code(at + run, run, at + HOLD_BYTES) {
            Find::At(close) => {
                Step::Code { inner: at + run..close, past: (close + run).min(self.text.len()) }
            }
            Find::Nowhere => Step::Literal(run),
            Find::Wait => Step::Wait,
        }
    }

    fn emphasis(&self, at: usize, mark: u8, style: Style) -> Step {
        let run = self.run(at);
        if self.may_grow(at, run) {
            return Step::Wait;
        }
        let before = self.before(at);
        let is_opening = is_opening(before, mark, &self.text[at + run..]);
        let halves: &[usize] = match (mark, run) {
            _ if !is_opening || before == Some(char::from(mark)) => &[],
            (b'~', 2) | (b'*' | b'_', 2) => &[2],
            (b'*' | b'_', 1) => &[1],
            (b'*' | b'_', 3) => &[3, 1, 2],
            _ => &[],
        };
        for &half in halves {
            match self.find_half(at, mark, run, half) {
                Find::At(close) if half == 2 && is_dunder(&self.text[at..close], mark) => break,
                Find::At(close) => {
                    let past = (close + half).min(self.text.len());
                    return Step::Marked { inner: at + half..close, style: marked(style, mark, half), past };
                }
                Find::Wait => return Step::Wait,
                Find::Nowhere => {}
            }
        }
        Step::Literal(run)
    }

    /// Where the second half of an emphasis begins.
    fn find_half(&self, at: usize, mark: u8, run: usize, half: usize) -> Find {
        let limit = at + HOLD_BYTES;
        let mut from = at + run;
        let mut markers = 0;
        while let Some(found) = self.find(from..limit, &[mark, b'`', b'\\']) {
            markers += 1;
            if markers > MARKERS_MAX {
                return Find::Nowhere;
            }
            if self.text.as_bytes()[found] == b'\\' {
                from = self.past_escape(found);
                continue;
            }
            let run = self.run(found);
            if self.may_grow(found, run) {
                return Find::Wait;
            }
            from = found + run;
            if self.text.as_bytes()[found] == mark {
                if self.is_closing(found, run, half) {
                    return Find::At(found + run - half);
                }
            } else {
                match self.find_code(from, run, limit) {
                    Find::At(close) => from = (close + run).min(self.text.len()),
                    Find::Nowhere => {}
                    Find::Wait => return Find::Wait,
                }
            }
        }
        self.not_found(limit, half > 1)
    }

    fn is_closing(&self, at: usize, run: usize, half: usize) -> bool {
        let before = self.before(at);
        let next = self.text[at + run..].chars().next();
        let is_word_next = next.is_some_and(char::is_alphanumeric);
        let is_within = before.is_some_and(|c| c.is_ascii_alphanumeric())
            && next.is_some_and(|c| c.is_ascii_alphanumeric());
        let is_long_enough = match half {
            1 => run == 1 || run == 3,
            2 => run == 2 || (run == 3 && self.text.as_bytes()[at] != b'~'),
            _ => run == 3,
        };
        let may_stand_within = half > 1 && self.text.as_bytes()[at] != b'_';
        let is_underscore_within = self.text.as_bytes()[at] == b'_' && is_word_next;
        is_long_enough
            && !before.is_some_and(char::is_whitespace)
            && (!is_within || may_stand_within)
            && !is_underscore_within
    }

    fn find_code(&self, from: usize, run: usize, limit: usize) -> Find {
        let mut from = from;
        while let Some(found) = self.find(from..limit, b"`") {
            let length = self.run(found);
            if self.may_grow(found, length) {
                return Find::Wait;
            }
            if length == run {
                return Find::At(found);
            }
            from = found + length;
        }
        self.not_found(limit, true)
    }

    /// A link whose `[` stands here.
    fn link(&self, at: usize) -> Step {
        let close = match self.find_bracket(at, *b"[]", at + HOLD_BYTES) {
            Find::At(close) => close,
            Find::Nowhere => return Step::Literal(1),
            Find::Wait => return Step::Wait,
        };
        match self.text.as_bytes().get(close + 1) {
            Some(b'(') => {}
            None if self.end == End::More => return Step::Wait,
            _ => return Step::Literal(1),
        }
        let past = match self.find_bracket(close + 1, *b"()", close + ADDRESS_BYTES) {
            Find::At(past) => past,
            Find::Nowhere => return Step::Literal(1),
            Find::Wait => return Step::Wait,
        };
        let address = close + 2..past;
        let title = self.text[address.clone()].trim().split_once(' ').map(|(_, title)| title.trim_start());
        match title {
            Some(title) if !title.starts_with(['"', '\'']) => Step::Literal(1),
            _ => Step::Link { inner: at + 1..close, address, past: past + 1 },
        }
    }

    /// The bracket that closes the one here.
    fn find_bracket(&self, at: usize, pair: [u8; 2], limit: usize) -> Find {
        let [open, close] = pair;
        let mut depth = 1;
        let mut from = at + 1;
        let other = if open == b'[' { b'`' } else { b'\\' };
        while let Some(found) = self.find(from..limit, &[open, close, b'\\', other]) {
            if depth > BRACKETS_MAX {
                return Find::Nowhere;
            }
            from = found + 1;
            match self.text.as_bytes()[found] {
                b'\\' => from = self.past_escape(found),
                b'`' => {
                    let run = self.run(found);
                    if self.may_grow(found, run) {
                        return Find::Wait;
                    }
                    from = match self.find_code(found + run, run, limit) {
                        Find::At(end) => (end + run).min(self.text.len()),
                        Find::Nowhere => found + run,
                        Find::Wait => return Find::Wait,
                    };
                }
                byte if byte == open => depth += 1,
                _ if depth == 1 => return Find::At(found),
                _ => depth -= 1,
            }
        }
        self.not_found(limit, false)
    }

    fn not_found(&self, limit: usize, may_guess: bool) -> Find {
        match self.end {
            End::More if self.text.len() < limit => Find::Wait,
            End::Guess if self.text.len() < limit && may_guess => Find::At(self.text.len()),
            _ => Find::Nowhere,
        }
    }

    /// The next of these bytes, all of them ASCII.
    fn find(&self, within: Range<usize>, bytes: &[u8]) -> Option<usize> {
        let rest = self.text.as_bytes().get(within.start..within.end.min(self.text.len()))?;
        rest.iter().position(|byte| bytes.contains(byte)).map(|at| within.start + at)
    }

    /// How often the byte here is repeated.
    fn run(&self, at: usize) -> usize {
        let bytes = &self.text.as_bytes()[at..];
        bytes.iter().take(RUN_MAX).take_while(|byte| **byte == bytes[0]).count()
    }

    fn may_grow(&self, at: usize, run: usize) -> bool {
        self.end == End::More && run < RUN_MAX && at + run == self.text.len()
    }

    fn past_escape(&self, at: usize) -> usize {
        at + 1 + self.text[at + 1..].chars().next().map_or(0, char::len_utf8)
    }

    fn before(&self, at: usize) -> Option<char> {
        self.text[..at].chars().next_back().or(self.before)
    }
}

/// Whether markers between these two can begin an emphasis, and are no part of a name, a path or a product.
fn is_opening(before: Option<char>, mark: u8, after: &str) -> bool {
    let Some(next) = after.chars().next().filter(|c| !c.is_whitespace()) else { return false };
    match before {
        _ if after.starts_with("/*") || (mark == b'*' && next == '.') => false,
        Some(c) if mark == b'_' => !c.is_alphanumeric() && !"/\\.-$@#&=".contains(c),
        Some('/') => next != '/',
        Some(c) => !(c.is_ascii_alphanumeric() && next.is_ascii_alphanumeric()),
        None => true,
    }
}

fn marked(style: Style, mark: u8, half: usize) -> Style {
    match (mark, half) {
        (b'~', _) => Style { is_dim: true, ..style },
        (_, 1) => Style { is_italic: true, ..style },
        (_, 2) => Style { is_bold: true, ..style },
        _ => Style { is_bold: true, is_italic: true, ..style },
    }
}

/// Whether this is the name of something special in Python, such as `__init__`.
fn is_dunder(text: &str, mark: u8) -> bool {
    mark == b'_' && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// A blank on both sides only keeps backticks apart.
fn code(text: &str) -> &str {
    let inner = text.strip_prefix(' ').and_then(|text| text.strip_suffix(' '));
    inner.filter(|inner| !inner.trim().is_empty()).unwrap_or(text)
}
