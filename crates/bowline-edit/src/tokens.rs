//! The words, signs and spaces of a line.

use unicode_normalization::char::is_combining_mark;

/// A word, a run of white space, or one other character.
pub(crate) type Token<'t> = &'t str;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Word,
    Space,
    Sign,
}

fn class(char: char) -> Class {
    if char.is_alphanumeric() || char == '_' || is_combining_mark(char) {
        Class::Word
    } else if char.is_whitespace() {
        Class::Space
    } else {
        Class::Sign
    }
}

pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut from = 0;
    let mut last: Option<Class> = None;
    for (at, char) in text.char_indices() {
        let class = class(char);
        if last.is_some_and(|last| last != class || class == Class::Sign) {
            tokens.push(&text[from..at]);
            from = at;
        }
        last = Some(class);
    }
    if from < text.len() {
        tokens.push(&text[from..]);
    }
    tokens
}

pub(crate) fn is_word(token: &str) -> bool {
    token.chars().next().is_some_and(|char| class(char) == Class::Word)
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn words_signs_and_spaces() {
        assert_eq!(
            tokens("a_1 = \u{201c}b\u{201d};;"),
            ["a_1", " ", "=", " ", "\u{201c}", "b", "\u{201d}", ";", ";"]
        );
        assert!(tokens("").is_empty());
    }
}
