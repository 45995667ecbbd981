//! The terminal in line mode: what is final goes up into the terminal's own scrollback, and below it stands a small live
//! region (what is waited for, a question, the input) that is drawn anew in place.
//!
//! It is no full-screen program: nothing but the rows of the live region is ever overwritten, so that scrolling, selecting
//! and searching are the terminal's. What always holds: one write per change, in the order of the rows; no live row is
//! as wide as the terminal, so that none wraps by itself.

use std::fmt::Write as _;

use crate::paint::Paint;
use crate::rows::Row;

/// What stands below the scrollback.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Live {
    pub(crate) rows: Vec<Row>,
    /// Where the cursor blinks: the row, the column.
    pub(crate) cursor: (usize, usize),
}

#[derive(Debug)]
pub(crate) struct Screen {
    columns: usize,
    lines: usize,
    paint: Paint,
    drawn: Live,
    /// Of the rows as they were drawn.
    is_drawn: bool,
}

/// A terminal that says it has less is taken to have this much.
const COLUMNS_MIN: usize = 20;
const LINES_MIN: usize = 4;

impl Screen {
    pub(crate) fn new(columns: usize, lines: usize, paint: Paint) -> Screen {
        let mut screen = Screen { columns: 0, lines: 0, paint, drawn: Live::default(), is_drawn: false };
        screen.set_size(columns, lines);
        screen
    }

    fn set_size(&mut self, columns: usize, lines: usize) {
        self.columns = columns.max(COLUMNS_MIN);
        self.lines = lines.max(LINES_MIN);
    }

    /// For rows that are to fit.
    pub(crate) fn columns(&self) -> usize {
        self.columns - 1
    }

    /// How high the live region may be.
    pub(crate) fn lines(&self) -> usize {
        self.lines - 1
    }

    /// Rows that are final, and the live region below them. Empty where nothing changes.
    pub(crate) fn show(&mut self, finished: &[Row], live: &Live) -> String {
        let live = self.fitted(live);
        if finished.is_empty() && self.is_drawn && live == self.drawn {
            return String::new();
        }
        let mut out = String::from("\x1b[?2026h\x1b[?25l");
        out.push_str(&self.to_top());
        for row in finished {
            let _ = write!(out, "{}\x1b[K\r\n", row.paint(self.paint));
        }
        for (at, row) in live.rows.iter().enumerate() {
            let end = if at + 1 < live.rows.len() { "\r\n" } else { "" };
            let _ = write!(out, "{}\x1b[K{end}", row.paint(self.paint));
        }
        out.push_str("\x1b[J");
        let (row, column) = live.cursor;
        let below = live.rows.len().saturating_sub(row + 1);
        if below > 0 {
            let _ = write!(out, "\x1b[{below}A");
        }
        out.push('\r');
        if column > 0 {
            let _ = write!(out, "\x1b[{column}C");
        }
        out.push_str("\x1b[?25h\x1b[?2026l");
        self.drawn = live;
        self.is_drawn = true;
        out
    }

    /// Takes the live region away: something else is about to write.
    pub(crate) fn wipe(&mut self) -> String {
        let mut out = self.to_top();
        out.push_str("\x1b[J");
        self.drawn = Live::default();
        self.is_drawn = false;
        out
    }

    /// The terminal has another size. Terminals wrap the rows that are too long now, and the cursor goes with them.
    pub(crate) fn resize(&mut self, columns: usize, lines: usize) -> String {
        self.set_size(columns, lines);
        self.wipe()
    }

    /// From the cursor to the first row of the live region.
    fn to_top(&self) -> String {
        let (row, column) = self.drawn.cursor;
        let rows_of = |row: &Row| row.width().div_ceil(self.columns).max(1);
        let above: usize = self.drawn.rows.iter().take(row).map(rows_of).sum();
        match above + column / self.columns {
            0 => "\r".to_owned(),
            up => format!("\r\x1b[{up}A"),
        }
    }

