//! Runs `tests/cases/omission.cases`: marks that stand for text, and what only reads like one.

use bowline_edit::omission;
use proptest::prelude::*;

const CASES: &str = include_str!("../cases/omission.cases");

#[test]
fn marks_are_told_from_what_reads_like_one() {
    let mut failed = Vec::new();
    let mut count = 0;
    for case in CASES.split("\n=== ").skip(1) {
        let (title, body) = case.split_once('\n').unwrap();
        let (old, new) = body.split_once("\n---\n").unwrap();
        let due = title.split_once(" · ").unwrap().0;
        let is = match omission(old, new) {
            Some(mark) => format!("mark {}", mark.line),
            None => "none".to_owned(),
        };
        if is != due {
            failed.push(format!("{title}: {is}"));
        }
        count += 1;
    }
    assert!(failed.is_empty(), "{} of {count}:\n{}", failed.len(), failed.join("\n"));
}

/// A text is never a lazy rewrite of itself.
#[test]
fn what_is_there_is_no_mark() {
    for case in CASES.split("\n=== ").skip(1) {
        let (_, body) = case.split_once('\n').unwrap();
        let (old, new) = body.split_once("\n---\n").unwrap();
        for text in [old, new] {
            assert_eq!(omission(text, text), None, "{text}");
        }
    }
}

const PIECES: [&str; 16] = [
    "//",
    "#",
    "/*",
    "*/",
    "...",
    "…",
    " ",
    "\n",
    "existing code",
    "rest",
    "unchanged",
    "(",
    "]",
    "{",
    "}",
    "\u{301}x",
];

proptest! {
    /// Any text is an answer; the mark is a line of the new one, and none once it stands in the old one.
    #[test]
    fn any_text_is_an_answer(
        old in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..20),
        new in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40),
    ) {
        let (old, new) = (old.concat(), new.concat());
        if let Some(mark) = omission(&old, &new) {
            prop_assert_eq!(new.lines().nth(mark.line - 1).map(str::trim), Some(mark.text.as_str()));
            let again = omission(&format!("{old}\n{}", mark.text), &new);
            prop_assert!(again.is_none_or(|other| other.line > mark.line));
        }
    }
}
