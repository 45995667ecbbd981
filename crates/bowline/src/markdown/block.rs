//! What a line is: quoted or not, an item of a list, a heading, a rule, a fence, or text.

use crate::rows::{Row, Style};

use super::inline::End;

/// Past this a line that could still become a rule or a fence is text.
const DECIDE_BYTES_MAX: usize = 400;
/// Past this a line with cells is text.
pub(super) const CELLS_BYTES_MAX: usize = 2_000;
/// What has more blanks and quotes in front of it is text.
const LEAD_BYTES_MAX: usize = 100;
const QUOTES_MAX: usize = 16;
const DIGITS_MAX: usize = 9;
const FENCE_MIN: usize = 3;
const RULE_MIN: usize = 3;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Blank,
    Text,
    Heading(usize),
    Rule,
    Fence { mark: char, length: usize },
}

#[derive(Debug, Clone)]
pub(super) struct Block<'a> {
    pub(super) quotes: usize,
    /// Blanks in front, as written.
    pub(super) indent: usize,
    /// What stands in front of an item, as it is shown.
    pub(super) marker: Option<String>,
    pub(super) kind: Kind,
    /// What is left: the text, the info string of a fence.
    pub(super) text: &'a str,
}

/// Reads a line; nothing while it could still be one thing or another.
pub(super) fn read(line: &str, end: End) -> Option<Block<'_>> {
    let (quotes, quoted) = unquoted(line, QUOTES_MAX);
    let text = quoted.trim_start_matches(' ');
    let indent = quoted.len() - text.len();
    let is_short = line.len() <= DECIDE_BYTES_MAX;
    let is_far = line.len() - text.len() > LEAD_BYTES_MAX;
    let block = |kind, text| Some(Block { quotes, indent, marker: None, kind, text });
    if end == End::More && is_short && (text.is_empty() || (!is_far && is_rule_so_far(text))) {
        return None;
    }
    if is_short && text.is_empty() {
        return block(Kind::Blank, "");
    }
    if is_far {
        return block(Kind::Text, text);
    }
    if is_short && is_rule(text) {
        return block(Kind::Rule, "");
    }
    if end == End::More && text.starts_with('|') && line.len() <= CELLS_BYTES_MAX {
        return None;
    }
    if let Some((level, title)) = heading(text) {
        return match end {
            End::More if is_short => None,
            End::More => block(Kind::Heading(level), title),
            _ => block(Kind::Heading(level), without_closing(title)),
        };
    }
    let (marker, text) = item(text).map_or((None, text), |(marker, text)| (Some(marker), text));
    if let Some((mark, length, info)) = fence(text).filter(|_| is_short) {
        let kind = Kind::Fence { mark, length };
        return (end != End::More).then_some(Block { quotes, indent, marker, kind, text: info });
    }
    Some(Block { quotes, indent, marker, kind: Kind::Text, text })
}

/// The line without so many marks of a quote, at most, and how many there were.
pub(super) fn unquoted(line: &str, most: usize) -> (usize, &str) {
    let (mut quotes, mut rest) = (0, line);
    while quotes < most {
        let text = rest.trim_start_matches(' ');
        let Some(inner) = text.strip_prefix('>').filter(|_| rest.len() - text.len() < 4) else { break };
        rest = inner.strip_prefix(' ').unwrap_or(inner);
        quotes += 1;
    }
    (quotes, rest)
}

fn is_rule_so_far(text: &str) -> bool {
    let mark = text.chars().next();
    matches!(mark, Some('-' | '*' | '_')) && text.chars().all(|c| c == ' ' || Some(c) == mark)
}

fn is_rule(text: &str) -> bool {
    is_rule_so_far(text) && text.chars().filter(|c| *c != ' ').count() >= RULE_MIN
}

fn heading(text: &str) -> Option<(usize, &str)> {
    let title = text.trim_start_matches('#');
    let level = text.len() - title.len();
    let is_heading = (1..=6).contains(&level) && (title.is_empty() || title.starts_with(' '));
    is_heading.then(|| (level, title.trim_start_matches(' ')))
}

/// Marks at the end of a heading say nothing, if they stand apart.
fn without_closing(title: &str) -> &str {
    let title = title.trim_end_matches(' ');
    let text = title.trim_end_matches('#');
    if text.is_empty() || text.ends_with(' ') { text.trim_end_matches(' ') } else { title }
}

/// The marker of an item as it is shown, and what comes after it.
fn item(text: &str) -> Option<(String, &str)> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (shown, rest) = if (1..=DIGITS_MAX).contains(&digits) {
        let rest = text[digits..].strip_prefix(['.', ')'])?;
        (&text[..=digits], rest)
    } else {
        ("•", text.strip_prefix(['-', '*', '+'])?)
    };
    if !rest.is_empty() && !rest.starts_with(' ') {
        return None;
    }
    let rest = rest.trim_start_matches(' ');
    let boxes = [("[ ]", "☐"), ("[x]", "☑"), ("[X]", "☑")];
    for (written, drawn) in boxes {
        let after = rest.strip_prefix(written).filter(|after| after.is_empty() || after.starts_with(' '));
        if let Some(after) = after {
            let shown = if shown == "•" { drawn.to_owned() } else { format!("{shown} {drawn}") };
            return Some((shown, after.trim_start_matches(' ')));
        }
    }
    Some((shown.to_owned(), rest))
}

fn fence(text: &str) -> Option<(char, usize, &str)> {
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let info = text.trim_start_matches(mark);
    let length = text.len() - info.len();
    let is_fence = length >= FENCE_MIN && !(mark == '`' && info.contains('`'));
    is_fence.then(|| (mark, length, info.trim()))
}

/// What the rows of a quote begin with; on a narrow screen a deep one is less deep.
pub(super) fn bars(quotes: usize, columns: usize) -> Row {
    let shown = quotes.min((columns / 8).max(1));
    Row::of(&"│ ".repeat(shown), Style::DIM)
}

/// What the first row of a block begins with, and what the others do.
pub(super) fn prefixes(block: &Block<'_>, columns: usize) -> (Row, Row) {
    let bars = bars(block.quotes, columns);
    let indent = block.indent.min(columns / 3);
    let marker = block.marker.as_ref().map_or(String::new(), |marker| format!("{marker} "));
    let first = bars.clone().with(&" ".repeat(indent), Style::PLAIN).with(&marker, Style::PLAIN);
    let blanks = (first.width() - bars.width()).min((columns / 2).saturating_sub(bars.width()));
    (first, bars.with(&" ".repeat(blanks), Style::PLAIN))
}
