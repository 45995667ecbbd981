//! The list of files that are longer than the limit: one a line, `path lines`, `#` for remarks. An entry is exact, so the
//! list can only get shorter, and so can the files.

use super::Finding;

pub(crate) const PATH: &str = "xtask/tidy-ratchet.txt";

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) path: String,
    pub(crate) lines: usize,
    /// Where it stands in the list, from 1.
    pub(crate) line: usize,
}

/// The entries, and a finding for each line that is none.
pub(crate) fn parse(text: &str) -> (Vec<Entry>, Vec<Finding>) {
    let mut entries = Vec::new();
    let mut findings = Vec::new();
    for (content, line) in text.lines().zip(1..) {
        let content = content.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let entry = content.rsplit_once(char::is_whitespace).and_then(|(path, lines)| {
            Some(Entry { path: path.trim().to_owned(), lines: lines.parse().ok()?, line })
        });
        match entry {
            Some(entry) => entries.push(entry),
            None => findings.push(Finding::new(PATH, line, "not `path lines`; correct the line")),
        }
    }
    (entries, findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_entries_and_names_what_is_none() {
        let (entries, findings) = parse("# remark\n\na/b.rs  512\nnonsense\n");
        assert_eq!(entries, [Entry { path: "a/b.rs".to_owned(), lines: 512, line: 3 }]);
        assert_eq!(findings, [Finding::new(PATH, 4, "not `path lines`; correct the line")]);
    }
}
