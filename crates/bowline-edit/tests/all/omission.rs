//! Runs `tests/cases/omission.cases`: marks that stand for text, and what only reads like one.

use bowline_edit::omission;

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
