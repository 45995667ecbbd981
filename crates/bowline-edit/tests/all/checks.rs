//! The checks that are named by their number.

use bowline_edit::{Edit, Fault, Located, apply, locate};

#[test]
fn check_10_two_exact_places_are_ambiguous() {
    let content = b"fn a() {\n    go();\n}\nfn b() {\n    go();\n}\n";
    let Located::Ambiguous { count, places } = locate(content, "go();") else { panic!("ambiguous") };
    assert_eq!(count, 2);
    assert_eq!(places.iter().map(|place| place.line).collect::<Vec<_>>(), [2, 5]);
    assert_eq!(places[1].under.as_deref(), Some("fn b() {"));
    let refusal = apply(Some(content), &[Edit::one("go();", "stop();")]).unwrap_err();
    assert!(matches!(refusal.verdicts.as_slice(), [Err(Fault::Ambiguous { count: 2, .. })]));
}

#[test]
fn check_14_apply_answers_whatever_it_gets() {
    let odd: [&[u8]; 8] =
        [b"", b"\n", b"\r", b"\r\n", b"\xff\xfe", b"\xef\xbb\xbf", b"\xef\xbb\xbf\r\n", b"a\r\r\n\0\xff"];
    let texts = ["", " ", "\n", "\r", "\r\n", "\u{feff}", "a", "\u{e9}", "a\n", "\u{feff}a"];
    for content in odd {
        for old in texts {
            for new in texts {
                for edit in [Edit::one(old, new), Edit::all(old, new)] {
                    let _ = apply(Some(content), &[edit, edit]);
                    let _ = apply(None, &[edit]).map_err(|refusal| refusal.to_string());
                    let _ = locate(content, old);
                }
            }
        }
    }
}

#[test]
fn equal_long_lines_are_answered_at_once() {
    let line = "x".repeat(2_000) + "\n";
    let content = line.repeat(200);
    let Located::Ambiguous { count, places } = locate(content.as_bytes(), &line) else { panic!("ambiguous") };
    assert_eq!((count, places.len()), (200, 10));
    assert!(matches!(
        locate(content.as_bytes(), &"x".repeat(1_000)),
        Located::Ambiguous { count: 200_200, .. }
    ));
    assert!(matches!(locate(content.as_bytes(), &(line + "y")), Located::NotFound { .. }));
}
