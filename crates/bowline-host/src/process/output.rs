//! The output of a command: its beginning and its end, in bounded memory, as text that is safe to show.

use std::collections::VecDeque;
use std::iter::Peekable;
use std::str::Chars;

const OUTPUT_BYTES_MAX: usize = 16 * 1024 * 1024;
/// The end says more than the beginning: that is where a build fails.
const HEAD_BYTES_MAX: usize = OUTPUT_BYTES_MAX / 10 * 4;
const TAIL_BYTES_MAX: usize = OUTPUT_BYTES_MAX - HEAD_BYTES_MAX;

#[derive(Debug, Default)]
pub(super) struct CapturedOutput {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    dropped_bytes: u64,
}

impl CapturedOutput {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(HEAD_BYTES_MAX - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let excess = self.tail.len().saturating_sub(TAIL_BYTES_MAX);
        self.tail.drain(..excess);
        self.dropped_bytes += excess as u64;
    }

    /// What was kept, without white space at its end.
    pub(super) fn text(&self) -> String {
        let tail: Vec<u8> = self.tail.iter().copied().collect();
        let text = if self.dropped_bytes == 0 {
            clean(&String::from_utf8_lossy(&[self.head.as_slice(), &tail].concat()))
        } else {
            let (head, tail) = (String::from_utf8_lossy(&self.head), String::from_utf8_lossy(&tail));
            format!("{}\n[… {} bytes left out …]\n{}", clean(&head), self.dropped_bytes, clean(&tail))
        };
        text.trim_end().to_owned()
    }
}

/// Text as a terminal would leave it: without colours and control characters, and of a line that was written over and
/// over (a progress bar) only the last state.
fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut returned = false;
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\u{1b}' => skip_sequence(&mut chars),
            '\r' => returned = true,
            '\u{8}' if out.ends_with('\n') => {}
            '\u{8}' => {
                out.pop();
            }
            '\n' => {
                returned = false;
                out.push('\n');
            }
            char if char.is_control() && char != '\t' => {}
            char => {
                if std::mem::take(&mut returned) {
                    out.truncate(out.rfind('\n').map_or(0, |at| at + 1));
                }
                out.push(char);
            }
        }
    }
    out
}

/// Passes over what follows an escape character. A string that never ends is taken to end with its line.
fn skip_sequence(chars: &mut Peekable<Chars<'_>>) {
    match chars.peek() {
        Some('[') => {
            chars.next();
            while chars.next_if(|char| (' '..='?').contains(char)).is_some() {}
            chars.next_if(|char| ('@'..='~').contains(char));
        }
        Some(']' | 'P' | '^' | '_') => {
            while let Some(char) = chars.next_if(|char| *char != '\n') {
                if char == '\u{7}' || (char == '\u{1b}' && chars.next_if_eq(&'\\').is_some()) {
                    break;
                }
            }
        }
        _ => {
            while chars.next_if(|char| (' '..='/').contains(char)).is_some() {}
            chars.next_if(|char| ('0'..='~').contains(char));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CapturedOutput, HEAD_BYTES_MAX, OUTPUT_BYTES_MAX, clean};

    #[test]
    fn control_characters_go_and_text_stays() {
        assert_eq!(clean("\u{1b}[1;31merror\u{1b}[0m: x"), "error: x");
        assert_eq!(clean("\u{1b}]0;title\u{7}a\u{1b}]8;;http://x\u{1b}\\b"), "ab");
        assert_eq!(clean("10%\r50%\r100%\ndone\r\n"), "100%\ndone\n");
        assert_eq!(clean("100%\r"), "100%");
        assert_eq!(clean("a\0b\u{7}c\td\u{9b}"), "abc\td");
        assert_eq!(clean("N\u{8}Na\n\u{8}b"), "Na\nb");
        assert_eq!(clean("\u{1b}]never ends\nnext"), "\nnext");
        assert_eq!(clean("\u{1b}(Bx\u{1b}=y\u{1b}"), "xy");
    }

    #[test]
    fn a_long_output_keeps_its_ends() {
        let mut captured = CapturedOutput::default();
        captured.push(b"first\n");
        for _ in 0..OUTPUT_BYTES_MAX / 1024 {
            captured.push(&[b'x'; 1024]);
        }
        captured.push(b"\nlast\n");
        let text = captured.text();
        assert!(text.starts_with("first\n") && text.ends_with("\nlast"));
        assert!(text.contains("[… 12 bytes left out …]"));
        assert_eq!(captured.head.len(), HEAD_BYTES_MAX);
    }

    #[test]
    fn what_is_not_text_is_replaced() {
        let mut captured = CapturedOutput::default();
        captured.push(b"caf\xe9\n");
        assert_eq!(captured.text(), "caf\u{fffd}");
    }
}
