//! A change hunk by hunk, as a unified diff whose hunks are those that can be applied and rejected one by one.

use bowline_core::review::ChangeView;
use bowline_edit::Hunk;
use similar::TextDiff;

/// Unchanged lines shown on either side.
const AROUND_LINES: usize = 3;

/// Some hunks, counted from 0 and in their order, each with its head; none where it is not kept what they are. A line is
/// shown once, also between two hunks: programs that read diffs want it so.
pub fn hunk_diffs(change: &ChangeView, which: &[usize]) -> Vec<String> {
    let Some(patch) = &change.edit.patch else { return Vec::new() };
    let (mut shift, mut shown) = (0, 0);
    let mut diffs = Vec::new();
    for (at, hunk) in patch.hunks.iter().enumerate() {
        if which.contains(&at) {
            diffs.push(unified(hunk, shift, hunk.line.saturating_sub(shown + 1)));
            shown = hunk.line - 1 + lines(&hunk.old).len() + lines(&hunk.trail).len().min(AROUND_LINES);
        }
        shift += count(&hunk.new) - count(&hunk.old);
    }
    diffs
}

/// With so many lines above it at most.
fn unified(hunk: &Hunk, shift: isize, above_max: usize) -> String {
    let lead: Vec<&[u8]> = lines(&hunk.lead);
    let lead = lead[lead.len().saturating_sub(AROUND_LINES.min(above_max))..].concat();
    let trail: Vec<&[u8]> = lines(&hunk.trail);
    let trail = trail[..trail.len().min(AROUND_LINES)].concat();
    let whole = |middle: &[u8]| [lead.as_slice(), middle, trail.as_slice()].concat();
    let (old, new) = (whole(&hunk.old), whole(&hunk.new));
    let start = hunk.line.saturating_sub(lines(&lead).len());
    let side = |start: usize, text: &[u8]| {
        let count = lines(text).len();
        // A side without lines is said to stand after the line before it.
        format!("{},{count}", if count == 0 { start.saturating_sub(1) } else { start })
    };
    let new_start = start.saturating_add_signed(shift);
    let mut text = format!("@@ -{} +{} @@\n", side(start, &old), side(new_start, &new));
    let (old, new) = (String::from_utf8_lossy(&old), String::from_utf8_lossy(&new));
    let diff = TextDiff::from_lines(&*old, &*new);
    let body = diff.unified_diff().context_radius(usize::MAX / 4).to_string();
    text.extend(body.split_inclusive('\n').skip_while(|line| !line.starts_with("@@")).skip(1));
    text
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

fn count(text: &[u8]) -> isize {
    isize::try_from(lines(text).len()).unwrap_or(isize::MAX)
}
