//! Runs `tests/cases/rewind/*.case`: a line of description and sections that open with `=== name`.
//!
//! - `before` (left out for a file that did not exist) and `after`: what a change did;
//! - `now`: the file when the change is taken back; left out for one that is gone;
//! - the answer: `rewound` (the file afterwards), `gone`, or `refused` (the words).
//!
//! A case with `apply` in place of `now` makes the change there, and is answered by `applied` or `refused`. Names that end in
//! `escaped` are as in the cases of edits. `UPDATE_EXPECT=1` rewrites the answers.

use bowline_edit::Patch;
use proptest::prelude::*;

use crate::cases::{Section, check, sections, written};

#[test]
fn cases() {
    check("tests/cases/rewind", answer);
}

/// The case with the answer that the code gives.
fn answer(source: &str) -> String {
    let sections = sections(source);
    let bytes = |name: &str| {
        let of = |section: &&Section| section.name == name;
        sections.iter().find(of).map(|section| section.bytes.as_slice())
    };
    let answers = ["\n=== rewound", "\n=== gone", "\n=== applied", "\n=== refused"];
    let given = answers.iter().find_map(|answer| source.find(answer)).map_or(source.len(), |at| at + 1);
    let question = &source[..given];
    let patch = Patch::between(bytes("before"), bytes("after").expect("a section `after`"));
    let (word, outcome) = match bytes("apply") {
        Some(now) => ("applied", patch.apply(Some(now)).map(Some)),
        None => ("rewound", patch.rewind(bytes("now"))),
    };
    match outcome {
        Ok(Some(content)) => format!("{question}=== {word}{}", written(&content)),
        Ok(None) => format!("{question}=== gone\n"),
        Err(stray) => format!("{question}=== refused\n{stray}\n"),
    }
}

fn any_bytes(max: usize) -> impl Strategy<Value = Vec<u8>> {
    let pieces: Vec<&[u8]> = vec![
        b"a",
        b"b",
        b"long line of text",
        b" ",
        b"\n",
        b"\n",
        b"\r\n",
        b"\r",
        b"\xff",
        b"\xe9",
        b"\xef\xbb\xbf",
        b"\0",
        b"}\n",
        "\u{201c}".as_bytes(),
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..max).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Check 14, the bytes: what is applied and taken back is to the byte what it was.
    #[test]
    fn check_14_apply_then_rewind_gives_back_every_byte(before in any_bytes(60), after in any_bytes(60)) {
        let patch = Patch::between(Some(&before), &after);
        prop_assert_eq!(patch.apply(Some(&before)), Ok(after.clone()));
        prop_assert_eq!(patch.rewind(Some(&after)), Ok(Some(before)));
        let made = Patch::between(None, &after);
        prop_assert_eq!(made.apply(None), Ok(after.clone()));
        prop_assert_eq!(made.rewind(Some(&after)), Ok(None));
    }

    /// Check 14, never a panic: any file, any patch, either way, any of its hunks.
    #[test]
    fn check_14_apply_and_rewind_answer_and_never_panic(
        before in any_bytes(60),
        after in any_bytes(60),
        now in any_bytes(60),
        which in prop::collection::vec(0_usize..5, 0..4),
    ) {
        let patch = Patch::between(Some(&before), &after);
        for refusal in [patch.rewind(Some(&now)).err(), patch.apply(Some(&now)).err(), patch.apply_hunks(Some(&now), &which).err()] {
            prop_assert!(refusal.is_none_or(|refusal| !refusal.to_string().is_empty()));
        }
        prop_assert!(patch.rewind(None).is_err());
    }

    #[test]
    fn changes_reverted_newest_first_give_back_the_first_file(contents in prop::collection::vec(any_bytes(40), 1..6)) {
        let patches: Vec<Patch> =
            contents.windows(2).map(|pair| Patch::between(Some(&pair[0]), &pair[1])).collect();
        let mut now = contents.last().unwrap().clone();
        for patch in patches.iter().rev() {
            now = patch.rewind(Some(&now)).unwrap().unwrap();
        }
        prop_assert_eq!(&now, &contents[0]);
    }

    /// What somebody wrote above and below the hunks stays, and the change goes.
    #[test]
    fn a_change_is_reverted_in_a_file_that_grew(
        lines in prop::collection::vec("[a-z]{6,12}", 4..30),
        at in any::<prop::sample::Index>(),
        word in "[A-Z]{8,12}",
        is_crlf in any::<bool>(),
    ) {
        let ending = if is_crlf { "\r\n" } else { "\n" };
        let text = |lines: &[String]| -> Vec<u8> { lines.iter().flat_map(|line| format!("{line}{ending}").into_bytes()).collect() };
        let mut changed = lines.clone();
        let place = at.index(lines.len());
        changed[place] = word;
        let patch = Patch::between(Some(&text(&lines)), &text(&changed));
        let grown = |lines: &[String]| -> Vec<u8> {
            let around = |own: &[String]| [vec!["0 above".to_owned()], own.to_vec(), vec!["0 below".to_owned()]].concat();
            text(&around(lines))
        };
        prop_assert_eq!(patch.rewind(Some(&grown(&changed))), Ok(Some(grown(&lines))));
    }
}
