//! What must hold for all inputs: an answer for any bytes, and none for a file that is as it was.

use bowline_index::{check, definitions, scope};
use proptest::prelude::*;

const PATHS: [&str; 18] = [
    "a.sh", "a.c", "a.cpp", "a.css", "a.go", "a.html", "a.java", "a.js", "a.json", "a.lua", "a.php", "a.py",
    "a.rb", "a.rs", "a.toml", "a.tsx", "a.ts", "a.yaml",
];
/// Pieces of which brackets, quotes and definitions of many languages are made.
const PIECES: [&str; 24] = [
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
    "  ",
    "\t",
    "fn a",
    "def b:",
    "class C",
    "function d",
    "${",
    "#{",
    "//",
    "/*",
    "*/",
    "=",
    "end",
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
            prop_assert!(scope(&found, *definition.lines.start()).is_some_and(|scope| scope.contains(&definition.name)));
        }
    }

    #[test]
    fn any_bytes_are_an_answer(
        path in prop::sample::select(&PATHS[..]),
        bytes in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let _ = check(path, b"", &bytes);
        let _ = definitions(path, &bytes);
    }
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
