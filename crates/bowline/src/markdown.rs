//! Markdown as it is streamed, into rows for a terminal.
//!
//! Pure. A line that is complete is final, and so is the beginning of a long one; only a bounded rest is held and drawn
//! anew. What always holds: the rows depend on the text alone, not on the pieces it came in; no row is wider than the
//! screen; every character that is no marker is shown.

mod block;
mod fence;
mod inline;
mod table;
#[cfg(test)]
mod tests;
mod wrap;

use block::{Block, Kind};
use fence::{Fence, Inside};
use inline::End;
use table::Table;
use wrap::Wrap;

use crate::paint::tame;
use crate::rows::{Colour, Row, Style};

/// Narrower screens get rows that are too wide.
const COLUMNS_MIN: usize = 4;
/// A longer line is no longer held as a whole.
const LINE_BYTES_MAX: usize = 160;
/// The rows that can still change are so many at most; of more the last ones are shown.
const PENDING_ROWS_MAX: usize = 8;
const PENDING_TABLE_ROWS_MAX: usize = 12;
const RULE_COLUMNS_MAX: usize = 40;
const TAB: &str = "    ";

pub(crate) struct Markdown {
    /// Final, and not taken yet.
    done: Vec<Row>,
    open: Open,
}

impl Markdown {
    pub(crate) fn new(columns: usize) -> Markdown {
        Markdown { done: Vec::new(), open: Open::new(columns) }
    }

    /// A resize: what is not final yet gets other columns.
    pub(crate) fn set_columns(&mut self, columns: usize) {
        self.open.resize(columns.max(COLUMNS_MIN), &mut self.done);
    }

    /// More of the text, cut anywhere.
    pub(crate) fn push(&mut self, text: &str) {
        self.open.push(text, &mut self.done);
    }

    /// The rows that became final since the last time.
    pub(crate) fn take(&mut self) -> Vec<Row> {
        std::mem::take(&mut self.done)
    }

    /// The rows that are not final, as they look now.
    pub(crate) fn pending(&self) -> Vec<Row> {
        let most = if self.open.table.is_some() { PENDING_TABLE_ROWS_MAX } else { PENDING_ROWS_MAX };
        let mut rows = Vec::new();
        self.open.clone().finish(End::Guess, &mut rows);
        let left_out = rows.len().saturating_sub(most);
        rows.split_off(left_out)
    }

    /// The rest; after it a new text can begin.
    pub(crate) fn finish(&mut self) -> Vec<Row> {
        let new = Open::new(self.open.columns);
        std::mem::replace(&mut self.open, new).finish(End::Line, &mut self.done);
        self.take()
    }
}

/// What can still change, and what is known of the text before it. It is small, however long the text is.
#[derive(Clone)]
struct Open {
    columns: usize,
    /// A carriage return came last; it may belong to a line break.
    is_return: bool,
    /// What is not understood of the last line.
    line: String,
    /// The last line, if it is long.
    text: Option<Text>,
    fence: Option<Fence>,
    /// A line that is the header of a table if the next one says so.
    header: Option<Header>,
    table: Option<Table>,
    /// A blank line is due before the next row, inside so many quotes.
    blank: Option<usize>,
    /// Something was shown.
    is_begun: bool,
}

#[derive(Clone)]
struct Header {
    quotes: usize,
    indent: usize,
    text: String,
}

/// A line of which a part is final.
#[derive(Clone)]
struct Text {
    wrap: Wrap,
    style: Style,
    before: Option<char>,
}

impl Open {
    fn new(columns: usize) -> Open {
        Open {
            columns: columns.max(COLUMNS_MIN),
            is_return: false,
            line: String::new(),
            text: None,
            fence: None,
            header: None,
            table: None,
            blank: None,
            is_begun: false,
        }
    }

