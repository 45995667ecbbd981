//! Bytes into JSON values, whatever the server wraps them in: server-sent events with or without a blank after `data:`,
//! one object a line, or one plain body although a stream was asked for.
//!
//! A character split between two chunks is whole again here, because only whole lines are decoded.

use serde_json::Value;

use crate::limits::WIRE_LINE_BYTES_MAX;

/// What a line was.
#[derive(Debug, PartialEq)]
pub(super) enum Line {
    Json(Value),
    /// A comment, a ping, the name of an event.
    Alive,
    /// `[DONE]`
    Done,
    /// Neither JSON nor anything known.
    Unreadable(String),
}

#[derive(Debug, Default)]
pub(super) struct Lines {
    /// The unfinished line.
    tail: Vec<u8>,
    /// `data:` lines of one event that are no JSON by themselves yet, or a plain body over several lines.
    open: String,
    /// Whether `open` came from `data:` lines, so that a blank line ends it.
    is_event: bool,
}

impl Lines {
    pub(super) fn push(&mut self, bytes: &[u8]) -> Vec<Line> {
        let mut lines = Vec::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.tail.extend_from_slice(piece);
            if self.tail.len() > WIRE_LINE_BYTES_MAX || self.open.len() > WIRE_LINE_BYTES_MAX {
                self.tail.clear();
                self.open.clear();
                lines.push(Line::Unreadable("a line longer than any answer".to_owned()));
            } else if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.tail);
                lines.extend(self.line(&String::from_utf8_lossy(&line)));
            }
        }
        lines
    }

    /// The connection has ended: what is left is a line too.
    pub(super) fn finish(&mut self) -> Vec<Line> {
        let line = std::mem::take(&mut self.tail);
        let mut lines: Vec<Line> = self.line(&String::from_utf8_lossy(&line)).into_iter().collect();
        lines.extend(self.close());
        lines
    }

    /// The end of an event, or of the body: what is open is whole now, or never will be.
    fn close(&mut self) -> Option<Line> {
        let open = std::mem::take(&mut self.open);
        if open.trim().is_empty() {
            return None;
        }
        Some(match serde_json::from_str(&open) {
            Ok(value) => Line::Json(value),
            Err(_) => Line::Unreadable(open),
        })
    }

    fn line(&mut self, line: &str) -> Option<Line> {
        let line = line.trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            return if self.is_event { self.close() } else { None };
        }
        if let Some(data) = line.strip_prefix("data:") {
            self.is_event = true;
            return self.data(data.strip_prefix(' ').unwrap_or(data));
        }
        let is_field = ["event:", "id:", "retry:", ":"].iter().any(|field| line.starts_with(field));
        if is_field && self.open.is_empty() {
            return Some(Line::Alive);
        }
        self.data(line)
    }

    fn data(&mut self, data: &str) -> Option<Line> {
        if data.trim() == "[DONE]" {
            self.open.clear();
            return Some(Line::Done);
        }
        if data.trim().is_empty() {
            return Some(Line::Alive);
        }
        // Nearly every line is JSON by itself. One that is not is read again at its end, and not at each line of it.
        if self.open.is_empty()
            && let Ok(value) = serde_json::from_str(data)
        {
            return Some(Line::Json(value));
        }
        self.open.push_str(data);
        self.open.push('\n');
        None
    }
}
