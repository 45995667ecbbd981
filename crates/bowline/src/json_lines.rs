//! Lines of JSON on standard input, for commands that answer each line before they read the next one.
//!
//! A line has a bound: of a longer one nothing is kept, and the lines after it are read as usual.

use std::io::{self, BufRead};

/// The most bytes of one line; a longer one is refused and skipped.
pub(crate) const LINE_BYTES_MAX: usize = 64 * 1024 * 1024;

/// What came in.
pub(crate) enum Line {
    Read,
    TooLong,
    End,
}

/// The next line without its end, of which no more is kept than is answered.
pub(crate) fn next(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Line> {
    line.clear();
    let mut is_too_long = false;
    let mut is_begun = false;
    loop {
        let ahead = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if ahead.is_empty() && !is_begun {
            return Ok(Line::End);
        }
        let end = ahead.iter().position(|byte| *byte == b'\n');
        let part = &ahead[..end.unwrap_or(ahead.len())];
        is_too_long |= line.len() + part.len() > LINE_BYTES_MAX;
        if !is_too_long {
            line.extend_from_slice(part);
        }
        let is_over = end.is_some() || ahead.is_empty();
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        is_begun = true;
        if is_over {
            return Ok(if is_too_long { Line::TooLong } else { Line::Read });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn lines_come_whole_whatever_the_pieces() {
        for capacity in [1, 3, 64] {
            let mut input = BufReader::with_capacity(capacity, &b"one\n\ntwo\r\nthree"[..]);
            let mut lines = Vec::new();
            let mut line = Vec::new();
            while let Line::Read = next(&mut input, &mut line).unwrap() {
                lines.push(String::from_utf8(line.clone()).unwrap());
            }
            assert_eq!(lines, ["one", "", "two\r", "three"], "{capacity}");
        }
    }
}
