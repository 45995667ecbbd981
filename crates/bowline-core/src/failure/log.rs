//! What a command printed, as lines without escapes, cut to what is worth reading where there is too much of it.

use super::programs::Program;
use super::report::Problem;
use std::borrow::Cow;
use std::cell::OnceCell;

/// What is read of one stream: its beginning, its end, and the lines between them that announce a failure. Bytes.
const HEAD_BYTES: usize = 20 * 1024;
const TAIL_BYTES: usize = 44 * 1024;
const MIDDLE_BYTES: usize = 16 * 1024;
/// Lines that are kept after one that announces a failure.
const FOLLOWING_LINES: usize = 12;
/// Lines of an output that is short enough for its first complaint to be the cause.
const SHORT_LINES_MAX: usize = 40;
/// One line as it is read. Bytes.
const LINE_BYTES_MAX: usize = 2_000;

/// How lines begin that announce a failure.
const ANNOUNCING: &[&str] = &[
    "not ok ",
    "--- FAIL",
    "FAIL",
    "---- ",
    "error",
    "Error",
    "ERROR",
    "E   ",
    "✕",
    "✖",
    "✗",
    "×",
    "●",
    "panic: ",
    "thread '",
    "Traceback ",
    "fatal",
    "[ERROR]",
    "npm error",
    "npm ERR!",
];

/// The lines of both streams: standard output first.
#[derive(Debug)]
pub(super) struct Log<'a> {
    pub lines: Vec<&'a str>,
    /// How many of them are of standard output.
    pub stdout_count: usize,
    /// What compilers and linters found, which several parsers ask for: errors, and warnings.
    pub located: OnceCell<(Vec<Problem>, Vec<Problem>)>,
}

impl<'a> Log<'a> {
    pub(super) fn new(stdout: &'a str, stderr: &'a str) -> Log<'a> {
        let mut lines: Vec<&str> = stdout.lines().map(str::trim_end).collect();
        let stdout_count = lines.len();
        lines.extend(stderr.lines().map(str::trim_end));
        Log { lines, stdout_count, located: OnceCell::new() }
    }

    /// Whether a line begins so, apart from white space.
    pub(super) fn has(&self, start: &str) -> bool {
        self.lines.iter().any(|line| line.trim_start().starts_with(start))
    }

    pub(super) fn contains(&self, text: &str) -> bool {
        self.lines.iter().any(|line| line.contains(text))
    }

    pub(super) fn position(&self, is_wanted: impl Fn(&str) -> bool) -> Option<usize> {
        self.lines.iter().position(|line| is_wanted(line))
    }

    /// The lines from a place on.
    pub(super) fn from(&self, at: usize) -> &[&'a str] {
        self.lines.get(at..).unwrap_or_default()
    }

    pub(super) fn between(&self, start: usize, end: usize) -> &[&'a str] {
        self.lines.get(start..end.min(self.lines.len())).unwrap_or_default()
    }

    /// The line that tells most where no parser knows the output: the last one that speaks of an error, or the last one.
    pub(super) fn telling_line(&self, programs: &[Program]) -> Option<&'a str> {
        const SIGNS: &[&str] = &[
            "error",
            "fail",
            "fatal",
            "cannot",
            "can't",
            "not found",
            "no such",
            "unable",
            "invalid",
            "denied",
        ];
        let is_noise = |line: &str| {
            let text = line.trim();
            text.chars().filter(|sign| sign.is_alphanumeric()).count() < 2
                || [
                    "npm error A complete log",
                    "npm ERR! A complete log",
                    "make: ***",
                    "make[",
                    "error Command failed",
                ]
                .iter()
                .any(|start| text.starts_with(start))
                || programs.iter().any(|program| program.echo.as_deref() == Some(text))
        };
        let lines = || self.lines.iter().rev().filter(|line| !is_noise(line)).take(200);
        let is_sign = |line: &&&str| {
            let lower = line.to_lowercase();
            SIGNS.iter().any(|sign| lower.contains(sign))
        };
        // The first complaint is the cause; in a long output the last one ended it.
        let is_short = self.lines.len() <= SHORT_LINES_MAX;
        let sign = if is_short { lines().filter(is_sign).last() } else { lines().find(is_sign) };
        sign.or_else(|| lines().next()).map(|line| line.trim())
    }
}

/// A stream without escapes, cut to its windows.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    let text = windows(text);
    if !text.bytes().any(|byte| byte.is_ascii_control() && byte != b'\n' && byte != b'\t') {
        return text;
    }
    let mut cleaned = String::with_capacity(text.len());
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '\u{1b}' => skip_escape(&mut signs),
            '\r' => {
                signs.next_if_eq(&'\n');
                cleaned.push('\n');
            }
            sign if sign.is_ascii_control() && sign != '\n' && sign != '\t' => {}
            sign => cleaned.push(sign),
        }
    }
    Cow::Owned(cleaned)
}

/// Skips the rest of an escape sequence.
fn skip_escape(signs: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match signs.next() {
        Some('[') => {
            for sign in signs.by_ref() {
                if ('\u{40}'..='\u{7e}').contains(&sign) {
                    break;
                }
            }
        }
        Some(']') => {
            while let Some(sign) = signs.next() {
                if sign == '\u{7}' {
                    break;
                }
                if sign == '\u{1b}' {
                    signs.next();
                    break;
                }
            }
        }
        Some('(' | ')' | '#' | '%') => {
            signs.next();
        }
        _ => {}
    }
}

/// The beginning, the end, and what announces a failure in between.
fn windows(text: &str) -> Cow<'_, str> {
    if text.len() <= HEAD_BYTES + TAIL_BYTES + MIDDLE_BYTES && !has_long_line(text) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(HEAD_BYTES + TAIL_BYTES + MIDDLE_BYTES);
    let tail_at = text.len().saturating_sub(TAIL_BYTES);
    let mut at = 0;
    let mut following = 0;
    let mut middle = 0;
    for line in text.split_inclusive('\n') {
        let is_edge = at < HEAD_BYTES || at + line.len() > tail_at;
        at += line.len();
        if !is_edge {
            if is_announcing(line) {
                following = FOLLOWING_LINES;
            }
            if following == 0 || middle > MIDDLE_BYTES {
                continue;
            }
            following -= 1;
            middle += line.len().min(LINE_BYTES_MAX);
        }
        push_line(&mut kept, line);
    }
    Cow::Owned(kept)
}

fn has_long_line(text: &str) -> bool {
    text.len() > LINE_BYTES_MAX && text.split('\n').any(|line| line.len() > LINE_BYTES_MAX)
}

fn push_line(kept: &mut String, line: &str) {
    if line.len() <= LINE_BYTES_MAX {
        kept.push_str(line);
        return;
    }
    kept.push_str(super::summary::cut_bytes(line, LINE_BYTES_MAX));
    kept.push('\n');
}

/// Whether a line begins as announcements do, apart from white space and colors.
fn is_announcing(line: &str) -> bool {
    let mut text = line.trim_start();
    while let Some(rest) = text.strip_prefix("\u{1b}[") {
        let end = rest.find(|sign: char| sign.is_ascii_alphabetic()).map_or(rest.len(), |end| end + 1);
        text = rest.get(end..).unwrap_or_default().trim_start();
    }
    ANNOUNCING.iter().any(|start| text.starts_with(start))
}
