//! A little colour for code: comments, strings, numbers, keywords. No grammar of any language.
//!
//! What always holds: the text comes back as it went in, whatever the language.

mod languages;

use crate::rows::{Colour, Row, Style};
use languages::{Keys, Language};

const KEYWORD: Style = Style { is_bold: true, ..Style::coloured(Colour::Blue) };
const NAME: Style = Style::coloured(Colour::Blue);
const STRING: Style = Style::coloured(Colour::Green);
const NUMBER: Style = Style::coloured(Colour::Magenta);

/// The colours of one block of code, carried from line to line.
#[derive(Debug, Clone)]
pub(crate) struct Highlight {
    language: Option<&'static Language>,
    within: Within,
    is_line_start: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    Code,
    LineComment,
    BlockComment(&'static str),
    Text {
        close: &'static str,
        is_long: bool,
    },
    /// A line of a diff.
    Line(Style),
}

impl Highlight {
    /// For the language word of a fence; one that is not known stays plain.
    pub(crate) fn new(word: &str) -> Highlight {
        Highlight { language: languages::find(word), within: Within::Code, is_line_start: true }
    }

    /// A line, or a part of one; where it ends has to be said.
    pub(crate) fn piece(&mut self, text: &str) -> Row {
        let mut row = Row::default();
        let Some(language) = self.language else { return Row::plain(text) };
        let mut rest = text;
        if std::mem::take(&mut self.is_line_start) && self.within == Within::Code {
            rest = self.line_start(language, text, &mut row);
        }
        while !rest.is_empty() {
            let length = match self.within {
                Within::Code => self.code(language, rest, &mut row),
                Within::LineComment => push(&mut row, rest, rest.len(), Style::DIM),
                Within::Line(style) => push(&mut row, rest, rest.len(), style),
                Within::BlockComment(close) => self.until(close, rest, Style::DIM, &mut row),
                Within::Text { close, .. } => self.until(close, rest, STRING, &mut row),
            };
            rest = &rest[length..];
        }
        row
    }

    /// What holds for one line only is over.
    pub(crate) fn end_line(&mut self) {
        self.is_line_start = true;
        if matches!(self.within, Within::LineComment | Within::Line(_) | Within::Text { is_long: false, .. })
        {
            self.within = Within::Code;
        }
    }

    /// What is special at the start of a line, and the rest of it.
    fn line_start<'a>(&mut self, language: &Language, text: &'a str, row: &mut Row) -> &'a str {
        match language.keys {
            Keys::Diff => {
                self.within = Within::Line(diff_line(text));
                text
            }
            Keys::Before(mark) => {
                let bytes = key_bytes(text, mark);
                push(row, text, bytes, NAME);
                &text[bytes..]
            }
            Keys::None | Keys::Strings => text,
        }
    }

    /// One token of code; gives its bytes.
    fn code(&mut self, language: &'static Language, text: &str, row: &mut Row) -> usize {
        let Some(first) = text.chars().next() else { return 0 };
        if let Some(mark) = language.comments.iter().find(|mark| text.starts_with(**mark)) {
            let is_word_before = row.text().ends_with(|c: char| !c.is_whitespace());
            if *mark != "#" || !is_word_before {
                self.within = Within::LineComment;
                return push(row, text, mark.len(), Style::DIM);
            }
        }
        if let Some((open, close)) = language.block.filter(|(open, _)| text.starts_with(open)) {
            self.within = Within::BlockComment(close);
            return push(row, text, open.len(), Style::DIM);
        }
        if let Some(quote) = language.quotes.iter().find(|quote| text.starts_with(quote.mark)) {
            if quote.mark == "'" && language.has_lifetimes && !is_character(text) {
                return push(row, text, 1, Style::PLAIN);
            }
            let style = if language.keys == Keys::Strings && is_key(text) { NAME } else { STRING };
            if style == NAME {
                return push(row, text, string_bytes(text), NAME);
            }
            self.within = Within::Text { close: quote.mark, is_long: quote.is_long };
            return push(row, text, quote.mark.len(), STRING);
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        if is_part(first) {
            let is_number = first.is_ascii_digit();
            let is_token = |c: char| is_part(c) || (is_number && c == '.');
            let length = text.find(|c| !is_token(c)).unwrap_or(text.len());
            let style = match &text[..length] {
                _ if is_number => NUMBER,
                word if language.is_keyword(word) => KEYWORD,
                _ => Style::PLAIN,
            };
            return push(row, text, length, style);
        }
        let length = text.find(|c| c == ' ' || is_part(c)).filter(|at| *at > 0 && first == ' ');
        push(row, text, length.unwrap_or(first.len_utf8()), Style::PLAIN)
    }

    /// As far as the mark that ends it, or all.
    fn until(&mut self, close: &str, text: &str, style: Style, row: &mut Row) -> usize {
        let is_escaping = style == STRING;
        let mut from = 0;
        while let Some(c) = text[from..].chars().next() {
            if text[from..].starts_with(close) {
                self.within = Within::Code;
                return push(row, text, from + close.len(), style);
            }
            from += c.len_utf8();
            if is_escaping && c == '\\' {
                from += text[from..].chars().next().map_or(0, char::len_utf8);
            }
        }
        push(row, text, text.len(), style)
    }
}

