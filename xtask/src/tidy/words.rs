//! Words that must not be committed: paths of somebody's machine, and what is left over from work in progress. The patterns
//! are put together from pieces, so that this file does not trip over itself.

use super::Finding;
use super::tree::Tree;

/// What may stand beside a pattern for it to count.
#[derive(Clone, Copy)]
enum Edges {
    /// Anything.
    Any,
    /// Nothing that would make it part of a longer word.
    Word,
    /// In front, nothing that would make it the inside of a longer path.
    Path,
    /// In front, nothing that would make it the end of a longer name.
    Name,
}

struct Pattern {
    text: &'static str,
    edges: Edges,
    advice: &'static str,
}

const MACHINE: &str = "a path of one machine; write it relative to the repository or make it up in the test";
const LATER: &str = "work left for later; do it, or open an issue and say here what holds today";

const PATTERNS: [Pattern; 9] = [
    Pattern { text: concat!("/wo", "rk/"), edges: Edges::Path, advice: MACHINE },
    Pattern { text: concat!("/ro", "ot/"), edges: Edges::Path, advice: MACHINE },
    Pattern { text: concat!("../sha", "red"), edges: Edges::Any, advice: MACHINE },
    Pattern { text: concat!("TO", "DO"), edges: Edges::Word, advice: LATER },
    Pattern { text: concat!("FIX", "ME"), edges: Edges::Word, advice: LATER },
    Pattern { text: concat!("XX", "X"), edges: Edges::Word, advice: LATER },
    Pattern { text: concat!("to", "do!("), edges: Edges::Name, advice: LATER },
    Pattern { text: concat!("db", "g!("), edges: Edges::Name, advice: "left over from debugging; remove it" },
    Pattern {
        text: concat!("#[ign", "ore"),
        edges: Edges::Any,
        advice: "a test that never runs; mend it or remove it",
    },
];

/// Written by programs, full of sums that may read like anything.
const GENERATED: [&str; 2] = ["Cargo.lock", "package-lock.json"];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let written = tree.texts().filter(|(path, _)| !GENERATED.iter().any(|name| path.ends_with(name)));
    written.flat_map(|(path, text)| in_text(path, text)).collect()
}

fn in_text(path: &str, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        for pattern in PATTERNS.iter().filter(|pattern| occurs(pattern, line)) {
            findings.push(Finding::new(path, number, format!("`{}`: {}", pattern.text, pattern.advice)));
        }
    }
    findings
}

fn occurs(pattern: &Pattern, line: &str) -> bool {
    line.match_indices(pattern.text).any(|(start, found)| {
        let before = line[..start].chars().next_back();
        let after = line[start + found.len()..].chars().next();
        match pattern.edges {
            Edges::Any => true,
            Edges::Word => !before.is_some_and(in_word) && !after.is_some_and(in_word),
            Edges::Name => !before.is_some_and(in_word),
            Edges::Path => !before.is_some_and(|before| in_word(before) || ".-~}>*".contains(before)),
        }
    })
}

fn in_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_and_whole_paths_count() {
        let later = concat!("TO", "DO");
        let table = [
            (format!("// {later}: later"), true),
            (format!("MUSTO{later}"), false),
            (concat!("mktemp -d /tmp/a.XX", "XXXX").to_owned(), false),
            (concat!("cd /wo", "rk/main").to_owned(), true),
            (concat!("frame/wo", "rk/main").to_owned(), false),
            (concat!("~/ro", "ot/x").to_owned(), false),
            (concat!("include!(\"../sha", "red/a\")").to_owned(), true),
            (concat!("#[ign", "ore = \"slow\"]").to_owned(), true),
            (concat!("my_db", "g!(x)").to_owned(), false),
            (concat!("db", "g!(x)").to_owned(), true),
        ];
        for (line, expected) in table {
            assert_eq!(!in_text("a.rs", &line).is_empty(), expected, "{line}");
        }
    }

    #[test]
    fn a_finding_has_its_line() {
        let text = format!("fine\n// {}\n", concat!("FIX", "ME"));
        assert_eq!(in_text("a.rs", &text)[0].line, 2);
    }
}
