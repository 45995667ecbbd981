//! Code in a fence: coloured, never broken between words, every character kept.

use unicode_width::UnicodeWidthChar as _;

use crate::highlight::Highlight;
use crate::rows::{Row, Style};

use super::block::{self, Block};

/// A longer line is coloured and given out in pieces.
pub(super) const PIECE_BYTES: usize = 400;
/// Code stands so far to the right of what is around it.
const INDENT: usize = 2;
/// A closing fence may stand so far to the right of the opening one.
const STRAY_BLANKS_MAX: usize = 3;

#[derive(Debug, Clone)]
pub(super) struct Fence {
    quotes: usize,
    indent: usize,
    mark: char,
    length: usize,
    highlight: Highlight,
    /// The row of a line of which a part was given out.
    row: Option<(Row, usize)>,
}

/// What a line in a fence is.
pub(super) enum Inside<'a> {
    Code(&'a str),
    Closing,
    /// No part of it: the quote that held the fence is over.
    Outside,
}

impl Fence {
    /// `indent` is where its text would begin, which is not where an item begins.
    pub(super) fn new(block: &Block<'_>, mark: char, length: usize) -> Fence {
        let marker = block.marker.as_ref().map_or(0, |marker| marker.chars().count() + 1);
        Fence {
            quotes: block.quotes,
            indent: block.indent + marker,
            mark,
            length,
            highlight: Highlight::new(language(block.text)),
            row: None,
        }
    }

    pub(super) fn prefix(&self, columns: usize) -> Row {
        let indent = (self.indent + INDENT).min(columns / 3);
        block::bars(self.quotes, columns).with(&" ".repeat(indent), Style::PLAIN)
    }

    /// Whether a part of the last line was given out.
    pub(super) fn is_within_line(&self) -> bool {
        self.row.is_some()
    }

    /// Looks at the beginning of a line.
    pub(super) fn inside<'a>(&self, line: &'a str) -> Inside<'a> {
        if self.row.is_some() {
            return Inside::Code(line);
        }
        let is_short = line.len() <= PIECE_BYTES;
        let (quotes, line) = block::unquoted(line, self.quotes);
        if quotes < self.quotes {
            return Inside::Outside;
        }
        let text = line.trim_start_matches(' ');
        let blanks = line.len() - text.len();
        let after = text.trim_start_matches(self.mark);
        let is_long_enough = text.len() - after.len() >= self.length && is_short;
        if is_long_enough && after.trim().is_empty() && blanks <= self.indent + STRAY_BLANKS_MAX {
            return Inside::Closing;
        }
        Inside::Code(&line[blanks.min(self.indent)..])
    }

    /// A part of a line, after which more comes.
    pub(super) fn piece(&mut self, code: &str, columns: usize, out: &mut Vec<Row>) {
        let prefix = self.prefix(columns);
        let (mut row, mut used) = self.row.take().unwrap_or_else(|| (prefix.clone(), prefix.width()));
        for span in self.highlight.piece(code).spans() {
            let mut from = 0;
            for (at, c) in span.text.char_indices() {
                let wide = c.width().unwrap_or(0);
                if used + wide > columns {
                    row.push(&span.text[from..at], span.style);
                    out.push(std::mem::replace(&mut row, prefix.clone()));
                    (from, used) = (at, prefix.width());
                }
                used += wide;
            }
            row.push(&span.text[from..], span.style);
        }
        self.row = Some((row, used));
    }

    pub(super) fn end_line(&mut self, code: &str, columns: usize, out: &mut Vec<Row>) {
        if code.is_empty() && self.row.is_none() {
            out.push(block::bars(self.quotes, columns));
        } else {
            self.piece(code, columns, out);
        }
        out.extend(self.row.take().map(|(row, _)| row));
        self.highlight.end_line();
    }

    /// What was begun in other columns is given out as it is, if it fits no more.
    pub(super) fn resize(&mut self, columns: usize, out: &mut Vec<Row>) {
        if let Some((row, _)) = self.row.take_if(|(_, used)| *used > columns) {
            out.extend(row.wrap(columns, 0));
            self.row = Some((self.prefix(columns), self.prefix(columns).width()));
        }
    }
}

/// The first word of the info string; of a path what its name ends with.
fn language(info: &str) -> &str {
    let info = info.trim_start_matches('{').trim_start_matches('.');
    let word = info.split([' ', ',', '{', '}', ':']).next().unwrap_or_default();
    word.rsplit('.').next().unwrap_or(word)
}

/// Whether the info string says more than the language.
pub(super) fn is_telling(info: &str) -> bool {
    info.contains([' ', ':', '=', '/', '.']) && !info.starts_with('{')
}