fn push(row: &mut Row, text: &str, length: usize, style: Style) -> usize {
    row.push(&text[..length], style);
    length
}

fn diff_line(text: &str) -> Style {
    match text.as_bytes().first() {
        _ if text.starts_with("+++") || text.starts_with("---") => Style::BOLD,
        Some(b'+') => Style::coloured(Colour::Green),
        Some(b'-') => Style::coloured(Colour::Red),
        Some(b'@') => Style::coloured(Colour::Cyan),
        _ => Style::PLAIN,
    }
}

/// How long the key is that the line begins with: up to the mark, if it looks like a key.
fn key_bytes(text: &str, mark: char) -> usize {
    let is_header = mark == '=' && text.trim_start().starts_with('[') && text.trim_end().ends_with(']');
    if is_header {
        return text.len();
    }
    let is_key = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ' | '/');
    let Some(at) = text.find(mark).filter(|at| text[..*at].chars().all(is_key)) else { return 0 };
    let is_value_apart = mark != ':' || text[at + 1..].is_empty() || text[at + 1..].starts_with(' ');
    if is_value_apart { at } else { 0 }
}

/// Whether a quote in a language with lifetimes begins a character.
fn is_character(text: &str) -> bool {
    let mut rest = text.chars().skip(1);
    let first = rest.next();
    first == Some('\\') || (first.is_some() && rest.next() == Some('\''))
}

/// Whether this string is the key of a value.
fn is_key(text: &str) -> bool {
    text[string_bytes(text)..].trim_start().starts_with(':')
}

fn string_bytes(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !is_escaped => return at + 1,
            _ => is_escaped = c == '\\' && !is_escaped,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Span;

    fn line(highlight: &mut Highlight, text: &str) -> Row {
        let row = highlight.piece(text);
        highlight.end_line();
        row
    }

    #[test]
    fn whatever_the_language_the_text_comes_back() {
        let lines =
            ["fn f<'a>(x: &'a str) { 'x' \"a\\\"b\" 0x1f /* c", "still */ let y = 1.5; // end", "", "日本 '"];
        for word in
            ["rust", "python", "js", "go", "c++", "java", "sh", "sql", "toml", "yaml", "json", "diff", "?"]
        {
            let mut highlight = Highlight::new(word);
            for text in lines {
                assert_eq!(line(&mut highlight, text).text(), text, "{word}");
            }
        }
    }

    #[test]
    fn a_line_in_pieces_has_the_same_strings() {
        let mut highlight = Highlight::new("js");
        highlight.piece("let a = 'some ");
        let row = highlight.piece("text' if");
        assert_eq!(row.spans()[0], Span { text: "text'".to_owned(), style: STRING });
        assert_eq!(row.spans()[2].style, KEYWORD);
    }

    #[test]
    fn comments_and_long_strings_go_on() {
        let mut rust = Highlight::new("rust");
        line(&mut rust, "a /* b");
        assert_eq!(line(&mut rust, "c */ if").spans()[0].text, "c */");
        let mut python = Highlight::new("Python");
        line(&mut python, "x = \"\"\"one");
        assert_eq!(line(&mut python, "def").spans()[0].style, STRING);
        let mut shell = Highlight::new("bash");
        line(&mut shell, "echo 'it");
        assert_eq!(line(&mut shell, "if").spans()[0].style, KEYWORD);
    }
}
