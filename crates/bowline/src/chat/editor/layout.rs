//! Where a draft stands on the screen: rows no wider than it, and the cursor in them.
//!
//! Pure. Lines break between words where there are any; blanks at the end of a row hang over and are left out if there is
//! no room. The last column is kept for the cursor. Only the lines around the cursor are looked at, so that a long text
//! costs no more than a short one.

use std::borrow::Cow;
use std::ops::Range;

use super::draft::{Draft, Unit};
use crate::paint::tame;
use crate::rows::{Row, Style, width};

const TAB: &str = "    ";

/// What is shown for one character that is wider than the screen.
const TOO_WIDE: &str = "\u{fffd}";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Layout {
    /// At least one.
    pub(crate) rows: Vec<Row>,
    /// Row and column, both of the rows above.
    pub(crate) cursor: (usize, usize),
    pub(crate) has_more_above: bool,
    pub(crate) has_more_below: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Up,
    Down,
}

/// A draft on a screen of so many columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct Screen<'a> {
    draft: &'a Draft,
    columns: usize,
}

impl<'a> Screen<'a> {
    pub(super) fn new(draft: &'a Draft, columns: usize) -> Screen<'a> {
        Screen { draft, columns: columns.max(1) }
    }

    /// At most so many rows, with the cursor as near the middle as the ends allow.
    pub(super) fn layout(self, cursor: usize, rows_max: usize) -> Layout {
        let rows_max = rows_max.max(1);
        let (mut rows, mut at) = self.around(cursor);
        let mut line = self.line(cursor);
        // One more than can be shown says whether there is more.
        while at <= rows_max && line.start > 0 {
            let above = self.line(line.start - 1);
            let wrapped = self.wrap(above.clone());
            at += wrapped.len();
            rows.splice(0..0, wrapped);
            line = above;
        }
        line = self.line(cursor);
        while rows.len() - at <= rows_max && line.end < self.draft.len() {
            line = self.line(line.end + 1);
            rows.extend(self.wrap(line.clone()));
        }
        let first = at.saturating_sub(rows_max / 2).min(rows.len().saturating_sub(rows_max));
        let last = (first + rows_max).min(rows.len());
        let column = self.column(rows[at].start, cursor).min(self.columns - 1);
        Layout {
            rows: rows[first..last].iter().map(|row| self.row(row.clone())).collect(),
            cursor: (at - first, column),
            has_more_above: first > 0,
            has_more_below: last < rows.len(),
        }
    }

    /// The column of the cursor, as far as it would be without an edge.
    pub(super) fn column_of(self, cursor: usize) -> usize {
        let (rows, at) = self.around(cursor);
        self.column(rows[at].start, cursor)
    }

    /// The place one row up or down, as near the wanted column as it goes; None beyond the first and the last row.
    pub(super) fn vertical(self, cursor: usize, wanted: usize, direction: Direction) -> Option<usize> {
        let (rows, at) = self.around(cursor);
        let line = self.line(cursor);
        let (rows, at) = match direction {
            Direction::Up if at > 0 => (rows, at - 1),
            Direction::Down if at + 1 < rows.len() => (rows, at + 1),
            Direction::Up if line.start == 0 => return None,
            Direction::Up => {
                let rows = self.wrap(self.line(line.start - 1));
                let last = rows.len() - 1;
                (rows, last)
            }
            Direction::Down if line.end == self.draft.len() => return None,
            Direction::Down => (self.wrap(self.line(line.end + 1)), 0),
        };
        let row = rows[at].clone();
        let mut used = 0;
        let mut place = row.start;
        for (range, unit) in self.draft.units(row.clone()) {
            let wide = width(&self.shown(range.clone(), unit));
            if used + wide > wanted {
                return Some(range.start);
            }
            used += wide;
            place = range.start;
        }
        // The end of a row that goes on below is the start of that one.
        Some(if at + 1 == rows.len() { row.end } else { place })
    }

    /// The line around a place, without its line break.
    fn line(self, at: usize) -> Range<usize> {
        let text = self.draft.text();
        let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
        start..text[at..].find('\n').map_or(text.len(), |end| at + end)
    }

    /// The rows of the cursor's line, and in which of them it is.
    fn around(self, cursor: usize) -> (Vec<Range<usize>>, usize) {
        let rows = self.wrap(self.line(cursor));
        let at = rows.iter().rposition(|row| row.start <= cursor).unwrap_or(0);
        (rows, at)
    }

    /// The rows of a line; at least one.
    fn wrap(self, line: Range<usize>) -> Vec<Range<usize>> {
        let usable = self.usable();
        let mut rows = Vec::new();
        let (mut start, mut used) = (line.start, 0);
        // Behind the last blank of this row, and the columns up to there.
        let mut after_blank = None;
        for (range, unit) in self.draft.units(line.clone()) {
            let is_blank = matches!(&self.draft.text()[range.clone()], " " | "\t");
            let wide = width(&self.shown(range.clone(), unit));
            while !is_blank && used + wide > usable && range.start > start {
                let (end, columns) = after_blank.take().unwrap_or((range.start, used));
                rows.push(start..end);
                (start, used) = (end, used - columns);
            }
            used += wide;
            if is_blank {
                after_blank = Some((range.end, used));
            }
        }
        rows.push(start..line.end);
        rows
    }

    fn row(self, place: Range<usize>) -> Row {
        let mut row = Row::default();
        let mut left = self.columns;
        for (range, unit) in self.draft.units(place) {
            let shown = self.shown(range, unit);
            let wide = width(&shown);
            let style = if unit == Unit::Fold { Style::DIM } else { Style::PLAIN };
            if wide > left {
                break;
            }
            row.push(&shown, style);
            left -= wide;
        }
        row
    }

    fn column(self, start: usize, cursor: usize) -> usize {
        self.draft.units(start..cursor).map(|(range, unit)| width(&self.shown(range, unit))).sum()
    }

    /// As it goes into a row; never wider than one.
    fn shown(self, range: Range<usize>, unit: Unit) -> Cow<'a, str> {
        let text = &self.draft.text()[range];
        match unit {
            Unit::Fold => Row::plain(text).cut(self.usable()).text().into(),
            Unit::Character if text == "\t" => TAB[..TAB.len().min(self.usable())].into(),
            // Most are, and they cost nothing.
            Unit::Character if text.len() == 1 => text.into(),
            Unit::Character => {
                let shown = tame(text);
                if width(&shown) > self.usable() { TOO_WIDE.into() } else { shown.into() }
            }
        }
    }

    fn usable(self) -> usize {
        self.columns.saturating_sub(1).max(1)
    }
}
