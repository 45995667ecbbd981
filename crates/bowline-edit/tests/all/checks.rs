//! The checks that are named by their number.

use bowline_edit::{
    Edit, Fault, Landing, Located, Mode, Rung, Would, apply, apply_with, locate, locate_with,
};

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

fn careful(content: &str, old: &str, new: &str) -> String {
    let applied = apply_with(Some(content.as_bytes()), &[Edit::one(old, new)], Mode::Careful).unwrap();
    String::from_utf8(applied.content).unwrap()
}

#[test]
fn check_11_trailing_space_lands_on_the_files_own_span() {
    let content = "fn a() {  \n    one();\n    two();\t\n}\n";
    let needle = "fn a() {\n    one();\n    two();";
    let located = locate_with(content.as_bytes(), needle, Mode::Careful);
    let Located::Fuzzy { span, rung: Rung::Space, .. } = located else { panic!("{located:?}") };
    assert_eq!(&content[span], "fn a() {  \n    one();\n    two();\t");
    let made = careful(content, needle, "fn a() {\n    one(1);\n    two();");
    assert_eq!(made, "fn a() {  \n    one(1);\n    two();\t\n}\n");
}

#[test]
fn check_12_look_alikes_land_on_the_files_own_span() {
    let content = "a\nsay(\u{201c}x\u{201d}) \u{2013} it\u{2019}s\u{a0}on\nb\n";
    let needle = "say(\"x\") - it's on";
    let located = locate_with(content.as_bytes(), needle, Mode::Careful);
    let Located::Fuzzy { span, rung: Rung::Unicode, .. } = located else { panic!("{located:?}") };
    assert_eq!(&content[span], "say(\u{201c}x\u{201d}) \u{2013} it\u{2019}s\u{a0}on");
    let made = careful(content, needle, "say(\"y\") - it's on");
    assert_eq!(made, "a\nsay(\u{201c}y\u{201d}) \u{2013} it\u{2019}s\u{a0}on\nb\n");
}

#[test]
fn check_13_lenient_lands_from_66_percent_on() {
    let line = "abcdefghij".repeat(10);
    let content = format!("first\n{line}\nlast\n");
    let needle = |other: usize| "#".repeat(other) + &line[other..];
    let edit =
        |other: usize, mode| apply_with(Some(content.as_bytes()), &[Edit::one(&needle(other), "new")], mode);
    assert_eq!(edit(34, Mode::Lenient).unwrap().content, b"first\nnew\nlast\n");
    assert!(edit(35, Mode::Lenient).is_err());
    // Careful refuses both, and says what lenient would do.
    let refusal = edit(34, Mode::Careful).unwrap_err();
    let [Err(Fault::NotFound { would, .. })] = refusal.verdicts.as_slice() else { panic!("{refusal}") };
    assert_eq!(*would, Would::Edit(2..=2));
    assert!(refusal.to_string().contains("Lenient mode would edit line 2."), "{refusal}");
    // Two that are equally good.
    let twice = format!("{line}\nx\n{line}\n");
    let refusal =
        apply_with(Some(twice.as_bytes()), &[Edit::one(&needle(10), "new")], Mode::Lenient).unwrap_err();
    assert!(matches!(
        refusal.verdicts.as_slice(),
        [Err(Fault::Ambiguous { count: 2, rung: Rung::Similar, .. })]
    ));
}

#[test]
fn a_typo_lands_and_another_thing_does_not() {
    let content =
        "fn load(path: &Path) -> Config {\n    let text = read_to_string(path);\n    parse(text, 1)\n}\n";
    let edit =
        |old: &str, new: &str| apply_with(Some(content.as_bytes()), &[Edit::one(old, new)], Mode::Careful);
    let old = "    let text = raed_to_string(path);\n    parse(text, 1)";
    let made = edit(old, "    let text = raed_to_string(path);\n    parse(text, 2)").unwrap();
    assert!(matches!(
        made.landings.as_slice(),
        [Landing::Replaced { rung: Rung::Similar, places: 1, similarity }] if *similarity > 0.9
    ));
    assert_eq!(String::from_utf8(made.content).unwrap(), content.replace("1)", "2)"));
    // Another number, another name, another sign.
    for other in ["parse(text, 3)", "build(text, 1)", "parse(text; 1)"] {
        let old = format!("    let text = read_to_string(path);\n    {other}");
        assert!(edit(&old, "x").is_err(), "{other}");
    }
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
                    for mode in [Mode::Careful, Mode::Lenient] {
                        let _ = apply_with(Some(content), &[edit, edit], mode);
                        let _ = locate_with(content, old, mode);
                    }
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
    assert!(matches!(locate(content.as_bytes(), &(line.clone() + "y")), Located::NotFound { .. }));
    let near = "y".repeat(10) + &line[10..];
    assert!(matches!(locate_with(content.as_bytes(), &near, Mode::Careful), Located::NotFound { .. }));
    assert!(matches!(
        locate_with(content.as_bytes(), &near, Mode::Lenient),
        Located::Ambiguous { count: 200, .. }
    ));
}

#[test]
fn what_is_too_much_to_compare_is_said() {
    // Many long lines that share a rare word here and there: every place is worth a look, and each takes long.
    let line = |at: usize| format!("word_{} {}\n", at % 40, "lorem ipsum dolor ".repeat(200));
    let content: String = (0..400).map(line).collect();
    let old: String = (0..30).map(|at| line(at).replace("dolor", "color")).collect();
    let refusal = apply_with(Some(content.as_bytes()), &[Edit::one(&old, "new")], Mode::Careful).unwrap_err();
    assert!(refusal.to_string().contains("There is too much to compare"), "{refusal}");
}

/// Steps are counted, so this holds on any machine; how long it takes is printed.
#[test]
fn a_miss_in_a_large_file_is_answered() {
    let line =
        |at: usize| format!("    let value_{at} = compute_{}(input[{}], \"name {at}\");\n", at % 97, at % 13);
    let content: String = (0..20_000).map(line).collect();
    let needle: String =
        (0..60).map(|at| line(at * 311).replace("compute", "derive").replace("input", "given")).collect();
    let begun = std::time::Instant::now();
    let refusal =
        apply_with(Some(content.as_bytes()), &[Edit::one(&needle, "x")], Mode::Careful).unwrap_err();
    println!("a miss took {:?}", begun.elapsed());
    assert!(matches!(refusal.verdicts.as_slice(), [Err(Fault::NotFound { .. })]));
}
