//! Which bytes go with a definition or an entry of an export list, and which blank lines with them.

use std::ops::Range;

use tree_sitter::Node;

use super::What;
use crate::place::Place;
use crate::sites::Site;
use crate::uses::Reading;

/// The bytes of a definition; none where others stand on its lines.
pub(crate) fn definition(reading: &Reading<'_>, place: &Place) -> Option<(Range<usize>, What)> {
    let content = reading.content;
    let bytes = place.bytes.clone();
    let is_alone = starts_line(content, bytes.start) && ends_line(content, bytes.end);
    if is_alone {
        return Some((bytes, What::Lines));
    }
    // One of several in a list on a line: `enum Day { Mon, Tue }`.
    let item = item(reading, &bytes, |_| true)?;
    (item.siblings > 1 && item.is_separated).then_some((item.range, What::Part))
}

/// The bytes of an entry of an export list, or of the statement that exports one name.
pub(crate) fn export(reading: &Reading<'_>, site: &Site) -> Option<(Range<usize>, What)> {
    let node = reading.tree.root_node().descendant_for_byte_range(site.bytes.start, site.bytes.end)?;
    let mut at = node;
    loop {
        let above = at.parent()?;
        match above.kind() {
            // `exports.load = load;` and `export default load;`
            "expression_statement" if at.kind() == "assignment_expression" && !is_in_list(&node, &at) => {
                return Some(whole_lines(reading.content, above.byte_range()));
            }
            "export_statement" if at.kind() == "identifier" => {
                return Some(whole_lines(reading.content, above.byte_range()));
            }
            "export_clause" if named(&above) <= 1 => {
                let statement = above.parent()?;
                return Some(whole_lines(reading.content, statement.byte_range()));
            }
            kind if is_list(kind) => {
                let item = item(reading, &site.bytes, is_list)?;
                return Some((item.range, What::Part));
            }
            _ => at = above,
        }
    }
}

/// Whether there is a list between a node and one around it.
fn is_in_list(node: &Node<'_>, outer: &Node<'_>) -> bool {
    let mut at = node.parent();
    while let Some(above) = at {
        if above == *outer {
            return false;
        }
        if is_list(above.kind()) {
            return true;
        }
        at = above.parent();
    }
    false
}

fn is_list(kind: &str) -> bool {
    matches!(kind, "export_clause" | "object" | "list" | "tuple" | "set" | "expression_list")
}

fn named(node: &Node<'_>) -> usize {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !child.kind().contains("comment")).count()
}

struct Item {
    /// The item with the comma that goes with it.
    range: Range<usize>,
    siblings: usize,
    is_separated: bool,
}

/// The item of a list that some bytes lie in, up to the next one or from the end of the one before.
fn item(reading: &Reading<'_>, bytes: &Range<usize>, is_list: impl Fn(&str) -> bool) -> Option<Item> {
    let mut at = reading.tree.root_node().descendant_for_byte_range(bytes.start, bytes.end)?;
    loop {
        let above = at.parent()?;
        let is_whole = at.start_byte() <= bytes.start && bytes.end <= at.end_byte();
        if is_whole && is_list(above.kind()) && above.named_child_count() > 0 {
            break;
        }
        at = above;
    }
    let list = at.parent()?;
    let mut cursor = list.walk();
    let items: Vec<Node<'_>> =
        list.named_children(&mut cursor).filter(|child| !child.kind().contains("comment")).collect();
    let index = items.iter().position(|item| *item == at)?;
    let next = items.get(index + 1);
    let before = index.checked_sub(1).and_then(|before| items.get(before));
    let range = match (next, before) {
        (Some(next), _) => at.start_byte()..next.start_byte(),
        (None, Some(before)) => before.end_byte()..at.end_byte(),
        (None, None) => at.byte_range(),
    };
    let between = crate::uses::text_at(reading.content, range.clone());
    Some(Item { is_separated: between.contains(','), range, siblings: items.len() })
}

fn starts_line(content: &[u8], at: usize) -> bool {
    at == 0 || content.get(at - 1) == Some(&b'\n')
}

