//! Rows of styled text: what stands on the screen before it becomes bytes.
//!
//! Pure. What always holds: a row holds nothing a terminal obeys (text is tamed as it comes in, tabs become blanks), and a
//! wrapped or cut row is no wider than it was asked to be.

use unicode_width::UnicodeWidthChar as _;

use crate::paint::{Paint, tame};

/// A tab stands for so many columns, whatever the terminal has set.
const TAB: &str = "    ";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colour {
    Red,
    Green,
    Yellow,
    Blue,
    Magenta,
    Cyan,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Style {
    pub(crate) colour: Option<Colour>,
    pub(crate) is_bold: bool,
    pub(crate) is_dim: bool,
    pub(crate) is_italic: bool,
    pub(crate) is_underlined: bool,
}

impl Style {
    pub(crate) const PLAIN: Style =
        Style { colour: None, is_bold: false, is_dim: false, is_italic: false, is_underlined: false };
    pub(crate) const DIM: Style = Style { is_dim: true, ..Style::PLAIN };
    pub(crate) const BOLD: Style = Style { is_bold: true, ..Style::PLAIN };

    pub(crate) const fn coloured(colour: Colour) -> Style {
        Style { colour: Some(colour), ..Style::PLAIN }
    }

    /// As a terminal is told of it; empty for plain text.
    fn codes(self) -> String {
        let colour = self.colour.map(|colour| match colour {
            Colour::Red => "31",
            Colour::Green => "32",
            Colour::Yellow => "33",
            Colour::Blue => "34",
            Colour::Magenta => "35",
            Colour::Cyan => "36",
        });
        let set = |is_set: bool, code: &'static str| is_set.then_some(code);
        let codes = [
            set(self.is_bold, "1"),
            set(self.is_dim, "2"),
            set(self.is_italic, "3"),
            set(self.is_underlined, "4"),
            colour,
        ];
        codes.into_iter().flatten().collect::<Vec<_>>().join(";")
    }
}

/// A stretch of text in one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) text: String,
    pub(crate) style: Style,
}

/// One line of the screen, or of a text that is still to be wrapped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Row {
    spans: Vec<Span>,
}

impl Row {
    pub(crate) fn plain(text: &str) -> Row {
        Row::of(text, Style::PLAIN)
    }

    pub(crate) fn dim(text: &str) -> Row {
        Row::of(text, Style::DIM)
    }

    pub(crate) fn of(text: &str, style: Style) -> Row {
        Row::default().with(text, style)
    }

    pub(crate) fn with(mut self, text: &str, style: Style) -> Row {
        self.push(text, style);
        self
    }

    /// Adds text; one line of it, whatever it holds.
    pub(crate) fn push(&mut self, text: &str, style: Style) {
        let text = tame(text).replace('\n', " ").replace('\t', TAB);
        match self.spans.last_mut() {
            _ if text.is_empty() => {}
            Some(last) if last.style == style => last.text.push_str(&text),
            _ => self.spans.push(Span { text, style }),
        }
    }

    pub(crate) fn append(&mut self, other: &Row) {
        other.spans.iter().for_each(|span| self.push(&span.text, span.style));
    }