    fn push(&mut self, text: &str, out: &mut Vec<Row>) {
        if text.is_empty() {
            return;
        }
        let held = if std::mem::take(&mut self.is_return) { "\r" } else { "" };
        let text = format!("{held}{text}");
        let whole = text.strip_suffix('\r').unwrap_or(&text);
        self.is_return = whole.len() < text.len();
        let tamed = tame(whole).replace('\t', TAB);
        let mut lines = tamed.split('\n');
        self.line.push_str(lines.next().unwrap_or_default());
        self.advance(out);
        for line in lines {
            self.end_line(End::Line, out);
            self.line.push_str(line);
            self.advance(out);
        }
    }

    fn finish(mut self, end: End, out: &mut Vec<Row>) {
        if !self.line.is_empty() || self.text.is_some() || self.fence.is_some() {
            self.end_last(end, out);
        }
        self.close(out);
    }

    /// The end of a text is the end of a line, but not of one more line of code.
    fn end_last(&mut self, end: End, out: &mut Vec<Row>) {
        if self.fence.as_ref().is_none_or(|fence| fence.is_within_line() || !self.line.is_empty()) {
            self.end_line(end, out);
        }
    }

    fn resize(&mut self, columns: usize, out: &mut Vec<Row>) {
        self.columns = columns;
        self.text = self.text.take().map(|text| Text { wrap: text.wrap.resized(columns, out), ..text });
        if let Some(fence) = &mut self.fence {
            fence.resize(columns, out);
        }
    }

    /// Gives out what is certain of a line that is not complete.
    fn advance(&mut self, out: &mut Vec<Row>) {
        if self.fence.is_some() && self.line.len() > fence::PIECE_BYTES {
            self.advance_code(out);
        } else if self.fence.is_none() && self.text.is_none() && self.line.len() > LINE_BYTES_MAX {
            let line = std::mem::take(&mut self.line);
            match block::read(&line, End::More) {
                Some(block) => {
                    self.close(out);
                    self.open_text(&block, out);
                    self.line = block.text.to_owned();
                }
                None => self.line = line,
            }
        }
        self.advance_text(End::More, out);
    }

    fn advance_text(&mut self, end: End, out: &mut Vec<Row>) {
        let Some(text) = &mut self.text else { return };
        let wrap = &mut text.wrap;
        let used = inline::resolve(&self.line, text.before, text.style, end, &mut |piece, style| {
            wrap.feed(piece, style, out);
        });
        text.before = self.line[..used].chars().next_back().or(text.before);
        self.line.drain(..used);
    }

    fn advance_code(&mut self, out: &mut Vec<Row>) {
        let line = std::mem::take(&mut self.line);
        let mut rest = match self.fence.as_ref().map(|fence| fence.inside(&line)) {
            Some(Inside::Code(code)) if code.len() > fence::PIECE_BYTES => code,
            Some(Inside::Code(_)) => {
                self.line = line;
                return;
            }
            _ => {
                self.fence = None;
                self.line = line;
                return self.advance(out);
            }
        };
        self.show_blank(out);
        while let Some(fence) = self.fence.as_mut().filter(|_| rest.len() > fence::PIECE_BYTES) {
            let (piece, after) = rest.split_at(rest.floor_char_boundary(fence::PIECE_BYTES));
            fence.piece(piece, self.columns, out);
            rest = after;
        }
        self.line = rest.to_owned();
    }

    fn end_line(&mut self, end: End, out: &mut Vec<Row>) {
        if self.text.is_some() {
            self.advance_text(end, out);
            self.line.clear();
            self.text.take().into_iter().for_each(|text| text.wrap.finish(out));
            return;
        }
        let line = std::mem::take(&mut self.line);
        if let Some(fence) = &mut self.fence {
            match fence.inside(&line) {
                Inside::Code(code) => {
                    show_blank(&mut self.blank, self.is_begun, self.columns, out);
                    self.is_begun = true;
                    fence.end_line(code, self.columns, out);
                    return;
                }
                Inside::Closing => {
                    self.fence = None;
                    return;
                }
                Inside::Outside => self.fence = None,
            }
        }
        let Some(block) = block::read(&line, end) else { return };
        if !self.take_cells(&block, out) {
            self.close(out);
            self.show(&block, end, out);
        }
    }

