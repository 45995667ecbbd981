//! Case files: `## name`, the input, a line `--`, what is expected. `UPDATE_EXPECT=1` rewrites the latter.

use std::fmt::Write as _;

/// Runs every case of `tests/cases/FILE` through `check`, which gives back what came of the input.
pub(crate) fn check(file: &str, check: impl Fn(&str) -> String) {
    let path = format!("{}/tests/cases/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let (head, cases) = split(&text);
    let mut now = head.to_owned();
    let mut wrong = Vec::new();
    for (name, input, expected) in &cases {
        let got = check(input);
        let _ = write!(now, "## {name}\n{input}--\n{}\n\n", got.trim_end());
        if got.trim_end() != expected.trim_end() {
            wrong.push(format!("## {name}\nexpected:\n{expected}\ngot:\n{got}"));
        }
    }
    assert!(!cases.is_empty(), "no cases in {path}");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, format!("{}\n", now.trim_end())).unwrap();
    } else {
        assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    }
}

fn split(text: &str) -> (&str, Vec<(String, String, String)>) {
    let start = if text.starts_with("## ") { 0 } else { text.find("\n## ").map_or(text.len(), |at| at + 1) };
    let (head, body) = text.split_at(start);
    let case = |case: &str| {
        let (name, rest) = case.split_once('\n').unwrap();
        let (input, expected) =
            rest.split_once("--\n").unwrap_or_else(|| panic!("case {name} has no line --"));
        (name.to_owned(), input.to_owned(), expected.to_owned())
    };
    let cases = format!("\n{body}").split("\n## ").skip(1).map(case).collect();
    (head, cases)
}
