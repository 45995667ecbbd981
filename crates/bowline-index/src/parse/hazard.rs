//! Inputs that would end the whole process, because a grammar's scanner fails one of its own assertions or reads beyond a table.
//!
//! A scanner keeps its state in a buffer of 1,024 bytes. Those of Ruby and YAML write a state that they can't read back, or that is
//! longer than the buffer, and the process aborts: no error can be caught. Such a file is not parsed at all. The limits here are far
//! above what people write and far below what a scanner takes, so that the rules can be simple.

use crate::language::Language;

/// The word of a Ruby heredoc. Its length is kept in one byte. Bytes.
const HEREDOC_WORD_BYTES_MAX: usize = 64;
/// Heredocs that are begun on one line of Ruby: all their words are kept at once.
const HEREDOCS_PER_LINE_MAX: usize = 8;
/// Levels of a YAML file, each of which may be a list and a map. At 254 of both together the buffer overflows.
const YAML_LEVELS_MAX: usize = 100;

/// Whether a file can't be parsed without danger.
pub(super) fn is_hazard(language: Language, content: &[u8]) -> bool {
    match language {
        Language::Ruby => is_ruby_hazard(content),
        Language::Yaml => yaml_levels(content) > YAML_LEVELS_MAX,
        _ => false,
    }
}

/// The grammar of the shell looks up the character after `{` in a table of 256 entries (`isdigit` of C) and reads beyond its end
/// for any other character, which can end the whole process. It gets a letter for each byte that is not ASCII; all offsets stay.
pub(super) fn plain(language: Language, content: &[u8]) -> Option<Vec<u8>> {
    let needs_it = language == Language::Bash && !content.is_ascii();
    needs_it.then(|| content.iter().map(|byte| if byte.is_ascii() { *byte } else { b'x' }).collect())
}

/// Whether a Ruby file has a heredoc with a long word, or many on one line: `<<WORD`, `<<-WORD`, `<<~"A WORD"`.
fn is_ruby_hazard(content: &[u8]) -> bool {
    let (mut count, mut at) = (0, 0);
    while let Some(rest) = content.get(at..).filter(|rest| !rest.is_empty()) {
        match rest {
            [b'\n', ..] => count = 0,
            [b'<', b'<', word @ ..] => {
                let length = heredoc_word(word);
                count += usize::from(length > 0);
                if length > HEREDOC_WORD_BYTES_MAX || count > HEREDOCS_PER_LINE_MAX {
                    return true;
                }
            }
            _ => {}
        }
        at += 1;
    }
    false
}

/// The length of the word behind `<<`, as far as it matters; 0 where there is none.
fn heredoc_word(text: &[u8]) -> usize {
    let text = match text {
        [b'-' | b'~', rest @ ..] => rest,
        text => text,
    };
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    let within = |word: &[u8], ends: &dyn Fn(&u8) -> bool| {
        word.iter().take(HEREDOC_WORD_BYTES_MAX + 1).take_while(|byte| !ends(byte)).count()
    };
    match text {
        [quote @ (b'"' | b'\'' | b'`'), word @ ..] => within(word, &|byte| byte == quote),
        word => within(word, &|byte| !is_part(byte)),
    }
}

/// How deep the blocks of a YAML file can be nested at most: by the indentation of its lines, and by the marks of lists and maps
/// that stand on one line (`- - a: b`).
fn yaml_levels(content: &[u8]) -> usize {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
    let mut indents: Vec<usize> = Vec::new();
    let mut most = 0;
    for line in content.split(|byte| *byte == b'\n') {
        let Some(indent) = line.iter().position(|byte| !is_blank(byte)) else { continue };
        indents.truncate(indents.iter().take_while(|outer| **outer < indent).count());
        indents.push(indent);
        let is_mark = |pair: &[u8]| matches!(pair, [b'-' | b'?' | b':', next] if is_blank(next));
        most = most.max(indents.len() + line.windows(2).filter(|pair| is_mark(pair)).count());
    }
    most
}