    /// Whether the line is a part of a table, or could be.
    fn take_cells(&mut self, block: &Block<'_>, out: &mut Vec<Row>) -> bool {
        let is_text = block.kind == Kind::Text && block.marker.is_none();
        let (quotes, text) = (block.quotes, block.text);
        if !is_text || text.len() > block::CELLS_BYTES_MAX {
            return false;
        }
        if self.table.as_mut().is_some_and(|table| table.take(quotes, text, self.columns, out)) {
            return true;
        }
        let header = self.header.as_ref().filter(|header| header.quotes == quotes);
        if let Some(table) = header.and_then(|header| Table::open(quotes, &header.text, text)) {
            self.header = None;
            self.show_blank(out);
            self.table = Some(table);
            return true;
        }
        if !table::has_cells(text) {
            return false;
        }
        self.close(out);
        self.header = Some(Header { quotes, indent: block.indent, text: text.to_owned() });
        true
    }

    /// Ends a table, and what only looked like the header of one.
    fn close(&mut self, out: &mut Vec<Row>) {
        if let Some(table) = self.table.take() {
            table.finish(self.columns, out);
        }
        if let Some(Header { quotes, indent, text }) = self.header.take() {
            let block = Block { quotes, indent, marker: None, kind: Kind::Text, text: &text };
            self.show(&block, End::Line, out);
        }
    }

    fn show(&mut self, block: &Block<'_>, end: End, out: &mut Vec<Row>) {
        match &block.kind {
            Kind::Blank => {
                let quotes = self.blank.map_or(block.quotes, |quotes| quotes.min(block.quotes));
                self.blank = Some(quotes);
            }
            Kind::Rule => {
                self.show_blank(out);
                let bars = block::bars(block.quotes, self.columns);
                let columns = (self.columns - bars.width()).min(RULE_COLUMNS_MAX);
                out.push(bars.with(&"─".repeat(columns), Style::DIM));
            }
            Kind::Fence { mark, length } => self.open_fence(block, *mark, *length, out),
            Kind::Text | Kind::Heading(_) => {
                self.open_text(block, out);
                self.line = block.text.to_owned();
                self.end_line(end, out);
            }
        }
    }

    fn open_text(&mut self, block: &Block<'_>, out: &mut Vec<Row>) {
        self.show_blank(out);
        let (first, rest) = block::prefixes(block, self.columns);
        let style = match block.kind {
            Kind::Heading(level) => heading(level),
            _ => Style::PLAIN,
        };
        let wrap = Wrap::new(self.columns, &first, rest, out);
        self.text = Some(Text { wrap, style, before: None });
    }

    /// The fence itself is not shown; what it says beyond the language is.
    fn open_fence(&mut self, block: &Block<'_>, mark: char, length: usize, out: &mut Vec<Row>) {
        if block.marker.is_some() {
            let block = Block { text: "", kind: Kind::Text, ..block.clone() };
            self.show(&block, End::Line, out);
        }
        let fence = Fence::new(block, mark, length);
        if fence::is_telling(block.text) {
            self.show_blank(out);
            let prefix = fence.prefix(self.columns);
            let mut wrap = Wrap::new(self.columns, &prefix, prefix.clone(), out);
            wrap.feed(block.text, Style::DIM, out);
            wrap.finish(out);
        }
        self.fence = Some(fence);
    }

    fn show_blank(&mut self, out: &mut Vec<Row>) {
        show_blank(&mut self.blank, self.is_begun, self.columns, out);
        self.is_begun = true;
    }
}

/// The blank line that is due, but none at the very start.
fn show_blank(blank: &mut Option<usize>, is_begun: bool, columns: usize, out: &mut Vec<Row>) {
    if let Some(quotes) = blank.take().filter(|_| is_begun) {
        out.push(block::bars(quotes, columns));
    }
}

fn heading(level: usize) -> Style {
    Style {
        is_underlined: level == 1,
        is_italic: level > 2,
        is_bold: true,
        ..Style::coloured(Colour::Magenta)
    }
}
