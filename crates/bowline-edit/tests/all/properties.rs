//! What holds for all inputs.

use bowline_edit::{Edit, Landing, Located, Mode, apply, apply_with, locate, locate_with};
use proptest::prelude::*;

/// Texts over a small alphabet, so that needles are found, found twice and missed by little.
fn text(max: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(vec!["a", "b", " ", "\n", "\t", "\u{e9}", "xy"]), 0..max)
        .prop_map(|pieces| pieces.concat())
}

fn any_text(max: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop::sample::select(vec!["a", "b", " ", "\n", "\r\n", "\r", "\u{feff}", "\u{e9}", "\\", "$0"]),
        0..max,
    )
    .prop_map(|pieces| pieces.concat())
}

fn any_bytes(max: usize) -> impl Strategy<Value = Vec<u8>> {
    let pieces: Vec<&[u8]> =
        vec![b"a", b"b", b" ", b"\n", b"\r\n", b"\r", b"\xff", b"\xe9", b"\xef\xbb\xbf", b"\0"];
    prop::collection::vec(prop::sample::select(pieces), 0..max).prop_map(|pieces| pieces.concat())
}

fn crlf(text: &str) -> String {
    text.replace('\n', "\r\n")
}

/// Signs as a model types them, each with the forms a file may have for it.
const SIGNS: [(&str, [&str; 3]); 5] = [
    ("-", ["-", "\u{2013}", "\u{2014}"]),
    ("\"", ["\"", "\u{201c}", "\u{201d}"]),
    ("'", ["'", "\u{2018}", "\u{2019}"]),
    (" ", [" ", "\u{a0}", "\u{202f}"]),
    ("...", ["...", "\u{2026}", "..."]),
];
const WORDS: [&str; 6] = ["a", "bc", "caf\u{e9}", "x1", "10", "__d"];

/// Words and signs in turn: for each the word, another word, the sign and its form in the file.
fn signed(max: usize) -> impl Strategy<Value = Vec<(usize, usize, usize, usize)>> {
    prop::collection::vec((0..WORDS.len(), 0..WORDS.len(), 0..SIGNS.len(), 0..3_usize), 1..max)
}

