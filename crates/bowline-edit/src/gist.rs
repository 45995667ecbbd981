//! What of a text counts when its white space is forgiven: its ink, and a space where white space keeps two things apart.
//!
//! `f( a,b )` and `f(a, b)` are the same; `not in` and `notin`, `& &` and `&&`, `.a .b` and `.a.b` are not. Within quotes
//! white space counts, however much there is.

/// The bytes that count, in order.
pub(crate) struct Gist<'t> {
    text: &'t [u8],
    at: usize,
    last: Option<u8>,
    before_last: Option<u8>,
    quote: Option<u8>,
    strings: Strings,
    /// A byte that comes after the space before it.
    held: Option<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Strings {
    Kept,
    Ignored,
}

/// The gist of a line.
pub(crate) fn gist(line: &[u8]) -> Gist<'_> {
    Gist { strings: Strings::Kept, ..loose_gist(line) }
}

/// The gist of a text with white space in quotes forgiven too: in several lines nobody knows which quote opens a string.
pub(crate) fn loose_gist(text: &[u8]) -> Gist<'_> {
    Gist { text, at: 0, last: None, before_last: None, quote: None, strings: Strings::Ignored, held: None }
}

impl Gist<'_> {
    /// How much of the text was read.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    fn take(&mut self, byte: u8) -> u8 {
        match self.quote {
            Some(quote) if quote == byte && self.last != Some(b'\\') => self.quote = None,
            // An apostrophe within a word opens nothing.
            None if self.strings == Strings::Kept
                && is_quote(byte)
                && !(byte == b'\'' && self.is_apostrophe()) =>
            {
                self.quote = Some(byte);
            }
            _ => {}
        }
        (self.before_last, self.last) = (self.last, Some(byte));
        byte
    }

    fn is_apostrophe(&self) -> bool {
        let is_letter = |byte: Option<u8>| byte.is_some_and(is_word);
        let next = self.text.get(self.at).copied();
        // `b'…'` is a string, `don't` is not.
        is_letter(self.last) && is_letter(next) && (is_letter(self.before_last) || self.quote.is_some())
    }

    /// Whether white space between the last byte and this one keeps them apart.
    fn parts(&self, next: u8) -> bool {
        let Some(last) = self.last else { return false };
        let after = self.text.get(self.at).copied();
        let selects = matches!(next, b'.' | b'#' | b'-' | b'@' | b'$')
            && after.is_some_and(is_word)
            && (is_word(last) || matches!(last, b')' | b']' | b'}' | b'*') || is_quote(last));
        self.quote.is_some()
            || (is_word(last) && is_word(next))
            || (is_operator(last) && is_operator(next))
            || ((is_word(last) || is_quote(last)) && is_quote(next))
            || selects
    }
}

impl Iterator for Gist<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        if let Some(held) = self.held.take() {
            return Some(self.take(held));
        }
        let from = self.at;
        while self.text.get(self.at)?.is_ascii_whitespace() {
            self.at += 1;
        }
        let spaced = self.at > from;
        let byte = *self.text.get(self.at)?;
        self.at += 1;
        if spaced && self.parts(byte) {
            self.held = Some(byte);
            return Some(b' ');
        }
        Some(self.take(byte))
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

fn is_operator(byte: u8) -> bool {
    matches!(
        byte,
        b'+' | b'-'
            | b'*'
            | b'/'
            | b'&'
            | b'|'
            | b'<'
            | b'>'
            | b'='
            | b'!'
            | b':'
            | b'?'
            | b'%'
            | b'^'
            | b'~'
    )
}

#[cfg(test)]
mod tests {
    use super::gist;

    #[track_caller]
    fn check(one: &str, other: &str, same: bool) {
        assert_eq!(gist(one.as_bytes()).eq(gist(other.as_bytes())), same, "{one:?} {other:?}");
    }

    #[test]
    fn spacing_is_forgiven() {
        check("  f( a,b ) {", "f(a, b){", true);
        check("x=1", "x = 1", true);
        check("a[ 0 ] ;", "a[0];", true);
        check("don't  stop", "don't stop", true);
        check("if (a) {", "if(a){", true);
        check("say(\"a  b\")", "say( \"a b\" )", true);
        check("//note", "// note", true);
    }

    #[test]
    fn what_white_space_keeps_apart_stays_apart() {
        check("a not in b", "a notin b", false);
        check("a & &b", "a && b", false);
        check("i++ + j", "i + ++j", false);
        check("1 0", "10", false);
        check(".a .b {", ".a.b {", false);
        check("ls -l", "ls-l", false);
        check("say(\"a, b\")", "say(\"a,b\")", false);
        check("print \"x\"", "print\"x\"", false);
    }
}