fn ends_line(content: &[u8], at: usize) -> bool {
    at >= content.len() || starts_line(content, at)
}

/// A statement with its lines, if nothing but a comment about it stands on them.
pub(super) fn whole_lines(content: &[u8], bytes: Range<usize>) -> (Range<usize>, What) {
    let before = content.get(..bytes.start).unwrap_or_default();
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let after = content.get(bytes.end..).unwrap_or_default();
    let length = after.iter().position(|byte| *byte == b'\n').map_or(after.len(), |at| at + 1);
    let is_blank = |text: &[u8]| text.iter().all(|byte| byte.is_ascii_whitespace() || *byte == b';');
    let behind = after.get(..length).unwrap_or_default();
    let noted = behind.trim_ascii_start();
    let is_noted = [&b"//"[..], b"#", b"--"].iter().any(|sign| noted.starts_with(sign));
    let is_alone =
        is_blank(content.get(start..bytes.start).unwrap_or_default()) && (is_blank(behind) || is_noted);
    if is_alone { (start..bytes.end + length, What::Lines) } else { (bytes, What::Part) }
}

/// Neighboring lines as one range, and with them the blank lines that would be doubled.
pub(crate) fn joined(content: &[u8], going: Vec<(Range<usize>, What)>) -> Vec<Range<usize>> {
    let mut joined: Vec<(Range<usize>, What)> = Vec::new();
    for (range, what) in going {
        if let Some((last, kind)) = joined.last_mut()
            && *kind == What::Lines
            && what == What::Lines
            && is_blank(content.get(last.end..range.start.max(last.end)).unwrap_or_default())
        {
            last.end = last.end.max(range.end);
            continue;
        }
        if joined.last().is_some_and(|(last, _)| range.start < last.end) {
            // Inside what goes anyway.
            continue;
        }
        joined.push((range, what));
    }
    let widened = joined.into_iter().map(|(range, what)| match what {
        What::Lines => with_blank_lines(content, range),
        What::Part => range,
    });
    widened.collect()
}

fn is_blank(text: &[u8]) -> bool {
    text.trim_ascii().is_empty()
}

/// Of the blank lines before and after, only the longer run stays; none at the ends of a file or a block.
fn with_blank_lines(content: &[u8], range: Range<usize>) -> Range<usize> {
    let before = content.get(..range.start).unwrap_or_default();
    let after = content.get(range.end..).unwrap_or_default();
    // Whole blank lines only: the indentation of the next line stays.
    let above = before.trim_ascii_end();
    let above_end = above.len()
        + before
            .get(above.len()..)
            .unwrap_or_default()
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
    let above_end = if above.is_empty() { 0 } else { above_end.min(range.start) };
    let blank_after = after.len() - after.trim_ascii_start().len();
    let below = after.get(..blank_after).unwrap_or_default();
    let below_end = range.end + below.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let rest = content.get(below_end..).unwrap_or_default();
    let count = |from: usize, to: usize| {
        content.get(from..to).unwrap_or_default().iter().filter(|byte| **byte == b'\n').count()
    };
    let opens = matches!(above.last(), None | Some(b'{' | b':' | b'(' | b'['));
    let closes =
        rest.trim_ascii().is_empty() || matches!(rest.trim_ascii_start().first(), Some(b'}' | b')' | b']'));
    let (blank_above, blank_below) = (count(above_end, range.start), count(range.end, below_end));
    if opens || !closes && blank_below <= blank_above {
        return range.start..below_end;
    }
    if closes || blank_above < blank_below {
        return above_end..range.end;
    }
    range
}

/// The lines that some bytes stand on, counted from 1.
pub(crate) fn lines(content: &[u8], bytes: &Range<usize>) -> Range<usize> {
    let count =
        |to: usize| content.get(..to).unwrap_or_default().iter().filter(|byte| **byte == b'\n').count();
    count(bytes.start) + 1..count(bytes.end.saturating_sub(1).max(bytes.start)) + 2
}
