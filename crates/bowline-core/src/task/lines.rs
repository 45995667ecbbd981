//! Keeps the lines that the user typed apart from those that were pasted: code blocks, tracebacks, compiler messages.
//!
//! Text alone decides, so this can be wrong about code that is pasted without a fence or an indentation.

use super::traces::{Traces, traces};
use super::unused::is_warning;

/// What is read of one message. Bytes.
const TEXT_BYTES_MAX: usize = 256 * 1024;
/// Lines of one message; the rest of it is not read.
const LINES_MAX: usize = 5_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Typed,
    /// A code block, the output of a program, or a quoted mail.
    Pasted,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    pub text: &'a str,
    pub source: Source,
}

impl Line<'_> {
    pub(super) fn is_typed(&self) -> bool {
        self.source == Source::Typed
    }
}

/// A message in its parts.
pub(super) struct Parts<'a> {
    pub lines: Vec<Line<'a>>,
    pub traces: Traces,
}

/// The lines of a message, each with where it comes from, and what the output in it says.
pub(super) fn parts(text: &str) -> Parts<'_> {
    let mut end = text.len().min(TEXT_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let texts: Vec<&str> = text.get(..end).unwrap_or("").lines().take(LINES_MAX).collect();
    let traces = traces(&texts);
    let mut fence: Option<&str> = None;
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (text, is_output) in texts.into_iter().zip(&traces.is_output) {
        let trimmed = text.trim_start();
        let is_pasted = match fence {
            Some(mark) => {
                if trimmed.starts_with(mark) {
                    fence = None;
                }
                true
            }
            None => {
                fence = opening_fence(trimmed);
                *is_output
                    || fence.is_some()
                    || is_quoted(trimmed)
                    || is_indented(text, lines.last())
                    || is_warning(trimmed)
            }
        };
        let source = if is_pasted { Source::Pasted } else { Source::Typed };
        lines.push(Line { text, source });
    }
    Parts { lines, traces }
}

fn opening_fence(line: &str) -> Option<&'static str> {
    let mark = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark))?;
    // A fence that closes on its own line is code inside a sentence.
    let rest = line.trim_start_matches(['`', '~']);
    (!rest.contains(mark)).then_some(mark)
}

fn is_quoted(line: &str) -> bool {
    line.starts_with("> ") || line.starts_with("$ ")
}

/// Whether the line belongs to a block that is set off by its indentation.
fn is_indented(line: &str, before: Option<&Line<'_>>) -> bool {
    let is_deep = line.starts_with("    ") || line.starts_with('\t');
    let starts_block = before.is_none_or(|before| {
        let text = before.text.trim_end();
        text.is_empty() || text.ends_with(':') || !before.is_typed()
    });
    let is_item = line.trim_start().starts_with(['-', '*', '+']);
    is_deep && (starts_block || is_code(line.trim())) && !is_item && !line.trim().is_empty()
}

/// Whether an indented line is plainly code.
fn is_code(line: &str) -> bool {
    let starts = [
        "def ",
        "class ",
        "fn ",
        "return ",
        "let ",
        "const ",
        "import ",
        "function ",
        "#include",
        "for (",
        "if (",
    ];
    line.ends_with([';', '{', '}'])
        || line.ends_with("):")
        || starts.iter().any(|start| line.starts_with(start))
}
