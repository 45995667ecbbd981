//! Tables: as wide as they need to be and no wider than the screen.
//!
//! One that grows long is given out with the widths known by then, and goes on with them.

use crate::rows::{Row, Style};

use super::block;
use super::inline::{self, End};
use super::wrap::Wrap;

/// What is held of a table before it is given out.
const HELD_ROWS_MAX: usize = 8;
const HELD_BYTES_MAX: usize = 4_000;
/// A column is made no narrower than this to fit.
const NARROW: usize = 6;
const BETWEEN: &str = " │ ";
const BETWEEN_COLUMNS: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Middle,
    Right,
}

#[derive(Debug, Clone)]
pub(super) struct Table {
    quotes: usize,
    is_piped: bool,
    header: Vec<Row>,
    sides: Vec<Side>,
    rows: Vec<Vec<Row>>,
    bytes: usize,
    /// How wide the columns want to be, once rows were given out.
    wanted: Option<Vec<usize>>,
}

impl Table {
    /// A table, if the second line is what stands below a header.
    pub(super) fn open(quotes: usize, header: &str, below: &str) -> Option<Table> {
        let mut sides = cells(below).iter().map(|cell| side(cell)).collect::<Option<Vec<_>>>()?;
        if !below.contains('|') {
            return None;
        }
        let header_cells = cells(header).iter().map(|cell| styled(cell, Style::BOLD)).collect::<Vec<_>>();
        sides.resize(header_cells.len(), Side::Left);
        Some(Table {
            quotes,
            is_piped: header.starts_with('|'),
            header: header_cells,
            sides,
            rows: Vec::new(),
            bytes: header.len(),
            wanted: None,
        })
    }

    /// Whether the line is a row of this table; if so it is taken.
    pub(super) fn take(&mut self, quotes: usize, line: &str, columns: usize, out: &mut Vec<Row>) -> bool {
        let is_row = if self.is_piped { line.starts_with('|') } else { has_cells(line) };
        if !is_row || quotes != self.quotes {
            return false;
        }
        let mut cells = cells(line);
        let more = cells.split_off(cells.len().min(self.header.len()));
        if let Some(last) = cells.last_mut().filter(|_| !more.is_empty()) {
            *last = format!("{last} | {}", more.join(" | "));
        }
        cells.resize(self.header.len(), String::new());
        self.rows.push(cells.iter().map(|cell| styled(cell, Style::PLAIN)).collect());
        self.bytes += line.len();
        if self.wanted.is_some() || self.rows.len() > HELD_ROWS_MAX || self.bytes > HELD_BYTES_MAX {
            self.give(columns, out);
        }
        true
    }

    pub(super) fn finish(mut self, columns: usize, out: &mut Vec<Row>) {
        if self.wanted.is_none() {
            let wanted = self.natural();
            self.draw(&wanted, columns, out);
        } else {
            self.give(columns, out);
        }
    }

    /// Gives out what is held; the last column takes all there is, as what comes may need it.
    fn give(&mut self, columns: usize, out: &mut Vec<Row>) {
        let is_first = self.wanted.is_none();
        let mut wanted = self.wanted.take().unwrap_or_else(|| self.natural());
        let room = self.room(columns);
        let others = wanted.iter().rev().skip(1).sum::<usize>();
        if let Some(last) = wanted.last_mut().filter(|_| is_first) {
            *last = (*last).max(room.saturating_sub(others));
        }
        if is_first {
            self.draw(&wanted, columns, out);
        } else {
            self.draw_rows(&wanted, columns, out);
        }
        self.wanted = Some(wanted);
        self.rows.clear();
    }

