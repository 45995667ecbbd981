//! Truncates a long text for the model, with a line that says how much is missing and how to read the rest.

/// Which part of the text is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    Head,
    /// A command's output: 40 % head, 60 % tail.
    HeadAndTail,
}

/// The truncated text, or none if it fits. `id` names the stored output that has the whole text.
pub fn truncate(text: &str, chars_max: usize, keep: Keep, id: &str) -> Option<String> {
    let chars = text.chars().count();
    if chars <= chars_max {
        return None;
    }
    let (head_chars, tail_chars) = match keep {
        Keep::Head => (chars_max, 0),
        Keep::HeadAndTail => (chars_max * 2 / 5, chars_max - chars_max * 2 / 5),
    };
    let head_end = byte_at(text, head_chars);
    let tail_start = byte_at(text, chars - tail_chars);
    let (head, tail) = (text.get(..head_end).unwrap_or_default(), text.get(tail_start..).unwrap_or_default());
    let (head, tail) = (whole_lines_head(head), whole_lines_tail(tail));
    let lines = text.lines().count();
    let missing = chars - head.chars().count() - tail.chars().count();
    let first = head.lines().count() + 1;
    let note = format!(
        "[{missing} of {chars} characters left out here; all {lines} lines: view_file path \"output:{id}\", from start_line {first}]"
    );
    Some(match keep {
        Keep::Head => format!("{head}\n{note}"),
        Keep::HeadAndTail => format!("{head}\n{note}\n{tail}"),
    })
}

/// The text as it is if it fits, else its beginning and its end.
pub fn shortened(text: &str, chars_max: usize) -> String {
    let chars = text.chars().count();
    if chars <= chars_max {
        return text.to_owned();
    }
    let head = text.get(..byte_at(text, chars_max / 2)).unwrap_or_default();
    let tail = text.get(byte_at(text, chars - chars_max / 2)..).unwrap_or_default();
    format!("{}\n[…]\n{}", whole_lines_head(head), whole_lines_tail(tail))
}

fn byte_at(text: &str, char_count: usize) -> usize {
    text.char_indices().nth(char_count).map_or(text.len(), |(at, _)| at)
}

/// Up to the last line break, unless that loses most of it.
fn whole_lines_head(head: &str) -> &str {
    match head.rfind('\n') {
        Some(at) if at * 2 > head.len() => head.get(..at).unwrap_or(head),
        _ => head,
    }
}

fn whole_lines_tail(tail: &str) -> &str {
    match tail.find('\n') {
        Some(at) if at * 2 < tail.len() => tail.get(at + 1..).unwrap_or(tail),
        _ => tail,
    }
}
