//! What must hold for all inputs: an answer for any bytes, places whose ranges are in order, and no fault in a file that is as
//! it was.

use bowline_index::{Place, at_line, calls, check, definitions, hidden, identifiers, places, scope};
use proptest::prelude::*;

const PATHS: [&str; 24] = [
    "a.sh",
    "a.c",
    "a.cpp",
    "a.css",
    "a.go",
    "a.html",
    "a.java",
    "a.js",
    "a.json",
    "a.lua",
    "a.php",
    "a.py",
    "a.rb",
    "a.rs",
    "a.toml",
    "a.tsx",
    "a.ts",
    "a.yaml",
    "a.md",
    "a.txt",
    "a.cfg",
    "Makefile",
    "Dockerfile",
    "a.kt",
];
/// Pieces of which brackets, quotes, comments and definitions of many languages are made.
const PIECES: [&str; 48] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "'",
    "`",
    "\n",
    "\n",
    "\n\n",
    "\r\n",
    "  ",
    "    ",
    "\t",
    ":",
    ";",
    ",",
    "=",
    " = 1",
    "fn a",
    "def b:",
    "def c():\n",
    "class C",
    "class D:\n",
    "function d() {",
    "const e = ",
    "x = 1\n",
    "- f: ",
    "\"g\": ",
    "# h\n",
    "## i\n",
    "// j\n",
    "/// k\n",
    "#[l]\n",
    "@m\n",
    "${",
    "#{",
    "//",
    "/*",
    "*/",
    "end\n",
    "export ",
    "enum N ",
    "struct O ",
    "<p>",
    "\u{e9}",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_text_is_an_answer(
        path in prop::sample::select(&PATHS[..]),
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60),
    ) {
        let text = pieces.concat();
        let broken = check(path, b"", text.as_bytes());
        if let Some(broken) = broken {
            prop_assert!(broken.line >= 1 && broken.line <= text.matches('\n').count() + 1, "{broken:?}");
        }
        prop_assert_eq!(check(path, text.as_bytes(), text.as_bytes()), None);
        let found = definitions(path, text.as_bytes());
        for definition in &found {
            prop_assert!(scope(&found, *definition.own_lines.start()).is_some());
        }
    }

    #[test]
    fn places_are_in_order(
        path in prop::sample::select(&PATHS[..]),
        mark in prop::sample::select(&["", "\u{feff}"][..]),
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60),
    ) {
        let text = format!("{mark}{}", pieces.concat());
        let found = places(path, text.as_bytes());
        in_order(&text, &found)?;
        covered(&text, &found)?;
        for place in found.iter().take(20) {
            let _ = hidden(text.as_bytes(), place);
            let all = identifiers(path, text.as_bytes(), place);
            let called = calls(path, text.as_bytes(), place);
            prop_assert!(called.len() <= all.len() + 20);
        }
    }

    #[test]
    fn any_bytes_are_an_answer(
        path in prop::sample::select(&PATHS[..]),
        bytes in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let _ = check(path, b"", &bytes);
        for place in places(path, &bytes) {
            prop_assert!(place.bytes.start <= place.bytes.end && place.bytes.end <= bytes.len());
            let _ = (hidden(&bytes, &place), calls(path, &bytes, &place), identifiers(path, &bytes, &place));
        }
    }
}

/// What the documentation of `Place` promises.
fn in_order(text: &str, found: &[Place]) -> Result<(), TestCaseError> {
    let lines = text.lines().count().max(1);
    let mut around: Vec<&Place> = Vec::new();
    let mut last = 0;
    for place in found {
        prop_assert!(text.get(place.bytes.clone()).is_some_and(|text| !text.is_empty()), "{place:?}");
        prop_assert!(*place.lines.start() >= 1 && *place.lines.end() <= lines, "{lines} {place:?}");
        prop_assert!(place.lines.start() <= place.own_lines.start(), "{place:?}");
        prop_assert!(place.own_lines.end() <= place.lines.end(), "{place:?}");
        prop_assert!(!place.own_lines.is_empty() && !place.name.is_empty(), "{place:?}");
        if let Some(body) = &place.body {
            prop_assert!(text.get(body.clone()).is_some(), "{place:?}");
            prop_assert!(place.bytes.start <= body.start && body.end <= place.bytes.end, "{place:?}");
        }
        prop_assert!(place.bytes.start >= last, "{place:?}");
        last = place.bytes.start;
        while around.last().is_some_and(|outer| outer.bytes.end <= place.bytes.start) {
            around.pop();
        }
        if let Some(outer) = around.last() {
            prop_assert!(place.bytes.end <= outer.bytes.end, "{outer:?} {place:?}");
            prop_assert!(
                outer.lines.start() <= place.lines.start() && place.lines.end() <= outer.lines.end()
            );
        }
        around.push(place);
    }
    Ok(())
}

/// Every line with a letter or a digit is part of a place.
fn covered(text: &str, found: &[Place]) -> Result<(), TestCaseError> {
    for (index, line) in text.lines().enumerate() {
        let has_words = line.trim_start_matches('\u{feff}').contains(char::is_alphanumeric);
        prop_assert_eq!(
            has_words && at_line(found, index + 1).is_none(),
            false,
            "line {} of {:?}",
            index + 1,
            text
        );
    }
    Ok(())
}

/// What is too large or nests too deep for a second look is not looked at, and never for long.
#[test]
fn what_is_too_much_is_unknown() {
    let large = "x = 1\n".repeat(400_000);
    assert_eq!(check("a.py", b"x = 1\n", large.as_bytes()), None);
    assert!(definitions("a.py", large.as_bytes()).is_empty());
    let deep = "[".repeat(100_000);
    let _ = check("a.json", b"[]", deep.as_bytes());
    let _ = definitions("a.js", deep.as_bytes());
}

/// Large files that are nested, on one line, all comments or all blank: each has an answer, and none of them takes long.
#[test]
fn large_files_have_an_answer() {
    let pieces: [(&str, &str); 14] = [
        ("a.js", "function a(){"),
        ("a.js", "x=>("),
        ("a.js", "const a={b(){},"),
        ("a.html", "<p>"),
        ("a.json", "{\"a\":["),
        ("a.json", "{\"a\":1},\n"),
        ("a.py", "# a\n"),
        ("a.py", "x = 1\n"),
        ("a.rs", "/// a\n"),
        ("a.rs", "mod a {"),
        ("a.yaml", "- a: 1\n"),
        ("a.md", "```\n# a\n"),
        ("a.md", "# a\n\nb\n\n"),
        ("a.kt", "\n"),
    ];
    for (path, piece) in pieces {
        let text = piece.repeat(bowline_index::BYTES_MAX / 8 / piece.len());
        let found = places(path, text.as_bytes());
        assert!(found.len() <= 20_000, "{path} {piece}");
    }
}