    /// As much of the live region as the terminal has room for, around the cursor.
    fn fitted(&self, live: &Live) -> Live {
        let most = self.lines();
        let skipped = (live.cursor.0 + 1).saturating_sub(most);
        let rows: Vec<Row> =
            live.rows.iter().skip(skipped).take(most).map(|row| row.cut(self.columns())).collect();
        let cursor = (live.cursor.0 - skipped, live.cursor.1.min(self.columns()));
        Live { rows, cursor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A terminal that shows what it is sent.
    struct Terminal {
        parser: vt100::Parser,
        screen: Screen,
    }

    fn nonzero(count: u16) -> std::num::NonZero<u16> {
        std::num::NonZero::new(count).unwrap()
    }

    impl Terminal {
        fn new(columns: u16, lines: u16) -> Terminal {
            let paint = Paint::new(&std::io::stderr(), true);
            let screen = Screen::new(usize::from(columns), usize::from(lines), paint);
            Terminal { parser: vt100::Parser::new(nonzero(lines), nonzero(columns), 100), screen }
        }

        fn show(&mut self, finished: &[&str], live: &[&str], cursor: (usize, usize)) {
            let rows = |texts: &[&str]| texts.iter().map(|text| Row::plain(text)).collect::<Vec<_>>();
            let live = Live { rows: rows(live), cursor };
            let out = self.screen.show(&rows(finished), &live);
            self.parser.process(out.as_bytes());
        }

        fn contents(&self) -> String {
            self.parser.screen().contents()
        }
    }

    #[test]
    fn what_is_final_stays_above_the_live_region() {
        let mut terminal = Terminal::new(30, 6);
        terminal.show(&["hello"], &["status", "> in", "foot"], (1, 4));
        assert_eq!(terminal.contents(), "hello\nstatus\n> in\nfoot");
        assert_eq!(terminal.parser.screen().cursor_position(), (2, 4));
        terminal.show(&["one", "two"], &["> input"], (0, 7));
        assert_eq!(terminal.contents(), "hello\none\ntwo\n> input");
        terminal.show(&["three", "four", "five"], &["status", "> x"], (1, 3));
        assert_eq!(terminal.contents(), "two\nthree\nfour\nfive\nstatus\n> x");
        terminal.parser.process(terminal.screen.wipe().as_bytes());
        assert_eq!(terminal.contents(), "two\nthree\nfour\nfive");
    }

    #[test]
    fn nothing_new_is_nothing_written() {
        let mut terminal = Terminal::new(30, 6);
        terminal.show(&[], &["> in"], (0, 4));
        let live = Live { rows: vec![Row::plain("> in")], cursor: (0, 4) };
        assert_eq!(terminal.screen.show(&[], &live), "");
    }

    #[test]
    fn a_live_region_higher_than_the_terminal_is_shown_around_the_cursor() {
        let mut terminal = Terminal::new(30, 5);
        terminal.show(&["above"], &["1", "2", "3", "4", "5", "6"], (4, 1));
        assert_eq!(terminal.contents(), "above\n2\n3\n4\n5");
        terminal.show(&["more"], &["1"], (0, 1));
        assert_eq!(terminal.contents(), "above\nmore\n1");
    }

    #[test]
    fn a_narrower_terminal_has_no_row_that_wraps() {
        let mut terminal = Terminal::new(40, 6);
        terminal.show(&["final"], &["a status that is quite long", "> in"], (1, 4));
        terminal.parser.screen_mut().set_size(nonzero(6), nonzero(30));
        let out = terminal.screen.resize(30, 6);
        terminal.parser.process(out.as_bytes());
        terminal.show(&[], &["a status that is quite long", "> in"], (1, 4));
        assert_eq!(terminal.contents(), "final\na status that is quite long\n> in");
        terminal.show(&[], &["x".repeat(100).as_str(), "> in"], (1, 4));
        assert_eq!(terminal.contents(), format!("final\n{}…\n> in", "x".repeat(28)));
    }
}
