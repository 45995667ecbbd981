//! The hunks between two versions of a file: the changed lines with a few around them, as a model would write them.

use super::hunk::Hunk;
use super::language::Language;
use super::operators::{Draw, Sample};
use similar::TextDiff;
use std::time::Duration;

const HUNKS_PER_FILE_MAX: usize = 3;
const OLD_LINES_MAX: usize = 30;
const NEW_LINES_MAX: usize = 40;
const AROUND_LINES_MAX: usize = 3;
const DIFF_MS_MAX: u64 = 300;

/// A file in two versions.
pub(crate) struct Pair<'a> {
    pub(crate) path: &'a str,
    pub(crate) origin: &'a str,
    pub(crate) before: &'a str,
    pub(crate) after: &'a str,
    /// Another file of the same kind.
    pub(crate) other: Option<&'a str>,
}

pub(crate) fn cut(pair: &Pair<'_>, draw: &mut Draw) -> Vec<Hunk> {
    let Some(language) = Language::of(pair.path) else { return Vec::new() };
    let diff =
        TextDiff::configure().timeout(Duration::from_millis(DIFF_MS_MAX)).diff_lines(pair.before, pair.after);
    let (old_lines, new_lines) = (
        pair.before.split_inclusive('\n').collect::<Vec<_>>(),
        pair.after.split_inclusive('\n').collect::<Vec<_>>(),
    );
    let mut groups = diff.grouped_ops(1 + draw.below(AROUND_LINES_MAX));
    draw.shuffle(&mut groups);
    let mut hunks = Vec::new();
    for group in &groups {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let old = first.old_range().start..last.old_range().end;
        let new = first.new_range().start..last.new_range().end;
        if old.len() > OLD_LINES_MAX || new.len() > NEW_LINES_MAX {
            continue;
        }
        let (Some(old_text), Some(new_text)) = (old_lines.get(old.clone()), new_lines.get(new)) else {
            continue;
        };
        let sample = Sample {
            before: pair.before.to_owned(),
            old: old_text.concat(),
            new: new_text.concat(),
            other: pair.other.map(str::to_owned),
        };
        if sample.is_clear() {
            let origin = format!("{} {}:{}", pair.origin, pair.path, old.start + 1);
            hunks.push(Hunk { language, origin, sample });
        }
        if hunks.len() == HUNKS_PER_FILE_MAX {
            break;
        }
    }
    hunks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_hunk_alone_changes_the_file() {
        let before: String = (0..60).map(|n| format!("line number {n}\n")).collect();
        let after = before.replace("number 9\n", "number nine\n").replace("line number 40\n", "");
        let pair = Pair { path: "a.rs", origin: "test", before: &before, after: &after, other: None };
        let hunks = cut(&pair, &mut Draw::new(1));
        assert_eq!(hunks.len(), 2);
        for hunk in &hunks {
            let made = hunk.sample.after();
            assert!(made != before && made != after && hunk.sample.old.lines().count() >= 3, "{made}");
        }
        let none = Pair { path: "a.png", ..pair };
        assert!(cut(&none, &mut Draw::new(1)).is_empty());
    }
}
