//! Marks at the beginning of each line that carry no number: those of a diff, or a bare `|`.

use super::{Claim, Cleaning};

/// Less than this under bars may as well be the file's own.
const BARRED_LINES_MIN: usize = 2;

/// Without ` ` and `-` before each line of the needle, ` ` and `+` before each of the replacement.
pub(super) fn without_diff<'e>(edit: &Cleaning<'e>) -> Option<Cleaning<'e>> {
    // A replacement without `+` may be a list as well, or only the context.
    if !edit.new.split('\n').any(|line| line.starts_with('+')) {
        return None;
    }
    let (old, new) = (unmarked(&edit.old, [' ', '-'])?, unmarked(&edit.new, [' ', '+'])?);
    Some(Cleaning::new(old, new).claiming(Claim::Lines))
}

fn unmarked(text: &str, marks: [char; 2]) -> Option<String> {
    let lines =
        text.split('\n').map(|line| if line.is_empty() { Some("") } else { line.strip_prefix(marks) });
    lines.collect::<Option<Vec<&str>>>().map(|lines| lines.join("\n"))
}

/// Without a `|` before each line.
pub(super) fn without_bars<'e>(edit: &Cleaning<'e>) -> Option<Cleaning<'e>> {
    let text = edit.old.trim_matches('\n');
    let old = unbarred(text)?;
    if text.split('\n').count() < BARRED_LINES_MIN {
        return None;
    }
    let barred = |line: &str| line.trim_start_matches(' ').starts_with('|');
    let new = match edit.new.split('\n').any(barred) {
        true => unbarred(edit.new.trim_end_matches('\n'))?.into(),
        false => edit.new.clone(),
    };
    Some(Cleaning::new(old, new).claiming(Claim::Lines))
}

fn unbarred(text: &str) -> Option<String> {
    let lines = text.split('\n').map(|line| line.trim_start_matches(' ').strip_prefix('|'));
    let lines = lines.collect::<Option<Vec<&str>>>()?;
    let spaced = lines.iter().all(|line| line.is_empty() || line.starts_with(' '));
    let bare = |line: &&str| {
        if spaced { line.strip_prefix(' ').unwrap_or(line).to_owned() } else { (*line).to_owned() }
    };
    Some(lines.iter().map(bare).collect::<Vec<_>>().join("\n"))
}
