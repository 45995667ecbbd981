//! Marks at the beginning of each line that carry no number: those of a diff, or a bare `|`.

use super::{Claim, Cleaning, without_opening};

/// Less than this under bars may as well be the file's own.
const BARRED_LINES_MIN: usize = 2;

/// Without ` ` and `-` before each line of the needle, ` ` and `+` before each of the replacement. One without `+` may be a list
/// as well, unless it is all that the needle keeps.
pub(super) fn without_diff<'e>(edit: &Cleaning<'e>) -> Option<Cleaning<'e>> {
    let lines =
        |text: &'_ str| text.trim_end_matches('\n').split('\n').map(str::to_owned).collect::<Vec<_>>();
    let (old, new) = (lines(&edit.old), lines(&edit.new));
    let kept: Vec<&String> = old.iter().filter(|line| !line.starts_with('-')).collect();
    let adds = new.iter().any(|line| line.starts_with('+'));
    if !adds && (kept.len() == old.len() || !new.iter().eq(kept)) {
        return None;
    }
    let (old, new) = (unmarked(&edit.old, [' ', '-'])?, unmarked(&edit.new, [' ', '+'])?);
    Some(Cleaning::new(old, new).claiming(Claim::Lines))
}

/// Whether an edit is a patch that only adds: a space before each line of the needle, and the replacement has beside those
/// lines only ones with a `+`.
pub(crate) fn is_patch(old: &str, new: &str) -> bool {
    let old: Vec<&str> = old.trim_end_matches('\n').split('\n').collect();
    let new: Vec<&str> = new.trim_end_matches('\n').split('\n').collect();
    old.iter().all(|line| line.is_empty() || line.starts_with(' '))
        && new.iter().any(|line| line.starts_with('+'))
        && new.iter().filter(|line| !line.starts_with('+')).eq(old.iter())
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
    let opening = edit.old.len() - edit.old.trim_start_matches('\n').len();
    let new = without_opening(&edit.new, opening);
    let new = match new.split('\n').any(barred) {
        true => unbarred(new.trim_end_matches('\n'))?,
        false => new.to_owned(),
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
