//! `view_file`: a range of a file's lines with their numbers. The file is streamed, so its size does not matter.

use std::borrow::Cow;
use std::io::{BufRead, BufReader, Cursor};

use super::line_numbers::{LINE_CHARS_MAX, push, shown};
use super::{Answer, Stop, Tool, counted, no_result, success};
use crate::seen_files::ShownLines;

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
            let view = self.read_lines(path, Cursor::new(text.into_bytes()), range)?;
            return view.answer(path, range);
        }
        let file = self.existing(path)?;
        let opened = self.workspace.open_file(&file)?;
        let mut reader = BufReader::with_capacity(READ_BUFFER_BYTES, opened);
        let head = reader.fill_buf().map_err(|error| Stop::Failed(format!("{}: {error}.", file.display)))?;
        if head.iter().take(SNIFFED_BYTES).any(|byte| *byte == 0) {
            return Err(Stop::Failed(format!("{} is a binary file and cannot be shown.", file.display)));
        }
        let view = self.read_lines(&file.display, reader, range)?;
        let shown = view.shown(range);
        let answer = view.answer(&file.display, range);
        if let Ok(output) = &answer {
            // What is cut on the way to the model is not seen.
            let shown = shown.filter(|_| output.text.chars().count() <= self.context.chars_max);
            if let Ok(read) = self.workspace.read(&file) {
                self.context.seen.viewed(&file.display, read.hash, shown);
            }
        }
        answer
    }

    fn read_lines(&self, name: &str, reader: impl BufRead, range: Range) -> Result<View, Stop> {
        self.collect(reader, range).map_err(|stop| match stop {
            Stop::Failed(words) => Stop::Failed(format!("{name}: {words}.")),
            stop => stop,
        })
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

/// Which file an answer shows; which lines of it as they are, and how many it has.
pub(crate) fn seen_lines(answer: &str) -> Option<(&str, Option<ShownLines>)> {
    let head = answer.lines().next()?;
    if let Some(path) = head.strip_suffix(" is empty.") {
        return Some((path, Some((1..=1, 0))));
    }
    let (path, numbers) = head.rsplit_once(" lines ")?;
    let (range, total) = numbers.split_once(" of ")?;
    let (start, end) = range.split_once('-')?;
    let lines = start.parse().ok()?..=end.parse().ok()?;
    // More words than the number say that lines are shown otherwise than they are.
    let is_as_is = !answer.contains("… [line cut: ");
    Some((path, total.parse().ok().filter(|_| is_as_is).map(|total| (lines, total))))
}

#[derive(Default)]
struct View {
    /// How many lines the file has, as far as it was read.
    lines: usize,
    text: String,
    /// The last line in `text`.
    last: usize,
    lossy: bool,
    /// Whether a line is shown otherwise than it is.
    is_altered: bool,
}

impl View {
    /// The lines that are shown as they are, and how many there are.
    fn shown(&self, range: Range) -> Option<ShownLines> {
        let is_shown = range.start <= self.last || self.lines == 0;
        (is_shown && !self.is_altered).then_some((range.start..=self.last.max(1), self.lines))
    }

    fn take(&mut self, line: &[u8], length_bytes: u64, range: Range) {
        self.lines += 1;
        if !range.holds(self.lines) || self.text.len() > VIEW_BYTES_MAX {
            return;
        }
        let bom = if self.lines == 1 && line.starts_with(BOM) { BOM.len() } else { 0 };
        let shown = shown(line.get(bom..).unwrap_or_default(), length_bytes - bom as u64);
        push(&mut self.text, self.lines, &shown.text);
        self.lossy |= shown.lossy;
        self.is_altered |= matches!(shown.text, Cow::Owned(_));
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