/// A text with all look-alikes made plain.
fn folded(text: &str) -> String {
    SIGNS.iter().fold(text.to_owned(), |text, (plain, forms)| {
        forms.iter().fold(text, |text, form| text.replace(form, plain))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics_and_a_refusal_has_words(
        content in any_bytes(40),
        pairs in prop::collection::vec((any_text(6), any_text(6), any::<bool>()), 0..4),
    ) {
        let edits: Vec<Edit<'_>> = pairs
            .iter()
            .map(|(old, new, all)| if *all { Edit::all(old, new) } else { Edit::one(old, new) })
            .collect();
        match apply(Some(&content), &edits) {
            Ok(applied) => {
                prop_assert_eq!(applied.landings.len(), edits.len());
                let in_place = applied.landings.iter().all(|landing| matches!(landing, Landing::InPlace { .. }));
                prop_assert!(!in_place || applied.content == content);
                prop_assert!(applied.changed.iter().all(|span| span.end <= applied.content.len()));
                let _ = applied.changed_lines();
            }
            Err(refusal) => {
                prop_assert_eq!(refusal.verdicts.len(), edits.len());
                prop_assert!(!refusal.to_string().is_empty());
            }
        }
    }

    #[test]
    fn bytes_outside_the_span_stay(content in any_bytes(40), old in any_text(5), new in any_text(5)) {
        let Located::Exact(span) = locate(&content, &old) else { return Ok(()) };
        if let Ok(applied) = apply(Some(&content), &[Edit::one(&old, &new)]) {
            let tail = &content[span.end..];
            prop_assert!(applied.content.starts_with(&content[..span.start]));
            prop_assert!(applied.content.ends_with(tail));
            prop_assert!(applied.content.len() >= span.start + tail.len());
        }
    }

    #[test]
    fn what_is_located_is_the_needle(content in any_bytes(40), old in any_text(5)) {
        if let Located::Exact(span) = locate(&content, &old) {
            let there = String::from_utf8(content[span].to_vec()).unwrap().replace("\r\n", "\n");
            let old = old.strip_prefix('\u{feff}').unwrap_or(&old).replace("\r\n", "\n");
            prop_assert_eq!(there, old);
        }
    }

    #[test]
    fn an_exact_edit_is_a_plain_replacement(content in text(30), old in text(5), new in text(5)) {
        let Located::Exact(span) = locate(content.as_bytes(), &old) else { return Ok(()) };
        let Ok(applied) = apply(Some(content.as_bytes()), &[Edit::one(&old, &new)]) else { return Ok(()) };
        if applied.content == content.as_bytes() {
            return Ok(());
        }
        let plain = format!("{}{new}{}", &content[..span.start], &content[span.end..]);
        // The state of the final line break is kept, whatever the edit says.
        let result = String::from_utf8(applied.content).unwrap();
        let (with_break, plain_with_break) = (result.clone() + "\n", plain.clone() + "\n");
        prop_assert!(result == plain || with_break == plain || result == plain_with_break);
    }

    #[test]
    fn twins_get_the_same_answer(content in text(30), pairs in prop::collection::vec((text(5), text(5)), 1..3)) {
        let twin = crlf(&content);
        let crlf_pairs: Vec<(String, String)> = pairs.iter().map(|(old, new)| (crlf(old), crlf(new))).collect();
        let edits: Vec<Edit<'_>> = pairs.iter().map(|(old, new)| Edit::one(old, new)).collect();
        let crlf_edits: Vec<Edit<'_>> = crlf_pairs.iter().map(|(old, new)| Edit::one(old, new)).collect();
        let plain = apply(Some(content.as_bytes()), &edits);
        for edits in [&edits, &crlf_edits] {
            match (&plain, apply(Some(twin.as_bytes()), edits)) {
                (Ok(plain), Ok(other)) => {
                    prop_assert_eq!(&plain.landings, &other.landings);
                    let expected = String::from_utf8(plain.content.clone()).unwrap();
                    // A file without a line break has no ending to take over; one that is created keeps its own.
                    if content.contains('\n') {
                        prop_assert_eq!(crlf(&expected).into_bytes(), other.content);
                    } else {
                        let other = String::from_utf8(other.content).unwrap();
                        prop_assert!(other == expected || (content.trim().is_empty() && other == crlf(&expected)));
                    }
                }
                (Err(plain), Err(other)) => prop_assert_eq!(plain.to_string(), other.to_string()),
                (plain, other) => prop_assert!(false, "{:?} against {:?}", plain, other),
            }
        }
    }

    #[test]
    fn an_edit_made_twice_is_in_place_or_refused(content in text(30), old in text(5), new in text(8)) {
        let Ok(once) = apply(Some(content.as_bytes()), &[Edit::one(&old, &new)]) else { return Ok(()) };
        // A text that holds itself cannot be told from one that was not edited yet.
        if !new.contains(&old) || new.trim() == old.trim() {
            return Ok(());
        }
        if let Ok(twice) = apply(Some(&once.content), &[Edit::one(&old, &new)])
            && matches!(once.landings.as_slice(), [Landing::Replaced { .. }])
            && content.ends_with('\n') == new.ends_with('\n')
        {
            prop_assert_eq!(twice.content, once.content);
        }
    }

    #[test]
    fn no_mode_panics_and_what_is_not_changed_stays(
        content in any_bytes(60),
        old in any_text(12),
        new in any_text(12),
        lenient in any::<bool>(),
    ) {
        let mode = if lenient { Mode::Lenient } else { Mode::Careful };
        let _ = locate_with(&content, &old, mode);
        match apply_with(Some(&content), &[Edit::one(&old, &new)], mode) {
            Ok(applied) => {
                // What stands before the first and after the last changed span is the file's own.
                let first = applied.changed.first().map_or(content.len(), |span| span.start);
                let after = applied.changed.last().map_or(0, |span| applied.content.len() - span.end);
                prop_assert_eq!(&applied.content[..first], &content[..first]);
                prop_assert!(content.ends_with(&applied.content[applied.content.len() - after..]));
            }
            Err(refusal) => prop_assert!(!refusal.to_string().is_empty()),
        }
    }

    #[test]
    fn twins_get_the_same_answer_in_careful_mode(content in text(40), old in text(10), new in text(10)) {
        let edit = Edit::one(&old, &new);
        let plain = apply_with(Some(content.as_bytes()), &[edit], Mode::Careful);
        let twin = apply_with(Some(crlf(&content).as_bytes()), &[edit], Mode::Careful);
        match (plain, twin) {
            (Ok(plain), Ok(twin)) => {
                prop_assert_eq!(plain.landings, twin.landings);
                let plain = String::from_utf8(plain.content).unwrap();
                let expected = if content.contains('\n') { crlf(&plain) } else { plain };
                prop_assert_eq!(expected.into_bytes(), twin.content);
            }
            (Err(plain), Err(twin)) => prop_assert_eq!(plain.to_string(), twin.to_string()),
            (plain, twin) => prop_assert!(false, "{:?} against {:?}", plain, twin),
        }
    }

    #[test]
    fn what_is_located_exactly_is_so_in_every_mode(content in any_bytes(40), old in any_text(5)) {
        let exact = locate(&content, &old);
        if matches!(exact, Located::Exact(_) | Located::Ambiguous { .. }) && !old.starts_with(' ') {
            prop_assert_eq!(locate_with(&content, &old, Mode::Careful), exact.clone());
            prop_assert_eq!(locate_with(&content, &old, Mode::Lenient), exact);
        }
    }

    /// Where only words change, every sign stays as the file has it, whatever the model typed for it.
    #[test]
    fn a_sign_that_does_not_change_is_the_files(parts in signed(8)) {
        let text = |word: fn(&(usize, usize, usize, usize)) -> usize, is_file: bool| -> String {
            let sign = |part: &(usize, usize, usize, usize)| {
                if is_file { SIGNS[part.2].1[part.3] } else { SIGNS[part.2].0 }
            };
            parts.iter().map(|part| format!("{}{}", WORDS[word(part)], sign(part))).collect::<String>() + "end"
        };
        let (old, new) = (text(|part| part.0, false), text(|part| part.1, false));
        let (content, expected) = (text(|part| part.0, true), text(|part| part.1, true));
        prop_assume!(old != new);
        let applied = apply_with(Some(content.as_bytes()), &[Edit::one(&old, &new)], Mode::Careful);
        let applied = applied.map(|applied| String::from_utf8(applied.content).unwrap());
        prop_assert_eq!(applied.as_deref().ok(), Some(expected.as_str()), "{:?}", applied.as_ref().err());
    }

    /// Whatever changes, the outcome says what the replacement says.
    #[test]
    fn look_alikes_never_change_what_is_said(parts in signed(6), others in signed(6)) {
        let typed = |parts: &[(usize, usize, usize, usize)]| -> String {
            parts.iter().map(|part| format!("{}{}", SIGNS[part.2].0, WORDS[part.0])).collect()
        };
        let drawn: String =
            parts.iter().map(|part| format!("{}{}", SIGNS[part.2].1[part.3], WORDS[part.0])).collect();
        let (old, new) = (format!("first{}", typed(&parts)), format!("first{}", typed(&others)));
        let content = format!("above\nfirst{drawn}\nbelow\n");
        if let Ok(applied) = apply_with(Some(content.as_bytes()), &[Edit::one(&old, &new)], Mode::Careful) {
            let made = String::from_utf8(applied.content).unwrap();
            prop_assert_eq!(folded(&made), format!("above\n{}\nbelow\n", folded(&new)));
        }
    }
}
