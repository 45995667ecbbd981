//! Case files of the chat: `## name`, the input, a line `--`, what is expected. `UPDATE_EXPECT=1` rewrites the latter.

use std::fmt::Write as _;

/// Runs every case of `tests/cases/chat/FILE` through `check`, which gives back what came of the input.
pub(super) fn check(file: &str, check: impl Fn(&str) -> String) {
    let path = format!("{}/tests/cases/chat/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let start = text.find("\n## ").map_or(text.len(), |at| at + 1);
    let (head, body) = text.split_at(start);
    let mut now = head.to_owned();
    let mut wrong = Vec::new();
    for case in format!("\n{body}").split("\n## ").skip(1) {
        let (name, rest) = case.split_once('\n').unwrap();
        let (input, expected) =
            rest.split_once("--\n").unwrap_or_else(|| panic!("case {name} has no line --"));
        let got = check(input);
        let _ = write!(now, "## {name}\n{input}--\n{}\n\n", got.trim_end());
        if got.trim_end() != expected.trim_end() {
            wrong.push(format!("## {name}\nexpected:\n{expected}\ngot:\n{got}"));
        }
    }
    assert!(now.len() > head.len(), "no cases in {path}");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, format!("{}\n", now.trim_end())).unwrap();
    } else {
        assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    }
}
