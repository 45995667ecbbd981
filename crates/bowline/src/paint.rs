//! Colour where it is wanted, and text that can't take over the terminal.

use std::io::IsTerminal;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Paint {
    is_coloured: bool,
}

impl Paint {
    /// For what goes to `stream`: not without a terminal, not with `NO_COLOR`, not on a dumb one.
    pub(crate) fn new(stream: &impl IsTerminal, is_plain: bool) -> Paint {
        let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        Paint { is_coloured: !is_plain && !is_unwanted && !is_dumb && stream.is_terminal() }
    }

    /// In the style of these codes; none is plain.
    pub(crate) fn code(self, code: &str, text: &str) -> String {
        if self.is_coloured && !code.is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.code("2", text)
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.code("1", text)
    }

    pub(crate) fn red(self, text: &str) -> String {
        self.code("31", text)
    }

    pub(crate) fn green(self, text: &str) -> String {
        self.code("32", text)
    }

    pub(crate) fn yellow(self, text: &str) -> String {
        self.code("33", text)
    }
}

/// What a model or a tool printed, without anything a terminal obeys: only line breaks and tabs are kept.
pub(crate) fn tame(text: &str) -> String {
    let is_plain = |c: char| matches!(c, '\n' | '\t') || !(c.is_control() || is_invisible(c));
    text.replace("\r\n", "\n").chars().map(|c| if is_plain(c) { c } else { '\u{fffd}' }).collect()
}

/// Marks that turn the direction of text and so can hide what it says.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// One line of at most `columns`.
pub(crate) fn one_line(text: &str, columns: usize) -> String {
    use unicode_width::UnicodeWidthChar as _;
    let text = tame(text).replace(['\n', '\t'], " ");
    let mut width = 0;
    let mut line = String::new();
    for c in text.chars() {
        width += c.width().unwrap_or(0);
        if width >= columns {
            line.push('…');
            break;
        }
        line.push(c);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_not_taken_over() {
        assert_eq!(tame("a\x1b]0;title\x07b\u{202e}c\r\nd\te"), "a\u{fffd}]0;title\u{fffd}b\u{fffd}c\nd\te");
        assert_eq!(one_line("日本語のテキスト", 7), "日本語…");
        assert_eq!(one_line("two\nlines", 20), "two lines");
    }
}