    pub(crate) fn spans(&self) -> &[Span] {
        &self.spans
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The words alone.
    pub(crate) fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    /// In columns.
    pub(crate) fn width(&self) -> usize {
        self.spans.iter().map(|span| width(&span.text)).sum()
    }

    /// At most so many columns, with a mark where something is missing.
    pub(crate) fn cut(&self, columns: usize) -> Row {
        if self.width() <= columns {
            return self.clone();
        }
        let mut row = Row::default();
        let mut left = columns.saturating_sub(1);
        for span in &self.spans {
            let fitting = fitting(&span.text, left);
            row.push(fitting, span.style);
            left -= width(fitting);
            if fitting.len() < span.text.len() {
                if columns > 0 {
                    row.push("…", span.style);
                }
                break;
            }
        }
        row
    }

    /// Broken between words, where there are any, into rows of at most so many columns; all but the first are indented.
    pub(crate) fn wrap(&self, columns: usize, indent: usize) -> Vec<Row> {
        let columns = columns.max(2);
        let indent = if indent + 2 > columns { 0 } else { indent };
        let mut rows = vec![Row::default()];
        let mut used = 0;
        for (word, style) in self.words() {
            let is_first = rows.len() == 1;
            let blank_columns = if is_first { 0 } else { indent };
            if !fits(word.trim_end(), columns.saturating_sub(used)) && used > blank_columns {
                if let Some(row) = rows.last_mut() {
                    row.trim_end();
                }
                rows.push(Row::plain(&" ".repeat(indent)));
                used = indent;
            }
            let mut rest = word;
            while !fits(rest.trim_end(), columns.saturating_sub(used)) {
                let head = fitting(rest, columns - used);
                // Not even one character: it gets a row of its own, and one too wide for any is left out.
                let head = if head.is_empty() && used <= indent { first(rest) } else { head };
                push_to(&mut rows, head, style);
                rest = &rest[head.len()..];
                rows.push(Row::plain(&" ".repeat(indent)));
                used = indent;
            }
            let shown = fitting(rest, columns.saturating_sub(used));
            push_to(&mut rows, shown, style);
            used += width(shown);
        }
        rows
    }

    /// Words with the blanks behind them, each with its style.
    fn words(&self) -> Vec<(&str, Style)> {
        let mut words = Vec::new();
        for span in &self.spans {
            let mut rest = span.text.as_str();
            while !rest.is_empty() {
                let word = rest.find(|c: char| c != ' ').unwrap_or(0);
                let blank = rest[word..].find(' ').map_or(rest.len(), |at| word + at);
                let next = rest[blank..].find(|c: char| c != ' ').map_or(rest.len(), |at| blank + at);
                words.push((&rest[..next], span.style));
                rest = &rest[next..];
            }
        }
        words
    }

    fn trim_end(&mut self) {
        while let Some(last) = self.spans.last_mut() {
            let kept = last.text.trim_end_matches(' ').len();
            last.text.truncate(kept);
            if kept > 0 {
                return;
            }
            self.spans.pop();
        }
    }

    /// As it goes to the terminal.
    pub(crate) fn paint(&self, paint: Paint) -> String {
        self.spans.iter().map(|span| paint.code(&span.style.codes(), &span.text)).collect()
    }
}

fn push_to(rows: &mut [Row], text: &str, style: Style) {
    if let Some(row) = rows.last_mut() {
        row.push(text, style);
    }
}

/// Columns, counted as terminals do: by character.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

/// As much of the text as fits.
fn fitting(text: &str, columns: usize) -> &str {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.width().unwrap_or(0);
        if used > columns {
            return &text[..at];
        }
    }
    text
}

/// As much of the end of a text as fits.
pub(crate) fn end_fitting(text: &str, columns: usize) -> &str {
    let mut start = text.len();
    for (at, _) in text.char_indices().rev() {
        if width(&text[at..]) > columns {
            break;
        }
        start = at;
    }
    &text[start..]
}

/// Looks no further than it has to: a line may be as long as a book.
fn fits(text: &str, columns: usize) -> bool {
    fitting(text, columns).len() == text.len()
}

/// The first character.
fn first(text: &str) -> &str {
    text.chars().next().map_or("", |c| &text[..c.len_utf8()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(text: &str, columns: usize, indent: usize) -> Vec<String> {
        Row::plain(text).wrap(columns, indent).iter().map(Row::text).collect()
    }

    #[test]
    fn rows_break_between_words() {
        assert_eq!(wrapped("one two three", 20, 0), ["one two three"]);
        assert_eq!(wrapped("one two three", 8, 0), ["one two", "three"]);
        assert_eq!(wrapped("one two three", 7, 2), ["one two", "  three"]);
        assert_eq!(wrapped("abcdefghij k", 4, 0), ["abcd", "efgh", "ij k"]);
        assert_eq!(wrapped("", 4, 2), [""]);
        assert_eq!(wrapped("日本語のテキスト", 7, 0), ["日本語", "のテキ", "スト"]);
    }

    #[test]
    fn a_line_as_long_as_a_book_is_wrapped_at_once() {
        let book = "x".repeat(1 << 20);
        assert_eq!(Row::plain(&book).wrap(64, 2).len(), 1 + ((1 << 20) - 64_usize).div_ceil(62));
    }

    #[test]
    fn the_end_of_a_text_fits() {
        assert_eq!(end_fitting("日本語", 5), "本語");
        assert_eq!(end_fitting("abc", 3), "abc");
        assert_eq!(end_fitting("abc", 0), "");
    }

    #[test]
    fn rows_are_cut_with_a_mark() {
        assert_eq!(Row::plain("日本語").cut(5).text(), "日本…");
        assert_eq!(Row::plain("abc").cut(3).text(), "abc");
        assert_eq!(Row::plain("abc").cut(0).text(), "");
    }

    #[test]
    fn no_row_is_wider_than_it_may_be() {
        let texts =
            ["a b c", "日本語 x", "long-word-without-blanks and more", "   ", "👩‍👩‍👧 family", "\t\tx\u{1b}[2J"];
        for text in texts {
            for columns in 2..20 {
                for indent in 0..4 {
                    for row in Row::plain(text).wrap(columns, indent) {
                        assert!(row.width() <= columns, "{text:?} {columns} {indent}: {:?}", row.text());
                    }
                }
                assert!(Row::plain(text).cut(columns).width() <= columns, "{text:?} {columns}");
            }
        }
    }

    #[test]
    fn nothing_a_terminal_obeys_is_kept() {
        let mut row = Row::of("a\x1b]0;t\x07", Style::BOLD);
        row.push("b\nc", Style::DIM);
        assert_eq!(row.text(), "a\u{fffd}]0;t\u{fffd}b c");
    }
}