    fn natural(&self) -> Vec<usize> {
        let widest = |at: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(at)).chain(self.header.get(at));
            cells.map(Row::width).max().unwrap_or(0)
        };
        (0..self.header.len()).map(widest).collect()
    }

    /// Columns for the cells.
    fn room(&self, columns: usize) -> usize {
        let between = BETWEEN_COLUMNS * self.header.len().saturating_sub(1);
        columns.saturating_sub(self.bars(columns).width() + between)
    }

    fn bars(&self, columns: usize) -> Row {
        block::bars(self.quotes, columns)
    }

    fn draw(&self, wanted: &[usize], columns: usize, out: &mut Vec<Row>) {
        match fitted(wanted, self.room(columns)) {
            Some(widths) => {
                self.draw_row(&self.header, &widths, columns, out);
                let line = widths.iter().map(|width| "─".repeat(*width)).collect::<Vec<_>>().join("─┼─");
                out.push(self.bars(columns).with(&line, Style::DIM));
            }
            None if self.rows.is_empty() => {
                self.header.iter().for_each(|cell| self.draw_pair(&Row::default(), cell, columns, out));
            }
            None => {}
        }
        self.draw_rows(wanted, columns, out);
    }

    fn draw_rows(&self, wanted: &[usize], columns: usize, out: &mut Vec<Row>) {
        let Some(widths) = fitted(wanted, self.room(columns)) else {
            return self.draw_pairs(columns, out);
        };
        self.rows.iter().for_each(|row| self.draw_row(row, &widths, columns, out));
    }

    fn draw_row(&self, cells: &[Row], widths: &[usize], columns: usize, out: &mut Vec<Row>) {
        let wrapped = |(cell, width): (&Row, &usize)| wrapped(cell, &Row::default(), (*width).max(2));
        let wrapped = cells.iter().zip(widths).map(wrapped).collect::<Vec<_>>();
        let height = wrapped.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..height {
            let mut row = self.bars(columns);
            for (at, (cell, width)) in wrapped.iter().zip(widths).enumerate() {
                if at > 0 {
                    row.push(BETWEEN, Style::DIM);
                }
                let cell = cell.get(line).cloned().unwrap_or_default();
                let blanks = width.saturating_sub(cell.width());
                let left = match self.sides.get(at) {
                    Some(Side::Right) => blanks,
                    Some(Side::Middle) => blanks / 2,
                    _ => 0,
                };
                row.push(&" ".repeat(left), Style::PLAIN);
                add(&mut row, &cell);
                if at + 1 < widths.len() {
                    row.push(&" ".repeat(blanks - left), Style::PLAIN);
                }
            }
            out.push(row);
        }
    }

    /// Too narrow for a table: each cell below the other with its heading.
    fn draw_pairs(&self, columns: usize, out: &mut Vec<Row>) {
        for row in &self.rows {
            for (heading, cell) in self.header.iter().zip(row) {
                self.draw_pair(heading, cell, columns, out);
            }
            out.push(self.bars(columns).with("──", Style::DIM));
        }
    }

    fn draw_pair(&self, heading: &Row, cell: &Row, columns: usize, out: &mut Vec<Row>) {
        let mut pair = heading.clone();
        if !pair.is_empty() {
            pair.push(": ", Style::PLAIN);
        }
        add(&mut pair, cell);
        if !pair.is_empty() {
            out.extend(wrapped(&pair, &self.bars(columns), columns));
        }
    }
}

fn add(row: &mut Row, more: &Row) {
    more.spans().iter().for_each(|span| row.push(&span.text, span.style));
}

fn wrapped(text: &Row, prefix: &Row, columns: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut wrap = Wrap::new(columns, prefix, prefix.clone(), &mut rows);
    text.spans().iter().for_each(|span| wrap.feed(&span.text, span.style, &mut rows));
    wrap.finish(&mut rows);
    rows
}

/// The widths, the widest taken back until all fit; none if they can't.
fn fitted(wanted: &[usize], room: usize) -> Option<Vec<usize>> {
    if wanted.iter().map(|width| (*width).clamp(2, NARROW)).sum::<usize>() > room {
        return None;
    }
    let mut widths = wanted.iter().map(|width| (*width).max(2)).collect::<Vec<_>>();
    let mut over = widths.iter().sum::<usize>().saturating_sub(room);
    while over > 0 {
        let widest = widths.iter_mut().max()?;
        *widest -= 1;
        over -= 1;
    }
    Some(widths)
}

fn styled(cell: &str, style: Style) -> Row {
    let mut row = Row::default();
    inline::resolve(cell, None, style, End::Line, &mut |text, style| row.push(text, style));
    row
}

/// What a cell below the header says about its column.
fn side(cell: &str) -> Option<Side> {
    let dashes = cell.trim_matches(':');
    if dashes.is_empty() || !dashes.bytes().all(|byte| byte == b'-') {
        return None;
    }
    Some(match (cell.starts_with(':'), cell.ends_with(':')) {
        (true, true) => Side::Middle,
        (false, true) => Side::Right,
        _ => Side::Left,
    })
}

/// Whether a line could be a row.
pub(super) fn has_cells(line: &str) -> bool {
    line.starts_with('|') || cells(line).len() > 1
}

/// The cells of a line; a bar in code or after a backslash parts nothing.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let mut rest = line.strip_prefix('|').unwrap_or(line);
    let mut cells = vec![String::new()];
    while let Some(c) = rest.chars().next() {
        let run = rest.len() - rest.trim_start_matches('`').len();
        let length = match c {
            '\\' if rest.starts_with("\\|") => 2,
            '\\' if rest.starts_with("\\\\") => 2,
            '`' => code_bytes(rest, run).unwrap_or(run),
            _ => c.len_utf8(),
        };
        let (piece, after) = rest.split_at(length);
        rest = after;
        match cells.last_mut() {
            _ if c == '|' && after.is_empty() => break,
            Some(cell) if c != '|' => cell.push_str(&piece.replace("\\|", "|")),
            _ => cells.push(String::new()),
        }
    }
    cells.iter_mut().for_each(|cell| *cell = cell.trim().to_owned());
    cells
}

/// How long the code is that begins with so many backticks.
fn code_bytes(text: &str, run: usize) -> Option<usize> {
    let mut from = run;
    while let Some(at) = text[from..].find('`') {
        let start = from + at;
        let length = text[start..].len() - text[start..].trim_start_matches('`').len();
        from = start + length;
        if length == run {
            return Some(from);
        }
    }
    None
}
