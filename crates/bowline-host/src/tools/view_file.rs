//! `view_file`: a range of a file's lines with their numbers. The file is streamed, so its size does not matter.

use std::io::{BufRead, BufReader, Cursor};

use super::numbered::{LINE_CHARS_MAX, push, shown};
use super::{Answer, Stop, Tool, counted, no_result, success};

const LINES_DEFAULT: usize = 200;
const VIEW_BYTES_MAX: usize = 4 * 1024 * 1024;
/// A NUL among the first bytes makes a file binary.
const SNIFFED_BYTES: usize = 8 * 1024;
const READ_BUFFER_BYTES: usize = 64 * 1024;
/// Enough for as many characters of a line as are shown, and to see that there are more.
const LINE_BYTES_KEPT_MAX: usize = (LINE_CHARS_MAX + 2) * 4;
const BOM: &[u8] = "\u{feff}".as_bytes();
const OUTPUT_PREFIX: &str = "output:";

impl Tool<'_> {
    pub(super) fn view_file(&self, path: &str, start: Option<i64>, end: Option<i64>) -> Answer {
        let range = Range::new(start, end);
        if let Some(id) = path.strip_prefix(OUTPUT_PREFIX) {
            let Some(text) = (self.outputs)(id) else {
                return Err(Stop::Failed(format!(
                    "There is no stored output {id}. Use the id as it was given."
                )));
            };
            return self.view(path, Cursor::new(text.into_bytes()), range);
        }
        let file = self.existing(path)?;
        let opened = self.workspace.open_file(&file)?;
        let mut reader = BufReader::with_capacity(READ_BUFFER_BYTES, opened);
        let head = reader.fill_buf().map_err(|error| Stop::Failed(format!("{}: {error}.", file.display)))?;
        if head.iter().take(SNIFFED_BYTES).any(|byte| *byte == 0) {
            return Err(Stop::Failed(format!("{} is a binary file and cannot be shown.", file.display)));
        }
        self.view(&file.display, reader, range)
    }

    fn view(&self, name: &str, reader: impl BufRead, range: Range) -> Answer {
        let view = self.collect(reader, range).map_err(|stop| match stop {
            Stop::Failed(words) => Stop::Failed(format!("{name}: {words}.")),
            stop => stop,
        })?;
        view.answer(name, range)
    }

    /// Reads to the end, since the number of lines is part of the answer.
    fn collect(&self, mut reader: impl BufRead, range: Range) -> Result<View, Stop> {
        let mut view = View::default();
        let mut line = Vec::new();
        let mut length_bytes = 0;
        loop {
            self.check_cancelled()?;
            let buffer = reader.fill_buf().map_err(|error| Stop::Failed(error.to_string()))?;
            if buffer.is_empty() {
                break;
            }
            let (piece, ended) = match buffer.iter().position(|byte| *byte == b'\n') {
                Some(at) => (buffer.get(..at).unwrap_or_default(), true),
                None => (buffer, false),
            };
            if range.holds(view.lines + 1) {
                let room = LINE_BYTES_KEPT_MAX.saturating_sub(line.len()).min(piece.len());
                line.extend_from_slice(piece.get(..room).unwrap_or_default());
            }
            length_bytes += piece.len() as u64;
            let used = piece.len() + usize::from(ended);
            reader.consume(used);
            if ended {
                view.take(&line, length_bytes, range);
                line.clear();
                length_bytes = 0;
            }
        }
        if length_bytes > 0 {
            view.take(&line, length_bytes, range);
        }
        Ok(view)
    }
}

/// The lines asked for, from 1, both ends included.
#[derive(Clone, Copy)]
struct Range {
    start: usize,
    end: usize,
}

impl Range {
    fn new(start: Option<i64>, end: Option<i64>) -> Range {
        let line = |number: i64| usize::try_from(number).unwrap_or(1).max(1);
        let start_line = start.map_or(1, line);
        let end_line = match end {
            Some(end) => line(end),
            None => start_line.saturating_add(LINES_DEFAULT - 1),
        };
        Range { start: start_line, end: end_line }
    }

    fn holds(self, line: usize) -> bool {
        (self.start..=self.end).contains(&line)
    }
}

#[derive(Default)]
struct View {
    /// How many lines the file has, as far as it was read.
    lines: usize,
    text: String,
    /// The last line in `text`.
    last: usize,
    lossy: bool,
}

impl View {
    fn take(&mut self, line: &[u8], length_bytes: u64, range: Range) {
        self.lines += 1;
        if !range.holds(self.lines) || self.text.len() > VIEW_BYTES_MAX {
            return;
        }
        let bom = if self.lines == 1 && line.starts_with(BOM) { BOM.len() } else { 0 };
        let shown = shown(line.get(bom..).unwrap_or_default(), length_bytes - bom as u64);
        push(&mut self.text, self.lines, &shown.text);
        self.lossy |= shown.lossy;
        self.last = self.lines;
    }

    fn answer(self, name: &str, range: Range) -> Answer {
        let lines = self.lines;
        if lines == 0 && range.start == 1 {
            return success(format!("{name} is empty."));
        }
        if range.start > lines {
            let words =
                format!("{name} has {}: line {} is past its end.", counted(lines, "line"), range.start);
            return no_result(words);
        }
        let mut head = format!("{name} lines {}-{} of {lines}", range.start, self.last);
        if self.lossy {
            head.push_str(" (not UTF-8: what could not be read is shown as \u{fffd}, do not copy it)");
        }
        success(format!("{head}\n{}", self.text.trim_end_matches('\n')))
    }
}
