//! Greedy wrapping of styled text as it comes in: a row that is given out never changes again.
//!
//! A word may have several styles; wide characters may be parted from each other, as they have no blanks between them.

use unicode_width::UnicodeWidthChar as _;

use crate::rows::{Row, Span, Style};

/// Joins what stands on both sides to one picture.
const JOINER: char = '\u{200d}';

#[derive(Debug, Clone)]
pub(super) struct Wrap {
    columns: usize,
    /// What every row but the first begins with.
    rest: Row,
    row: Row,
    used: usize,
    /// Columns of the row that are no text.
    start: usize,
    /// Blanks that come before the next word, if it stands on this row.
    gap: usize,
    gap_style: Style,
    word: Vec<Span>,
    word_columns: usize,
    last: char,
    is_begun: bool,
}

impl Wrap {
    /// `rest` must leave room for two columns.
    pub(super) fn new(columns: usize, first: &Row, rest: Row, out: &mut Vec<Row>) -> Wrap {
        let is_fitting = first.width() + 2 <= columns;
        let row = if is_fitting { first.clone() } else { Row::default() };
        let used = row.width();
        let mut wrap = Wrap {
            columns,
            rest,
            row,
            used,
            start: used,
            gap: 0,
            gap_style: Style::PLAIN,
            word: Vec::new(),
            word_columns: 0,
            last: ' ',
            is_begun: false,
        };
        if !is_fitting {
            first.spans().iter().for_each(|span| wrap.feed(&span.text, span.style, out));
        }
        wrap
    }

    pub(super) fn feed(&mut self, text: &str, style: Style, out: &mut Vec<Row>) {
        for c in text.chars() {
            if c == ' ' {
                self.end_word();
                self.gap += 1;
                self.gap_style = style;
            } else {
                self.put(c, style, out);
            }
            self.last = c;
        }
    }

    /// The last row, and a new start for nothing.
    pub(super) fn finish(mut self, out: &mut Vec<Row>) {
        self.end_word();
        if self.used > self.start || !self.is_begun {
            out.push(self.row);
        }
    }

    /// What has not been given out goes on in other columns.
    pub(super) fn resized(self, columns: usize, out: &mut Vec<Row>) -> Wrap {
        let rest = if self.rest.width() + 2 > columns { Row::default() } else { self.rest.clone() };
        let is_fitting = self.used <= columns;
        let (first, again) = if is_fitting { (self.row, Row::default()) } else { (Row::default(), self.row) };
        let mut wrap = Wrap::new(columns, &Row::default(), rest, out);
        (wrap.row, wrap.used, wrap.is_begun) = (first, if is_fitting { self.used } else { 0 }, self.is_begun);
        wrap.start = if is_fitting { self.start } else { 0 };
        again.spans().iter().for_each(|span| wrap.feed(&span.text, span.style, out));
        wrap.feed(&" ".repeat(self.gap.min(columns)), self.gap_style, out);
        self.word.iter().for_each(|span| wrap.feed(&span.text, span.style, out));
        wrap
    }

    fn put(&mut self, c: char, style: Style, out: &mut Vec<Row>) {
        let wide = c.width().unwrap_or(0);
        if self.may_part(c, wide) {
            self.end_word();
        }
        if self.used == self.start {
            self.gap = 0;
        }
        if wide > 0 && self.used + self.gap + self.word_columns + wide > self.columns {
            if self.used > self.start {
                self.break_row(out);
            }
            if self.used + self.word_columns + wide > self.columns {
                self.end_word();
                self.break_row(out);
            }
        }
        match self.word.last_mut() {
            Some(span) if span.style == style => span.text.push(c),
            _ => self.word.push(Span { text: c.to_string(), style }),
        }
        self.word_columns += wide;
    }

    /// Whether a row may end before this character, though there is no blank.
    fn may_part(&self, c: char, wide: usize) -> bool {
        let is_wide = wide == 2 || (wide == 1 && self.last.width() == Some(2));
        is_wide && self.last != JOINER && !"、。，．！？：；）」』】".contains(c)
    }

    fn break_row(&mut self, out: &mut Vec<Row>) {
        out.push(std::mem::replace(&mut self.row, self.rest.clone()));
        self.used = self.rest.width();
        self.start = self.used;
        self.gap = 0;
        self.is_begun = true;
    }

    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        self.row.push(&" ".repeat(self.gap), self.gap_style);
        for span in self.word.drain(..) {
            self.row.push(&span.text, span.style);
        }
        self.used += self.gap + self.word_columns;
        (self.gap, self.word_columns) = (0, 0);
    }
}
