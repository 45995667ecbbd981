//! Small files: past the limit a file is split by idea. What is longer today stands in the ratchet with its length and may
//! only shrink. The length of functions is clippy's (`too_many_lines`).

use super::Finding;
use super::ratchet::{self, Entry};
use super::tree::{Tree, is_test};
use std::collections::BTreeMap;

const SOURCE_LINES_MAX: usize = 500;
const TEST_LINES_MAX: usize = 1000;

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let (entries, mut findings) = ratchet::parse(tree.text(ratchet::PATH).unwrap_or_default());
    let mut allowed: BTreeMap<&str, &Entry> =
        entries.iter().map(|entry| (entry.path.as_str(), entry)).collect();
    for (path, text) in tree.rust() {
        let lines = text.lines().count();
        findings.extend(judge(path, lines, allowed.remove(path)));
    }
    findings.extend(allowed.values().map(|entry| {
        Finding::new(
            ratchet::PATH,
            entry.line,
            format!("{} is no Rust file of this tree; remove the line", entry.path),
        )
    }));
    findings
}

fn judge(path: &str, lines: usize, entry: Option<&Entry>) -> Option<Finding> {
    let limit = if is_test(path) { TEST_LINES_MAX } else { SOURCE_LINES_MAX };
    match entry {
        None if lines > limit => {
            Some(Finding::new(path, limit + 1, format!("{lines} lines, {limit} at most; split it by idea")))
        }
        None => None,
        Some(entry) if lines <= limit => Some(Finding::new(
            ratchet::PATH,
            entry.line,
            format!("{path} is short enough now; remove the line"),
        )),
        Some(entry) if lines > entry.lines => {
            let what =
                format!("{lines} lines, it had {}; split it, or put the new part elsewhere", entry.lines);
            Some(Finding::new(path, entry.lines + 1, what))
        }
        Some(entry) if lines < entry.lines => {
            let what = format!("{path} has {lines} lines now; write that instead of {}", entry.lines);
            Some(Finding::new(ratchet::PATH, entry.line, what))
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_only_shrink() {
        let allowed = |lines| Some(Entry { path: "src/a.rs".to_owned(), lines, line: 3 });
        let table: [(&str, usize, Option<Entry>, Option<&str>); 8] = [
            ("src/a.rs", 500, None, None),
            ("src/a.rs", 501, None, Some("src/a.rs:501: 501 lines, 500 at most")),
            ("tests/all/a.rs", 1000, None, None),
            ("tests/all/a.rs", 1001, None, Some("tests/all/a.rs:1001: 1001 lines, 1000 at most")),
            ("src/a.rs", 600, allowed(600), None),
            ("src/a.rs", 601, allowed(600), Some("src/a.rs:601: 601 lines, it had 600")),
            ("src/a.rs", 599, allowed(600), Some("xtask/tidy-ratchet.txt:3: src/a.rs has 599 lines now")),
            ("src/a.rs", 500, allowed(600), Some("xtask/tidy-ratchet.txt:3: src/a.rs is short enough")),
        ];
        for (path, lines, entry, expected) in table {
            let found = judge(path, lines, entry.as_ref()).map(|finding| finding.to_string());
            match (found, expected) {
                (None, None) => {}
                (Some(found), Some(expected)) if found.starts_with(expected) => {}
                (found, expected) => panic!("{path} with {lines}: {found:?}, expected {expected:?}"),
            }
        }
    }

    #[test]
    fn an_entry_without_its_file_is_stale() {
        let tree = Tree::of(&[("xtask/tidy-ratchet.txt", "# path, lines\nsrc/gone.rs 700\n")]);
        let found: Vec<String> = check(&tree).iter().map(Finding::to_string).collect();
        assert_eq!(
            found,
            ["xtask/tidy-ratchet.txt:2: src/gone.rs is no Rust file of this tree; remove the line"]
        );
    }
}
